import type { Model } from '../model.ts';
import { Expected } from './expected.ts';
import { mutants } from './mutants.ts';
import { steps } from './steps.ts';
import { endTemplate, World } from './world.ts';

/** An organization, clones of its files, pipelines, and people who change things in the app. */
export const model: Model<Expected, World> = {
  name: 'organization',
  steps,
  maxSteps: 12,
  async open() {
    const expected = new Expected();
    const world = await World.open();
    await expected.begin(world);
    return { expected, world };
  },
  close: (world) => world.close(),
  end: endTemplate,
  stateOf: ({ service }) => JSON.stringify([...service].map(([slot, { value }]) => [slot, value])),
  mutants,
};
