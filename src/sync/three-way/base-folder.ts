import { hashOf, type LocalFolder } from '../../content/folder/folder.ts';
import { readLayout } from '../../content/folder/layout.ts';
import { plan } from '../plan.ts';
import { leadsElsewhere, linksToDeleted, showsAny } from '../push-text.ts';
import { readFolder } from '../../content/folder/read-folder.ts';
import type { Remote, RemotePage } from '../read-remote.ts';
import { folderOf, type WriteInput, type WrittenFolder, writeFolder } from '../write-folder.ts';
import { type Base, type BasePage, textHash } from '../../content/folder/base.ts';
import { baseAfter } from './record.ts';
import { compare, typeOf } from './compare.ts';
import { type LatePage, mergeLate } from './late-pages.ts';
import { otherFiles } from './merge-files.ts';
import { metaOf } from './sides.ts';

interface PushedInput extends WriteInput {
  base: Base;
  /** The texts of the base that are still available, by page ID. */
  texts: ReadonlyMap<string, string>;
}

/** The folder at its last push, without the pages whose texts are no longer available. */
export function pushedFolder({ base, texts, remote, ...input }: PushedInput): WrittenFolder {
  const types = new Map(remote.pages.map(({ id, type }) => [id, type]));
  const pages = base.pages.map((entry): RemotePage => {
    const { space: _, revision: __, source: ___, text: hash, ...page } = entry;
    const text = hash === '' ? null : (texts.get(entry.id) ?? '');
    const type = types.get(entry.id) ?? typeOf(entry);
    return { ...page, type, text, ...(text !== null && { document: hash }) };
  });
  const written = writeFolder({ ...input, remote: { ...remote, pages } });
  const unavailable = new Set(base.pages.flatMap(({ id, text }) => (text === '' || texts.has(id) ? [] : [id])));
  for (const [path, id] of written.ids) if (unavailable.has(id)) written.pages.delete(path);
  return written;
}

interface PulledInput {
  remote: Remote;
  revision: string;
  local: LocalFolder;
  /** The files that pages had, by page ID. */
  names?: ReadonlyMap<string, string>;
  late?: ReadonlyMap<string, LatePage> | undefined;
}

/** The pages of a space and the files that a pull writes them to, so that each file is matched with its page. */
function basedOn({ pages }: Remote, { ids }: WrittenFolder): Base {
  const files = new Map([...ids].map(([file, id]) => [id, file]));
  const entries = pages.map((page): BasePage => {
    const { id, parent, title, slug, path, href, text } = page;
    const file = files.get(id);
    return {
      ...metaOf(page),
      id,
      parent,
      title,
      text: textHash(text),
      ...(slug !== undefined && { slug }),
      ...(path !== undefined && { path }),
      ...(href !== undefined && { href }),
      ...(file !== undefined && { file }),
    };
  });
  return { pages: entries, files: new Map() };
}

/** The base of a folder that was pulled: the same as if the files that the pull wrote had been pushed then. */
export async function pulledBase({ remote, revision, local, names, late = new Map() }: PulledInput): Promise<Base> {
  const files = remote.files.map((file) => ({ ...file, hash: `id:${file.id}` }));
  const source = { ...remote, files };
  const written = writeFolder({ remote: source, local, ...(names && { names }) });
  mergeLate(written, late);
  const structure = { summary: local.summaryPath, readme: local.readmePath };
  const folder = folderOf(written, () => new Uint8Array());
  const settings = Buffer.from(JSON.stringify({ structure }));
  const pulled = readFolder(new Map([...folder, ['.docsctl.yaml', settings]]));
  const hashes = new Map([...written.files].map(([path, { id }]) => [path, `id:${id}`]));
  // A page may have no text in the space, so that its file is empty.
  const own: LocalFolder = {
    ...pulled,
    files: pulled.files.map((file) => ({ ...file, hash: hashes.get(file.path) ?? hashOf(file.bytes) })),
  };
  const compared = compare({ local: own, remote: source, ancestor: { base: basedOn(remote, written) } });
  const texts = new Map(remote.pages.map(({ id, text }) => [id, text]));
  const others = otherFiles(compared.files.names, remote.files, compared.layout);
  for (const { key } of own.pages) {
    const { id = '' } = compared.inBase.get(key) ?? {};
    if (late.has(id)) continue;
    const text = texts.get(id) ?? null;
    const sent = compared.sent.get(key);
    // The page that a link leads to was moved or deleted, or an image replaced, so the next push corrects the address.
    if (sent && (leadsElsewhere(sent, text) || linksToDeleted(sent, text, remote.pages) || showsAny(others, text)))
      compared.sent.set(key, { sent: text, hash: textHash(text), links: [], corrected: [], showsNewFile: false });
  }
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
