import type { ElementContent } from 'hast';
import { common, createLowlight, type LanguageFn } from 'lowlight';

const keywords = new Set('if then elif else fi for while until in do done case esac coproc function select'.split(' '));

/** Whether a command begins after this text: on a line that does not continue another one, or after another command. */
function isBeforeCommand(before: string): boolean {
  const start = before.lastIndexOf('\n') + 1;
  const line = before.slice(start).trim();
  return line === '' ? !before.endsWith('\\\n', start) : /[|;&(]$|\b(?:then|else|do)$/.test(line);
}

/** What is looked at before a word. */
const maxBefore = 200;

/** The grammar of Bash knows neither programs nor their flags, which is most of what documentation shows. */
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

/** The code with the classes of its parts (`hljs-...`); undefined: the language is not one of the common ones. */
export function highlight(code: string, language: string): ElementContent[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  // With a prompt, other lines are what commands print.
  const isSession = terminals.has(language) && /^\$ /m.test(code);
  return lowlight.highlight(isSession ? 'shell' : language, code).children.filter((child) => child.type !== 'doctype');
}
