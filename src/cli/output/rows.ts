/** An item as one row: `guide` draws the branches that lead to it in a tree. */
export interface Row {
  item: unknown;
  /** The lines of the tree before the first cell: `│  └─ `. */
  guide: string;
  depth: number;
}

export function flatRows(items: unknown[]): Row[] {
  return items.map((item) => ({ item, guide: '', depth: 0 }));
}

/** All items with their descendants, each below its parent. Top-level items have no lines, so that pages fit together. */
export function treeRows(items: unknown[], children: (item: unknown) => unknown[] | undefined): Row[] {
  const rows: Row[] = [];
  // An item that is its own ancestor would repeat without end.
  const ancestors = new Set<unknown>();
  const walk = (item: unknown, guide: string, trunk: string, depth: number) => {
    if (ancestors.has(item)) return;
    rows.push({ item, guide, depth });
    ancestors.add(item);
    const below = children(item) ?? [];
    for (const [index, child] of below.entries()) {
      const isLast = index === below.length - 1;
      walk(child, `${trunk}${isLast ? '└─ ' : '├─ '}`, `${trunk}${isLast ? '   ' : '│  '}`, depth + 1);
    }
    ancestors.delete(item);
  };
  for (const item of items) walk(item, '', '', 0);
  return rows;
}
