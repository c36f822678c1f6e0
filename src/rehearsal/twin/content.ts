import { createHash } from 'node:crypto';
import type { ChangeRequest } from '../../contract/change-requests.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { revisions } from '../../contract/revisions.ts';
import { addContributor } from '../../store/change-requests.ts';
import { commit, type PageState, type PageWrite } from '../../store/content.ts';
import { insertDocument } from '../../store/documents.ts';
import { insertBlob, type FileWrite } from '../../store/files.ts';
import type { Db } from '../../store/store.ts';
import { isSame } from '../../server/content/changes/draft.ts';
import { pageStates, type PageStates } from './page-states.ts';
import { writeUsers } from './rows.ts';
import type { TwinFile } from './twin-file.ts';
import type { z } from 'zod/mini';

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
