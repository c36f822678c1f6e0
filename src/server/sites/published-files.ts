import {
  type ListedPage,
  type ListedSection,
  llmsText,
  robots,
  sitemap,
  titledMarkdown,
} from '../../site/machine-files.ts';
import { lookAsset, siteAssets } from '../../site/assets.ts';
import { findDiagrams } from '../../site/diagrams.ts';
import type { PageRow } from '../../store/content.ts';
import { markdownOf } from '../../store/documents.ts';
import { mayHideText } from '../../content/blocks/visible-text.ts';
import { adaptivePages } from '../../store/search.ts';
import type { Content } from '../content/find-content.ts';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';
import { spaceVariables } from './included-texts.ts';
import { isMarked, readPages } from './listed-pages.ts';
import { type PublishedOutline, publishedOutline, type PublishedReference } from './published-outline.ts';
import { valuesFor } from './published-page.ts';
import { lookOf } from '../../site/look.ts';
import { pathAddress, type ReadableTexts } from './published-text.ts';
import { absoluteAddress, addressOf, publishedContent, settingsOf, type SiteVisit } from './published-visit.ts';

/** Files beside the pages of a published site, for programs. */
export async function answerFile(
  visit: SiteVisit,
  name: string,
): Promise<InstanceResponse | (() => Promise<InstanceResponse>) | undefined> {
  switch (name) {
    case 'sitemap.xml': {
      const pages = (await listSections(visit, 'no_robots_index')).flatMap((section) => section.pages);
      return file('application/xml; charset=utf-8', sitemap(pages));
    }
    case 'robots.txt':
      return file(
        'text/plain; charset=utf-8',
        robots(visit.site.visibility === 'public', `${absoluteAddress(visit)}sitemap.xml`),
      );
    case 'llms.txt':
      return file('text/plain; charset=utf-8', llmsText(visit.site.title, await listSections(visit, 'no_index')));
    case 'llms-full.txt':
      return answerAllMarkdown(visit);
    default:
      return undefined;
  }
}

export const file = (contentType: string, body: string): InstanceResponse => ({
  status: 200,
  headers: { 'content-type': contentType, 'x-content-type-options': 'nosniff', 'x-robots-tag': 'noindex' },
  body,
});

/** @param flag what keeps pages out of the list, besides being hidden */
async function listSections(visit: SiteVisit, flag: 'no_index' | 'no_robots_index'): Promise<ListedSection[]> {
  const sections: ListedSection[] = [];
  for (const { title, pages } of await pagesBySpace(visit, flag)) {
    sections.push({ title, pages: pages.map(({ listed }) => listed) });
  }
  return sections;
}

async function pagesBySpace(visit: SiteVisit, flag: 'no_index' | 'no_robots_index') {
  const { parts } = visit;
  const address = absoluteAddress(visit);
  const spaces: PublishedSpace[] = [];
  for (const siteSpace of parts.siteSpaces) {
    const { snapshot, space } = await publishedContent(visit, siteSpace);
    const outline = await publishedOutline(visit, snapshot);
    const home = address + addressOf(parts, siteSpace);
    const adaptive = await adaptivePages(visit.db, siteSpace.space);
    const pages = readPages(outline)
      .filter((row) => !isMarked(flag, outline, row))
      .map((row) => ({
        row,
        listed: listedPage(row, pathAddress(home, outline.pathOf(row.page)), adaptive.has(row.page)),
        reference: outline.references.get(row.page),
      }));
    spaces.push({ title: space.title, pages, outline, snapshot });
  }
  return spaces;
}

interface PublishedSpace extends Pick<Content, 'snapshot'> {
  title: string;
  pages: PublishedPage[];
  outline: PublishedOutline;
}

interface PublishedPage {
  row: PageRow;
  listed: ListedPage;
  reference: PublishedReference | undefined;
}

const listedPage = ({ title, description, updated_at }: PageRow, href: string, isAdaptive: boolean): ListedPage => ({
  title,
  href,
  markdownHref: `${href}.md`,
  description: description ?? undefined,
  // What the reader does not see may have changed.
  updatedAt: isAdaptive ? undefined : updated_at,
});

/** The Markdown of a page, without what is not for the reader. It is read outside of the transaction. */
export async function answerMarkdown(
  visit: SiteVisit,
  { title, description, document }: PageRow,
  { outline, content }: { outline: PublishedOutline; content: Content },
): Promise<() => Promise<InstanceResponse>> {
  const markdown = await markdownOf(visit.db, document);
  const values = valuesFor(visit, content.space.title);
  const variables = await spaceVariables(visit.db, outline, content.snapshot);
  return async () => {
    const [text = ''] = await readable(visit, { markdowns: [markdown], values, variables });
    return file('text/markdown; charset=utf-8', titledMarkdown(title, description ?? undefined, text));
  };
}

async function answerAllMarkdown(visit: SiteVisit): Promise<() => Promise<InstanceResponse>> {
  const spaces = await pagesBySpace(visit, 'no_index');
  const read: ReadableTexts[] = [];
  for (const { title, pages, outline, snapshot } of spaces) {
    const markdowns: string[] = [];
    for (const { row } of pages) markdowns.push(await markdownOf(visit.db, row.document));
    const variables = await spaceVariables(visit.db, outline, snapshot);
    read.push({ markdowns, values: valuesFor(visit, title), variables });
  }
  return async () => {
    const texts: string[] = [];
    for (const [index, { pages }] of spaces.entries()) {
      const own = read[index];
      const shown = own ? await readable(visit, own) : [];
      for (const [place, { row, listed, reference }] of pages.entries()) {
        const markdown = reference ? await markdownOfReference(visit, reference) : shown[place];
        const text = titledMarkdown(row.title, row.description ?? undefined, markdown ?? '');
        texts.push(`${text}\n\nSource: ${listed.href}\n`);
      }
    }
    return file('text/plain; charset=utf-8', texts.join('\n---\n\n'));
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

/** Texts that hide nothing are not read. */
async function readable({ instance, site }: SiteVisit, texts: ReadableTexts): Promise<string[]> {
  if (!texts.markdowns.some(mayHideText)) return texts.markdowns;
  return instance.texts.run('readableTexts', texts, { caller: `site ${site.id}`, what: `The text of "${site.title}"` });
}

/** A style sheet, a script or the look of the site. Their names have a hash, so browsers keep them. */
export function answerAsset(
  { site }: Pick<SiteVisit, 'site'>,
  parts: SiteVisit['parts'],
  name: string,
  request: InstanceRequest,
): InstanceResponse | undefined {
  const looks = [undefined, ...parts.siteSpaces].map(
    (siteSpace) => () => lookAsset(lookOf(settingsOf({ site }, siteSpace))),
  );
  const asset =
    siteAssets().find((candidate) => candidate.name === name) ??
    findDiagrams()?.file(name) ??
    (name.startsWith('look-') ? firstMatch(looks, (candidate) => candidate.name === name) : undefined);
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

function firstMatch<T>(makers: (() => T)[], matches: (value: T) => boolean): T | undefined {
  for (const make of makers) {
    const value = make();
    if (matches(value)) return value;
  }
  return undefined;
}

const compressedAssets = new Map<string, Uint8Array>();
const maxCompressed = 300;

function compressed(name: string, bytes: Uint8Array): Uint8Array {
  const before = compressedAssets.get(name);
  if (before) return before;
  const { gzipSync } = process.getBuiltinModule('node:zlib');
  const result = gzipSync(bytes, { level: 9 });
  if (compressedAssets.size < maxCompressed) compressedAssets.set(name, result);
  return result;
}
