import type { Conflict as Clash } from '../../content/merge/merge.ts';
import type { Hunk } from '../../content/merge/merge-lines.ts';
import type { PageRecord } from '../../content/merge/snapshot.ts';
import { uniqueSlug } from '../../content/markdown/slug.ts';
import {
  changedPages,
  findPage,
  ownPages,
  type PageRow,
  type PageState,
  type PageWrite,
  siblingsUnder,
} from '../../store/content.ts';
import { markdownOf, type NewDocument } from '../../store/documents.ts';
import type { Snapshot } from '../../store/snapshots.ts';
import { newId } from '../../store/ids.ts';
import type { Db } from '../../store/store.ts';
import { isSame } from './draft.ts';
import { extraOf } from './pages.ts';
import type { RequestTexts } from '../engine/request-texts.ts';

/** A page that both sides changed, with what either made of it. */
export interface Conflict {
  page: string;
  title: string;
  kind: 'content' | 'metadata' | 'deleted';
  hunks?: { line: number; base: string; main: string; changeRequest: string }[];
  members?: { member: string; main?: unknown; changeRequest?: unknown }[];
  deletedIn?: 'main' | 'change-request';
}

/** One page on the three sides of a merge, and what becomes of it. */
interface Three {
  base?: PageRow | undefined;
  main?: PageRow | undefined;
  request?: PageRow | undefined;
  /** The request's own row: absent where it has the page as its base has it. */
  own?: PageRow | undefined;
  merged?: PageState | undefined;
}

export type Merged =
  | { conflicts: Conflict[] }
  | { conflicts?: undefined; pages: Map<string, Three>; documents: NewDocument[] };

interface Sides {
  db: Db;
  /** The main content that the request rests on. */
  base: Snapshot;
  main: Snapshot;
  request: Snapshot;
}

/**
 * Three-way merge of a request with main content (open parts, 7, "Change request"). Only pages that a side changed are
 * looked at, with what stands around them: those above, and those beside a page that came or moved.
 */
export async function mergeSides({
  db,
  main,
  request,
  now,
  texts,
}: {
  db: Db;
  main: Snapshot;
  request: Snapshot;
  now: string;
  texts: Pick<RequestTexts, 'run'>;
}): Promise<Merged> {
  const sides: Sides = { db, main, request, base: { ...request, line: '', own: 0 } };
  const pages = await involved(sides);
  const listed = (side: 'base' | 'main' | 'request') => ({
    pages: [...pages.values()].flatMap((three) => (three[side] ? [recordOf(three[side])] : [])),
  });
  const merged = await texts.run(
    'merge',
    { base: listed('base'), main: listed('main'), request: listed('request'), texts: await changedTexts(db, pages) },
    { what: 'What both sides changed', key: [sides.base.main, main.revision, request.revision].join() },
  );
  if (merged.conflicts) {
    return { conflicts: merged.conflicts.map((clash) => present(clash, pages.get(clash.page) ?? {})) };
  }
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
    pages.get(record.id)!.merged = state;
  }
  separateSlugs(pages);
  return { pages, documents };
}

