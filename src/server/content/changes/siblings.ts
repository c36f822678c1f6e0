import { compareSiblings, type PageRow } from '../../../store/content.ts';

export type Sibling = Pick<PageRow, 'page' | 'position' | 'slug' | 'title'>;

/** Pages under one parent, in their order. */
export class Siblings {
  readonly #rows: Sibling[];
  readonly #pages: Set<string>;

  constructor(rows: Sibling[]) {
    this.#rows = rows.toSorted(compareSiblings);
    this.#pages = new Set(rows.map((row) => row.page));
  }

  get rows(): readonly Sibling[] {
    return this.#rows;
  }

  has(page: string): boolean {
    return this.#pages.has(page);
  }

  add(row: Sibling): void {
    this.#rows.splice(this.#indexOf(row), 0, row);
    this.#pages.add(row.page);
  }

  remove(row: Pick<Sibling, 'page' | 'position'>): void {
    if (this.#pages.delete(row.page)) this.#rows.splice(this.#indexOf(row), 1);
  }

  /** How many are before it: by binary search, because an import adds thousands. */
  #indexOf(row: Pick<Sibling, 'page' | 'position'>): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const sibling = this.#rows[middle];
      if (sibling && sibling.page !== row.page && compareSiblings(sibling, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
