import { purposes } from '../../src/cli/command/command.ts';
import { topics } from '../../src/commands/help/topics.ts';
import { blocksOf } from './blocks.ts';
import type { Call, OptionGroup, Page, Reference, TopPage } from './reference.ts';

/** The pages of `docs/commands/` by file name: one for each first-level word, and an index. */
export function markdownPages(reference: Reference): Map<string, string> {
  const pages = new Map([['README.md', indexPage(reference)]]);
  for (const group of reference.groups) pages.set(`${group.words[0]}.md`, groupPage(group));
  return pages;
}

const notice = '<!-- Written by "npm run generate". -->';

function indexPage({ groups, options, exits }: Reference): string {
  return joined([
    notice,
    '# Commands',
    ...purposes.flatMap((purpose) => {
      const held = groups.filter((group) => group.purpose === purpose);
      return held.length === 0 ? [] : [`## ${purpose}`, ...held.map(listedGroup)];
    }),
    '## Options of every command',
    ...options.flatMap((group) => [`### ${group.heading}`, optionList(group)]),
    '## Exit status',
    listOf(exits.map(([status, meaning]) => `\`${status}\` ${escaped(meaning)}`)),
    '## Topics',
    ...Object.entries(topics)
      .filter(([name]) => name !== 'exit-codes')
      .flatMap(([name, text]) => [`### ${name}`, fenced(text().trimEnd())]),
  ]);
}

const listedGroup = (group: TopPage) =>
  joined([
    `**[${group.words[0]}](${group.words[0]}.md)**: ${escaped(group.summary)}`,
    listOf(callsOf(group).map((page) => (page.words.length > 1 ? linked(page) : ''))),
  ]);

const linked = ({ words, summary }: Page) =>
  `[${words.join(' ')}](${words[0]}.md#${anchorOf(words)}): ${escaped(summary)}`;

const anchorOf = (words: string[]) => ['docsctl', ...words].join('-');

/** The commands of a page, the page's own command first. */
const callsOf = (page: Page): Page[] => [...(page.call ? [page] : []), ...page.below.flatMap(callsOf)];

function groupPage(group: TopPage): string {
  const calls = callsOf(group);
  return joined([
    notice,
    `# docsctl ${group.words[0]}`,
    escaped(group.summary),
    alsoCalled(group),
    calls.length > 1 ? listOf(calls.map(linked)) : '',
    ...calls.map(commandSection),
    `[All commands](README.md)`,
  ]);
}

const alsoCalled = ({ aliases, words }: Page) =>
  aliases.length === 0
    ? ''
    : `Also: ${aliases.map((alias) => code([...words.slice(0, -1), alias].join(' '))).join(', ')}.`;

function commandSection(page: Page): string {
  const call = page.call!;
  return joined([
    // A command that is alone on its page has its heading there.
    page.words.length > 1 || page.below.length > 0 ? `## docsctl ${page.words.join(' ')}` : '',
    page.words.length > 1 ? escaped(page.summary) : '',
    ...blocksOf(call.description).map((block) =>
      block.kind === 'text' ? escaped(block.text) : fenced(block.lines.join('\n')),
    ),
    page.words.length > 1 ? alsoCalled(page) : '',
    fenced(call.usage, 'sh'),
    call.args.length > 0 ? '### Arguments' : '',
    listOf(call.args.map(({ term, description }) => `${code(term)} ${escaped(description)}`)),
    ...call.options.flatMap((group) => [`### ${group.heading}`, optionList(group)]),
    call.examples.length > 0 ? '### Examples' : '',
    ...call.examples.flatMap(({ does, run }) => [`${escaped(does)}:`, fenced(run, 'sh')]),
    call.exits.length > 0 ? '### Exit status' : '',
    listOf(call.exits.map(([status, meaning]) => `${code(String(status))} ${escaped(meaning)}`)),
    call.docs === undefined ? '' : `The rules are in [${call.docs}](../${call.docs.replace(/^docs\//, '')}).`,
    seeAlso(call),
  ]);
}

const seeAlso = ({ see }: Call) =>
  see.length === 0
    ? ''
    : `See also: ${see
        .map((name) => {
          const words = name.split(' ');
          const target =
            words[0] === 'help'
              ? `README.md#${words[1] === 'exit-codes' ? 'exit-status' : (words[1] ?? 'topics')}`
              : `${words[0]}.md#${anchorOf(words)}`;
          return `[docsctl ${name}](${target})`;
        })
        .join(', ')}`;

const optionList = ({ options }: OptionGroup) =>
  listOf(
    options.map(({ term, description, words }) =>
      [code(term), escaped(description), words.length > 0 ? `One of ${words.map(code).join(', ')}.` : '']
        .filter(Boolean)
        .join(' '),
    ),
  );

const listOf = (lines: string[]) =>
  lines
    .filter(Boolean)
    .map((line) => `- ${line}`)
    .join('\n');

const code = (text: string) => `\`${text}\``;
const fenced = (text: string, language = 'text') => `\`\`\`${language}\n${text}\n\`\`\``;
const escaped = (text: string) => text.replaceAll(/[\\`*_<>[\]]/g, '\\$&');

const joined = (parts: string[]) =>
  `${parts
    .map((part) => part.trimEnd())
    .filter(Boolean)
    .join('\n\n')}\n`;