/** The texts of pages whose text both sides changed, by their documents. */
async function changedTexts(db: Db, pages: ReadonlyMap<string, Three>): Promise<Map<string, string>> {
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

/** Pages of both sides may have come to the same address: the one that main content has there keeps it. */
function separateSlugs(pages: Map<string, Three>): void {
  const there = [...pages.entries()].flatMap(([page, { main, merged }]) => (merged ? [{ page, main, merged }] : []));
  for (const siblings of Map.groupBy(there, ({ merged }) => merged.parent).values()) {
    const slugs = Map.groupBy(siblings, ({ merged }) => merged.slug);
    const taken = new Set(slugs.keys());
    for (const [slug, sharing] of slugs) {
      if (slug === '' || sharing.length === 1) continue;
      const had = ({ main, merged }: (typeof there)[number]) =>
        Number(main?.slug === slug && main.parent === merged.parent);
      const [, ...others] = sharing.toSorted((a, b) => had(b) - had(a) || (a.page < b.page ? -1 : 1));
      for (const { merged } of others) {
        merged.slug = uniqueSlug(slug, taken);
        taken.add(merged.slug);
      }
    }
  }
}

async function involved(sides: Sides): Promise<Map<string, Three>> {
  const { db, base, main, request } = sides;
  const own = new Map((await ownPages(db, request)).map((row) => [row.page, row]));
  const pages = new Map<string, Three>();
  const add = async (page: string) => {
    if (pages.has(page)) return;
    const row = own.get(page);
    const before = await findPage(db, base, page);
    pages.set(page, {
      base: before,
      main: main.main === base.main ? before : await findPage(db, main, page),
      request: row ? (row.deleted === 1 ? undefined : row) : before,
      own: row,
    });
  };
  for (const page of own.keys()) await add(page);
  for (const page of await changedPages(db, main.space, base.main, main.main)) await add(page);
  const parents = new Set<string | null>();
  for (const three of pages.values()) await addBeside(sides, three, parents, add);
  // A map goes on to what is added while it is gone through: pages above those above come too.
  for (const { base: before, main: there, request: here } of pages.values()) {
    for (const parent of new Set([before?.parent, there?.parent, here?.parent])) if (parent) await add(parent);
  }
  return pages;
}

/** Where the request puts a page, main content may have put another one of the same slug. */
async function addBeside(
  { db, main }: Sides,
  { base, request }: Three,
  /** Those whose pages are added already. */
  parents: Set<string | null>,
  add: (page: string) => Promise<void>,
): Promise<void> {
  if (!request || (base?.parent === request.parent && base.slug === request.slug)) return;
  if (parents.has(request.parent)) return;
  parents.add(request.parent);
  for (const sibling of await siblingsUnder(db, main, request.parent)) await add(sibling.page);
}

function recordOf(row: PageRow): PageRecord {
  return {
    id: row.page,
    parent: row.parent,
    position: row.position,
    type: row.type,
    title: row.title,
    // Not as `slug`: merging would part equal ones by its own rule, and main content is to keep its addresses.
    address: row.slug,
    emoji: row.emoji,
    icon: row.icon,
    description: row.description,
    document: row.document,
    hidden: row.hidden,
    noIndex: row.no_index,
    noRobotsIndex: row.no_robots_index,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...extraOf(row),
  };
}

type Described = PageRecord & {
  position: string;
  type: string;
  address: string;
  createdAt: string;
  updatedAt: string;
} & Partial<{
    emoji: string;
    icon: string;
    description: string;
    hidden: number;
    noIndex: number;
    noRobotsIndex: number;
  }>;

function stateOfRecord(record: PageRecord): PageState {
  const {
    id: _,
    parent,
    position,
    type,
    title,
    address,
    emoji,
    icon,
    description,
    document,
    ...rest
  } = record as Described;
  const { hidden, noIndex, noRobotsIndex, createdAt, updatedAt, ...extra } = rest;
  return {
    parent,
    position,
    type,
    title,
    slug: address,
    emoji: emoji ?? null,
    icon: icon ?? null,
    description: description ?? null,
    document,
    hidden: hidden ?? 0,
    no_index: noIndex ?? 0,
    no_robots_index: noRobotsIndex ?? 0,
    extra: Object.keys(extra).length > 0 ? JSON.stringify(extra) : null,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

function present({ page, title, kind, hunks, members }: Clash, { main, request }: Three): Conflict {
  return {
    page,
    title,
    kind,
    ...(hunks ? { hunks: hunks.map(presentHunk) } : {}),
    ...(members ? { members: members.map((member) => presentMember(member, main, request)) } : {}),
    ...(kind === 'deleted' ? { deletedIn: main ? ('change-request' as const) : ('main' as const) } : {}),
  };
}

const presentHunk = ({ line, base, ours, theirs }: Hunk) => ({ line, base, main: ours, changeRequest: theirs });

function presentMember(member: string, main: PageRow | undefined, request: PageRow | undefined) {
  // The key of a position says nothing to anybody.
  if (member === 'position') return { member };
  const value = (row: PageRow | undefined) => row && (recordOf(row)[member] ?? null);
  if (member === 'address') return { member: 'slug', main: main?.slug, changeRequest: request?.slug };
  return { member, main: value(main), changeRequest: value(request) };
}

/** What brings main content to the merged one. */
export function writesToMain(pages: Map<string, Three>): PageWrite[] {
  return [...pages].flatMap(([page, { main, merged }]): PageWrite[] => {
    if (merged ? main && isSame(merged, main) : !main) return [];
    return [{ page, state: merged }];
  });
}

/** What a request's line holds of the merged content, over the main content it then rests on. */
export function writesToRequest(pages: Map<string, Three>): PageWrite[] {
  return [...pages].flatMap(([page, { main, own, merged }]): PageWrite[] => {
    if (merged ? main && isSame(merged, main) : !main) return own ? [{ page }] : [];
    // Main content has it, so that it was the request that took it away: that row stays.
    if (!merged) return [];
    return own && own.deleted === 0 && isSame(merged, own) ? [] : [{ page, state: merged }];
  });
}
