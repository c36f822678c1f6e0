import type { Port } from '../client/port.ts';
import { unifiedDiff } from '../shared/unified-diff.ts';
import { isOwnFile } from '../content/folder/file-names.ts';
import { EngineError } from '../shared/engine-error.ts';
import { mapInOrder } from '../shared/map-in-order.ts';
import { comparePages, type FieldChange, type PageDifference, pagesById, type PlacedPage } from './compare-content.ts';
import type { Revision, Side } from './read-sides.ts';

/** A page, a file or a reusable content that differs. */
export interface Difference {
  kind: 'page' | 'file' | 'reusable content';
  change: PageDifference['change'];
  id: string;
  title: string;
  /** Path of a page, name of a file: in the change request, or where it was if it was deleted. */
  path: string;
  /** Path before, if it is another. */
  oldPath?: string;
  fields: FieldChange[];
  insertions: number;
  deletions: number;
  /** Changed lines of the text, as `diff -u` shows them. */
  lines: string[];
}

/** Pages whose texts are read at once. */
const width = 4;

/** What differs, pages first. @param name the one page that is asked about, by its id, path or title on either side */
export async function differencesBetween(
  { signal, progress }: Port,
  before: Side,
  after: Side,
  name: string | undefined,
): Promise<Difference[]> {
  const [old, now] = [pagesById(before.revision.pages), pagesById(after.revision.pages)];
  const only = name === undefined ? undefined : pageNamed(name, [now, old]);
  const pages = comparePages(old, now).filter(({ id }) => only === undefined || id === only);
  progress.say('Reading pages');
  const differences: Difference[] = [];
  for await (const page of mapInOrder(pages, width, (each) => pageDifference(each, before, after))) {
    signal.throwIfAborted();
    // A service may store an unchanged text again.
    if (page.lines.length > 0 || page.fields.length > 0 || page.change !== 'changed') differences.push(page);
    progress.count(differences.length, pages.length);
  }
  return only === undefined ? [...differences, ...otherDifferences(before.revision, after.revision)] : differences;
}

async function pageDifference(page: PageDifference, before: Side, after: Side): Promise<Difference> {
  const { id, change, fields, hasOtherText } = page;
  const place = page.after ?? page.before;
  const [from, to] = hasOtherText
    ? await Promise.all([page.before ? before.textOf(id) : '', page.after ? after.textOf(id) : ''])
    : ['', ''];
  const lines = await unifiedDiff(from, to);
  const path = place?.path ?? '';
  return {
    kind: 'page',
    change,
    id,
    title: place?.page.title ?? '',
    path,
    ...(page.before && page.before.path !== path ? { oldPath: page.before.path } : {}),
    fields,
    insertions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
    lines,
  };
}

/** @throws EngineError (status 5) if no page has the name */
function pageNamed(name: string, sides: ReadonlyMap<string, PlacedPage>[]): string {
  const all = sides.flatMap((side) => [...side]);
  const path = name.toLowerCase().split('/').filter(Boolean).join('/');
  const isNamed: ((id: string, placed: PlacedPage) => boolean)[] = [
    (id) => id === name,
    (_, placed) => placed.path.toLowerCase() === path,
    (_, placed) => placed.page.title.toLowerCase() === name.toLowerCase(),
  ];
  for (const matches of isNamed) {
    const ids = new Set(all.filter(([id, placed]) => matches(id, placed)).map(([id]) => id));
    const [id, ...others] = ids;
    if (id !== undefined && others.length === 0) return id;
    if (id !== undefined)
      throw new EngineError(
        'usage',
        `--page: "${name}" is the name of ${ids.size} pages: ${[...ids].slice(0, 5).join(', ')}.`,
        { hint: 'Use the id.' },
      );
  }
  throw new EngineError('notFound', `--page: there is no page "${name}" in the change request or its base.`, {
    hint: '"docsctl content pages list --cr" lists the pages.',
  });
}

function otherDifferences(before: Revision, after: Revision): Difference[] {
  const files = (revision: Revision) =>
    new Map(
      revision.files.flatMap(({ id, name, contentType, size }) =>
        isOwnFile(name) ? [] : [[id, { path: name, fields: { name, contentType, size } }]],
      ),
    );
  const reusable = (revision: Revision) =>
    new Map(
      revision.reusableContents.map(({ id, title, document }) => [id, { path: title, fields: { title, document } }]),
    );
  return [
    ...compareItems('file', files(before), files(after)),
    ...compareItems('reusable content', reusable(before), reusable(after)),
  ];
}

type Items = Map<string, { path: string; fields: Record<string, unknown> }>;

function compareItems(kind: Difference['kind'], before: Items, after: Items): Difference[] {
  const ids = new Set([...after.keys(), ...before.keys()]);
  return [...ids].flatMap((id): Difference[] => {
    const [old, now] = [before.get(id), after.get(id)];
    const path = (now ?? old)?.path ?? '';
    const fields = Object.keys(now?.fields ?? {}).flatMap((field): FieldChange[] => {
      const [from, to] = [old?.fields[field], now?.fields[field]];
      return old && from !== to ? [{ field, before: from, after: to }] : [];
    });
    const change = old ? (now ? 'changed' : 'deleted') : 'added';
    if (change === 'changed' && fields.length === 0) return [];
    const oldPath = old && old.path !== path ? { oldPath: old.path } : {};
    return [{ kind, change, id, title: path, path, ...oldPath, fields, insertions: 0, deletions: 0, lines: [] }];
  });
}
