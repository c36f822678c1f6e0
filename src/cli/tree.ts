import type { Option } from 'commander';
import type { Endpoint } from '../contract/endpoint.ts';
import type { Invocation } from './invocation.ts';
import type { Column } from './output/index.ts';

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
  /** May be given several times, and takes commas. */
  repeatable?: boolean;
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

/** One command. With an endpoint, arguments, flags, help and printing follow from it. */
export interface Command {
  /** Name and arguments in commander's notation: `edit <user>`, `remove <user...>`, `view [org]`. */
  use: string;
  aliases?: readonly string[];
  endpoint?: Endpoint;
  /** The endpoint of a change request's family: taken when `--cr` is given. */
  twin?: Endpoint;
  /** One line in the imperative; the endpoint's where absent. */
  summary?: string;
  /** What it does and does not do. */
  description?: string;
  /** What tables show, and cards where there is no `card`. */
  columns?: Column[];
  /** What a card of one object shows. */
  card?: Column[];
  /** Path of what names an item to other commands, where that is not its `id`. */
  idKey?: string;
  /** Shown as a tree: where an item's children are, or which item it is below. */
  tree?: { children: (item: any) => unknown[] | undefined } | { parent: (item: any) => string | undefined };
  /** Adds `--fail-on`: status 9 where an item has one of these words at `key`. */
  failOn?: { key: string; words: readonly string[] };
  flags?: Flag[];
  /** Fields without a flag or argument, or all of them: the command sets them itself. */
  without?: readonly string[] | 'all';
  /** Names of flags that are not those of their fields: `{ sectionId: 'section' }`. */
  names?: Record<string, string>;
  /** Fields set whatever the flags say, and fields computed from own flags. */
  body?: (invocation: Invocation) => Record<string, unknown> | Promise<Record<string, unknown>>;
  query?: (invocation: Invocation) => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Flags and arguments that make what stands at a path of the body, where the names do not tell. */
  sources?: Record<string, readonly string[]>;
  /** Which path parameter or field an argument fills, where its name does not tell. */
  params?: Record<string, string>;
  /** What an argument may be, by its name, for completions: where no list of the service tells. */
  words?: Record<
    string,
    (invocation: Invocation, given: readonly string[]) => readonly Word[] | Promise<readonly Word[]>
  >;
  /** The kind of object that an argument names, as a path parameter: where the endpoint's path does not tell. */
  objects?: Record<string, (given: readonly string[]) => string | undefined>;
  /** Arguments that are `<object>=<something>`. */
  pairs?: Record<string, Pair>;
  examples?: Example[];
  /** Exit statuses that matter here beyond the usual ones. */
  exits?: Record<number, string>;
  /** Context that a hand-written command works in. */
  context?: readonly ('org' | 'space' | 'site')[];
  /** Commands to read about next. */
  see?: readonly string[];
  /** Asks before it runs. */
  confirm?: Confirm;
  /** Said on standard error when a call without an answer is done; `{}` stands for the argument. */
  done?: string;
  /** What to print of the answer, where it is not the answer itself. */
  select?: (answer: any) => unknown;
  /** Everything else is hand-written. */
  run?: (invocation: Invocation) => Promise<void>;
  hidden?: boolean;
  /** Commands below one that also does something by itself: `serve token create`. */
  below?: Node[];
  /** Throws why it takes no arguments, where people are likely to give one that nobody should see. */
  refuseArguments?: () => never;
  /** A signal is the ordinary way to end it: status 0. */
  endsQuietly?: boolean;
}

export interface Confirm {
  /** `Delete the site {}?` — `{}` stands for the title or id. */
  question: string;
  /** The title must be typed back. `view` finds it. */
  typed?: { view: Endpoint; title: (object: any) => string };
  /** What goes with the object that is typed back: how many of what. */
  holds?: (object: any) => [count: number, noun: string][];
  /** Asks only for these calls. */
  when?: (body: Record<string, unknown>) => boolean;
}

export const isBranch = (node: Node): node is Branch => 'children' in node;
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
