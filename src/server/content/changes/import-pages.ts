import { createHash } from 'node:crypto';
import type { Replaced } from '../../../contract/instance.ts';
import { allPages, type PageRow, type PageState } from '../../../store/content.ts';
import type { PageOrigin } from '../../../store/tables.ts';
import { jsonText } from '../../../store/json.ts';
import type { Snapshot } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';
import { Conflict } from '../../engine/errors.ts';
import { extraOf } from '../pages/page-extra.ts';
import type { Draft } from './draft.ts';
import type { NewText } from './new-texts.ts';

/** A page of an import. Where it takes the place of one of an earlier import, it has the id of that. */
export interface ImportedPage {
  id: string;
  /** What it is at its source. */
  key: string;
  parent: string | null;
  title: string;
  slug: string;
  description: string | null;
  document: NewText | null;
}

export interface PageImport {
  /** Source and address, as `addressOf` writes them. */
  address: string;
  pages: ImportedPage[];
  /** Keys of pages that the source may still have, but that were not imported. */
  leftOut: ReadonlySet<string>;
  replace: boolean;
  overwrite: boolean;
  now: string;
}

/** A page of an earlier import. */
interface EarlierPage {
  row: PageRow;
  origin: PageOrigin;
}

/** What an import came from; null for a text in the request itself, which has no address. */
export function addressOf(source: string, url: string): string | null {
  const parsed = URL.parse(url);
  if (!parsed || parsed.protocol === 'data:') return null;
  parsed.hash = '';
  return `${source} ${parsed.href}`;
}

/** The pages that imports of an address have made, by their keys. */
export async function earlierPages(db: Db, snapshot: Snapshot, address: string): Promise<Map<string, EarlierPage>> {
  const pages = new Map<string, EarlierPage>();
  for (const row of await allPages(db, snapshot)) {
    const { origin } = extraOf(row);
    if (origin?.address === address) pages.set(origin.key, { row, origin });
  }
  return pages;
}

/** Puts the pages of an import into a draft: at the end, or in the place of those of an earlier import. */
export async function draftImport(
  db: Db,
  snapshot: Snapshot,
  draft: Draft,
  run: PageImport,
): Promise<Replaced | undefined> {
  const earlier = run.replace ? await earlierPages(db, snapshot, run.address) : new Map<string, EarlierPage>();
  const replaced: Replaced = { added: 0, changed: 0, unchanged: 0, deleted: 0, kept: [] };
  const gone = [...earlier.values()].filter(({ origin: { key } }) => !isIn(run, key));
  if (!run.overwrite) refuseConflicts(run, earlier, gone);
  const top = topOf(run, earlier);
  /** The page of this import that was placed last under each parent. */
  const lastUnder = new Map<string | null, string>();
  for (const page of run.pages) {
    const before = earlier.get(page.key);
    const parent = page.parent ?? top;
    if (before) await replacePage(draft, page, { before, parent, previous: lastUnder.get(parent), run, replaced });
    else {
      await addPage(draft, page, { parent, previous: lastUnder.get(parent), run });
      replaced.added += 1;
    }
    if ((await draft.get(page.id)).parent === parent) lastUnder.set(parent, page.id);
  }
  for (const { row } of gone) {
    await removeAlone(draft, row.page);
    replaced.deleted += 1;
  }
  await draft.separateSlugs();
  return earlier.size === 0 ? undefined : replaced;
}

const isIn = ({ pages, leftOut }: PageImport, key: string) =>
  leftOut.has(key) || pages.some((page) => page.key === key);

/** New pages of the top level go where those of the earlier import are now. */
function topOf({ pages }: PageImport, earlier: ReadonlyMap<string, EarlierPage>): string | null {
  const first = pages.find(({ key, parent }) => parent === null && earlier.has(key));
  return (first && earlier.get(first.key)?.row.parent) ?? null;
}

const isEdited = ({ row, origin }: EarlierPage) =>
  row.document !== origin.document || row.title !== origin.title || row.description !== origin.description;

/** A hash of all that an import writes into a page: links are by ids, which stay. */
function hashOf({ title, description, document }: ImportedPage): string {
  const parts = JSON.stringify([title, description, document?.markdown ?? '']);
  return createHash('sha256').update(parts).digest('base64url').slice(0, 22);
}

