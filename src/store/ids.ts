const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const characters = `${letters}0123456789`;
const idLength = 12;

let pool = new Uint8Array(0);
let used = 0;

function randomBelow(limit: number): number {
  for (;;) {
    if (used === pool.length) {
      pool = crypto.getRandomValues(new Uint8Array(480));
      used = 0;
    }
    const byte = pool[used++]!;
    // Bytes beyond the largest multiple of the limit would make the first characters more frequent.
    if (byte < 256 - (256 % limit)) return byte % limit;
  }
}

let source: (() => string) | undefined;

/** Sets the source of IDs; undefined for random IDs. The objects of the demo have fixed IDs, so that examples can use them. */
export function setIdSource(idSource: (() => string) | undefined): void {
  source = idSource;
}

/** 12 characters, starting with a letter, so that the ID of a change request never looks like a number. */
export function newId(): string {
  if (source) return source();
  let id = letters.charAt(randomBelow(letters.length));
  while (id.length < idLength) id += characters.charAt(randomBelow(characters.length));
  return id;
}
