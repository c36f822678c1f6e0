import type { Client } from '../client/client.ts';
import { undefinedIfMissing } from '../client/errors/http-error.ts';
import type { Port } from '../client/port.ts';
import { isOwnFile } from '../content/folder/file-names.ts';
import { hashOf, type LocalFile } from '../content/folder/folder.ts';
import { latestLayouts, readLayout } from '../content/folder/layout.ts';
import type { PageMeta } from '../content/folder/page-info.ts';
import { content } from '../contract/content.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import type { Page } from '../contract/pages.ts';
import { revisions } from '../contract/revisions.ts';
import { eachOf } from '../shared/each-of.ts';

/** A port that can also fetch the files of a space. */
export interface ContentPort extends Port {
  /** @param address from a response of the service; may be on another host */
  bytes(address: string): Promise<Uint8Array>;
}

export interface RemotePage extends PageMeta {
  id: string;
  type: Page['type'];
  parent: string | null;
  title: string;
  slug?: string;
  /** Slugs from the root. */
  path?: string;
  /** The stored Markdown; null if the page has no text, or it was not read. */
  text: string | null;
  /** Identifies the text: equal names mean equal texts. Undefined for a page without a text. */
  document?: string;
  updatedAt?: string;
  href?: string;
}

export interface RemoteFile {
  id: string;
  name: string;
  /** SHA-256 of the bytes, hexadecimal; "" if unknown. */
  hash: string;
  size?: number;
}

export interface Remote {
  /** Depth first, siblings in order. */
  pages: readonly RemotePage[];
  files: readonly RemoteFile[];
  /** The bytes of the files that `latestLayouts` returns. */
  layouts?: readonly Uint8Array[];
}

export type Revision = AnswerOf<typeof revisions.view>;

/** The pages and files of a revision, without texts. Revisions never change, so everything read from one is consistent. */
export interface ReadContent {
  revision: Revision;
  remote: Remote;
  /** The bytes of a file, fetched once. */
  bytesOf(id: string): Promise<Uint8Array>;
  /** Texts that pages of the space had in earlier revisions, by page ID. */
  textsAt(ancestors: readonly Ancestor[]): Promise<Map<string, string>>;
}

/** A revision of a space; without an ID, the current main content. */
interface Place {
  spaceId: string;
  revisionId?: string | undefined;
}

const readers = 8;

/** A revision with its pages. */
export async function readRevision(
  client: Client,
  { spaceId, revisionId }: Place,
): Promise<{ revision: Revision; pages: RemotePage[] }> {
  const query = { metadata: false };
  const revision =
    revisionId === undefined
      ? await client.call(content.view, { params: { spaceId }, query })
      : await client.call(revisions.view, { params: { spaceId, revisionId }, query });
  return { revision, pages: remotePages(revision.pages) };
}

/**
 * Reads the pages and files of a revision.
 *
 * @param localFiles files to compare with: remote files of the same size are fetched if no base has their hash
 */
export async function readContent(
  port: ContentPort,
  place: Place,
  localFiles: readonly LocalFile[] = [],
): Promise<ReadContent> {
  const { revision, pages } = await readRevision(port.client, place);
  const addresses = new Map(revision.files.map(({ id, downloadURL }) => [id, downloadURL]));
  const fetches = new Map<string, Promise<Uint8Array>>();
  const bytesOf = (id: string) => {
    const address = addresses.get(id);
    if (address === undefined) throw new Error(`The revision has no file ${id}.`);
    const bytes = fetches.get(id) ?? port.bytes(address);
    fetches.set(id, bytes);
    return bytes;
  };
  const layouts = await Promise.all(latestLayouts(revision.files).map(({ id }) => bytesOf(id)));
  const sizes = new Set(localFiles.map(({ bytes }) => bytes.length));
  const comparable = revision.files.filter(({ size, name }) => sizes.has(size) && !isOwnFile(name));
  const bases = comparable.length === 0 ? [] : layouts.flatMap((layout) => readLayout(layout).base?.files ?? []);
  const hashes = new Map<string, string>();
  await eachOf(
    comparable,
    async ({ id, size }) => {
      const recorded = bases.map((files) => files.get(id)).find((file) => file?.size === size);
      hashes.set(id, recorded?.hash ?? hashOf(await bytesOf(id)));
    },
    readers,
  );
  const files = revision.files.map(({ id, name, size }) => ({ id, name, size, hash: hashes.get(id) ?? '' }));
  const textsAt = (ancestors: readonly Ancestor[]) => readAncestors(port, place.spaceId, ancestors);
  return { revision, remote: { pages, files, layouts }, bytesOf, textsAt };
}

