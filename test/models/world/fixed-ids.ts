import { setIdSource } from '../../../src/store/ids.ts';
import { randomFrom } from './generate.ts';

const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** From now on, the service gives the same IDs as after another call with this seed: a seed repeats a run, also the order of IDs. */
export function fixIds(seed: number): void {
  const random = randomFrom(seed);
  const used = new Set<string>();
  const newId = (): string => {
    const id = Array.from({ length: 12 }, (_, index) => characters[random(index === 0 ? 52 : 62)]).join('');
    if (used.has(id)) return newId();
    used.add(id);
    return id;
  };
  setIdSource(newId);
}
