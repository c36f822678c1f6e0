import { purposes } from '../cli/tree.ts';
import { topics } from '../commands/help-topics.ts';
import { version } from '../version.ts';
import { blocksOf } from './blocks.ts';
import type { OptionGroup, Page, Reference } from './reference.ts';

/** Manual pages by file name: one for the program, one for each group, one for each command. */
export function manPages(reference: Reference): Map<string, string> {
  const pages = new Map([['docsctl.1', rootPage(reference)]]);
  const add = (page: Page) => {
    pages.set(`${nameOf(page.words)}.1`, page.call ? commandPage(page) : groupPage(page));
    page.below.forEach(add);
  };
  reference.groups.forEach(add);
  return pages;
}

const nameOf = (words: readonly string[]) => ['docsctl', ...words].join('-');

function rootPage({ groups, options, exits }: Reference): string {
  return page(nameOf([]), 'administer a documentation platform, or run it locally', [
    section('SYNOPSIS', ['.B docsctl', text('<command> [options]')]),
    section('DESCRIPTION', [
      text('Every command has a page of its own: docsctl members list is explained in docsctl-members-list(1).'),
    ]),
    section(
      'COMMANDS',
      purposes.flatMap((purpose) => {
        const held = groups.filter((group) => group.purpose === purpose);
        return held.length === 0 ? [] : [`.SS ${purpose}`, ...held.map(pointer)];
      }),
    ),
    section('OPTIONS', ['Every command takes these.', ...options.flatMap(optionGroup)]),
    section('EXIT STATUS', statuses(exits)),
    ...Object.entries(topics)
      .filter(([name]) => name !== 'exit-codes')
      .map(([name, words]) => section(name.toUpperCase(), prose(words()))),
  ]);
}

const pointer = ({ words, summary }: Page) => tagged(reference(words), summary);

function groupPage({ words, aliases, summary, below }: Page): string {
  return page(nameOf(words), summary, [
    section('SYNOPSIS', [`.B docsctl ${escaped(words.join(' '))}`, text('<command> [options]')]),
    section('DESCRIPTION', [text(summary), ...alsoCalled(aliases)]),
    section('COMMANDS', below.map(pointer)),
    section('SEE ALSO', [reference([])]),
  ]);
}

function commandPage({ words, aliases, summary, call, below }: Page): string {
  const { usage, description, args, options, examples, exits, see } = call!;
  const name = ['docsctl', ...words].join(' ');
  return page(nameOf(words), summary, [
    section('SYNOPSIS', [`.B ${escaped(name)}`, text(usage.slice(name.length + 1))]),
    section('DESCRIPTION', [text(summary), ...prose(description, true), ...alsoCalled(aliases)]),
    section('COMMANDS', below.map(pointer)),
    section(
      'ARGUMENTS',
      args.map((argument) => tagged(bold(argument.term), argument.description)),
    ),
    section('OPTIONS', [
      ...options.flatMap((group) => (group.heading === 'Options' ? optionTerms(group) : optionGroup(group))),
      '.PP',
      'Options of every command are explained in',
      `${reference([])}.`,
    ]),
    section('EXIT STATUS', [
      ...statuses(exits),
      ...(exits.length > 0 ? ['.PP'] : []),
      'Statuses of every command are explained in',
      `${reference([])}.`,
    ]),
    section(
      'EXAMPLES',
      examples.flatMap(({ does, run }) => ['.PP', text(`${does}:`), ...literal([run])]),
    ),
    section('SEE ALSO', [
      [
        reference([]),
        ...see.map((other) => (other.startsWith('help ') ? bold(`docsctl ${other}`) : reference(other.split(' ')))),
      ].join(',\n'),
    ]),
  ]);
}

const alsoCalled = (aliases: readonly string[]) =>
  aliases.length === 0 ? [] : ['.PP', text(`It may also be written ${aliases.join(', ')}.`)];

/** No date: pages change with the program only. */
function page(name: string, summary: string, sections: string[]): string {
  // OpenAPI and SSO keep their letters.
  const told = summary.replace(/\.$/, '').replace(/^[A-Z][a-z]*(?=[ ,:])/, (word) => word.toLowerCase());
  return `${[
    '.\\" Written by "npm run generate".',
    `.TH ${escaped(name).toUpperCase().replaceAll('\\-', '-')} 1 "" "docsctl ${escaped(version)}" "docsctl manual"`,
    section('NAME', [`${escaped(name)} \\- ${escaped(told)}`]),
    ...sections.filter(Boolean),
  ].join('\n')}\n`;
}

/** A paragraph that begins a section needs no request for it. */
function section(heading: string, lines: string[]): string {
  if (lines.length === 0) return '';
  return [`.SH ${heading}`, ...(lines[0] === '.PP' ? lines.slice(1) : lines)].join('\n');
}

const optionGroup = (group: OptionGroup) => [`.SS ${escaped(group.heading)}`, ...optionTerms(group)];

const optionTerms = ({ options }: OptionGroup) =>
  options.map(({ term, description, words }) =>
    tagged(bold(term), [description, words.length > 0 ? `One of ${words.join(', ')}.` : ''].filter(Boolean).join(' ')),
  );

const statuses = (exits: [number, string][]) => exits.map(([status, meaning]) => tagged(bold(String(status)), meaning));

const tagged = (tag: string, words: string) => `.TP\n${tag}\n${text(words)}`;

/** Paragraphs and blocks of the help. @param apart whether something stands above it */
function prose(words: string, apart = false): string[] {
  return blocksOf(words).flatMap((block, at) =>
    block.kind === 'literal' ? literal(block.lines) : [...(apart || at > 0 ? ['.PP'] : []), text(block.text)],
  );
}

const literal = (lines: readonly string[]) => [
  '.PP',
  '.RS 4',
  '.EX',
  ...lines.map((line) => (line === '' ? '' : text(line))),
  '.EE',
  '.RE',
];

const reference = (words: readonly string[]) => `${bold(nameOf(words))}(1)`;
const bold = (words: string) => `\\fB${escaped(words)}\\fR`;

/** A line of text: what begins like a request is none. */
const text = (words: string) => escaped(words).replace(/^(?=[.'])/, '\\&');

const marks: Record<string, string> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

const escaped = (words: string) =>
  words
    .replaceAll(/[\\\-'`^~]/g, (mark) => marks[mark]!)
    .replaceAll(/[^\x00-\x7f]/gu, (char) => `\\[u${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`);
