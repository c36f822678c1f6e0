import type { Io } from '../program/io.ts';

export interface Choice<T> {
  value: T;
  title: string;
  /** What it means, in a few words. */
  note?: string;
}

export interface Found {
  choices: Choice<string>[];
  /** Whether there is nothing beyond these. */
  complete: boolean;
}

/** The first `count` choices that fit what was typed; more are loaded when they are needed. */
export type Find = (term: string, count: number) => Promise<Found>;

/** What is wrong with an answer; undefined when nothing is. */
export type Check = (answer: string) => string | undefined | Promise<string | undefined>;

/** Questions to a person at a terminal. Each ends with an AbortError on Ctrl-C and Ctrl-D. Texts may come from the service. */
export interface Prompt {
  input(question: { message: string; start?: string; check?: Check }): Promise<string>;
  /** What is typed is not shown. */
  secret(question: { message: string; check?: Check }): Promise<string>;
  confirm(question: { message: string; start: boolean }): Promise<boolean>;
  select<T>(question: { message: string; choices: Choice<T>[]; start?: T }): Promise<T>;
  /** One out of a list that may be too long to show. */
  pick(question: { message: string; find: Find }): Promise<string>;
  /** Line after line until an empty one; several may be pasted at once. `take` gives what is said about a line. */
  lines(question: { message: string; take(line: string): Promise<string[]> }): Promise<void>;
}

/** What ends a question that nobody answers. */
export const interrupted = (cause?: unknown) =>
  Object.assign(new Error('Interrupted.', { cause }), { name: 'AbortError' });

/**
 * Lists that redraw themselves where the terminal can, numbered questions elsewhere: with TERM=dumb, and where
 * DOCSCTL_PROMPTS=plain asks for them, as for a screen reader.
 */
export async function openPrompt(
  { io, signal }: { io: Io; signal: AbortSignal },
  env: Record<string, string | undefined> = process.env,
): Promise<Prompt> {
  if (env.TERM === 'dumb' || env.DOCSCTL_PROMPTS === 'plain') {
    const { linePrompt } = await import('./line.ts');
    return linePrompt(io, signal);
  }
  const { interactivePrompt } = await import('./interactive.ts');
  return interactivePrompt(io, signal);
}
