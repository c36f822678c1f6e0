import { getFrom } from '../../../shared/get-from.ts';
import { compareSiblings, type PageRow } from '../../../store/content.ts';

/** The pages of a content in page order, with their paths. */
export class Outline {
  /** Depth first, siblings in their order. */
  readonly rows: PageRow[] = [];
  readonly #entries = new Map<string, { row: PageRow; path: string; order: string }>();
  readonly #byPath = new Map<string, PageRow>();
  readonly #children: Map<string | null, PageRow[]>;

  constructor(pages: readonly PageRow[]) {
    this.#children = Map.groupBy(pages, (row) => row.parent);
    for (const siblings of this.#children.values()) siblings.sort(compareSiblings);
    const pending = this.#under(null, '', '').toReversed();
    for (let entry = pending.pop(); entry; entry = pending.pop()) {
      const { row, path, order } = entry;
      this.rows.push(row);
      this.#entries.set(row.page, entry);
      if (row.slug !== '' && !this.#byPath.has(path)) this.#byPath.set(path, row);
      pending.push(...this.#under(row.page, `${path}/`, order).toReversed());
    }
  }

  #under(parent: string | null, prefix: string, order: string) {
    return this.children(parent).map((row) => ({
      row,
      path: prefix + row.slug,
      // Sorts like the tree, for page tokens: the separators sort before all characters of positions and ids.
      order: `${order}${row.position}\u0001${row.page}\u0002`,
    }));
  }

  children(parent: string | null): readonly PageRow[] {
    return this.#children.get(parent) ?? [];
  }

  find(page: string): PageRow | undefined {
    return this.#entries.get(page)?.row;
  }

  findByPath(path: string): PageRow | undefined {
    return this.#byPath.get(path);
  }

  pathOf(page: string): string {
    return getFrom(this.#entries, page).path;
  }

  /** A text that sorts pages in page order. */
  orderOf(page: string): string {
    return getFrom(this.#entries, page).order;
  }
}
