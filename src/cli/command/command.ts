import type { Command as Commander, Option } from 'commander';
import type * as z from 'zod/mini';
import type { Client } from '../../client/client.ts';
import type { RoleName } from '../../contract/access.ts';
import type { AnswerOf, BodyInput, Endpoint, ParamsOf, QueryInput } from '../../contract/endpoint.ts';
import type { Field } from '../../contract/fields.ts';
import type { ScopeName } from '../../contract/objects.ts';
import type { Column } from '../output/index.ts';
import type { FlagOf } from '../program/failure.ts';
import type { Globals } from '../program/globals.ts';
import type { Io } from '../program/io.ts';
import type { Names } from '../naming/names.ts';
import type { Session } from '../settings/session.ts';
import type { Selection } from './filter/types.ts';
import type { CommandLines } from './command-lines.ts';
import type { Pointer } from './pointer.ts';

/** Headings of the root help, in order. */
export const purposes = ['People', 'Content', 'Publishing', 'Local instance', 'As files', 'Settings', 'More'] as const;
export type Purpose = (typeof purposes)[number];

/** A first-level word: a group of commands, or a command. Its module is loaded when the word is used. */
export interface Entry {
  name: string;
  aliases?: readonly string[];
  summary: string;
  purpose: Purpose;
  /** Not listed in help. */
  hidden?: boolean;
  /** It needs the whole tree of commands. */
  seesAll?: true;
  load: () => Promise<{ default: Node[] | Command }>;
  /** Commands of the group that have their own `--version` option. */
  versioned?: readonly string[];
}

export type Node = Command | Branch;

/** A word with words below it: `teams members`. */
export interface Branch {
  name: string;
  aliases?: readonly string[];
  summary: string;
  children: Node[];
}

export interface Example {
  run: string;
  does: string;
}

/** The examples of a command, in order. */
export const examplesOf = ({ examples = {} }: Command): Example[] =>
  Object.entries(examples).map(([does, run]) => ({ run, does }));

/** An option of a command. */
export interface Flag {
  /** In commander's notation: `--from <file>`. */
  flags: string;
  description: string;
  /** Allowed words. */
  choices?: readonly string[];
  /** May be given several times, or with commas; with `verbatim`, commas are part of the text. */
  repeatable?: boolean | 'verbatim';
  default?: unknown;
  hidden?: boolean;
  /** Its value is `<object>=<word>`. */
  pair?: Pair;
  /** Its value may be `@<file>` or `<name>=@<file>`. */
  takesFile?: boolean;
  /** It sets a part of the request: messages about a missing change name it. */
  sets?: true;
  /** Changes the option as commander has it. */
  with?: (option: Option) => Option;
}

/** The two sides of an equals sign, for completions. */
export interface Pair {
  /** The object on the left, as a path parameter: `userId`. */
  object: string;
  /** The words that are allowed on the right; any text by default. */
  words?: readonly string[];
}

/** A suggested value of an argument, with a description if it needs one. */
export type Word = string | { value: string; description: string };

/** What a command may change: data of the service, files on this machine, or settings of docsctl. */
export type Changed = 'service' | 'files' | 'settings';

