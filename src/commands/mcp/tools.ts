import * as z from 'zod/mini';
import { exit } from '../../cli/program/failure.ts';
import { Refusal, type Tool, tool, type ToolCall } from '../../mcp/tool.ts';
import { findCall, kindNames } from './find.ts';
import { linkLine, pageText, rehearsalText, searchLines } from './show.ts';

export interface ToolContext {
  /** The words of a command that may be rehearsed or proposed. @throws Refusal */
  proposable(words: readonly string[]): Promise<string[]>;
  /** The folder that an agent may read. @throws Refusal */
  folder(name: string | undefined): string;
  /** Whether there are tools that add proposals. */
  isReadOnly: boolean;
}

/** A text that cannot be taken for a flag, a file or standard input. */
const isPlain = (text: string) => text.length <= 1_000 && !/^(?:-|@(?!me$)|file:)|\p{Cc}/iu.test(text);

const text = (description?: string) => {
  const checked = z
    .string()
    .check(z.refine(isPlain, 'must be one line of at most 1,000 characters that does not begin with -, @ or file:'));
  return description === undefined ? checked : checked.check(z.describe(description));
};
const given = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(schema);
const flag = () => z.optional(z.boolean());

/** Where the rest of a long result begins. */
const from = () => z.optional(z.int().check(z.gte(0), z.lte(1_000_000_000)));

/** One word of a command line may be the text of a comment. */
const command = () =>
  z
    .array(z.string().check(z.refine((word) => word.length <= 20_000 && !word.includes('\0'), 'is too long')))
    .check(z.describe('words, without a shell: ["spaces","edit","Handbook","--title=New"]'));

interface PlanInput {
  folder?: string | undefined;
  only?: string[] | undefined;
  prune?: boolean | undefined;
}

const planWords = ({ folder: name, only = [], prune }: PlanInput, { folder }: ToolContext): string[] => [
  'plan',
  folder(name),
  ...only.map((part) => `--only=${part}`),
  ...(prune ? ['--prune'] : []),
  '--no-ci',
];

/** What the server offers to agents: name, description, input and command line of each tool. */
const reading: readonly ((context: ToolContext) => Tool)[] = [
  tool({
    name: 'find',
    title: 'Find objects',
    description:
      'List objects with IDs. "text" filters by title, name or email. "in" is the space of pages, files, comments and change requests, or the team of team-members. Titles, paths and emails work wherever an ID does.',
    changes: 'nothing',
    input: z.strictObject({ kind: z.enum(kindNames), text: given(text()), in: given(text()), from: from() }),
    call: findCall,
  }),
  tool({
    name: 'read_page',
    title: 'Read a page',
    description: 'The Markdown of a page.',
    changes: 'nothing',
    input: z.strictObject({
      space: text(),
      page: text('ID or path'),
      change_request: given(text()),
      from: from(),
    }),
    call: ({ space, page, change_request: cr, from: start }) => ({
      words: [
        'content',
        'pages',
        'view',
        page,
        `--space=${space}`,
        '--format=markdown',
        ...(cr === undefined ? [] : [`--cr=${cr}`]),
      ],
      output: 'object',
      show: pageText,
      ...continued(start),
    }),
  }),
  tool({
    name: 'search',
    title: 'Search pages',
    description: 'Find pages by words or a question, best match first.',
    changes: 'nothing',
    input: z.strictObject({ query: text(), space: given(text()), from: from() }),
    call: ({ query, space, from: start }) => ({
      words: space === undefined ? ['search', query] : ['spaces', 'search', query, `--space=${space}`],
      output: 'items',
      ...(space === undefined && { show: searchLines }),
      ...continued(start),
    }),
  }),
  tool({
    name: 'check_access',
    title: 'Check access',
    description:
      'Whether a member has a level on a space, and why. With the member only: their spaces. With the space only: its members.',
    changes: 'nothing',
    isStructured: true,
    input: z.strictObject({
      member: given(text('email or ID; @me is you')),
      space: given(text()),
      level: given(z.enum(['admin', 'create', 'review', 'edit', 'comment', 'read'])),
      from: from(),
    }),
    call: accessCall,
  }),
  tool({
    name: 'report',
    title: 'Report problems',
    description:
      'links: broken links in all spaces, or every link of one space. pages: stale, unlinked, duplicate and shrunk pages with owners.',
    changes: 'nothing',
    input: z.strictObject({ about: z.enum(['links', 'pages']), space: given(text()), from: from() }),
    call: reportCall,
  }),
  tool({
    name: 'plan_files',
    title: 'Plan changes in files',
    description:
      'What would make the organization match its files in a local folder. Changes nothing. "only" is a list such as spaces/handbook; "prune" also removes what is not in the files.',
    changes: 'nothing',
    input: z.strictObject({
      folder: given(text()),
      only: given(z.array(text())),
      prune: flag(),
      lines: z.optional(z.boolean().check(z.describe('show changed lines of pages'))),
      from: from(),
    }),
    call: ({ lines, from: start, ...input }, context: ToolContext) => ({
      words: [...planWords(input, context), ...(lines ? ['--diff'] : [])],
      output: 'object',
      ...continued(start),
    }),
  }),
  tool({
    name: 'rehearse',
    title: 'Rehearse a command',
    description:
      'Run a command on a copy, which is deleted: what it would change, who gains or loses access, which links break, and whether it would be refused. Do this before you propose. For commands of members, teams, invites, spaces, collections, cr, comments, fields, sites and translations that change something, and for replace and links check with --all-spaces.',
    changes: 'nothing',
    input: z.strictObject({ command: command(), from: from() }),
    call: async ({ command: words, from: start }, { proposable }: ToolContext) => ({
      words: ['rehearse', '--', ...(await proposable(words))],
      output: 'object',
      show: rehearsalText,
      ...continued(start),
    }),
  }),
  tool({
    name: 'proposals',
    title: 'See proposals',
    description: 'The list of proposals, or one with its status and approvals.',
    changes: 'nothing',
    isStructured: true,
    input: z.strictObject({ id: given(text()), from: from() }),
    call: ({ id, from: start }) => ({
      words: id === undefined ? ['proposals', 'list'] : ['proposals', 'view', id],
      output: id === undefined ? 'items' : 'object',
      ...continued(start),
    }),
  }),
  tool({
    name: 'help',
    title: 'Help',
    description: 'Help of a command or topic, such as "spaces edit"; "search" finds commands for a task.',
    changes: 'nothing',
    input: z.strictObject({ topic: given(text()), search: given(text()), from: from() }),
    call: ({ topic = '', search, from: start }) => ({
      words: search === undefined ? ['help', ...topicWords(topic)] : ['help', `--search=${search}`],
      output: search === undefined ? 'text' : 'items',
      isOwn: true,
      ...continued(start),
    }),
  }),
];

