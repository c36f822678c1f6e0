import type { Client } from './client.ts';

/** What a command lends to an engine. */
export interface Port {
  client: Client;
  /** Aborted when the user or the system stops the command. */
  signal: AbortSignal;
  progress: Progress;
  /** Prints a message for the user. */
  note(line: string): Promise<void>;
}

/** Shows what an engine is doing. */
export interface Progress {
  /** Names the current step. */
  say(text: string): void;
  /** How many items are done. With `total` there is a bar. */
  count(done: number, total?: number, failed?: number): void;
}
