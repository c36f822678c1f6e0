import { longestIncreasingSubsequence } from '../shared/longest-increasing-subsequence.ts';
import type { Conflict } from '../content/merge/merge.ts';
import type { PageRecord } from '../content/merge/snapshot.ts';
import type { LocalFolder, LocalPage, OnFile, Problem } from '../content/folder/folder.ts';
import { type MergeOptions, mergeSides } from './three-way/merge-sides.ts';
import { metaMembers, type PageMeta } from '../content/folder/page-info.ts';
import { PageWriter } from './page-writer.ts';
import { layoutFor } from './push-layout.ts';
import { isNewRecord, type PushRecord, recordPages } from './three-way/record.ts';
import type { Remote, RemotePage } from './remote.ts';
import { SiblingOrder } from './sibling-order.ts';
import { type Compared, keyOf, metaOf, type ReadTexts, type Sides, sidesOf } from './three-way/sides.ts';

/** A page by its id, or by its key while it has no id. */
export type PageRef = { id: string } | { key: string };

export type PageFields = PageMeta & { title?: string; slug?: string };

export type Operation =
  | { kind: 'upload'; name: string; bytes: Uint8Array }
  | {
      kind: 'add';
      key: string;
      path: string;
      parent: PageRef | null;
      /** Place among the siblings at the time when the operation is carried out. */
      index: number;
      fields: PageFields;
      text: string | null;
    }
  | { kind: 'move'; id: string; path: string; from: string; parent: PageRef | null; index: number }
  | { kind: 'change'; id: string; path: string; fields: PageFields; text?: string }
  | { kind: 'delete'; id: string; path: string; title: string };

/** A page that the folder and the space both changed, with what each made of it. */
export interface PushConflict extends Omit<Conflict, 'hunks'> {
  path: string;
  /** The file of the page, from the docs' root. */
  file?: string;
  /** With `deleted`: the side that has the page no more. */
  deletedIn?: 'app' | 'folder';
  /** With `metadata`: what each side has. */
  values?: { member: string; base: unknown; app: unknown; folder: unknown }[];
  hunks?: { line: number; base: string; app: string; folder: string }[];
  /** With `content`: the whole texts. */
  texts?: { app: string; folder: string };
}

export interface Plan {
  /** In the order in which they are carried out: files, pages from the top, deletions. */
  operations: Operation[];
  /** How many pages of the folder stay as they are. */
  unchanged: number;
  /** Titles of the pages that only the app changed, created or deleted: they stay so. */
  kept: string[];
  /** Titles of the pages that both changed, in different places. */
  merged: string[];
  /** Pages that both changed in the same places. With one, nothing else is planned. */
  conflicts: PushConflict[];
  /** The folder was never pushed, and the space has pages that differ from it. */
  isFirst: boolean;
  /** What cannot be pushed, because the service has no endpoint for it. */
  notes: Problem[];
  record: PushRecord;
}

export interface PlanInput {
  local: LocalFolder;
  remote: Remote;
  compared: Compared;
  read: ReadTexts;
  options: MergeOptions;
}

/**
 * The operations that bring what changed in the folder since its base into the space. Pages are matched by the base, else
 * by path, by text, by title and slug, or by a title that only one page on each side has: so a file that was renamed,
 * moved or edited stays the same page, unless it is all three at once.
 *
 * @param onFile called with each file before it is parsed
 */
export async function plan(input: PlanInput, onFile: OnFile = () => {}): Promise<Plan> {
  const { local, compared, read } = input;
  const remote = withTexts(input.remote, read);
  const writer = new PageWriter(remote, compared.layout);
  const isAlike = (page: LocalPage, match: RemotePage) => {
    if (page.file !== null) onFile(page.file);
    return !compared.sent.get(page.key)?.showsNewFile && page.text === writer.textOf(match, page.file);
  };
  const sides = sidesOf(local, remote, compared, read, isAlike);
  const { pages, conflicts } = await mergeSides(sides, input.options);
  const notes = sides.leftOut.map(({ title, line = 1 }) => ({
    file: local.summaryPath,
    line,
    message: `The link "${title}" cannot be pushed and is left out; add it in the app.`,
  }));
  const appTexts = new Map(sides.app.map(({ id, document }) => [id, document ?? '']));
  const spaceTexts = new Map(pages.map(({ id, document }) => [id, document ?? '']));
  const layout = layoutFor({
    local,
    names: compared.files.names,
    texts: compared.sent,
    remote,
    before: compared.layout,
  });
  const recorded = recordPages({ local, remote, sides, spaceTexts, appTexts, sent: compared.sent });
  const shared = {
    notes,
    isFirst: compared.base === undefined && !compared.layout.pending && differs(sides),
    record: {
      layout,
      pages: recorded,
      files: filesOf(input),
      isNew: isNewRecord(layout, compared.layout, recorded),
    },
  };
  if (conflicts.length > 0) {
    const described = conflicts.map((conflict) => describe(conflict, sides, input));
    return { operations: [], unchanged: 0, kept: [], merged: [], conflicts: described, ...shared };
  }
  const operations = new Operations(sides, remote, pages, appTexts).list();
  const touched = new Set(operations.flatMap((operation) => ('id' in operation ? [operation.id] : [])));
  const unchanged = sides.folder.filter(({ id }) => appTexts.has(id) && !touched.has(id)).length;
  const uploads = compared.files.uploads.map(({ name, bytes }): Operation => ({ kind: 'upload', name, bytes }));
  const changes = { operations: [...uploads, ...operations], unchanged };
  return { ...changes, ...fromApp(sides, pages), conflicts: [], ...shared };
}

