import type { ObjectParam } from '../../contract/objects.ts';

export type Format = 'table' | 'json' | 'jsonl' | 'yaml' | 'csv' | 'tsv' | 'id';
export const formats: readonly Format[] = ['table', 'json', 'jsonl', 'yaml', 'csv', 'tsv', 'id'];

export type Kind = 'text' | 'id' | 'date' | 'state' | 'number' | 'boolean' | 'role' | 'list';
export type Tone = 'good' | 'bad' | 'warn' | 'dim';

/** One column of a list, or one field of a card. */
export interface Column<Item = unknown> {
  /** Dotted path into the item (`user.email`, `pages.0.title`), and the name of the column in `--columns`, CSV and TSV. */
  key: string;
  /** Heading for people; made from the key when absent. */
  title?: string;
  kind?: Kind;
  /** The value of the cell, if it is not the value at `key`. */
  value?(item: Item): unknown;
  /** The tone of each value that has one. */
  style?: Record<string, Tone>;
  /** May be left out if the table is too wide for the terminal; the last such column is skipped first. */
  optional?: boolean;
  /** The value is the id of an object that this path parameter names: people see its title. */
  names?: ObjectParam;
}

/** Finds the titles of objects, for people. */
export interface Titles {
  /** Looks up the titles of these ids. Those that are not found keep their id. @param item one that has such an id */
  load(param: ObjectParam, ids: readonly string[], item: unknown): Promise<void>;
  /** A title that was loaded; undefined if there is none. */
  titleOf(param: ObjectParam, id: string): string | undefined;
}

export interface OutputOptions {
  /** Absent: for people in a terminal, tab-separated in a pipe. */
  format?: Format;
  /** Paths to show instead of the columns of the command. */
  columns?: string[];
  jq?: string;
  /** Absent: a header in tables and CSV, none in TSV. */
  header?: boolean;
  quiet?: boolean;
  color: boolean;
  /** Whether texts may lead to addresses. */
  links?: boolean;
  /** Whether standard output is a terminal. */
  terminal: boolean;
  /** In terminal columns; Infinity if the length of a line has no limit. */
  width: number;
  now?: Date;
  /** Columns of the same objects that are printed only if `columns` names them. */
  otherColumns?: readonly Column[];
  /**
   * Paths of the contract: `columns` may name them even if no item has such a member. `*` matches the index of an item
   * or for any name.
   */
  contractPaths?: readonly string[];
  /** Absent: columns of ids show the ids. */
  titles?: Titles;
  /** Prints a remark beside the result. */
  note?(text: string): Promise<void>;
  /** Path of the value that other commands take for an item, if that is not its `id` (`slug` of a specification). */
  idKey?: string;
}

/** Where results go. */
export interface Sink {
  write(text: string | Uint8Array): Promise<void> | void;
  /** Whether another program has the screen, so that nothing else may be drawn there. */
  hasScreen?(): boolean;
}

export interface ListOutput {
  page(items: unknown[]): Promise<void>;
  /** After the last page. */
  end(): Promise<void>;
  /** When the rest of the list cannot be loaded: completes what was printed, so that it is valid; prints nothing else. */
  abort(): Promise<void>;
}

/** Writes one format. Each call gives the text to print next. */
export interface Writer {
  page(items: unknown[]): string | Promise<string>;
  end?(): string | Promise<string>;
  abort?(): string;
}
