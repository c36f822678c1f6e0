import { hashOf, type LocalFolder } from '../../content/folder/folder.ts';
import { type Layout, readLayout } from '../../content/folder/layout.ts';
import { plan } from '../plan.ts';
import { folderOf } from '../plan-pull.ts';
import { readFolder } from '../../content/folder/read-folder.ts';
import type { Remote, RemotePage } from '../remote.ts';
import { type WriteInput, type WrittenFolder, writeFolder } from '../write-folder.ts';
import type { Base } from '../../content/folder/base.ts';
import { baseAfter } from './record.ts';
import { compare } from './sides.ts';

/**
 * The folder as it was when it was pushed. Pages whose texts nobody has any more are missing.
 *
 * @param texts of the base, by page id
 */
export function pushedFolder(
  base: Base,
  layout: Layout,
  { remote, local, pushedHashes, texts }: WriteInput & { local: LocalFolder; texts: ReadonlyMap<string, string> },
): WrittenFolder {
  const types = new Map(remote.pages.map(({ id, type }) => [id, type]));
  const pages = base.pages.map((entry): RemotePage => {
    const { space: _, revision: __, source: ___, text: hash, ...page } = entry;
    const text = hash === '' ? null : (texts.get(entry.id) ?? '');
    const type = types.get(entry.id) ?? (entry.href === undefined ? 'document' : 'link');
    return { ...page, type, text, ...(text !== null && { document: hash }) };
  });
  const written = writeFolder(
    { remote: { ...remote, pages }, local, ...(pushedHashes && { pushedHashes }) },
    { layout },
  );
  for (const [path, id] of written.ids) if (isUnknown(base, id, texts)) written.pages.delete(path);
  return written;
}

const isUnknown = (base: Base, id: string, texts: ReadonlyMap<string, string>) =>
  !texts.has(id) && base.pages.some((entry) => entry.id === id && entry.text !== '');

/** The base of a folder that was pulled: as if the folder had been pushed then, as the pull wrote it. */
export async function pulledBase(remote: Remote, revision: string, local: LocalFolder): Promise<Base> {
  const files = remote.files.map((file) => ({ ...file, hash: `id:${file.id}` }));
  const source = { ...remote, files };
  const written = writeFolder({ remote: source, local });
  const structure = { summary: local.summaryPath, readme: local.readmePath };
  const folder = folderOf(written, () => new Uint8Array());
  const settings = Buffer.from(JSON.stringify({ structure }));
  const pulled = readFolder(new Map([...folder, ['.docsctl.yaml', settings]]));
  const hashes = new Map([...written.files].map(([path, { id }]) => [path, `id:${id}`]));
  const own: LocalFolder = {
    ...pulled,
    files: pulled.files.map((file) => ({ ...file, hash: hashes.get(file.path) ?? hashOf(file.bytes) })),
  };
  const compared = compare(own, source);
  const read = { remote: new Map(remote.pages.map(({ id, text }) => [id, text ?? ''])), base: new Map() };
  const { record } = await plan({ local: own, remote: source, compared, read, options: { overwrite: true } });
  return baseAfter(record, {
    ids: new Map(),
    pages: new Map(remote.pages.map((page) => [page.id, page])),
    revision,
    writtenAt: new Map(),
    files: readLayout(remote.layouts?.[0]).base?.files ?? new Map(),
  });
}
