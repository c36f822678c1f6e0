import { onTestFinished } from 'vitest';
import type { Instance } from '../../src/server/engine/instance.ts';
import { newDatabase } from './engine.ts';
import { openTestInstance, type TestInstance } from './instance.ts';

/** Services of one database, as processes of a team run them: they share nothing else. */
export async function instancesOfOne(count: number): Promise<[TestInstance, ...TestInstance[]]> {
  const { address, drop } = await newDatabase();
  const opened = await Promise.all(Array.from({ length: count }, () => openTestInstance({ file: address })));
  onTestFinished(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    await drop();
  });
  const [first, ...others] = opened;
  if (!first) throw new Error('There is no process.');
  return [first, ...others];
}

/** How often the instances ran the work of a write: once for each, and again for each attempt that failed. */
export function countAttempts(instances: readonly { instance: Instance }[]): () => number {
  let attempts = 0;
  for (const { instance } of instances) {
    const { store } = instance;
    const write = store.write.bind(store);
    store.write = (work, place) =>
      write((db) => {
        attempts += 1;
        return work(db);
      }, place);
  }
  return () => attempts;
}
