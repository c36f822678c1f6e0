import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../../shared/error-text.ts';

/** Ways in which transactions end that others were in the way of: a serialization failure, a deadlock. */
const collisions = new Set(['40001', '40P01']);

/**
 * A row of that key, or one without what it refers to, of which the transaction could not know: the next attempt sees what
 * the other one wrote. It is an error of ours if it happens again.
 */
const surprises = new Set(['23505', '23503']);

/** An earlier query of the transaction has failed, and so may have the one that prepares this statement. */
const aborted = new Set(['25P02', '26000']);

export const isAborted = (error: unknown) => aborted.has(codeOf(error));

const maxCollisions = 12;
const maxSurprises = 3;
const maxDelayMs = 250;

/** What is written was moved to another place while the lock of its place was waited for. */
export class Moved extends Error {}

export const isCollision = (error: unknown) => error instanceof Moved || collisions.has(codeOf(error));

/** Decides after each failed attempt of one write whether there is another, and waits until it may begin. */
export function retriesOf(): (error: unknown) => Promise<boolean> {
  let attempts = 0;
  return async (error) => {
    attempts += 1;
    const max = isCollision(error) ? maxCollisions : surprises.has(codeOf(error)) ? maxSurprises : 0;
    if (attempts > max) return false;
    // By chance: those that collided would meet again otherwise.
    await delay(Math.random() * Math.min(2 ** attempts * 2, maxDelayMs));
    return true;
  };
}
