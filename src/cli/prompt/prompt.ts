export interface Choice<T> {
  value: T;
  title: string;
  /** What it means, in a few words. */
  note?: string;
}

/** The first of the choices that match a search. */
export interface FirstChoices {
  choices: Choice<string>[];
  /** Whether these are all that match. */
  complete: boolean;
}

/** The first `count` choices that match what was typed; more are loaded when they are needed. */
export type Find = (term: string, count: number) => Promise<FirstChoices>;

/** What is wrong with an answer; undefined when nothing is. */
export type Check = (answer: string) => string | undefined | Promise<string | undefined>;

/**
 * Questions to a person at a terminal. Each is rejected with an AbortError on Ctrl-C and Ctrl-D. Texts may come from the
 * service, so control characters are made visible.
 */
export interface Prompt {
  input(question: { message: string; start?: string; check?: Check }): Promise<string>;
  /** What is typed is not shown. */
  secret(question: { message: string; check?: Check }): Promise<string>;
  confirm(question: { message: string; start: boolean }): Promise<boolean>;
  select<T>(question: { message: string; choices: Choice<T>[]; start?: T }): Promise<T>;
  /** One out of a list that may be too long to show. */
  pick(question: { message: string; find: Find }): Promise<string>;
  /** Reads lines until an empty one; several may be pasted at once. `take` gives the remarks to print about a line. */
  lines(question: { message: string; take(line: string): Promise<string[]> }): Promise<void>;
}

/** The error of a question that was not answered. */
export const interrupted = (cause?: unknown) =>
  Object.assign(new Error('Interrupted.', { cause }), { name: 'AbortError' });
