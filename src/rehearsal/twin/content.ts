import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { generateKeyBetween } from 'fractional-indexing';
import type { z } from 'zod/mini';
import { slugify } from '../../content/markdown/slug.ts';
import type { ChangeRequest } from '../../contract/change-requests.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Page } from '../../contract/pages.ts';
import type { revisions } from '../../contract/revisions.ts';
import { isSame } from '../../server/content/changes/draft.ts';
import { defaultLayout } from '../../server/content/pages/pages.ts';
import { longestIncreasingSubsequence } from '../../shared/longest-increasing-subsequence.ts';
import { addContributor } from '../../store/change-requests.ts';
import { type PageState, type PageWrite, commit } from '../../store/content.ts';
import { insertDocument } from '../../store/documents.ts';
import { type FileWrite, insertBlob } from '../../store/files.ts';
import { jsonText } from '../../store/json.ts';
import type { Db } from '../../store/store.ts';
import type { PageExtra } from '../../store/tables.ts';
import { writeUsers } from './rows.ts';
import type { TwinFile } from './twin-file.ts';

export type Revision = Pick<
  AnswerOf<typeof revisions.view>,
  'id' | 'type' | 'parents' | 'pages' | 'files' | 'createdAt' | 'mergedFrom'
>;
type Request = z.output<ReturnType<typeof ChangeRequest>>;
type File = Revision['files'][number];

/** Parses and stores a text as the service does. @throws DomainError if that takes too long */
export async function writeDocument(twin: TwinFile, id: string, markdown: string): Promise<void> {
  const input = { texts: [{ markdown }], pages: new Map<string, string>(), files: new Map<string, string>() };
  const [text] = await twin.texts.run('readTexts', input, { caller: 'twin', what: `The text ${id}` });
  const read = text && 'markdown' in text ? text : { markdown, sections: '[]', links: '[]' };
  const { sections, links } = read;
  await twin.write((db) => insertDocument(db, { id, markdown, sections, links }));
}

/** Stores the bytes of a file. The file itself is written with its revision. */
export async function writeBytes(twin: TwinFile, { id, dimensions }: File, bytes: Uint8Array): Promise<void> {
  const digest = createHash('sha256').update(bytes).digest('base64url');
  const { width = null, height = null } = dimensions ?? {};
  await twin.write((db) => insertBlob(db, { digest, bytes, width, height }));
  twin.digests.set(id, digest);
}

/** A request with its content. */
export interface WholeRequest {
  request: Request;
  /** Undefined if it was not read. */
  content?: Revision | undefined;
  /** The main revision that it is based on. */
  base: string;
}

/** The content of a space: main revisions from the oldest to the current one, and the requests. */
interface WholeContent {
  space: string;
  main: readonly Revision[];
  requests: readonly WholeRequest[];
  /** The author of revisions, whom the service does not report. */
  author: string;
}

/** Writes revisions and change requests. Their texts and bytes must have been written before. */
export async function writeContent(db: Db, twin: TwinFile, content: WholeContent): Promise<void> {
  const { space, requests } = content;
  for (const each of requests) await insertRequest(db, space, each);
  const numbers = requests.map(({ request }) => request.number);
  await db
    .updateTable('space')
    .set({ last_number: Math.max(0, ...numbers) })
    .where('id', '=', space)
    .execute();
  const states = await writeMain(db, twin, content);
  for (const { request, content: revision, base } of requests) {
    const before = states.get(base) ?? { pages: new Map(), files: new Set() };
    const after = pageStates(revision?.pages ?? [], before.pages, revision?.createdAt ?? '');
    const removal = (page: string) => ({ page, tombstone: true as const });
    const pages = revision ? pageWrites(after, before.pages, { isSame, removal }) : [];
    const files = (revision?.files ?? []).filter(({ id }) => !before.files.has(id));
    await commit(db, {
      id: request.revision,
      space,
      changeRequest: request.id,
      base,
      type: revision?.type ?? 'edits',
      parents: revision?.parents ?? [base],
      author: request.createdBy.id,
      now: revision?.createdAt ?? request.updatedAt,
      pages,
      files: fileWrites(twin, files),
    });
  }
}

interface MainState {
  pages: PageStates;
  files: Set<string>;
}

/** @returns the pages and files of each main revision by its ID */
async function writeMain(
  db: Db,
  twin: TwinFile,
  { space, main, requests, author }: WholeContent,
): Promise<Map<string, MainState>> {
  const states = new Map<string, MainState>();
  const known = new Set(requests.map(({ request }) => request.id));
  let before: MainState = { pages: new Map(), files: new Set() };
  for (const revision of main) {
    const pages = pageStates(revision.pages, before.pages, revision.createdAt);
    const mergedFrom = revision.mergedFrom?.id;
    const added = revision.files.filter(({ id }) => !before.files.has(id));
    await commit(db, {
      id: revision.id,
      space,
      changeRequest: null,
      base: null,
      type: revision.type,
      parents: revision.parents,
      ...(mergedFrom !== undefined && known.has(mergedFrom) && { mergedFrom }),
      author,
      now: revision.createdAt,
      pages: pageWrites(pages, before.pages, {
        isSame: (old, state) => isSame(old, state) && old.updated_at === state.updated_at,
        removal: (page) => ({ page }),
      }),
      files: fileWrites(twin, added),
    });
    before = { pages, files: new Set(revision.files.map(({ id }) => id)) };
    states.set(revision.id, before);
  }
  return states;
}

