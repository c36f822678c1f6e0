import type { Command as Commander, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import type { AnswerOf, BodyInput, Endpoint, ParamsOf, QueryInput } from '../../contract/endpoint.ts';
import type { Field } from '../../contract/fields.ts';
import type { Column } from '../output/index.ts';
import type { Untyped } from '../output/options.ts';
import type { FlagOf } from '../program/failure.ts';
import type { Globals } from '../program/globals.ts';
import type { Io } from '../program/io.ts';
import type { Session } from '../settings/session.ts';
import type { Pointer } from './pointer.ts';

/** Headings of the root help, in order. */
export const purposes = ['People', 'Content', 'Publishing', 'Local instance', 'Settings', 'More'] as const;
export type Purpose = (typeof purposes)[number];

/** A first-level word: a group of commands, or a command by itself. What it holds is loaded when it is called. */
export interface Entry {
  name: string;
  aliases?: readonly string[];
  summary: string;
  purpose: Purpose;
  /** Not for people. */
  hidden?: boolean;
  /** It looks at the commands beside it. */
  seesAll?: true;
  load: () => Promise<{ default: Node[] | Command }>;
  /** Commands of the group whose `--version` names a version of something else than docsctl. */
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
  /** A command line that works on the demo instance as it stands. */
  run: string;
  /** What it does. */
  does: string;
}

/** An option in commander's notation, with what the derived part has to know of it. */
export interface Flag {
  /** `--from <file>` */
  flags: string;
  description: string;
  /** Allowed words. */
  choices?: readonly string[];
  /** May be given several times, and takes commas; `verbatim` takes them as text. */
  repeatable?: boolean | 'verbatim';
  default?: unknown;
  hidden?: boolean;
  /** Its value is `<object>=<word>`. */
  pair?: Pair;
  /** Its value may be `@<file>`, or end with it behind an equals sign. */
  takesFile?: boolean;
  /** Further settings of commander's. */
  with?: (option: Option) => Option;
}

/** What stands on both sides of an equals sign, for completions. */
export interface Pair {
  /** The object on the left, as a path parameter: `userId`. */
  object: string;
  /** What may stand on the right, where it is one of some words. */
  words?: readonly string[];
}

/** What an argument may be, with what it means where that is not plain. */
export type Word = string | { value: string; description: string };

/** One command. With an endpoint, arguments, flags, help and printing follow from it. Made with `command()`. */
export interface Command {
  /** Name and arguments in commander's notation: `edit <user>`, `remove <user...>`, `view [org]`. */
  use: string;
  aliases?: readonly string[];
  hidden?: boolean;
  endpoint?: Endpoint;
  /** The same endpoint of change requests: taken when `--cr` is given. */
  changeRequestEndpoint?: Endpoint;
  help?: CommandHelp;
  input?: CommandInput;
  output?: CommandOutput;
  /** Asks before it runs. */
  confirm?: Confirm;
  /** Replaces what follows from the endpoint. */
  run?(invocation: Invocation): Promise<void>;
  /** Commands below one that also does something by itself: `serve token create`. */
  subcommands?: Node[];
  /** A signal is the ordinary way to end it: status 0. */
  endsQuietly?: boolean;
}

/** What people read about a command. */
export interface CommandHelp {
  /** One line in the imperative; the endpoint's where absent. */
  summary?: string;
  /** What it does and does not do. */
  description?: string;
  examples?: readonly Example[];
  /** Exit statuses that matter here beyond the usual ones. */
  exitStatuses?: Readonly<Record<number, string>>;
  /** Commands to read about next. */
  seeAlso?: readonly string[];
}

/** Arguments and flags, and how they make the request. */
export interface CommandInput {
  flags?: readonly Flag[];
  /** Fields without a flag or argument, or all of them: the command sets them itself. */
  without?: readonly string[] | 'all';
  /** Names of flags that are not those of their fields: `{ sectionId: 'section' }`. */
  names?: Record<string, string>;
  /** Fields set whatever the flags say, and fields computed from the command's flags. */
  body?(invocation: Invocation): Fields | Promise<Fields>;
  query?(invocation: Invocation): Fields | Promise<Fields>;
  /** Flags and arguments that make what stands at a path of the body, where the names do not tell. */
  sources?: Record<string, readonly string[]>;
  /** Which path parameter or field an argument fills, where its name does not tell. */
  params?: Record<string, string>;
  /** What an argument may be, by its name, for completions: where no list of the service tells. */
  suggestions?: Record<string, Suggest>;
  /** The kind of object that an argument names, as a path parameter: where the endpoint's path does not tell. */
  objects?: Record<string, (given: readonly string[]) => string | undefined>;
  /** Arguments that are `<object>=<something>`. */
  pairs?: Record<string, Pair>;
  /** Scopes that a hand-written command works in. */
  context?: readonly ScopeName[];
  /** Throws why it takes no arguments, where people are likely to give one that nobody should see. */
  refuseArguments?: () => never;
}

export type ScopeName = 'org' | 'space' | 'site';
export type Fields = Record<string, unknown>;
export type Suggest = (invocation: Invocation, given: readonly string[]) => readonly Word[] | Promise<readonly Word[]>;

/** How the answer is printed. */
export interface CommandOutput {
  /** What tables show, and cards where there is no `card`. */
  columns?: readonly Column[];
  /** What a card of one object shows. */
  card?: readonly Column[];
  /** Path of what names an item to other commands, where that is not its `id`. */
  idKey?: string;
  /** Shown as a tree: where an item's children are, or which item it is below. */
  tree?: Tree;
  /** Adds `--fail-on`: status 9 where an item has one of these words at `key`. */
  failOn?: { key: string; words: readonly string[] };
  /** What to print of the answer, where it is not the answer itself. */
  select?(answer: Untyped): unknown;
  /** Said on standard error when a call without an answer is done; `{}` stands for the argument. */
  done?: string;
}

/** Where an item's children are, or which item it is below. */
export type Tree<Item = Untyped> = { children(item: Item): unknown[] | undefined } | ParentTree<Item>;
export interface ParentTree<Item = Untyped> {
  parent(item: Item): string | undefined;
}

export interface Confirm<Target = Untyped> {
  /** `Delete the site {}?` — `{}` stands for the title or id. */
  question: string;
  /** The title must be typed back. `view` finds it. */
  typed?: { view: Endpoint; title(object: Target): string };
  /** What goes with the object that is typed back: how many of what. */
  holds?(object: Target): [count: number, noun: string][];
  /** Asks only for these calls. */
  when?: (body: Record<string, unknown>) => boolean;
}

/** A flag made from a field of a query or a body. */
export interface DerivedFlag {
  /** `--default-level` */
  long: string;
  /** As commander names its value: `defaultLevel`. */
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
  /** The word that stands for null, where null is one of the roles. */
  nullWord?: string;
  /** What the value may name, where it is a neighbour that something is put beside. */
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
}

/** One run of one command: what was given, and what it works with. */
export interface Invocation<
  out Args = Record<string, string | string[] | undefined>,
  out Flags = Record<string, Untyped>,
  out E extends Endpoint | undefined = Endpoint | undefined,
> {
  command: Command & { endpoint?: E };
  /** `members list`, for messages and for the commands that are printed to be repeated. */
  path: string;
  /** Arguments by name; several where `...` stands. */
  args: Args;
  /** Flags by commander's name. */
  flags: SharedFlags & Flags;
  /** The same for those who know a flag by its name only. */
  values: Record<string, unknown>;
  globals: Globals;
  derived: DerivedFlag[];
  flagOf: FlagOf;
  session: Session;
  io: Io;
  signal: AbortSignal;
  client(): Promise<Client>;
  /** Lets a person choose what a path parameter names. @throws UsageError where nothing can be listed */
  pick(param: string, params?: Record<string, string>): Promise<string>;
  /** Prints the help of another command. @returns false where there is no such command */
  explain(words: string[]): Promise<boolean>;
  /** The root of the tree. */
  program: Commander;
}

/** A request to the service: its parts are typed where the endpoint is known. */
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

/** What the service answers; unknown where the endpoint is. */
export type Answer<E> = Endpoint extends E ? unknown : AnswerOf<E>;

export const isBranch = (node: Node): node is Branch => !('use' in node);
export const nameOf = (node: Node) => (isBranch(node) ? node.name : node.use.split(' ')[0]!);

/** Words that may stand for others everywhere. */
const verbAliases: Record<string, readonly string[]> = {
  list: ['ls'],
  view: ['get', 'show'],
  create: ['new'],
  edit: ['update', 'set'],
  delete: ['rm'],
  remove: ['rm'],
};

/** Aliases of a command among its siblings: those of its verb that no sibling is called, or could be called too. */
export function aliasesOf(node: Node, siblings: readonly Node[]): string[] {
  const taken = new Set(
    siblings.flatMap((sibling) => [nameOf(sibling), ...(sibling === node ? [] : wordsFor(sibling))]),
  );
  return wordsFor(node).filter((alias) => !taken.has(alias));
}

const wordsFor = (node: Node): readonly string[] => [...(node.aliases ?? []), ...(verbAliases[nameOf(node)] ?? [])];

/** A field for each argument of a command: its name, whether it may be left out, whether there may be several. */
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
