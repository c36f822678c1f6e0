import { mediaType } from '../../../contract/content.ts';
import { addContributor, editChangeRequest } from '../../../store/change-requests.ts';
import { commit } from '../../../store/content.ts';
import { insertDocument, type NewDocument } from '../../../store/documents.ts';
import { type FileRow, insertBlob } from '../../../store/files.ts';
import { changeSpace } from '../../../store/spaces.ts';
import { snapshotOf } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';
import { ancestorOf } from '../change-requests/change-requests.ts';
import type { Draft } from './draft.ts';
import { Conflict } from '../../engine/errors.ts';
import type { TextWork } from './new-texts.ts';
import type { Content } from '../find-content.ts';

/** @throws Conflict where content cannot be changed: a locked space, a request that is merged or archived */
export function assertWritable({ space, changeRequest }: Content): void {
  if (!changeRequest) {
    if (space.edit_mode === 'live') return;
    throw new Conflict(
      'invalid-state',
      'The content of this space is locked: change it in a change request, or set the edit mode of the space to live.',
    );
  }
  const { status, number } = changeRequest;
  if (status === 'draft' || status === 'open') return;
  throw new Conflict(
    'invalid-state',
    status === 'merged'
      ? `Change request #${number} is merged, so its content cannot change any more. Create another one.`
      : `Change request #${number} is ${status}. Open it again to change its content.`,
  );
}

/** A file that goes into a revision. */
export interface NewFile extends FileRow {
  bytes: Uint8Array;
}

interface GivenFile {
  id: string;
  name: string;
  bytes: Uint8Array;
  contentType?: string | undefined;
}

/** Reads from the bytes what is told of a file. @throws DomainError `too-complex` */
export async function readFile({ id, name, bytes, contentType }: GivenFile, work: TextWork): Promise<NewFile> {
  const read = await work('readFile', { name, bytes }, `The file "${name}"`);
  return {
    file: id,
    name,
    content_type: contentType !== undefined && mediaType.test(contentType) ? contentType : read.contentType,
    blob: read.digest,
    size: bytes.length,
    width: read.width,
    height: read.height,
    bytes,
  };
}

interface Additions {
  documents: Iterable<NewDocument | null>;
  files: NewFile[];
}

interface By {
  author: string;
  now: string;
}

/** Writes a draft as one new revision of its content. @returns the content as it is then */
export async function commitRevision(
  db: Db,
  content: Content,
  draft: Draft,
  { documents, files }: Additions,
  { author, now }: By,
): Promise<Content> {
  const { space, changeRequest, at } = content;
  const pages = await draft.writes(now);
  const used = new Set(pages.flatMap(({ state }) => state?.document ?? []));
  for (const document of documents) if (document && used.has(document.id)) await insertDocument(db, document);
  for (const { blob, bytes, width, height } of files) await insertBlob(db, { digest: blob, bytes, width, height });
  const revision = await commit(db, {
    space: space.id,
    changeRequest: changeRequest?.id ?? null,
    base: changeRequest ? ancestorOf(changeRequest) : null,
    type: 'edits',
    parents: [at.revision],
    author,
    now,
    pages,
    files: files.map(({ file, name, content_type, blob }) => ({ file, name, contentType: content_type, blob })),
  });
  const next = { ...content, at: await snapshotOf(db, revision) };
  if (!changeRequest) {
    const row = await changeSpace(db, space.id, { revision, updated_at: now });
    return { ...next, space: { ...row, level: space.level } };
  }
  await addContributor(db, changeRequest.id, author);
  return { ...next, changeRequest: await editChangeRequest(db, changeRequest.id, { revision, updated_at: now }) };
}
