import { mayHideText } from '../../content/blocks/visible-text.ts';
import { LruCache } from '../../shared/lru-cache.ts';
import { lookOf } from '../../site/look.ts';
import { type ListedPage, llmsText, robots, sitemap, titledMarkdown, withIndexNote } from '../../site/machine-files.ts';
import { findAsset } from '../../site/site-around.ts';
import { markdownOf } from '../../store/documents.ts';
import { allFiles } from '../../store/files.ts';
import { adaptivePages } from '../../store/search.ts';
import { linkedContent } from '../content/links/linked-content.ts';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';
import { openSpace, type PublishedEntry, type PublishedReference, type PublishedSpace } from './published-outline.ts';
import { fileResponse, spaceVariables, valuesFor } from './published-page.ts';
import { hasRelativeLinks, namesIds, type ReadableTexts, type TextLinks } from './published-text.ts';
import { absoluteAddress, addressOf, settingsOf, type SiteVisit } from './published-visit.ts';

/** Lists and texts of a published site for search engines and language models. */
export async function answerFile(
  visit: SiteVisit,
  name: string,
): Promise<InstanceResponse | (() => Promise<InstanceResponse>) | undefined> {
  const { title, visibility } = visit.site;
  switch (name) {
    case 'sitemap.xml': {
      const spaces = await pagesBySpace(visit, 'noRobotsIndex');
      const pages = spaces.flatMap((space) => space.pages.map(({ listed }) => listed));
      return fileResponse('application/xml; charset=utf-8', sitemap(pages));
    }
    case 'robots.txt': {
      const text = robots(visibility === 'public', `${absoluteAddress(visit)}sitemap.xml`);
      return fileResponse('text/plain; charset=utf-8', text);
    }
    case 'llms.txt': {
      const spaces = await pagesBySpace(visit, 'noIndex');
      const sections = spaces.map(({ content, pages }) => ({
        title: content.space.title,
        pages: pages.map(({ listed }) => listed),
      }));
      return fileResponse('text/plain; charset=utf-8', llmsText(title, sections));
    }
    case 'llms-full.txt':
      return answerAllMarkdown(visit);
    default:
      return undefined;
  }
}

interface ListedSpace extends PublishedSpace {
  pages: { entry: PublishedEntry; listed: ListedPage }[];
}

/** @param flag excludes pages from the list, in addition to hidden ones */
async function pagesBySpace(visit: SiteVisit, flag: 'noIndex' | 'noRobotsIndex'): Promise<ListedSpace[]> {
  const spaces: ListedSpace[] = [];
  for (const siteSpace of visit.parts.siteSpaces) {
    const space = await openSpace(visit, siteSpace, absoluteAddress(visit));
    const { contents, hrefOf } = space;
    const adaptive = await adaptivePages(visit.db, siteSpace.space);
    const entries = contents.listed.filter((entry) => !contents.isMarked(entry, flag));
    const pages = entries.map((entry) => ({
      entry,
      listed: listedPage(entry, hrefOf(entry), adaptive.has(entry.key)),
    }));
    spaces.push({ ...space, pages });
  }
  return spaces;
}

const listedPage = ({ title, description, row }: PublishedEntry, href: string, isAdaptive: boolean): ListedPage => ({
  title,
  href,
  markdownHref: `${href}.md`,
  description,
  // The time of an update would reveal changes in parts that the reader cannot see.
  updatedAt: isAdaptive ? undefined : row.updated_at,
});

/** The Markdown of a page, without the parts that the reader may not see. It is read outside the transaction. */
export async function answerMarkdown(
  visit: SiteVisit,
  space: PublishedSpace,
  { key, title, description, row }: PublishedEntry,
): Promise<() => Promise<InstanceResponse>> {
  const answer = (text: string) =>
    fileResponse(
      'text/markdown; charset=utf-8',
      withIndexNote(titledMarkdown(title, description, text), `${absoluteAddress(visit)}llms.txt`),
    );
  const reference = space.outline.references.get(key);
  if (reference) return async () => answer(await markdownOfReference(visit, reference));
  const markdown = await markdownOf(visit.db, row.document);
  const values = valuesFor(visit, space.content.space.title);
  const variables = await spaceVariables(visit.db, space);
  const links = { ...(await linksIn(visit, space)), pages: [key] };
  return async () => {
    const [text = ''] = await readable(visit, { markdowns: [markdown], values, variables, links });
    return answer(text);
  };
}

