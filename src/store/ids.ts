const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const all = `${letters}0123456789`;
export const idLength = 12;

let pool = new Uint8Array(0);
let used = 0;

function randomBelow(limit: number): number {
  for (;;) {
    if (used === pool.length) {
      pool = crypto.getRandomValues(new Uint8Array(480));
      used = 0;
    }
    const byte = pool[used++]!;
    // Bytes beyond the largest multiple of the limit would favour the first characters.
    if (byte < 256 - (256 % limit)) return byte % limit;
  }
}

let source: (() => string) | undefined;

/** Takes ids from elsewhere until it is called with nothing: the objects of the demo have names that can stand in examples. */
export function takeIdsFrom(given: (() => string) | undefined): void {
  source = given;
}

/** 12 characters, the first a letter, so that no change request id looks like a number (open parts, section 7). */
export function newId(): string {
  if (source) return source();
  let made = letters[randomBelow(letters.length)]!;
  while (made.length < idLength) made += all[randomBelow(all.length)]!;
  return made;
}

export const looksLikeId = (text: string) => /^[A-Za-z][A-Za-z0-9]{11}$/.test(text);
