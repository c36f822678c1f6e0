export type Format = 'table' | 'json' | 'jsonl' | 'yaml' | 'csv' | 'tsv' | 'id';
export const formats: readonly Format[] = ['table', 'json', 'jsonl', 'yaml', 'csv', 'tsv', 'id'];

export type Kind = 'text' | 'id' | 'date' | 'state' | 'number' | 'boolean' | 'role' | 'list';
export type Tone = 'good' | 'bad' | 'warn' | 'dim';

/**
 * What is read without a type: items of columns, and flags of commands that are not made with `command()`. Set it to
 * `unknown` to find those that are left; then it goes.
 */
export type Untyped = any;

/** One column of a list, or one field of a card. */
export interface Column<Item = Untyped> {
  /** Dotted path into the item (`user.email`, `pages.0.title`), and the column's name in `--columns`, CSV and TSV. */
  key: string;
  /** What people read; made of the key when absent. */
  title?: string;
  kind?: Kind;
  /** Where the cell is not simply what lies at `key`. */
  value?(item: Item): unknown;
  /** The tone of each value that has one. */
  style?: Record<string, Tone>;
  /** May be left out of a table that is too narrow; the last one goes first. */
  optional?: boolean;
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
  /** Whether standard output is a terminal. */
  terminal: boolean;
  /** In terminal columns; Infinity where nothing limits a line. */
  width: number;
  now?: Date;
  /** Paths that the contract knows: asked for in `columns`, they may be missing from every item. */
  known?: readonly string[];
  /** Path of what names an item to other commands, where that is not its `id` (`slug` of a specification). */
  idKey?: string;
}

/** Where results go. */
export interface Sink {
  write(text: string | Uint8Array): Promise<void> | void;
}

export interface ListOutput {
  page(items: unknown[]): Promise<void>;
  /** After the last page. */
  end(): Promise<void>;
  /** When no more pages can be had: leaves what was printed valid, and prints nothing if nothing was. */
  abort(): Promise<void>;
}

/** Makes the text of one format. Each call gives what is to be printed next. */
export interface Writer {
  page(items: unknown[]): string | Promise<string>;
  end(): string | Promise<string>;
  abort(): string;
}