interface WriteOptions {
  isSame(before: PageState, after: PageState): boolean;
  removal(page: string): PageWrite;
}

function pageWrites(pages: PageStates, before: PageStates, { isSame: isEqual, removal }: WriteOptions): PageWrite[] {
  const changed = [...pages].flatMap(([page, state]): PageWrite[] => {
    const old = before.get(page);
    return old && isEqual(old, state) ? [] : [{ page, state }];
  });
  return [...changed, ...[...before.keys()].filter((page) => !pages.has(page)).map(removal)];
}

/** Files whose bytes were written. */
const fileWrites = ({ digests }: TwinFile, files: readonly File[]): FileWrite[] =>
  files.flatMap(({ id, name, contentType }) => {
    const blob = digests.get(id);
    return blob === undefined ? [] : [{ file: id, name, contentType, blob }];
  });

async function insertRequest(db: Db, space: string, { request, base }: WholeRequest): Promise<void> {
  const { id, number, status, subject, createdBy, createdAt, updatedAt, revision, revisionInitial } = request;
  // Until the request is updated, its content is based on the initial revision.
  const ancestor = request.revisionMergedAncestor ?? revisionInitial;
  await writeUsers(db, [createdBy], createdAt);
  await db
    .insertInto('change_request')
    .values({
      id,
      space,
      number,
      status,
      subject,
      created_by: createdBy.id,
      created_at: createdAt,
      updated_at: updatedAt,
      revision,
      revision_initial: revisionInitial,
      revision_merged_ancestor:
        status === 'merged' || ancestor === base ? (request.revisionMergedAncestor ?? null) : base,
      revision_merged: request.revisionMerged ?? null,
    })
    .execute();
  await addContributor(db, id, createdBy.id);
}

type PageStates = ReadonlyMap<string, PageState>;

/**
 * The pages of a revision as rows. The service reports the order of pages, but not their positions. Pages keep their positions
 * in `before` as far as the order allows, so that only moved pages differ.
 */
function pageStates(pages: readonly Page[], before: PageStates, createdAt: string): Map<string, PageState> {
  const states = new Map<string, PageState>();
  const add = (siblings: readonly Page[], parent: string | null) => {
    const positions = positionsOf(siblings, parent, before);
    for (const [index, page] of siblings.entries()) {
      states.set(page.id, stateOf(page, { parent, position: positions[index] ?? '', createdAt }));
      if ('pages' in page) add(page.pages, page.id);
    }
  };
  add(pages, null);
  return states;
}

function positionsOf(siblings: readonly Page[], parent: string | null, before: PageStates): string[] {
  const known = new Map<string, string>();
  for (const { id } of siblings) {
    const state = before.get(id);
    if (state?.parent === parent) known.set(id, state.position);
  }
  const sorted = [...known].toSorted(([oneId, one], [otherId, other]) =>
    one < other || (one === other && oneId < otherId) ? -1 : 1,
  );
  const places = new Map(sorted.map(([id], index) => [id, index]));
  const present = siblings.filter(({ id }) => places.has(id));
  const staying = longestIncreasingSubsequence(present, ({ id }) => places.get(id) ?? 0);
  const kept = new Map(staying.map(({ id }) => [id, known.get(id) ?? '']));
  const positions: string[] = [];
  for (const [index, { id }] of siblings.entries()) {
    const next = siblings.slice(index).find((sibling) => kept.has(sibling.id));
    positions.push(
      kept.get(id) ?? generateKeyBetween(positions.at(-1) ?? null, next ? (kept.get(next.id) ?? null) : null),
    );
  }
  return positions;
}

interface Placed {
  parent: string | null;
  position: string;
  createdAt: string;
}

function stateOf(page: Page, { parent, position, createdAt }: Placed): PageState {
  const flags = 'noIndex' in page ? page : { hidden: undefined, noIndex: undefined, noRobotsIndex: undefined };
  const extra = extraOf(page);
  return {
    parent,
    position,
    type: page.type,
    title: page.title,
    slug: 'slug' in page ? page.slug : slugify(page.title),
    emoji: page.emoji ?? null,
    icon: page.icon ?? null,
    description: page.type === 'document' ? (page.description ?? null) : null,
    document: page.type === 'document' ? (page.documentId ?? null) : null,
    hidden: Number(page.type === 'link' ? (page.hidden ?? false) : (flags.hidden ?? false)),
    no_index: Number(flags.noIndex ?? false),
    no_robots_index: Number(flags.noRobotsIndex ?? false),
    extra: Object.keys(extra).length > 0 ? jsonText(extra) : null,
    created_at: page.createdAt ?? createdAt,
    updated_at: page.updatedAt ?? createdAt,
  };
}

function extraOf(page: Page): PageExtra {
  if (page.type === 'link') return { target: page.target, ...(page.href !== undefined && { href: page.href }) };
  if (page.type === 'computed') return { computed: page.computed };
  if (page.type === 'group') return {};
  const { layout, cover, git, computed, computedSeed } = page;
  return {
    ...(!isDeepStrictEqual({ ...layout }, { ...defaultLayout }) && { layout }),
    ...(cover && { cover }),
    ...(git && { git }),
    ...(computed && { computed }),
    ...(computedSeed !== undefined && { computedSeed }),
  };
}
