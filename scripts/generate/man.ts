import { purposes } from '../../src/cli/command/command.ts';
import { topics } from '../../src/commands/help/topics.ts';
import { version } from '../../src/shared/version.ts';
import { blocksOf } from './blocks.ts';
import type { Call, OptionGroup, Page, Reference } from './reference.ts';

/** Manual pages by file name: one for the program, one for each first word of a command. */
export function manPages(reference: Reference): Map<string, string> {
  return new Map([
    ['docsctl.1', rootPage(reference)],
    ...reference.groups.map((group) => [`${nameOf(group.words)}.1`, wordPage(group)] as const),
  ]);
}

/** Commands with the same first word share a page. */
const nameOf = ([word]: readonly string[]) => (word === undefined ? 'docsctl' : `docsctl-${word}`);

function rootPage({ groups, options, exits }: Reference): string {
  return page(nameOf([]), 'administer a documentation platform, or run it locally', [
    section('SYNOPSIS', ['.B docsctl', text('<command> [options]')]),
    section('DESCRIPTION', [
      text('The first word of a command has a page: docsctl members list is explained in docsctl-members(1).'),
    ]),
    section(
      'COMMANDS',
      purposes.flatMap((purpose) => {
        const members = groups.filter((group) => group.purpose === purpose);
        return members.length === 0 ? [] : [`.SS ${purpose}`, ...members.map(pointer)];
      }),
    ),
    section('OPTIONS', ['Every command takes these.', ...options.flatMap(optionGroup)]),
    section('EXIT STATUS', statuses(exits)),
    ...Object.entries(topics)
      .filter(([name]) => name !== 'exit-codes')
      .map(([name, topic]) => section(name.toUpperCase(), prose(topic()))),
  ]);
}

const pointer = ({ words, summary }: Page) => tagged(reference(words), summary);

/** The command of the first word itself, where it can be called, then all commands below it. */
function wordPage(group: Page): string {
  const { words, aliases, summary, call } = group;
  const commands = group.below.flatMap(commandsOf);
  const name = ['docsctl', ...words].join(' ');
  return page(nameOf(words), summary, [
    section('SYNOPSIS', [
      `.B ${escaped(name)}`,
      text(call ? call.usage.slice(name.length + 1) : '<command> [options]'),
    ]),
    section('DESCRIPTION', [text(summary), ...prose(call?.description ?? '', true), ...alsoCalled(aliases)]),
    ...(call ? callSections(call) : []),
    section('COMMANDS', commands.flatMap(commandLines)),
    section('OPTIONS AND STATUSES OF EVERY COMMAND', ['They are explained in', `${reference([])}.`]),
    section('SEE ALSO', [seeAlso(words, [call, ...commands.map((command) => command.call)])]),
  ]);
}

/** The commands of a page that can be called, the page's own command first. */
const commandsOf = (item: Page): Page[] => [...(item.call ? [item] : []), ...item.below.flatMap(commandsOf)];

const callSections = (call: Call) => partsOf(call).map(({ heading, lines }) => section(heading.toUpperCase(), lines));

function commandLines({ words, aliases, summary, call }: Page): string[] {
  if (!call) return [];
  return [
    `.SS ${escaped(['docsctl', ...words].join(' '))}`,
    text(summary),
    ...prose(call.description, true),
    ...alsoCalled(aliases),
    ...literal([call.usage]),
    ...partsOf(call).flatMap(({ heading, lines }) => ['.PP', `.I ${escaped(heading)}`, ...lines]),
  ];
}

/** The parts below the description of a command; parts without lines are skipped. */
function partsOf({ args, options, exits, examples }: Call): { heading: string; lines: string[] }[] {
  return [
    { heading: 'Arguments', lines: args.map(({ term, description }) => tagged(bold(term), description)) },
    ...options.map((group) => ({ heading: group.heading, lines: optionTerms(group) })),
    { heading: 'Exit status', lines: statuses(exits) },
    {
      heading: 'Examples',
      lines: examples.flatMap(({ does, run }) => ['.PP', text(`${does}:`), ...literal([run])]),
    },
  ].filter(({ lines }) => lines.length > 0);
}

/** The pages to read next, without duplicates, the page of the program first. */
function seeAlso(words: readonly string[], calls: (Call | undefined)[]): string {
  const names = calls.flatMap((call) => call?.see ?? []);
  const others = names.map((name) => (name.startsWith('help ') ? bold(`docsctl ${name}`) : reference(name.split(' '))));
  return [...new Set([reference([]), ...others])].filter((other) => other !== reference(words)).join(',\n');
}

const alsoCalled = (aliases: readonly string[]) =>
  aliases.length === 0 ? [] : ['.PP', text(`It may also be written ${aliases.join(', ')}.`)];

/** No date: pages change only with the program. */
function page(name: string, summary: string, sections: string[]): string {
  // OpenAPI and SSO are written as they are.
  const description = summary.replace(/\.$/, '').replace(/^[A-Z][a-z]*(?=[ ,:])/, (word) => word.toLowerCase());
  return `${[
    '.\\" Written by "npm run generate".',
    `.TH ${escaped(name).toUpperCase().replaceAll('\\-', '-')} 1 "" "docsctl ${escaped(version)}" "docsctl manual"`,
    section('NAME', [`${escaped(name)} \\- ${escaped(description)}`]),
    ...sections.filter(Boolean),
  ].join('\n')}\n`;
}

/** A paragraph that begins a section needs no request. */
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

/**
 * Paragraphs and blocks of a help text.
 *
 * @param apart whether text comes before it
 */
function prose(words: string, apart = false): string[] {
  return blocksOf(words).flatMap((block, index) =>
    block.kind === 'literal' ? literal(block.lines) : [...(apart || index > 0 ? ['.PP'] : []), text(block.text)],
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

/** A line of text that begins like a request is escaped. */
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
