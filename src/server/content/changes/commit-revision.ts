import { mediaType } from '../../../contract/content.ts';
import { addContributor, editChangeRequest } from '../../../store/change-requests.ts';
import { commit } from '../../../store/content.ts';
import type { NewDocument } from '../../../store/documents.ts';
import { type FileRow, insertBlob } from '../../../store/files.ts';
import { newId } from '../../../store/ids.ts';
import { changeSpace } from '../../../store/spaces.ts';
import type { Db } from '../../../store/store.ts';
import { allTogether } from '../../../store/together.ts';
import { baseRevisionOf } from '../change-requests/present-change-requests.ts';
import type { Draft } from './draft.ts';
import { Conflict } from '../../engine/errors.ts';
import type { TextWork } from './new-texts.ts';
import type { Content } from '../find-content.ts';

/** @throws Conflict for content that cannot be changed: of a locked space, of a merged or archived change request */
export function assertWritable({ space, changeRequest }: Content): void {
  if (!changeRequest) {
    if (space.edit_mode === 'live') return;
    throw new Conflict(
      'invalid-state',
      'The content of this space is locked. Change it in a change request, or set the edit mode of the space to live.',
    );
  }
  const { status, number } = changeRequest;
  if (status === 'draft' || status === 'open') return;
  throw new Conflict(
    'invalid-state',
    status === 'merged'
      ? `Change request #${number} is merged, so its content cannot be changed. Create another change request.`
      : `Change request #${number} is ${status}. Open it again to change its content.`,
  );
}

/** A file to add to a revision. */
export interface NewFile extends FileRow {
  bytes: Uint8Array;
}

interface FileBytes {
  id: string;
  name: string;
  bytes: Uint8Array;
  contentType?: string | undefined;
}

/** Reads type and dimensions from the bytes. @throws DomainError `too-complex` */
export async function readFile({ id, name, bytes, contentType }: FileBytes, work: TextWork): Promise<NewFile> {
  const facts = await work('readFile', { name, bytes }, `The file "${name}"`);
  return {
    file: id,
    name,
    content_type: contentType !== undefined && mediaType.test(contentType) ? contentType : facts.contentType,
    blob: facts.digest,
    size: bytes.length,
    width: facts.width,
    height: facts.height,
    bytes,
  };
}

interface Additions {
  documents: Iterable<NewDocument | null>;
  files: NewFile[];
}

interface Authorship {
  author: string;
  now: string;
}

/** Writes a draft as one new revision of its content. @returns the new content */
export async function commitRevision<C extends Content>(
  db: Db,
  content: C,
  draft: Draft,
  { documents, files }: Additions,
  { author, now }: Authorship,
): Promise<C> {
  const { space, changeRequest, snapshot } = content;
  const pages = await draft.writes(now);
  const usedDocuments = new Set(pages.flatMap(({ state }) => state?.document ?? []));
  const written = [...documents].flatMap((document) => (document && usedDocuments.has(document.id) ? [document] : []));
  for (const { blob, bytes, width, height } of files) await insertBlob(db, { digest: blob, bytes, width, height });
  const revision = newId();
  const committed = commit(db, {
    id: revision,
    space: space.id,
    changeRequest: changeRequest?.id ?? null,
    base: changeRequest ? baseRevisionOf(changeRequest) : null,
    type: 'edits',
    parents: [snapshot.revision],
    author,
    now,
    documents: written,
    pages,
    files: files.map(({ file, name, content_type, blob }) => ({ file, name, contentType: content_type, blob })),
  });
  const change = { revision, updated_at: now };
  if (!changeRequest) {
    const [seq, row] = await allTogether([committed, changeSpace(db, space.id, change)]);
    return { ...content, snapshot: { ...snapshot, revision, main: seq }, space: { ...row, level: space.level } };
  }
  const [seq, row] = await allTogether([
    committed,
    editChangeRequest(db, changeRequest.id, change),
    addContributor(db, changeRequest.id, author),
  ]);
  return { ...content, snapshot: { ...snapshot, revision, branchSeq: seq }, changeRequest: row };
}
