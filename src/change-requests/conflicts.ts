import { visible } from '../shared/visible.ts';
import type { Client } from '../client/client.ts';
import { type Conflict as MergeConflict, merge } from '../content/merge/merge.ts';
import type { PageRecord } from '../content/merge/snapshot.ts';
import type { changeRequests } from '../contract/change-requests.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { comparePages, derived, pagesById, type PlacedPage } from './compare-content.ts';
import { type ChangeRequest, currentMain, readSides, type Side } from './read-sides.ts';

/** A page that the main content and a request both changed. */
export type Conflict = NonNullable<AnswerOf<typeof changeRequests.merge>['conflicts']>[number];

/** The common ancestor, the current main content, and the content of the request. */
type Three<T> = Record<'base' | 'main' | 'request', T>;

/**
 * The conflicts that a merge would have. The service has no request for this, so its merge is repeated here.
 *
 * @returns undefined if the service does not show the common ancestor
 */
export async function findConflicts(
  client: Client,
  spaceId: string,
  request: ChangeRequest,
): Promise<Conflict[] | undefined> {
  if (!request.outdated) return [];
  const [sides, main] = await Promise.all([readSides(client, spaceId, request), currentMain(client, spaceId)]);
  if (sides.base !== 'base') return undefined;
  const three = { base: sides.before, main, request: sides.after };
  const placed: Three<Map<string, PlacedPage>> = {
    base: pagesById(three.base.revision.pages),
    main: pagesById(three.main.revision.pages),
    request: pagesById(three.request.revision.pages),
  };
  const merged = await merge(
    { pages: recordsOf(placed.base, placed.base) },
    { pages: recordsOf(placed.main, placed.base) },
    { pages: recordsOf(placed.request, placed.base) },
    textReader(three, placed),
  );
  return merged.result === 'merged' ? [] : merged.conflicts.map((conflict) => present(conflict, placed));
}

/** Reads each text once, from the first content that has it. */
function textReader(sides: Three<Side>, placed: Three<Map<string, PlacedPage>>): (document: string) => Promise<string> {
  const readers = new Map<string, () => Promise<string>>();
  for (const side of ['request', 'main', 'base'] as const) {
    for (const [id, { page }] of placed[side]) {
      const document = documentOf(page);
      if (document !== null) readers.set(document, () => sides[side].textOf(id));
    }
  }
  return async (document) => (await readers.get(document)?.()) ?? '';
}

const documentOf = (page: PlacedPage['page']) => (page.type === 'document' ? (page.documentId ?? null) : null);

function recordsOf(pages: Map<string, PlacedPage>, base: Map<string, PlacedPage>): PageRecord[] {
  const moved = new Set(
    comparePages(base, pages).flatMap(({ id, fields }) =>
      fields.some(({ field }) => field === 'position' || field === 'parent') ? [id] : [],
    ),
  );
  const previous = new Map<string | undefined, string>();
  return [...pages].map(([id, { page, parent }]) => {
    const after = previous.get(parent);
    previous.set(parent, id);
    return {
      ...fieldsOf(page),
      id,
      parent: parent ?? null,
      title: page.title,
      document: documentOf(page),
      // The service compares position keys that it does not show. Those of pages that were not moved are unchanged.
      position: moved.has(id) ? `after ${after ?? 'none'}` : 'unchanged',
    };
  });
}

/** The members that are merged individually. The slug gets another name, because `merge` has its own rule for slugs. */
function fieldsOf(page: PlacedPage['page']): Record<string, unknown> {
  const fields = Object.entries(page).filter(([member]) => !derived.has(member) && member !== 'slug');
  return { ...Object.fromEntries(fields), ...('slug' in page ? { address: page.slug } : {}) };
}

function present(
  { page, title, kind, hunks, members }: MergeConflict,
  { base, main, request }: Three<Map<string, PlacedPage>>,
): Conflict {
  const valueOf = (side: Map<string, PlacedPage>, member: string): unknown => {
    const placed = side.get(page);
    if (!placed || member === 'position') return undefined;
    return (member === 'parent' ? placed.parent : Reflect.get(placed.page, member)) ?? null;
  };
  return {
    page,
    title,
    kind,
    ...(hunks && {
      hunks: hunks.map(({ ours, theirs, ...hunk }) => ({ ...hunk, main: ours, changeRequest: theirs })),
    }),
    ...(members && {
      members: members
        .map((member) => (member === 'address' ? 'slug' : member))
        .map((member) => ({
          member,
          base: valueOf(base, member),
          main: valueOf(main, member),
          changeRequest: valueOf(request, member),
        })),
    }),
    ...(kind === 'deleted' && { deletedIn: main.has(page) ? ('change-request' as const) : ('main' as const) }),
  };
}

/** One line with a page, and the lines or fields that both sides changed. */
export function conflictLine({ page, title, kind, hunks = [], members = [], deletedIn }: Conflict): string {
  const lines = hunks.map(({ line }) => line);
  const where = [
    ...(lines.length > 0 ? [`line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}`] : []),
    ...members.map(({ member }) => member),
    ...(deletedIn === undefined ? [] : [`deleted in ${deletedIn === 'main' ? 'main content' : 'the request'}`]),
  ];
  return `  ${visible(title)} (${page}): ${kind}${where.length > 0 ? `, ${where.join(', ')}` : ''}`;
}
