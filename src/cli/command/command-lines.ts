import type { Client } from '../../client/client.ts';
import type { Exchange } from '../../client/exchange.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { JournalEntry } from '../../journal/journal-files.ts';
import type { Failure } from '../program/failure.ts';
import type { Globals } from '../program/globals.ts';
import type { Streams } from '../program/io.ts';

/** What a command line takes over from the one that runs it. Its own flags win. */
export interface Inherited {
  globals: Globals;
  env: Record<string, string | undefined>;
  streams: Streams;
  /** Collects the exchanges of all command lines that write the same HAR file. */
  exchanges: Exchange[];
  /** Ends this command line alone, as a signal ends the whole program. */
  signal?: AbortSignal;
  /** Collects the journal entries of all command lines. */
  entries?: JournalEntry[] | undefined;
  /** Wraps the client of all command lines. */
  wrapClient?: ((client: Client) => Client) | undefined;
}

export interface LineOutcome {
  status: number;
  /** Absent if it succeeded. */
  failure: Failure | undefined;
}

/** A command line that was parsed and not run. */
export interface ParsedLine {
  /** Such as `members list`. */
  path: string;
  /** The parts that decide how it may be run: see `Command`. */
  command: {
    run?: unknown;
    runsLines?: true;
    changes?: readonly string[];
    writesFilesWith?: readonly string[];
    rehearsedWith?: readonly string[];
    endpoint?: Pick<Endpoint, 'method' | 'name'>;
    permanent?(values: Record<string, unknown>): string | undefined;
  };
  /** Flags by commander's name. */
  values: Record<string, unknown>;
  /** The options that the command has, apart from those of every command: `--title`. */
  ownFlags: readonly string[];
  /** What the line gives to its arguments and own options. */
  inputs: readonly LineInput[];
}

export interface LineInput {
  /** `--from`, or `<file>`. */
  label: string;
  /** The placeholder of an option, or the name of an argument: `file`. */
  placeholder: string;
  values: readonly string[];
}

/** Runs other command lines in this process. */
export interface CommandLines {
  /** For the output of the lines: a reader that has closed the pipe does not end the process. */
  readonly streams: Streams;
  /**
   * Parses the words of a line without running it.
   *
   * @returns its command with the values of its flags; or why it cannot be run
   */
  check(words: readonly string[]): Promise<ParsedLine | { failure: Failure }>;
  run(words: readonly string[], inherited: Inherited): Promise<LineOutcome>;
}
