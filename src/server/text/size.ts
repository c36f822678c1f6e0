/**
 * The size of a text that may be worked on in the main thread, where it delays all requests. The time of a parser depends
 * on the characters with a meaning (line ends, markers, indents), and grows with their square on hostile text; words cost
 * almost nothing. Of 60 kinds of hostile Markdown that were measured, the slowest within these limits takes about 50 ms.
 */
const limits = { marks: 600, characters: 8_000 };

/** Whether all texts and files in a value together are so small that they need no worker. */
export function isSmall(value: unknown): boolean {
  const left = { ...limits };
  const fits = (each: unknown): boolean => {
    if (typeof each === 'string') count(each.length, (index) => each.charCodeAt(index), left);
    else if (each instanceof Uint8Array) count(each.length, (index) => each[index] ?? 0, left);
    else if (each instanceof Map) return [...each].every(fits);
    else if (typeof each === 'object' && each !== null) {
      left.marks -= 1;
      for (const member of Object.values(each)) if (!fits(member)) return false;
    }
    return left.marks >= 0 && left.characters >= 0;
  };
  return fits(value);
}

function count(length: number, codeAt: (index: number) => number, left: typeof limits): void {
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
