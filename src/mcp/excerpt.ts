/** So many characters of a result are in one answer: about 3,000 tokens. */
export const maxCharacters = 12_000;

/** The part of a text that an answer shows. */
export interface Shown {
  text: string;
  from: number;
  /** Where the rest begins; undefined if nothing is left. */
  next: number | undefined;
  /** The length of the whole text, if it was read to its end. */
  total: number | undefined;
}

/** Keeps a part of a text that arrives in pieces. It takes no more memory than the part. */
export class Excerpt {
  readonly #from: number;
  readonly #max: number;
  #position = 0;
  #kept = '';

  constructor(from: number, max = maxCharacters) {
    this.#from = from;
    this.#max = max;
  }

  add(text: string): void {
    const begin = Math.max(0, this.#from - this.#position);
    // One character more shows that something follows.
    const room = this.#max + 1 - this.#kept.length;
    if (room > 0) this.#kept += text.slice(begin, begin + room);
    this.#position += text.length;
  }

  /** Whether the rest of the text need not be read. */
  get isFull(): boolean {
    return this.#kept.length > this.#max;
  }

  /** @param isComplete whether the text was added to its end */
  shown(isComplete: boolean): Shown {
    const end = this.isFull ? endOf(this.#kept, this.#max) : this.#kept.length;
    return {
      text: this.#kept.slice(0, end),
      from: this.#from,
      next: this.isFull ? this.#from + end : undefined,
      total: isComplete ? this.#position : undefined,
    };
  }
}

/** The end of the last line that fits, or of the last character if a line is very long. */
function endOf(text: string, max: number): number {
  const lineEnd = text.lastIndexOf('\n', max - 1) + 1;
  if (lineEnd > max / 2) return lineEnd;
  const last = text.charCodeAt(max - 1);
  const isHalf = last >= 0xd800 && last < 0xdc00;
  return isHalf ? max - 1 : max;
}
