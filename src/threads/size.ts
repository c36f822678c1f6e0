/**
 * The size of a text that may be worked on in the main thread, where it delays all requests. The time of a parser depends
 * on the characters with a meaning (line ends, markers, indents), and grows with their square on hostile text; words cost
 * almost nothing. Of 60 kinds of hostile Markdown that were measured, the slowest within these limits takes about 50 ms.
 */
const limits = { marks: 600, characters: 8_000 };
const msWithinLimits = 50;

/** Whether all texts and files in a value together are so small that they need no worker. */
export function isSmall(value: unknown): boolean {
  const left = { ...limits };
  const fits = (each: unknown): boolean => {
    if (typeof each === 'string' || each instanceof Uint8Array) count(each, left);
    else if (each instanceof Map) return [...each].every(fits);
    else if (typeof each === 'object' && each !== null) {
      left.marks -= 1;
      for (const member of Object.values(each)) if (!fits(member)) return false;
    }
    return left.marks >= 0 && left.characters >= 0;
  };
  return fits(value);
}

/** Whether reading each of these texts may take longer than this in the worst case. */
export function mayTakeLonger(ms: number, texts: Iterable<string | Uint8Array>): boolean {
  let leftMs = ms;
  for (const text of texts) {
    const left = { marks: text.length, characters: text.length };
    count(text, left);
    leftMs -= msWithinLimits * (((text.length - left.marks) / limits.marks) ** 2 + text.length / limits.characters);
    if (leftMs < 0) return true;
  }
  return false;
}

function count(text: string | Uint8Array, left: typeof limits): void {
  const { length } = text;
  const codeAt = typeof text === 'string' ? (at: number) => text.charCodeAt(at) : (at: number) => text[at] ?? 0;
  left.characters -= length;
  // A space between words has no meaning; after any other character it may be part of an indent.
  let afterWord = false;
  for (let index = 0; index < length && left.characters >= 0 && left.marks >= 0; index += 1) {
    const code = codeAt(index);
    const isWord = isWordCharacter(code);
    if (!isWord && !(code === 0x20 && afterWord)) left.marks -= 1;
    afterWord = isWord;
  }
}

function isWordCharacter(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code > 0x7e
  );
}
