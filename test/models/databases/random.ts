import { setIdSource } from '../../../src/store/ids.ts';

let seed = 0;
let count = 0;

/** What follows is the same as after another call with this seed: both services give the same IDs to the same objects. */
export function restartRandom(next: number): void {
  seed = next;
  count = 0;
  setIdSource(() => `i${(seed / 1000).toString(36).slice(-7)}${(count += 1).toString(36).padStart(4, '0')}`);
}

const crypto = process.getBuiltinModule('node:crypto');
Object.assign(crypto, {
  randomBytes: (size: number) => Buffer.from(`${seed} ${(count += 1)} `.repeat(size).slice(-size)),
});