/** The Markdown of pages at a revision, by page ID. */
export async function readTexts(
  { client, signal, progress }: Port,
  { spaceId, revisionId }: { spaceId: string; revisionId: string },
  pageIds: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (pageIds.length === 0) return texts;
  progress.say('Reading pages');
  const read = async (pageId: string) => {
    signal.throwIfAborted();
    const params = { spaceId, revisionId, pageId };
    const page = await client.call(revisions.page, { params, query: { format: 'markdown', metadata: false } });
    texts.set(pageId, page.type === 'document' ? (page.markdown ?? '') : '');
    progress.count(texts.size, pageIds.length);
  };
  await eachOf(pageIds, read, readers);
  return texts;
}

/** The texts that a plan needs: of pages of the revision, and of the base. */
export const readForPlan = async (
  port: Port,
  place: { spaceId: string; revisionId: string },
  { unread, ancestors }: { unread: readonly string[]; ancestors: readonly Ancestor[] },
) => ({
  remote: await readTexts(port, place, unread),
  base: await readAncestors(port, place.spaceId, ancestors),
});

/** A page, and the revision in which it has the text of the base. */
interface Ancestor {
  id: string;
  revision: string;
  /** The ID of the page in the revision, if that is another one. */
  former?: string | undefined;
}

/** Texts that pages had in earlier revisions, by page ID, without those that the service no longer shows. */
export async function readAncestors(
  port: Port,
  spaceId: string,
  ancestors: readonly Ancestor[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  await eachOf(
    ancestors,
    async ({ id, revision, former = id }) => {
      const read = await readTexts(port, { spaceId, revisionId: revision }, [former]).catch(undefinedIfMissing);
      for (const text of read?.values() ?? []) texts.set(id, text);
    },
    readers,
  );
  return texts;
}

/** The pages with all their texts. @param other content whose texts are not read again */
export async function withAllTexts(
  port: Port,
  spaceId: string,
  { revision, remote }: Pick<ReadContent, 'revision' | 'remote'>,
  other: Pick<Remote, 'pages'> = { pages: [] },
): Promise<Remote> {
  const present = new Map(other.pages.map(({ document, text }) => [document, text]));
  const unread = remote.pages.filter(
    ({ document }) => document !== undefined && typeof present.get(document) !== 'string',
  );
  const texts = await readTexts(
    port,
    { spaceId, revisionId: revision.id },
    unread.map(({ id }) => id),
  );
  const pages = remote.pages.map((page) => {
    const { id, document } = page;
    return { ...page, text: document === undefined ? null : (texts.get(id) ?? present.get(document) ?? null) };
  });
  return { ...remote, pages };
}

const remotePages = (pages: readonly Page[], parent: string | null = null): RemotePage[] =>
  pages.flatMap((page) => [remotePage(page, parent), ...('pages' in page ? remotePages(page.pages, page.id) : [])]);

function remotePage(page: Page, parent: string | null): RemotePage {
  const { id, type, title, emoji, icon } = page;
  const shared = { id, type, parent, title, text: null, ...(emoji && { emoji }), ...(icon && { icon }) };
  if (page.type === 'link') return { ...shared, ...(page.href && { href: page.href }), ...flagsOf(page) };
  if (page.type === 'computed') return shared;
  const { slug, path, updatedAt } = page;
  const { description, documentId } = page.type === 'document' ? page : {};
  return {
    ...shared,
    slug,
    path,
    ...(description && { description }),
    ...(documentId !== undefined && { document: documentId }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...flagsOf(page),
  };
}

const flagsOf = ({ hidden, noIndex, noRobotsIndex }: Pick<RemotePage, 'hidden' | 'noIndex' | 'noRobotsIndex'>) => ({
  ...(hidden && { hidden }),
  ...(noIndex && { noIndex }),
  ...(noRobotsIndex && { noRobotsIndex }),
});
