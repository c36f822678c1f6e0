import type { PageRow } from '../../store/content.ts';
import type { Outline } from '../content/pages/outline.ts';

type Flag = 'hidden' | 'no_index' | 'no_robots_index';

/** Whether a page is kept out of lists, by itself or by what it stands in. */
export function isMarked(flag: Flag, outline: Outline, row: PageRow): boolean {
  for (let each: PageRow | undefined = row; each;) {
    if (each[flag] === 1) return true;
    each = each.parent === null ? undefined : outline.find(each.parent);
  }
  return false;
}

/** The pages that a reader goes through with "next": all that the table of contents shows. */
export function readPages({ rows }: Outline): PageRow[] {
  const hidden = new Set<string>();
  // What a page stands in comes before it.
  return rows.filter(({ page, parent, type, hidden: isHidden }) => {
    if (isHidden === 1 || (parent !== null && hidden.has(parent))) hidden.add(page);
    return type === 'document' && !hidden.has(page);
  });
}
