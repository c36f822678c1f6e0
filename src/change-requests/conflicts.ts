import type { Client } from '../client/client.ts';
import { type Conflict as MergeConflict, merge } from '../content/merge/merge.ts';
import type { PageRecord } from '../content/merge/snapshot.ts';
import type { changeRequests } from '../contract/change-requests.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { EngineError } from '../shared/engine-error.ts';
import { visible } from '../shared/visible.ts';
import { comparePages, derived, pagesById, type PlacedPage } from './compare-content.ts';
import { type ChangeRequest, currentMain, readSides, type Side } from './read-sides.ts';

type Result = AnswerOf<typeof changeRequests.update> | AnswerOf<typeof changeRequests.merge>;

/** A page that main content and a request both changed. */
export type Conflict = NonNullable<Result['conflicts']>[number];

/** @throws EngineError (status 6) with the pages, and what either side and their common ancestor have */
export function failOnConflicts({ result, conflicts = [] }: Result, request: string | number): void {
  if (result === 'conflicts') throw conflictsError(conflicts, request);
}

/** @param request its number, or the name that was given */
export function conflictsError(conflicts: readonly Conflict[], request: string | number): EngineError {
  const { size } = new Set(conflicts.map(({ page }) => page));
  const sentence = `Change request ${request} conflicts with the main content on ${size} page${size === 1 ? '' : 's'}; nothing was changed.`;
  return new EngineError('refused', [sentence, ...conflicts.map(conflictLine)].join('\n'), {
    hint: 'Change these pages in the request so that both sides agree, then merge again.',
    report: {
      text: [sentence, ...conflicts.flatMap((conflict) => conflictText(conflict, request))].join('\n'),
      members: { conflicts },
    },
  });
}

/** One line that names a page, and the lines or fields of it that both sides changed. */
export function conflictLine({ page, title, kind, hunks = [], members = [], deletedIn }: Conflict): string {
  const lines = hunks.map(({ line }) => line);
  const where = [
    ...(lines.length > 0 ? [`line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}`] : []),
    ...members.map(({ member }) => member),
    ...(deletedIn === undefined ? [] : [`deleted in ${deletedIn === 'main' ? 'main content' : 'the request'}`]),
  ];
  return `  ${visible(title)} (${page}): ${kind}${where.length > 0 ? `, ${where.join(', ')}` : ''}`;
}

/** The line of a page, and below it the three versions of each part: texts as `git merge` marks them in a file. */
function conflictText(conflict: Conflict, request: string | number): string[] {
  const { hunks = [], members = [], deletedIn } = conflict;
  const values = members.flatMap(memberLines);
  return [
    conflictLine(conflict),
    ...values,
    ...(deletedIn === 'main'
      ? [`    docsctl cr diff ${request} --page ${conflict.page} shows the changes of the request.`]
      : []),
    ...hunks.flatMap((hunk) => ['', ...hunkLines(hunk, request)]),
    ...(hunks.length > 0 ? [''] : []),
  ];
}

type Hunk = NonNullable<Conflict['hunks']>[number];

function hunkLines({ line, base, main, changeRequest }: Hunk, request: string | number): string[] {
  return [
    '<<<<<<< main content',
    ...partLines(main),
    `||||||| common ancestor, line ${line}`,
    ...partLines(base),
    '=======',
    ...partLines(changeRequest),
    `>>>>>>> change request ${request}`,
  ];
}

/** Of longer parts, people are shown the beginning; JSON has all. */
const maxLines = 60;

function partLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return lines.length <= maxLines
    ? lines
    : [...lines.slice(0, maxLines), `... and ${lines.length - maxLines} more lines; -o json has them.`];
}

type Member = NonNullable<Conflict['members']>[number];

/** Nothing where the service does not tell the values. */
function memberLines({ member, base, main, changeRequest }: Member): string[] {
  const sides = [
    ['common ancestor', base],
    ['main content', main],
    ['change request', changeRequest],
  ] as const;
  return sides.flatMap(([side, value]) =>
    value === undefined ? [] : [`    ${member} in ${side}: ${value === null ? 'none' : JSON.stringify(value)}`],
  );
}

/** The common ancestor, main content as it is now, and the content of the request. */
type Three<T> = Record<'base' | 'main' | 'request', T>;

/**
 * The conflicts that a merge would have, found without one: the service has no request for that. They follow from the
 * three contents by the rules of the service.
 *
 * @returns undefined where the service does not show the common ancestor
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
      // The service compares keys that it does not show: a page that was not moved has that of the common ancestor.
      position: moved.has(id) ? `after ${after ?? 'none'}` : 'unchanged',
    };
  });
}

/** The members that are merged each for itself. The slug has another name: `merge` changes equal ones by its own rule. */
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