function refuseConflicts(
  { pages }: PageImport,
  earlier: ReadonlyMap<string, EarlierPage>,
  gone: readonly EarlierPage[],
): void {
  const changed = pages.flatMap((page) => {
    const before = earlier.get(page.key);
    return before && isEdited(before) && before.origin.hash !== hashOf(page) ? [before] : [];
  });
  const lost = [...changed, ...gone.filter(isEdited)].map(({ row }) => `"${row.title}"`);
  if (lost.length === 0) return;
  const more = lost.length > maxNamed ? ` and ${lost.length - maxNamed} more` : '';
  throw new Conflict(
    'invalid-state',
    `Nothing was imported. Since the earlier import, these pages were changed in the space as well as at the address: ${lost.slice(0, maxNamed).join(', ')}${more}.`,
  );
}

const maxNamed = 20;

interface Place {
  parent: string | null;
  /** The sibling that comes before it in the import. */
  previous: string | undefined;
  run: PageImport;
}

async function replacePage(
  draft: Draft,
  page: ImportedPage,
  { before, parent, previous, run, replaced }: Place & { before: EarlierPage; replaced: Replaced },
): Promise<void> {
  const { row, origin } = before;
  const state = await draft.get(page.id);
  const isSameAtSource = origin.hash === hashOf(page);
  const placed = await placeOf(draft, state, { page, origin, parent, previous });
  const moved = { ...state, ...placed };
  if (isSameAtSource && !(isEdited(before) && run.overwrite)) {
    if (isEdited(before)) replaced.kept.push(row.title);
    else replaced.unchanged += 1;
    return draft.put(page.id, withOrigin(moved, { ...origin, parent: page.parent }));
  }
  replaced.changed += 1;
  const { title, description, document } = page;
  const next = { ...moved, title, description, document: document?.id ?? null };
  return draft.put(page.id, withOrigin(next, originOf(page, run.address)));
}

/** Parent and position: those it has, unless only the source has changed them. */
async function placeOf(
  draft: Draft,
  state: PageState,
  { page, origin, parent, previous }: { page: ImportedPage; origin: PageOrigin } & Omit<Place, 'run'>,
): Promise<Pick<PageState, 'parent' | 'position'>> {
  const kept = { parent: state.parent, position: state.position };
  // People moved it, or the whole import with it.
  if (state.parent !== origin.parent || (origin.parent === null && page.parent === null)) return kept;
  if (parent !== null && (await draft.isWithin(parent, page.id))) return kept;
  if (state.parent === parent) {
    const isInOrder = previous === undefined || (await draft.get(previous)).position < state.position;
    if (isInOrder) return kept;
  }
  return { parent, position: await positionAfter(draft, page.id, parent, previous) };
}

async function positionAfter(draft: Draft, page: string, parent: string | null, previous: string | undefined) {
  if (previous === undefined) return draft.positionUnder(parent, page);
  const siblings = (await draft.children(parent)).filter((each) => each.page !== page);
  const index = siblings.findIndex((each) => each.page === previous);
  return draft.positionUnder(parent, page, index < 0 ? undefined : index + 1);
}

async function addPage(draft: Draft, page: ImportedPage, { parent, previous, run }: Place): Promise<void> {
  const { id, title, slug, description, document } = page;
  const position = run.replace
    ? await positionAfter(draft, id, parent, previous)
    : await draft.positionUnder(parent, id);
  const state: PageState = {
    parent,
    position,
    type: 'document',
    title,
    slug,
    emoji: null,
    icon: null,
    description,
    document: document?.id ?? null,
    hidden: 0,
    no_index: 0,
    no_robots_index: 0,
    extra: null,
    created_at: run.now,
    updated_at: run.now,
  };
  draft.add(id, withOrigin(state, originOf(page, run.address)));
}

function originOf(page: ImportedPage, address: string): PageOrigin {
  const { key, parent, title, description, document } = page;
  return { address, key, parent, title, description, document: document?.id ?? null, hash: hashOf(page) };
}

function withOrigin(state: PageState, origin: PageOrigin): PageState {
  return origin.address === '' ? state : { ...state, extra: jsonText({ ...extraOf(state), origin }) };
}

/** Deletes a page; the pages under it, which others wrote, move up. */
async function removeAlone(draft: Draft, page: string): Promise<void> {
  const state = await draft.find(page);
  if (!state) return;
  const below = (await draft.children(page)).map((child) => child.page);
  for (const child of below) {
    const position = await draft.positionUnder(state.parent, child);
    await draft.put(child, { ...(await draft.get(child)), parent: state.parent, position });
  }
  await draft.put(page, undefined);
}
