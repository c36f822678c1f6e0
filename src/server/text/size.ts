/**
 * What may be worked on at once, in the thread that answers everybody. Parsers take their time by the characters that
 * mean something to them (line ends, markers, indents), and on hostile text in the square of these; words cost next to
 * nothing. The worst text within these bounds takes some 50 ms, of 60 kinds of hostile Markdown that were measured.
 */
const bounds = { marks: 600, characters: 8_000 };

/** Whether the texts and files in a value, taken together, are so small that no worker is needed for them. */
export function isSmall(value: unknown): boolean {
  const left = { ...bounds };
  const fits = (each: unknown): boolean => {
    if (typeof each === 'string') count(each.length, (index) => each.charCodeAt(index), left);
    else if (each instanceof Uint8Array) count(each.length, (index) => each[index]!, left);
    else if (each instanceof Map) return [...each].every(fits);
    else if (typeof each === 'object' && each !== null) {
      left.marks -= 1;
      for (const member of Object.values(each)) if (!fits(member)) return false;
    }
    return left.marks >= 0 && left.characters >= 0;
  };
  return fits(value);
}

function count(length: number, codeAt: (index: number) => number, left: typeof bounds): void {
  left.characters -= length;
  // A blank between words means nothing, one after anything else may be part of an indent.
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