/** One command. With an endpoint, arguments, flags, help and printing follow from it. Made with `command()`. */
export interface Command {
  /** Name and arguments in commander's notation: `edit <user>`, `remove <user...>`, `view [org]`. */
  use: string;
  /**
   * What it may change; by default, that follows from its endpoint. Reports and results that a flag writes do not count.
   */
  changes?: readonly Changed[];
  /** The schema of what `-o json` prints; by default, that of its endpoint's answer. */
  prints?: (() => Promise<z.core.$ZodType>) | 'nothing' | 'text' | 'anything';
  /** `-o json` prints one such value per line. */
  printsLines?: true;
  aliases?: readonly string[];
  hidden?: boolean;
  endpoint?: Endpoint;
  /** The same endpoint for change requests, used with `--cr`. */
  changeRequestEndpoint?: Endpoint;
  /** One line in the imperative; by default, the endpoint's. */
  summary?: string;
  /** What it does, and what it does not do. */
  description?: string;
  /** Command lines that work on the demo instance unchanged, by what they do. */
  examples?: Readonly<Record<string, string>>;
  /** Exit statuses with a special meaning for this command. */
  exitStatuses?: Readonly<Record<number, string>>;
  /** The page of the documentation that has the rules, from the top of the repository. */
  docs?: string;
  /** Commands to read about next. */
  seeAlso?: readonly string[];
  flags?: readonly Flag[];
  input?: CommandInput;
  output?: CommandOutput;
  /**
   * What to do if the service rejects the request, by the reason in the response; `position` is for a rejected --before or --after.
   * `<name>` is replaced with the argument of that name.
   */
  advice?: Readonly<Record<string, string>>;
  /** Looks at all calls before the questions, also in a dry run: it names what else is affected, or throws an error. */
  guard?(invocation: Invocation, calls: readonly Call[]): Promise<void>;
  /** Asks before it runs: each question that applies. */
  confirm?: Confirm | readonly Confirm[];
  /** Asks with the words "this is you" if the caller is changed; `own`: in its own code. */
  self?: SelfChange | 'own';
  /** Runs instead of the steps that follow from the endpoint. */
  run?(invocation: Invocation): Promise<void>;
  /**
   * When a command with a `run` writes files on this machine: never (`[]`), or with one of these flags, by commander's
   * names. Absent if it writes files or settings, or does not change the service: such a command is not rehearsed.
   */
  writesFilesWith?: readonly string[];
  /** Flags with which a command that otherwise writes files, or changes nothing, is rehearsed. */
  rehearsedWith?: readonly string[];
  /** The endpoint of a request of a `run` that cannot be undone, which questions of other commands about it mention. */
  permanent?(values: Record<string, unknown>): string | undefined;
  /** It runs other command lines, which are recorded on their own. */
  runsLines?: true;
  /** Subcommands of a command that also runs without one: `serve token create`. */
  subcommands?: Node[];
  /** It is normally ended by a signal, with status 0. */
  endsQuietly?: boolean;
}

/** How arguments and flags make the request. */
export interface CommandInput {
  /** Fields that get no flag or argument, or `all`: the command sets them itself. */
  without?: readonly string[] | 'all';
  /** Names of flags that differ from the names of their fields: `{ sectionId: 'section' }`. */
  names?: Record<string, string>;
  /** Fixed fields, and fields that are computed from the command's flags. */
  body?(invocation: Invocation, params: Record<string, string>): Fields | Promise<Fields>;
  query?(invocation: Invocation): Fields | Promise<Fields>;
  /** A request that sets nothing is a mistake, as it always is with PATCH. */
  needsChange?: true;
  /** Flags, by commander's names, whose value fits one object only: refused if several are given. */
  singular?: readonly string[];
  /** Several objects are changed one after another, in their intended order. */
  inOrder?: true;
  /** The command has a `run`, and still takes several objects as a derived command does. */
  batch?: true;
  /** Looks at the body before anything is sent, with warnings or a question about it. */
  check?: Check;
  /** The flags and arguments that set a path of the body, if their names differ: for messages about that path. */
  sources?: Record<string, readonly string[]>;
  /** The path parameter or field that an argument fills, if the names differ. */
  params?: Record<string, string>;
  /** Completions of an argument, by its name, if they do not come from a list of the service. */
  suggestions?: Record<string, Suggest>;
  /** Help texts of arguments, if those for their names do not fit. */
  texts?: Record<string, string>;
  /** Arguments that are paths of files, if their names do not say so. */
  files?: readonly string[];
  /** The kind of object that an argument names, as a path parameter, if the endpoint's path does not have it. */
  objects?: Record<string, (previousArguments: readonly string[]) => string | undefined>;
  /** Arguments that are `<object>=<something>`. */
  pairs?: Record<string, Pair>;
  /** The scopes of a hand-written command: it gets a flag for each. */
  context?: readonly ScopeName[];
  /** Throws an error for arguments, if people may pass a secret as one. */
  refuseArguments?: () => never;
}