function withTexts(remote: Remote, { remote: texts }: ReadTexts): Remote {
  return { ...remote, pages: remote.pages.map((page) => ({ ...page, text: texts.get(page.id) ?? page.text })) };
}

/** Hashes of the files that the folder uses and the content has. */
function filesOf({ remote, compared }: PlanInput): PushRecord['files'] {
  const names = new Set(compared.files.names.values());
  return new Map(
    remote.files.flatMap(({ id, name, hash, size }) =>
      hash === '' || size === undefined || !names.has(name) ? [] : [[id, { hash, size }] as const],
    ),
  );
}

/** Whether the space has anything that the folder does not have in the same way. */
function differs({ folder, app, fixed }: Sides): boolean {
  const inFolder = new Map(folder.map((page) => [page.id, page]));
  return app.some((page) => {
    const own = inFolder.get(page.id);
    return !fixed.has(page.id) && (!own || !isSame(own, page));
  });
}

const isSame = (one: PageRecord, other: PageRecord) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every((member) => one[member] === other[member]);

/** What the app changed, and where both sides were merged. */
function fromApp({ base = [], folder, app }: Sides, pages: readonly PageRecord[]): Pick<Plan, 'kept' | 'merged'> {
  const [inBase, inFolder, inApp] = [base, folder, app].map((side) => new Map(side.map((page) => [page.id, page])));
  const after = new Map(pages.map((page) => [page.id, page]));
  const reordered = reorderedPages(folder, pages);
  const kept: string[] = [];
  const merged: string[] = [];
  for (const id of new Set([...base, ...app].map((page) => page.id))) {
    const [before, own, theirs, result] = [inBase?.get(id), inFolder?.get(id), inApp?.get(id), after.get(id)];
    if (!own && theirs && result) kept.push(theirs.title);
    if (!own) continue;
    if (before && !theirs && !result) kept.push(own.title);
    if (!theirs || !result || (isSame(result, own) && !reordered.has(id))) continue;
    if (isSame(result, theirs)) kept.push(theirs.title);
    else merged.push(result.title);
  }
  return { kept, merged };
}

/** Ids of the pages that have another place among the same siblings than in the folder. */
function reorderedPages(folder: readonly PageRecord[], pages: readonly PageRecord[]): Set<string> {
  const places = new Map(folder.map(({ id, parent }, place) => [id, { parent, place }]));
  const shared = pages.filter(({ id, parent }) => places.get(id)?.parent === parent);
  const reordered = new Set(shared.map(({ id }) => id));
  for (const siblings of Map.groupBy(shared, ({ parent }) => parent).values()) {
    const inOrder = longestIncreasingSubsequence(siblings, ({ id }) => places.get(id)?.place ?? -1);
    for (const { id } of inOrder) reordered.delete(id);
  }
  return reordered;
}

class Operations {
  readonly #sides: Sides;
  readonly #remote: Map<string, RemotePage>;
  readonly #pages: readonly PageRecord[];
  readonly #appTexts: ReadonlyMap<string, string>;
  readonly #siblings: SiblingOrder;
  readonly #paths = new Map<string, string>();

  constructor(sides: Sides, remote: Remote, pages: readonly PageRecord[], appTexts: ReadonlyMap<string, string>) {
    this.#sides = sides;
    this.#remote = new Map(remote.pages.map((page) => [page.id, page]));
    // Computed pages cannot be moved.
    this.#pages = pages.filter(({ id }) => this.#remote.get(id)?.type !== 'computed');
    this.#appTexts = appTexts;
    this.#siblings = new SiblingOrder(remote.pages);
  }

