import type { Conflict as MergeConflict } from '../../../content/merge/merge.ts';
import type { Hunk } from '../../../content/merge/merge-lines.ts';
import { uniqueSlug } from '../../../content/markdown/slug.ts';
import { getFrom } from '../../../shared/get-from.ts';
import type { changeRequests } from '../../../contract/change-requests.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import {
  changedPages,
  findPage,
  ownPages,
  type PageRow,
  type PageState,
  type PageWrite,
  siblingsUnder,
} from '../../../store/content.ts';
import { markdownOf, type NewDocument } from '../../../store/documents.ts';
import { newId } from '../../../store/ids.ts';
import type { Snapshot } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';
import type { RequestTexts } from '../../engine/request-texts.ts';
import { isSame } from '../changes/draft.ts';
import { baseOf } from '../find-content.ts';
import { recordOf, stateOfRecord } from './merge-record.ts';

/** A page that both sides changed, with the changes of each. */
type Conflict = NonNullable<AnswerOf<typeof changeRequests.merge>['conflicts']>[number];

/** One page on the three sides of a merge, and the result. */
interface PageSides {
  base?: PageRow | undefined;
  main?: PageRow | undefined;
  request?: PageRow | undefined;
  /** The row of the change request: absent if it has the page unchanged from its base. */
  changedRow?: PageRow | undefined;
  merged?: PageState | undefined;
}

export type Merged =
  | { conflicts: Conflict[] }
  | { conflicts?: undefined; pages: Map<string, PageSides>; documents: NewDocument[] };

interface Sides {
  db: Db;
  /** The main content that the change request is based on. */
  base: Snapshot;
  main: Snapshot;
  request: Snapshot;
}

/**
 * Three-way merge of a change request with main content. It reads only the pages that
 * a side changed and those around them: their parents, and the siblings of a page that was added or moved.
 */
export async function mergeSides({
  db,
  main,
  request,
  now,
  texts,
}: Omit<Sides, 'base'> & { now: string; texts: Pick<RequestTexts, 'run'> }): Promise<Merged> {
  const sides: Sides = { db, main, request, base: baseOf(request) };
  const pages = await involvedPages(sides);
  const recordsOf = (side: 'base' | 'main' | 'request') => ({
    pages: [...pages.values()].flatMap((page) => (page[side] ? [recordOf(page[side])] : [])),
  });
  const merged = await texts.run(
    'merge',
    {
      base: recordsOf('base'),
      main: recordsOf('main'),
      request: recordsOf('request'),
      texts: await changedTexts(db, pages),
    },
    { what: 'What both sides changed', key: [sides.base.main, main.revision, request.revision].join() },
  );
  if (merged.conflicts)
    return { conflicts: merged.conflicts.map((conflict) => present(conflict, pages.get(conflict.page) ?? {})) };
  const documents: NewDocument[] = [];
  for (const record of merged.pages) {
    const text = merged.documents.get(record.id);
    const state = stateOfRecord(record);
    if (text !== undefined) {
      const document = { ...text, id: newId() };
      documents.push(document);
      state.document = document.id;
      state.updated_at = now;
    }
    getFrom(pages, record.id).merged = state;
  }
  separateSlugs(pages);
  return { pages, documents };
}

/** The texts of pages whose text both sides changed, by their documents. */
async function changedTexts(db: Db, pages: ReadonlyMap<string, PageSides>): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { base, main, request } of pages.values()) {
    if (!main || !request || main.document === request.document) continue;
    if (base && (main.document === base.document || request.document === base.document)) continue;
    for (const document of [base?.document, main.document, request.document]) {
      if (document) texts.set(document, await markdownOf(db, document));
    }
  }
  return texts;
}

interface MergedPage {
  page: string;
  main: PageRow | undefined;
  merged: PageState;
}