export type Fields = Record<string, unknown>;
export type Check = (invocation: Invocation, body: Fields) => Promise<void>;
export type Suggest = (
  invocation: Invocation,
  previousArguments: readonly string[],
) => readonly Word[] | Promise<readonly Word[]>;

/** How the answer is printed. */
export interface CommandOutput {
  /** It prints a list that is not paged: it takes `--filter` and `--sort-by`, as paged ones do. */
  list?: true;
  /** Fields of a list without an endpoint that have no column. */
  fields?: readonly string[];
  /** Columns of tables, and fields of cards if there is no `card`. */
  columns?: readonly Column[];
  /** Fields of the card of one object. */
  card?: readonly Column[];
  /** Path of the time that `--older-than` is about; `updatedAt` by default. */
  ageKey?: string;
  /** Path of the value that other commands take for an item, if that is not its `id`. */
  idKey?: string;
  /** Shown as a tree: where an item's children are, or which item it is below. */
  tree?: Tree;
  /** The rows of each item, if a format of rows shows other objects than the items: pages, of spaces with pages. */
  rows?: { columns: readonly Column[]; of(item: unknown): unknown[] };
  /** Adds `--fail-on`: status 9 if an item has one of these words at `key`. */
  failOn?: { key: string; words: readonly string[] };
  /** The member of the answer to print; the whole answer by default. */
  member?: string;
  /** Whether an item of a paged list is skipped: it is not shown, and `--limit` does not count it. */
  hides?(item: unknown, client: Client): boolean | Promise<boolean>;
  /** A message on standard error about the first answer of a paged list. */
  note?(answer: unknown): string | undefined;
  /** Looks at each item of a paged list, and gives the one to print. */
  select?(item: unknown): unknown;
  /** The message on standard error after a call without a response; `{}` is replaced with the argument. */
  done?: string;
  /** What `-o json` says of a call without an answer, as `{"id": ..., "result": "removed"}`; by default from the verb. */
  result?: string;
}

/** Where an item's children are, or which item it is below. */
export type Tree<Item = unknown> = { children(item: Item): unknown[] | undefined } | ParentTree<Item>;
interface ParentTree<Item = unknown> {
  parent(item: Item): string | undefined;
}

export interface Confirm<Target = unknown> {
  /** `Remove {} from the team {teamId}?` — `{}` is replaced with the objects, `{teamId}` with the object that the path parameter names. */
  question: string;
  /** The title must be typed. `view` is the endpoint that gives it. */
  typed?: { view: Endpoint; title(object: Target): string };
  /** What is deleted with the object: how many of what. */
  holds?(object: Target): [count: number, noun: string][];
  /** Asks only about the calls of which this is true. */
  when?: (body: Record<string, unknown>) => boolean;
}

/** A change that takes something from the caller, if the caller is among those who are changed. */
export interface SelfChange {
  /** `Remove {} from the organization {orgId}?` */
  question: string;
  /** What the caller has no longer: it follows "this is you". */
  loss: string;
  /** Whether a call with this body takes something from a person with this role; always by default. */
  lowers?: (body: Record<string, unknown>, role: RoleName | null) => boolean;
  /** Whom a call with this body changes, if that is not the member that its path names. */
  people?: (body: Record<string, unknown>) => string[];
}

/** A flag made from a field of a query or a body. */
export interface DerivedFlag {
  /** `--default-level` */
  long: string;
  /** Commander's name of its value: `defaultLevel`. */
  attribute: string;
  in: 'query' | 'body';
  /** Where the value goes: `['defaultContent', 'site']`. */
  path: string[];
  field: Field;
  /** Placeholder of the value; absent for a switch. */
  value?: string;
  description: string;
  choices?: string[];
  /** May be given several times, and takes commas. */
  repeatable: boolean;
  /** The word for null, if null is one of the roles. */
  nullWord?: string;
  /** For `--before` and `--after`: the kinds of objects that the value may name. */
  pointers?: Pointer[];
}

