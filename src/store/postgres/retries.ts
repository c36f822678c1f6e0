import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../../shared/error-text.ts';

/** Errors of transactions that conflict with others: a serialization failure, a deadlock. */
const collisions = new Set(['40001', '40P01']);

/**
 * A duplicate key or a missing referenced row that the transaction could not see: the next attempt sees what the other
 * transaction wrote. If it happens again, it is a bug in docsctl.
 */
const surprises = new Set(['23505', '23503']);

/** An earlier query of the transaction has failed, perhaps the one that prepares this statement. */
const aborted = new Set(['25P02', '26000']);

export const isAborted = (error: unknown) => aborted.has(codeOf(error));

const maxCollisions = 12;
const maxSurprises = 3;
const maxDelayMs = 250;

/** The object was moved to another place while the write waited for the lock of its place. */
export class Moved extends Error {}

export const isCollision = (error: unknown) => error instanceof Moved || collisions.has(codeOf(error));

/** Decides after each failed attempt of a write whether to try again, and waits before the next attempt. */
export function retriesOf(): (error: unknown) => Promise<boolean> {
  let attempts = 0;
  return async (error) => {
    attempts += 1;
    const max = isCollision(error) ? maxCollisions : surprises.has(codeOf(error)) ? maxSurprises : 0;
    if (attempts > max) return false;
    // Random, or writes that collided would collide again.
    await delay(Math.random() * Math.min(2 ** attempts * 2, maxDelayMs));
    return true;
  };
}
