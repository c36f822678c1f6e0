export interface Position {
  /** From 1, as is the column. */
  line: number;
  column: number;
}

/** Tells the line and column of an offset in a text. */
export class Lines {
  /** Where each line starts, in order. */
  readonly #starts: number[];

  constructor(text: string) {
    this.#starts = [0];
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) this.#starts.push(end + 1);
  }

  positionOf(offset: number): Position {
    const line = lastNotAbove(this.#starts, offset);
    return { line: line + 1, column: offset - (this.#starts[line] ?? 0) + 1 };
  }
}

/** The index of the last number that is not above `limit`, in numbers that ascend; -1 if all are above it. */
export function lastNotAbove(ascending: readonly number[], limit: number): number {
  let low = -1;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] ?? Infinity) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
