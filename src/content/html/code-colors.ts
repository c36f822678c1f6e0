import type { ElementContent } from 'hast';
import { common, createLowlight, type LanguageFn } from 'lowlight';

const keywords = new Set('if then elif else fi for while until in do done case esac coproc function select'.split(' '));

/** Whether a command starts after this text: on a new line that continues no other, or after another command. */
function isBeforeCommand(before: string): boolean {
  const start = before.lastIndexOf('\n') + 1;
  const line = before.slice(start).trim();
  return line === '' ? !before.endsWith('\\\n', start) : /[|;&(]$|\b(?:then|else|do)$/.test(line);
}

/** In characters before a word. */
const maxBefore = 200;

/** Bash with programs and flags, which are most of the shell code in documentation and which the grammar ignores. */
const bash: LanguageFn = (hljs) => {
  const grammar = common['bash']?.(hljs) ?? { contains: [] };
  grammar.contains.push(
    {
      scope: 'title',
      begin: /(?<![\w./@~-])[a-z@./~][\w./@-]{0,80}(?=\s|$)/,
      'on:begin': ({ 0: word, input = '', index = 0 }, response) => {
        const before = input.slice(Math.max(0, index - maxBefore), index);
        if (keywords.has(word) || !isBeforeCommand(before)) response.ignoreMatch();
      },
      relevance: 0,
    },
    { scope: 'attr', begin: /(?<=\s)--?[A-Za-z][\w-]*/, relevance: 0 },
  );
  return grammar;
};

const lowlight = createLowlight({ ...common, bash });
lowlight.registerAlias({
  bash: ['curl', 'console', 'terminal'],
  json: ['json5', 'jsonc'],
  xml: ['vue', 'svelte'],
  ini: ['env', 'dotenv'],
});

const terminals = new Set(['console', 'terminal', 'bash', 'sh', 'zsh']);

/** Highlights code with classes (`hljs-...`). Undefined if the language is not one of the common ones. */
export function highlight(code: string, language: string): ElementContent[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  // If lines have a prompt, all others are output.
  const isSession = terminals.has(language) && /^\$ /m.test(code);
  return lowlight.highlight(isSession ? 'shell' : language, code).children.filter((child) => child.type !== 'doctype');
}