  list(): Operation[] {
    for (const [parent, pages] of Map.groupBy(this.#pages, (page) => page.parent))
      this.#siblings.expect(
        parent,
        pages.map(({ id }) => id),
      );
    const operations = this.#pages.flatMap((page) => this.#operationsOf(page));
    return [...operations, ...this.#deletions()];
  }

  #operationsOf(page: PageRecord): Operation[] {
    const { id, title } = page;
    const parent = this.#refOf(page.parent);
    const path = this.#pathOf(page);
    const match = this.#remote.get(id);
    const text = this.#sides.texts.get(page.document ?? '') ?? '';
    if (!match) {
      const index = this.#siblings.add(id, page.parent);
      const { slug = '' } = page;
      const fields = { title, slug, ...metaOf(page as PageMeta) };
      return [{ kind: 'add', key: keyOf(id), path, parent, index, fields, text: text === '' ? null : text }];
    }
    const operations: Operation[] = [];
    const index = this.#siblings.place(id, page.parent);
    if (index !== undefined) operations.push({ kind: 'move', id, path, from: match.path ?? '', parent, index });
    const fields = changedFields(page, match);
    const isSameText = page.document === this.#appTexts.get(id);
    if (!isSameText || Object.keys(fields).length > 0)
      operations.push({ kind: 'change', id, path, fields, ...(!isSameText && { text }) });
    return operations;
  }

  #pathOf({ id, parent, slug = '' }: PageRecord): string {
    const above = parent === null ? undefined : this.#paths.get(parent);
    const path = above === undefined ? slug : `${above}/${slug}`;
    this.#paths.set(id, path);
    return path;
  }

  #refOf(id: string | null): PageRef | null {
    if (id === null) return null;
    return this.#remote.has(id) ? { id } : { key: keyOf(id) };
  }

  #deletions(): Operation[] {
    const left = new Set(this.#pages.map(({ id }) => id));
    const isDeleted = ({ id, type }: RemotePage) => type !== 'computed' && !left.has(id);
    const deleted = new Set([...this.#remote.values()].filter(isDeleted).map(({ id }) => id));
    return [...this.#remote.values()].flatMap((page): Operation[] => {
      const parent = this.#siblings.parentOf(page.id);
      // A deletion includes the subpages.
      if (!deleted.has(page.id) || (parent !== null && deleted.has(parent))) return [];
      return [{ kind: 'delete', id: page.id, path: page.path ?? '', title: page.title }];
    });
  }
}

const flags: ReadonlySet<string> = new Set(['hidden', 'noIndex', 'noRobotsIndex']);

/** The fields that differ, with "" and false for those that are no longer set. */
function changedFields(page: PageRecord, match: RemotePage): PageFields {
  const fields: Record<string, unknown> = {};
  if (page.title !== match.title) fields['title'] = page.title;
  if (match.slug !== undefined && page.slug !== match.slug) fields['slug'] = page.slug;
  for (const member of metaMembers) {
    if ((page[member] || undefined) !== (match[member] || undefined))
      fields[member] = page[member] || (flags.has(member) ? false : '');
  }
  return fields;
}

function describe({ hunks, ...conflict }: Conflict, sides: Sides, { local, remote }: PlanInput): PushConflict {
  const { page: id, kind, members } = conflict;
  const [base, folder, app] = [sides.base ?? [], sides.folder, sides.app].map((side) =>
    side.find((page) => page.id === id),
  );
  const own = local.pages.find(({ key }) => sides.ids.get(key) === id);
  const path = own?.path ?? remote.pages.find((page) => page.id === id)?.path ?? sides.entries.get(id)?.path ?? '';
  const textOf = (page: PageRecord | undefined) => sides.texts.get(page?.document ?? '') ?? '';
  return {
    ...conflict,
    page: id.startsWith('~') ? '' : id,
    path,
    ...(own?.file && { file: own.file }),
    ...(hunks && {
      hunks: hunks.map(({ line, base: before, ours, theirs }) => ({ line, base: before, app: theirs, folder: ours })),
    }),
    ...(kind === 'content' && { texts: { app: textOf(app), folder: textOf(folder) } }),
    ...(kind === 'deleted' && { deletedIn: app ? ('folder' as const) : ('app' as const) }),
    ...(members && {
      values: members.map((member) => ({
        member,
        base: base?.[member] ?? null,
        app: app?.[member] ?? null,
        folder: folder?.[member] ?? null,
      })),
    }),
  };
}
