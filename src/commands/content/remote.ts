import type { Invocation } from '../../cli/command/command.ts';
import type { Client } from '../../client/client.ts';
import { hashOf } from '../../content/sync/folder.ts';
import { isLayout, latestLayout } from '../../content/sync/layout.ts';
import type { Remote, RemotePage } from '../../content/sync/remote.ts';
import type { Page } from '../../contract/pages.ts';
import { revisions } from '../../contract/revisions.ts';
import { createProgress } from '../../cli/output/index.ts';
import { downloaderOf } from '../shared/download.ts';
import { eachOf } from '../../shared/each-of.ts';

export interface ReadContent {
  remote: Remote;
  /** Bytes of a file, fetched once. */
  bytesOf(id: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

const readers = 8;

/**
 * Reads a whole revision. Revisions never change, so all of it fits together even if somebody edits the content
 * meanwhile. To be compared, files of these sizes are fetched.
 */
export async function readContent(
  invocation: Invocation<{}, {}>,
  { spaceId, revisionId }: { spaceId: string; revisionId: string },
  sizes: ReadonlySet<number> = new Set(),
): Promise<ReadContent> {
  const client = await invocation.client();
  const params = { spaceId, revisionId };
  const revision = await client.call(revisions.view, { params, query: { metadata: false } });
  const pages = flat(revision.pages);
  const progress = createProgress('Reading pages', { animated: invocation.io.canAnimate, quiet: invocation.io.quiet });
  const download = downloaderOf(invocation);
  const addresses = new Map(revision.files.map(({ id, downloadURL }) => [id, downloadURL]));
  const fetched = new Map<string, Promise<Uint8Array>>();
  const bytesOf = (id: string) => {
    const address = addresses.get(id);
    if (address === undefined) throw new Error(`The revision has no file ${id}.`);
    const bytes = fetched.get(id) ?? download.bytes(address);
    fetched.set(id, bytes);
    return bytes;
  };
  try {
    const withText = pages.filter(({ page }) => page.type === 'document' && page.documentId !== undefined);
    const count = (done: number) => {
      invocation.signal.throwIfAborted();
      progress.count(done, withText.length);
    };
    const texts = await textsOf(client, params, withText, count);
    const hashes = new Map<string, string>();
    const alike = revision.files.filter(({ size, name }) => sizes.has(size) && !isLayout(name));
    progress.say('Comparing files');
    await eachOf(alike, async ({ id }) => void hashes.set(id, hashOf(await bytesOf(id))), readers);
    const layout = latestLayout(revision.files);
    return {
      remote: {
        pages: pages.map(({ page, parent }) => remotePage(page, parent, texts.get(page.id) ?? null)),
        files: revision.files.map(({ id, name }) => ({ id, name, hash: hashes.get(id) ?? '' })),
        ...(layout ? { layout: await bytesOf(layout.id) } : {}),
      },
      bytesOf,
      close: download.close,
    };
  } catch (error) {
    await download.close();
    throw error;
  } finally {
    progress.stop();
  }
}

interface Placed {
  page: Page;
  parent: string | null;
}

function flat(pages: readonly Page[], parent: string | null = null): Placed[] {
  return pages.flatMap((page) => [{ page, parent }, ...('pages' in page ? flat(page.pages, page.id) : [])]);
}

async function textsOf(
  client: Client,
  params: { spaceId: string; revisionId: string },
  pages: readonly Placed[],
  count: (done: number) => void,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const read = async ({ page }: Placed) => {
    const whole = await client.call(revisions.page, {
      params: { ...params, pageId: page.id },
      query: { format: 'markdown', metadata: false },
    });
    texts.set(page.id, whole.type === 'document' ? (whole.markdown ?? '') : '');
    count(texts.size);
  };
  await eachOf(pages, read, readers);
  return texts;
}

function remotePage(page: Page, parent: string | null, text: string | null): RemotePage {
  const { id, type, title, emoji, icon } = page;
  const shared = { id, type, parent, title, text, ...(emoji && { emoji }), ...(icon && { icon }) };
  if (page.type === 'link') return { ...shared, ...(page.href && { href: page.href }), ...flagsOf(page) };
  if (page.type === 'computed') return shared;
  const description = page.type === 'document' ? page.description : undefined;
  return { ...shared, slug: page.slug, path: page.path, ...(description && { description }), ...flagsOf(page) };
}

const flagsOf = ({ hidden, noIndex, noRobotsIndex }: Pick<RemotePage, 'hidden' | 'noIndex' | 'noRobotsIndex'>) => ({
  ...(hidden && { hidden }),
  ...(noIndex && { noIndex }),
  ...(noRobotsIndex && { noRobotsIndex }),
});
