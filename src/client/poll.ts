import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../shared/engine-error.ts';

const firstPauseMs = 200;
const longestPauseMs = 5_000;

interface Polling<T> {
  read(): Promise<T>;
  /** Whether there is nothing more to wait for. */
  isDone(state: T): boolean;
  /** The state in words, for messages. */
  textOf(state: T): string;
  seconds: number;
  signal: AbortSignal;
  say(text: string): void;
}

/** Reads a state until it is done. @throws EngineError if that takes longer than this many seconds */
export async function pollUntil<T>({ read, isDone, textOf, seconds, signal, say }: Polling<T>): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const state = await read();
    if (isDone(state)) return state;
    say(textOf(state));
    const leftMs = deadline - Date.now();
    if (leftMs <= 0)
      throw new EngineError('unreachable', `After ${seconds} s: ${textOf(state)}.`, {
        hint: 'Wait longer with --within.',
      });
    await sleep(Math.min(pauseMs, leftMs), undefined, { signal });
  }
}
