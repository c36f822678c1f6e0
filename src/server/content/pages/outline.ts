import { compareSiblings, type PageRow } from '../../../store/content.ts';

/** The pages of a content in page order, with what their place in the tree tells. */
export class Outline {
  /** Depth first, siblings in their order. */
  readonly rows: PageRow[] = [];
  readonly #entries = new Map<string, { row: PageRow; path: string; order: string }>();
  readonly #byPath = new Map<string, PageRow>();
  readonly #children: Map<string | null, PageRow[]>;

  constructor(pages: readonly PageRow[]) {
    this.#children = Map.groupBy(pages, (row) => row.parent);
    for (const siblings of this.#children.values()) siblings.sort(compareSiblings);
    const waiting = this.#under(null, '', '').toReversed();
    for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
      const { row, path, order } = entry;
      this.rows.push(row);
      this.#entries.set(row.page, entry);
      if (row.slug !== '' && !this.#byPath.has(path)) this.#byPath.set(path, row);
      waiting.push(...this.#under(row.page, `${path}/`, order).toReversed());
    }
  }

  #under(parent: string | null, prefix: string, order: string) {
    return this.children(parent).map((row) => ({
      row,
      path: prefix + row.slug,
      // Sorts as the tree does, so that it can be the key of a page token: separators sort before what they separate.
      order: `${order}${row.position}\u0001${row.page}\u0002`,
    }));
  }

  children(parent: string | null): readonly PageRow[] {
    return this.#children.get(parent) ?? [];
  }

  find(page: string): PageRow | undefined {
    return this.#entries.get(page)?.row;
  }

  at(path: string): PageRow | undefined {
    return this.#byPath.get(path);
  }

  pathOf(page: string): string {
    return this.#entries.get(page)!.path;
  }

  /** A text that sorts pages as the tree has them. */
  orderOf(page: string): string {
    return this.#entries.get(page)!.order;
  }
}
