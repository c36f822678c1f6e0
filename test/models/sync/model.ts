import type { Model } from '../model.ts';
import { Expected } from './expected.ts';
import { mutants } from './mutants.ts';
import { begin, firstFiles, steps } from './steps.ts';
import { endService, World } from './world.ts';

/** A space, a repository with clones and CI jobs, a folder without Git, and people who edit in the app. */
export const model: Model<Expected, World> = {
  name: 'sync',
  steps,
  maxSteps: 18,
  async open() {
    const expected = new Expected();
    const world = await World.open(firstFiles);
    await begin(expected, world);
    return { expected, world };
  },
  close: (world) => world.close(),
  end: endService,
  stateOf: ({ words, gone }) => JSON.stringify([[...words.keys()], [...gone]]),
  mutants,
};