/** Pages of both sides may have the same address after the merge: the one that main content has there keeps it. */
function separateSlugs(pages: Map<string, PageSides>): void {
  const mergedPages = [...pages].flatMap(([page, { main, merged }]): MergedPage[] =>
    merged ? [{ page, main, merged }] : [],
  );
  for (const siblings of Map.groupBy(mergedPages, ({ merged }) => merged.parent).values()) {
    const slugs = Map.groupBy(siblings, ({ merged }) => merged.slug);
    const taken = new Set(slugs.keys());
    for (const [slug, sharing] of slugs) {
      if (slug === '' || sharing.length === 1) continue;
      const isUnmoved = ({ main, merged }: MergedPage) => Number(main?.slug === slug && main.parent === merged.parent);
      const [, ...others] = sharing.toSorted((a, b) => isUnmoved(b) - isUnmoved(a) || (a.page < b.page ? -1 : 1));
      for (const { merged } of others) {
        merged.slug = uniqueSlug(slug, taken);
        taken.add(merged.slug);
      }
    }
  }
}

async function involvedPages(sides: Sides): Promise<Map<string, PageSides>> {
  const { db, base, main, request } = sides;
  const ownRows = new Map((await ownPages(db, request)).map((row) => [row.page, row]));
  const pages = new Map<string, PageSides>();
  const add = async (page: string) => {
    if (pages.has(page)) return;
    const changedRow = ownRows.get(page);
    const inBase = await findPage(db, base, page);
    pages.set(page, {
      base: inBase,
      main: main.main === base.main ? inBase : await findPage(db, main, page),
      request: changedRow ? (changedRow.deleted === 1 ? undefined : changedRow) : inBase,
      changedRow,
    });
  };
  for (const page of ownRows.keys()) await add(page);
  for (const page of await changedPages(db, main.space, base.main, main.main)) await add(page);
  const addedParents = new Set<string | null>();
  for (const page of pages.values()) await addSiblings(sides, page, addedParents, add);
  // Iterating a map includes entries that are added during the iteration, so this adds all ancestors.
  for (const page of pages.values()) {
    for (const parent of new Set([page.base?.parent, page.main?.parent, page.request?.parent])) {
      if (parent) await add(parent);
    }
  }
  return pages;
}

/** Where the change request puts a page, main content may have added one with the same slug. */
async function addSiblings(
  { db, main }: Sides,
  { base, request }: PageSides,
  /** Those whose pages are added already. */
  addedParents: Set<string | null>,
  add: (page: string) => Promise<void>,
): Promise<void> {
  if (!request || (base?.parent === request.parent && base.slug === request.slug)) return;
  if (addedParents.has(request.parent)) return;
  addedParents.add(request.parent);
  for (const sibling of await siblingsUnder(db, main, request.parent)) await add(sibling.page);
}

function present({ page, title, kind, hunks, members }: MergeConflict, sides: PageSides): Conflict {
  return {
    page,
    title,
    kind,
    hunks: hunks?.map(presentHunk),
    members: members?.map((member) => presentMember(member, sides)),
    deletedIn: kind === 'deleted' ? (sides.main ? 'change-request' : 'main') : undefined,
  };
}

const presentHunk = ({ line, base, ours, theirs }: Hunk) => ({ line, base, main: ours, changeRequest: theirs });

function presentMember(member: string, { base, main, request }: PageSides) {
  // The key of a position means nothing to readers.
  if (member === 'position') return { member };
  if (member === 'address') return { member: 'slug', base: base?.slug, main: main?.slug, changeRequest: request?.slug };
  const valueIn = (row: PageRow | undefined) => row && (recordOf(row)[member] ?? null);
  return { member, base: valueIn(base), main: valueIn(main), changeRequest: valueIn(request) };
}

const isAsInMain = ({ main, merged }: PageSides) => (merged ? main !== undefined && isSame(merged, main) : !main);

/** What turns main content into the merged one. */
export function writesToMain(pages: Map<string, PageSides>): PageWrite[] {
  return [...pages].flatMap(([page, sides]): PageWrite[] => (isAsInMain(sides) ? [] : [{ page, state: sides.merged }]));
}

/** What the change request has of the merged content, over the main content that it is then based on. */
export function writesToRequest(pages: Map<string, PageSides>): PageWrite[] {
  return [...pages].flatMap(([page, sides]): PageWrite[] => {
    const { changedRow, merged } = sides;
    if (isAsInMain(sides)) return changedRow ? [{ page }] : [];
    // Main content has the page, so the change request deleted it: that row stays.
    if (!merged) return [];
    return changedRow && changedRow.deleted === 0 && isSame(merged, changedRow) ? [] : [{ page, state: merged }];
  });
}