/** Flags that many commands have. */
export interface SharedFlags {
  org?: string;
  space?: string;
  site?: string;
  /** A change request, by id or number. */
  cr?: string;
  /** The whole body. */
  data?: string;
  clear?: string[];
  failFast?: boolean;
  limit?: number;
  pageSize?: number;
  page?: string;
  filter?: string[];
  sortBy?: string[];
}

/** One run of one command: its input, and what it works with. */
export interface Invocation<
  out Args = Record<string, string | string[] | undefined>,
  out Flags = {},
  out E extends Endpoint | undefined = Endpoint | undefined,
> {
  command: Command & { endpoint?: E };
  /** `members list`, for messages and printed command lines. */
  path: string;
  /** Arguments by name; an array after `...`. */
  args: Args;
  /** Flags by commander's name. */
  flags: SharedFlags & Flags;
  /** The same, for code that looks flags up by name. */
  values: Record<string, unknown>;
  globals: Globals;
  derived: DerivedFlag[];
  /** What `--filter` and `--sort-by` ask of a list. */
  selection?: Selection | undefined;
  flagOf: FlagOf;
  session: Session;
  io: Io;
  signal: AbortSignal;
  /** Takes names of objects if requests have ids. */
  client(): Promise<Client>;
  /** Looks names up, for commands that need the ids themselves. */
  names(): Promise<Names>;
  /** Lets a person choose what a path parameter names. @throws UsageError if nothing can be listed */
  pick(param: string, params?: Record<string, string>): Promise<string>;
  /** Prints the help of another command. @returns false if there is no such command */
  explain(words: string[]): Promise<boolean>;
  /** The help of another command as data; undefined if there is no such command. */
  describe(words: string[]): Promise<Record<string, unknown> | undefined>;
  /** Runs other command lines. */
  lines: CommandLines;
  /** The root of the tree. */
  program: Commander;
}

/** A request to the service: its parts are typed if the endpoint is known. */
export interface Call<E extends Endpoint = Endpoint> {
  endpoint: E;
  params: ParamsOf<E>;
  query: Endpoint extends E ? Fields : QueryInput<E>;
  body: BodyOfCall<E>;
}

type BodyOfCall<E> = Endpoint extends E
  ? Fields | undefined
  : [BodyInput<E>] extends [never]
    ? undefined
    : BodyInput<E>;

/** What the service answers; unknown if the endpoint is. */
export type Answer<E> = Endpoint extends E ? unknown : AnswerOf<E>;

export const isBranch = (node: Node): node is Branch => !('use' in node);
export const nameOf = (node: Node) => (isBranch(node) ? node.name : node.use.replace(/ .*/, ''));

/** Aliases of verbs, in every group. */
const verbAliases: Record<string, readonly string[]> = {
  list: ['ls'],
  view: ['get', 'show'],
  create: ['new'],
  edit: ['update', 'set'],
  delete: ['rm'],
  remove: ['rm'],
};

/** Aliases of a command: its own and those of its verb, unless a sibling has the same name or alias. */
export function aliasesOf(node: Node, siblings: readonly Node[]): string[] {
  const taken = new Set(
    siblings.flatMap((sibling) => [nameOf(sibling), ...(sibling === node ? [] : wordsFor(sibling))]),
  );
  return wordsFor(node).filter((alias) => !taken.has(alias));
}

const wordsFor = (node: Node): readonly string[] => [...(node.aliases ?? []), ...(verbAliases[nameOf(node)] ?? [])];

/** The arguments of a command: name, whether it may be left out, whether it takes several values. */
export function argumentsOf(use: string): { name: string; optional: boolean; variadic: boolean }[] {
  return use
    .split(' ')
    .slice(1)
    .map((word) => ({
      name: word.replace(/[<>[\].]/g, ''),
      optional: word.startsWith('['),
      variadic: word.includes('...'),
    }));
}

/** The last parameter of a path is the ID of the object that a call is about. */
export const idOf = ({ params }: Pick<Call, 'params'>): string => Object.values(params).at(-1) ?? '';
