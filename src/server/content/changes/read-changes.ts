import type { BodyOf } from '../../../contract/endpoint.ts';
import { type content, maxInlineBytes } from '../../../contract/content.ts';
import { newId } from '../../../store/ids.ts';
import { Invalid } from '../../engine/errors.ts';
import type { RawText } from './documents.ts';
import { type NewText, readTexts, type TextWork } from './new-texts.ts';

export type Change = BodyOf<typeof content.change>['changes'][number];
export type ChangeOf<O extends Change['operation']> = Extract<Change, { operation: O }>;
type FileInput = ChangeOf<'insert_files'>['files'][number];

/** A new file: its bytes are in the request, or have to be fetched. */
export interface InsertedFile extends FileInput {
  id: string;
  bytes?: Uint8Array | undefined;
}

/** The changes of a request, with all that can be read without the content that they are for. */
export interface ReadChanges {
  changes: Change[];
  /** Ids of the new pages by the index of their change. */
  ids: Map<number, string>;
  /** Ids of new pages by their `ref`. */
  pages: Map<string, string>;
  /** Texts by the index of their change; null for an empty one. */
  documents: Map<number, NewText | null>;
  files: InsertedFile[];
}

/** Gives new pages and files ids, links the texts by them, and reads the texts. @throws Invalid; DomainError `too-complex` */
export async function readChanges(changes: Change[], work: TextWork): Promise<ReadChanges> {
  const { ids, pages, fileIds, files } = createIds(changes);
  const texts = changes.flatMap((change, index) => {
    if (change.operation !== 'insert_page' && change.operation !== 'update_page') return [];
    const { document } = change;
    return document === undefined ? [] : [{ index, ...rawText(document, `/changes/${index}/document`) }];
  });
  const newTexts = await readTexts(texts, { pages, files: fileIds }, work);
  const documents = new Map(texts.map(({ index }, textIndex) => [index, newTexts[textIndex] ?? null]));
  return { changes, ids, pages, documents, files };
}

/** @throws Invalid for a `ref` that is used twice, and for bytes that are not Base64 or too many */
function createIds(changes: Change[]) {
  const ids = new Map<number, string>();
  const pages = new Map<string, string>();
  const fileIds = new Map<string, string>();
  const files: InsertedFile[] = [];
  const addRef = (ref: string | undefined, id: string, idsByRef: Map<string, string>, path: string) => {
    if (ref === undefined) return;
    if (pages.has(ref) || fileIds.has(ref))
      throw new Invalid(path, 'is used twice; give each page and file its own ref', 'unique');
    idsByRef.set(ref, id);
  };
  for (const [index, change] of changes.entries()) {
    if (change.operation === 'insert_page') {
      const id = newId();
      ids.set(index, id);
      addRef(change.ref, id, pages, `/changes/${index}/ref`);
    } else if (change.operation === 'insert_files') {
      for (const [fileIndex, file] of change.files.entries()) {
        const path = `/changes/${index}/files/${fileIndex}`;
        const id = newId();
        addRef(file.ref, id, fileIds, `${path}/ref`);
        files.push({ ...file, id, bytes: bytesOf(file, `${path}/base64`) });
      }
    }
  }
  return { ids, pages, fileIds, files };
}

function bytesOf({ base64 }: FileInput, path: string): Uint8Array | undefined {
  if (base64 === undefined) return undefined;
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    throw new Invalid(path, 'must be Base64, padded, without line breaks', 'format');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.byteLength > maxInlineBytes)
    throw new Invalid(path, 'must be at most 1 MB; give larger files by their url', 'maxLength');
  return bytes;
}

/** @returns the text with its place in the body */
function rawText(document: Record<string, unknown>, path: string): { text: RawText; path: string } {
  const { markdown } = document;
  // The value can be the tree itself, or an object with the tree.
  const isTree = document.object === 'document';
  const tree = isTree ? document : document.document;
  if (markdown !== undefined && tree !== undefined)
    throw new Invalid(path, 'must have markdown or a document, not both', 'conflict');
  if (markdown !== undefined) {
    if (typeof markdown !== 'string') throw new Invalid(`${path}/markdown`, 'must be a string', 'type');
    return { text: { markdown }, path };
  }
  return tree === undefined
    ? { text: { markdown: '' }, path }
    : { text: { tree }, path: isTree ? path : `${path}/document` };
}
