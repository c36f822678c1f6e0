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

/** Sets where ids come from; undefined for random ones. The objects of the demo have fixed ids that examples can name. */
export function setIdSource(idSource: (() => string) | undefined): void {
  source = idSource;
}

/** 12 characters, the first one a letter, so that no id of a change request looks like its number. */
export function newId(): string {
  if (source) return source();
  let id = letters.charAt(randomBelow(letters.length));
  while (id.length < idLength) id += characters.charAt(randomBelow(characters.length));
  return id;
}