async function answerAllMarkdown(visit: SiteVisit): Promise<() => Promise<InstanceResponse>> {
  const read: { space: ListedSpace; texts: ReadableTexts }[] = [];
  for (const space of await pagesBySpace(visit, 'noIndex')) {
    const markdowns: string[] = [];
    for (const { entry } of space.pages) markdowns.push(await markdownOf(visit.db, entry.row.document));
    const variables = await spaceVariables(visit.db, space);
    const values = valuesFor(visit, space.content.space.title);
    read.push({ space, texts: { markdowns, values, variables, links: await linksIn(visit, space) } });
  }
  return async () => {
    const parts: string[] = [];
    for (const { space, texts } of read) {
      const shown = await readable(visit, texts);
      for (const [index, { entry, listed }] of space.pages.entries()) {
        const reference = space.outline.references.get(entry.key);
        const markdown = reference ? await markdownOfReference(visit, reference) : shown[index];
        parts.push(`${titledMarkdown(entry.title, entry.description, markdown ?? '')}\n\nSource: ${listed.href}\n`);
      }
    }
    return fileResponse('text/plain; charset=utf-8', parts.join('\n---\n\n'));
  };
}

async function markdownOfReference(
  { instance, site }: SiteVisit,
  { spec, request, page: { path, title } }: PublishedReference,
): Promise<string> {
  const options = { caller: `site ${site.id}`, what: `The page "${title}"` };
  const [markdown = ''] = await instance.texts.run('referenceMarkdowns', { spec, request, paths: [path] }, options);
  return markdown;
}

async function linksIn(visit: SiteVisit, { outline, content, siteSpace }: PublishedSpace): Promise<TextLinks> {
  return {
    content: await linkedContent(visit.db, outline, await allFiles(visit.db, content.snapshot)),
    home: absoluteAddress(visit) + addressOf(visit.parts, siteSpace),
    files: `${visit.instance.base}/files/`,
  };
}

/** Does not parse texts that hide nothing and have no such links. */
async function readable({ instance, site }: SiteVisit, texts: ReadableTexts): Promise<string[]> {
  const hasLinks = texts.links?.pages ? hasRelativeLinks : namesIds;
  if (!texts.markdowns.some((text) => mayHideText(text) || hasLinks(text))) return texts.markdowns;
  return instance.texts.run('readableTexts', texts, { caller: `site ${site.id}`, what: `The text of "${site.title}"` });
}

/** A style sheet or script of the site. Names contain a hash, so that browsers can keep the files. */
export function answerAsset(
  { site }: Pick<SiteVisit, 'site'>,
  parts: SiteVisit['parts'],
  name: string,
  request: InstanceRequest,
): InstanceResponse | undefined {
  const looks = () => [undefined, ...parts.siteSpaces].map((siteSpace) => lookOf(settingsOf({ site }, siteSpace)));
  const asset = findAsset(name, { looks: name.startsWith('look-') ? looks() : [] });
  if (!asset) return undefined;
  const isCompressed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  return {
    status: 200,
    headers: {
      'content-type': asset.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      ...(asset.policy === undefined ? {} : { 'content-security-policy': asset.policy }),
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    },
    body: isCompressed ? compressed(name, asset.bytes) : asset.bytes,
  };
}

const compressedAssets = new LruCache<Uint8Array>(300);

function compressed(name: string, bytes: Uint8Array): Uint8Array {
  const result = compressedAssets.get(name) ?? process.getBuiltinModule('node:zlib').gzipSync(bytes, { level: 9 });
  compressedAssets.set(name, result);
  return result;
}