const propose = tool({
  name: 'propose',
  title: 'Propose a change',
  description:
    'Ask a person to approve a command, or the plan of a folder. Nothing changes until somebody else approves and applies it.',
  changes: 'proposals',
  isStructured: true,
  input: z.strictObject({
    title: text(),
    command: given(command()),
    folder: given(text()),
    only: given(z.array(text())),
    expires: given(text('such as 7d')),
  }),
  async call({ title, command: words, expires, ...input }, context: ToolContext) {
    const isPlan = words === undefined;
    if (!isPlan && (input.folder !== undefined || input.only !== undefined))
      throw new Refusal('Pass "command" or "folder", not both.');
    const expiry = expires === undefined ? [] : [`--expires=${expires}`];
    return {
      words: isPlan
        ? [...planWords(input, context), `--propose=${title}`, ...expiry]
        : ['propose', `--title=${title}`, ...expiry, '--', ...(await context.proposable(words))],
      output: 'object',
    };
  },
});
export function toolsFor(context: ToolContext): Tool[] {
  const made = reading.map((make) => make(context));
  return context.isReadOnly ? made : [...made, propose(context)];
}

const continued = (start: number | undefined) => (start === undefined ? {} : { from: start });

/** @throws Refusal for a word that would be an option of the command "help" */
function topicWords(topic: string): string[] {
  const words = topic.split(' ').filter(Boolean);
  if (words.some((word) => word.startsWith('-')))
    throw new Refusal('"topic" is the words of a command without options.');
  return words;
}

interface AccessQuestion {
  member?: string | undefined;
  space?: string | undefined;
  level?: string | undefined;
  from?: number | undefined;
}

function accessCall({ member, space, level, from: start }: AccessQuestion): ToolCall {
  if (member !== undefined && space !== undefined)
    return {
      words: ['access', 'check', member, space, ...(level === undefined ? [] : [level])],
      output: 'object',
      // The member does not have the level.
      results: [exit.checkFailed],
    };
  if (level !== undefined) throw new Refusal('"level" needs "member" and "space".');
  if (member === undefined && space === undefined) throw new Refusal('Pass "member", "space" or both.');
  const whose = member === undefined ? `--space=${space}` : `--member=${member}`;
  return { words: ['access', 'list', whose], output: 'items', ...continued(start) };
}

interface ReportQuestion {
  about: 'links' | 'pages';
  space?: string | undefined;
  from?: number | undefined;
}

function reportCall({ about, space, from: start }: ReportQuestion): ToolCall {
  if (about === 'pages') {
    if (space !== undefined) throw new Refusal('"space" cannot be used with pages: the report is about all spaces.');
    return { words: ['content', 'report', '--all-spaces', '--problems'], output: 'items', ...continued(start) };
  }
  if (space !== undefined)
    return { words: ['spaces', 'links', space], output: 'items', show: linkLine, ...continued(start) };
  return {
    words: ['links', 'check', '--all-spaces', '--fail-on=none', '--no-ci'],
    output: 'items',
    ...continued(start),
  };
}
