/** An item as one row: `guide` draws the branches that lead to it in a tree. */
export interface Row {
  item: unknown;
  guide: string;
  depth: number;
}

export function flatRows(items: unknown[]): Row[] {
  return items.map((item) => ({ item, guide: '', depth: 0 }));
}

/** All items with those below them, each below its parent. Roots have no branches, so pages of roots fit together. */
export function treeRows(items: unknown[], children: (item: unknown) => unknown[] | undefined): Row[] {
  const rows: Row[] = [];
  // Data that contains itself would have no end.
  const line = new Set<unknown>();
  const walk = (item: unknown, guide: string, trunk: string, depth: number) => {
    if (line.has(item)) return;
    rows.push({ item, guide, depth });
    line.add(item);
    const below = children(item) ?? [];
    for (const [index, child] of below.entries()) {
      const isLast = index === below.length - 1;
      walk(child, `${trunk}${isLast ? '└─ ' : '├─ '}`, `${trunk}${isLast ? '   ' : '│  '}`, depth + 1);
    }
    line.delete(item);
  };
  for (const item of items) walk(item, '', '', 0);
  return rows;
}
