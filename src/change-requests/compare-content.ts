import { isDeepStrictEqual } from 'node:util';
import type { Page } from '../contract/pages.ts';
import { longestIncreasingSubsequence } from '../shared/longest-increasing-subsequence.ts';
import { words } from '../shared/words.ts';

/** A page with its place among the others. */
export interface PlacedPage {
  page: Page;
  parent: string | undefined;
  /** Place in the whole order, parents before their children. */
  index: number;
  /** Its path; of a page that has none, that of its parent and its title. */
  path: string;
}

export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

/** How one page differs; only one side if it was added or deleted. */
export interface PageDifference {
  id: string;
  change: 'added' | 'deleted' | 'moved' | 'changed';
  before?: PlacedPage;
  after?: PlacedPage;
  fields: FieldChange[];
  /** Whether the text has to be compared. */
  hasOtherText: boolean;
}

/** Pages by id, in their order. */
export function pagesById(pages: readonly Page[]): Map<string, PlacedPage> {
  const byId = new Map<string, PlacedPage>();
  const add = (siblings: readonly Page[], parent?: PlacedPage) => {
    for (const page of siblings) {
      const path = 'path' in page ? page.path : [parent?.path, page.title].filter(Boolean).join('/');
      const placed = { page, parent: parent?.page.id, index: byId.size, path };
      byId.set(page.id, placed);
      if ('pages' in page) add(page.pages, placed);
    }
  };
  add(pages);
  return byId;
}

/** The pages that differ, in the order of the change request; deleted ones at the end. */
export function comparePages(before: Map<string, PlacedPage>, after: Map<string, PlacedPage>): PageDifference[] {
  const moved = movedPages(before, after);
  const differences: PageDifference[] = [];
  for (const [id, now] of after) {
    const old = before.get(id);
    if (!old) {
      differences.push({ id, change: 'added', after: now, fields: [], hasOtherText: hasText(now) });
      continue;
    }
    const fields = fieldChanges(old, now, moved.has(id));
    const hasOtherText = textOf(old.page) !== textOf(now.page);
    if (fields.length === 0 && !hasOtherText) continue;
    const change = moved.has(id) ? 'moved' : 'changed';
    differences.push({ id, change, before: old, after: now, fields, hasOtherText });
  }
  for (const [id, old] of before)
    if (!after.has(id))
      differences.push({ id, change: 'deleted', before: old, fields: [], hasOtherText: hasText(old) });
  return differences;
}

const textOf = (page: Page) => (page.type === 'document' ? page.documentId : undefined);
const hasText = ({ page }: PlacedPage) => textOf(page) !== undefined;

/** Pages under another parent, and the fewest of the others whose moving explains the new order. */
function movedPages(before: Map<string, PlacedPage>, after: Map<string, PlacedPage>): Set<string> {
  const moved = new Set<string>();
  const kept: PlacedPage[] = [];
  for (const [id, now] of after) {
    const old = before.get(id);
    if (!old) continue;
    if (old.parent === now.parent) kept.push(now);
    else moved.add(id);
  }
  for (const siblings of Map.groupBy(kept, ({ parent }) => parent).values()) {
    const inOrder = new Set(longestIncreasingSubsequence(siblings, ({ page }) => before.get(page.id)?.index ?? 0));
    for (const sibling of siblings) if (!inOrder.has(sibling)) moved.add(sibling.page.id);
  }
  return moved;
}

/** Members that follow from others, or change with every edit. */
export const derived: ReadonlySet<string> = new Set(
  words('id pages urls path documentId updatedAt createdAt git computedSeed markdown document'),
);

function fieldChanges(before: PlacedPage, after: PlacedPage, isMoved: boolean): FieldChange[] {
  const names = new Set([...Object.keys(before.page), ...Object.keys(after.page)].filter((name) => !derived.has(name)));
  const fields = [...names].flatMap((field): FieldChange[] => {
    const [old, now]: unknown[] = [Reflect.get(before.page, field) ?? null, Reflect.get(after.page, field) ?? null];
    return isDeepStrictEqual(old, now) ? [] : [{ field, before: old, after: now }];
  });
  if (!isMoved) return fields;
  const [from, to] = [before, after].map(({ parent }) => parent ?? null);
  return [{ field: from === to ? 'position' : 'parent', before: from ?? null, after: to ?? null }, ...fields];
}
