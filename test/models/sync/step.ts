import type { Step } from '../model.ts';
import type { Expected } from './expected.ts';
import type { World } from './world.ts';

export type SyncStep = Step<Expected, World>;

export const step = (text: string, run: (expected: Expected, world: World) => Promise<void>): SyncStep => ({
  check: () => true,
  async run(expected, world) {
    expected.last = text;
    expected.overrules = undefined;
    if (process.env.MODELS_VERBOSE) console.log(`# ${text}`);
    await run(expected, world);
  },
  toString: () => text,
});

/** Steps that matter in this order, and are seldom generated in it. */
export const story = (...steps: SyncStep[]): SyncStep => ({
  check: () => true,
  async run(expected, world) {
    for (const each of steps) await each.run(expected, world);
  },
  toString: () => steps.join('; then '),
});
