import type { Invocation } from '../cli/command/command.ts';
import { createProgress } from '../cli/output/index.ts';
import { HttpError } from '../client/errors/http-error.ts';
import type { Base } from '../content/folder/base.ts';
import { hashOf } from '../content/folder/folder.ts';
import { latestLayouts, readLayout } from '../content/folder/layout.ts';
import { isOwnFile } from '../content/folder/own-files.ts';
import type { Remote, RemotePage } from './remote.ts';
import { content } from '../contract/content.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import type { Page } from '../contract/pages.ts';
import { revisions } from '../contract/revisions.ts';
import { eachOf } from '../shared/each-of.ts';
import { downloaderOf } from '../commands/shared/download.ts';

export type Revision = AnswerOf<typeof revisions.view>;

/** A revision with its pages and files, and without texts. Revisions never change, so all that is read of one fits together. */
export interface ReadContent {
  revision: Revision;
  remote: Remote;
  /** Bytes of a file, fetched once. */
  bytesOf(id: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** A revision of a space; without an id that of its main content. */
export interface Place {
  spaceId: string;
  revisionId?: string | undefined;
}

const readers = 8;

/** A revision with its pages and files. */
export async function readRevision(
  invocation: Pick<Invocation<{}, {}>, 'client'>,
  { spaceId, revisionId }: Place,
): Promise<{ revision: Revision; pages: RemotePage[] }> {
  const client = await invocation.client();
  const query = { metadata: false };
  const revision =
    revisionId === undefined
      ? await client.call(content.view, { params: { spaceId }, query })
      : await client.call(revisions.view, { params: { spaceId, revisionId }, query });
  return { revision, pages: flat(revision.pages).map(({ page, parent }) => remotePage(page, parent)) };
}

/** Reads the pages and files of a revision. To be compared, files of these sizes are fetched if the base has no hash. */
export async function readContent(
  invocation: Invocation<{}, {}>,
  place: Place,
  sizes: ReadonlySet<number> = new Set(),
): Promise<ReadContent> {
  const { revision, pages } = await readRevision(invocation, place);
  const download = downloaderOf(invocation);
  const bytesOf = bytesReader(revision, (address) => download.bytes(address));
  try {
    const layouts = await Promise.all(latestLayouts(revision.files).map(({ id }) => bytesOf(id)));
    const hashes = await hashesOf(revision, { layouts, sizes, bytesOf });
    return {
      revision,
      remote: {
        pages,
        files: revision.files.map(({ id, name, size }) => ({ id, name, size, hash: hashes.get(id) ?? '' })),
        layouts,
      },
      bytesOf,
      close: download.close,
    };
  } catch (error) {
    await download.close();
    throw error;
  }
}

function bytesReader({ files }: Revision, fetch: (address: string) => Promise<Uint8Array>) {
  const addresses = new Map(files.map(({ id, downloadURL }) => [id, downloadURL]));
  const fetched = new Map<string, Promise<Uint8Array>>();
  return (id: string) => {
    const address = addresses.get(id);
    if (address === undefined) throw new Error(`The revision has no file ${id}.`);
    const bytes = fetched.get(id) ?? fetch(address);
    fetched.set(id, bytes);
    return bytes;
  };
}

interface HashInput extends Pick<ReadContent, 'bytesOf'> {
  layouts: readonly Uint8Array[];
  sizes: ReadonlySet<number>;
}

async function hashesOf({ files }: Revision, { layouts, sizes, bytesOf }: HashInput): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  const alike = files.filter(({ size, name }) => sizes.has(size) && !isOwnFile(name));
  if (alike.length === 0) return hashes;
  const known: Base['files'][] = layouts.flatMap((layout) => readLayout(layout).base?.files ?? []);
  await eachOf(
    alike,
    async ({ id, size }) => {
      const recorded = known.map((each) => each.get(id)).find((each) => each?.size === size);
      hashes.set(id, recorded?.hash ?? hashOf(await bytesOf(id)));
    },
    readers,
  );
  return hashes;
}

/** The Markdown of pages at a revision, by id. */
export async function readTexts(
  invocation: Invocation<{}, {}>,
  { spaceId, revisionId }: Required<Place>,
  pageIds: readonly string[],
): Promise<Map<string, string>> {
  const client = await invocation.client();
  const { io, signal } = invocation;
  const texts = new Map<string, string>();
  if (pageIds.length === 0) return texts;
  const progress = createProgress('Reading pages', { animated: io.canAnimate, quiet: io.quiet });
  const read = async (pageId: string) => {
    signal.throwIfAborted();
    const params = { spaceId, revisionId: String(revisionId), pageId };
    const page = await client.call(revisions.page, { params, query: { format: 'markdown', metadata: false } });
    texts.set(pageId, page.type === 'document' ? (page.markdown ?? '') : '');
    progress.count(texts.size, pageIds.length);
  };
  try {
    await eachOf(pageIds, read, readers);
  } finally {
    progress.stop();
  }
  return texts;
}

/** Texts that pages had at earlier revisions, by id, without those that the service does not show any more. */
export async function readAncestors(
  invocation: Invocation<{}, {}>,
  spaceId: string,
  ancestors: readonly { id: string; revision: string }[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  await eachOf(
    [...ancestors],
    async ({ id, revision }) => {
      try {
        const read = await readTexts(invocation, { spaceId, revisionId: revision }, [id]);
        for (const [page, text] of read) texts.set(page, text);
      } catch (error) {
        if (!(error instanceof HttpError && error.status === 404)) throw error;
      }
    },
    readers,
  );
  return texts;
}

/** The pages with all their texts. */
export async function withAllTexts(
  invocation: Invocation<{}, {}>,
  spaceId: string,
  { revision, remote }: Pick<ReadContent, 'revision' | 'remote'>,
): Promise<Remote> {
  const ids = remote.pages.flatMap(({ id, document }) => (document === undefined ? [] : [id]));
  const texts = await readTexts(invocation, { spaceId, revisionId: revision.id }, ids);
  return { ...remote, pages: remote.pages.map((page) => ({ ...page, text: texts.get(page.id) ?? null })) };
}

interface Placed {
  page: Page;
  parent: string | null;
}

function flat(pages: readonly Page[], parent: string | null = null): Placed[] {
  return pages.flatMap((page) => [{ page, parent }, ...('pages' in page ? flat(page.pages, page.id) : [])]);
}

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
