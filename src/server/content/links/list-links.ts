import { spellingsOf } from '../../../content/markdown/links.ts';
import type { PageRow } from '../../../store/content.ts';
import { type LinkRow, documentsLinking, linksOf } from '../../../store/documents.ts';
import type { FileRow } from '../../../store/files.ts';
import type { Context, Scope } from '../../engine/context.ts';
import { type Key, type Listed, pagedArray } from '../../engine/paging.ts';
import { type Content, baseOf } from '../find-content.ts';
import { linkKeyOfName } from './link-keys.ts';
import { type Backlink, type LinkItem, References } from './references.ts';
import { type LinkStatus, type Resolved, Resolver } from './resolver.ts';

type Listing = Pick<Context, 'db' | 'base' | 'caller' | 'now' | 'page'>;

interface LinkFilter {
  status?: LinkStatus | undefined;
  brokenContext?: 'change-request' | 'space' | undefined;
}

/** A page of the links of some pages, with `stats` over all of them. */
export async function listLinks(
  listing: Listing,
  resolver: Resolver,
  pages: readonly PageRow[],
  { status, brokenContext }: LinkFilter,
): Promise<Listed<LinkItem>> {
  const { content } = resolver;
  const links = await linksIn(listing, resolver, pages);
  const byRequest = content.changeRequest ? await brokenByRequest(listing, content, links) : undefined;
  const isBrokenIn = (link: Link, where: LinkFilter['brokenContext']) =>
    link.status === 'broken' && byRequest?.has(link) === (where === 'change-request');
  const listed = links.filter(
    (link) =>
      (status === undefined || link.status === status) &&
      (brokenContext === undefined || isBrokenIn(link, brokenContext)),
  );
  const references = new References(listing, content.org);
  const page = await pagedArray(listing.page, listed, {
    keyTypes: ['string', 'number'],
    key: (link) => link.key,
    present: (linksOfPage) => Promise.all(linksOfPage.map((link) => presentLink(references, content, link))),
  });
  const broken = {
    total: links.filter((link) => link.status === 'broken').length,
    changeRequest: byRequest?.size,
  };
  return { ...page, envelope: { stats: { total: links.length, broken } } };
}

const presentLink = async (
  references: References,
  content: Content,
  { status, relation, target, places }: Link,
): Promise<LinkItem> => ({
  status,
  relation,
  targetReference: target && (await references.present(target)),
  locationReferences: await Promise.all(places.map(({ page, node }) => references.location(content, page, node))),
});

/** A page of the pages with a link to a page or file. */
export async function listBacklinks(
  listing: Listing,
  content: Content,
  target: BacklinkTarget,
): Promise<Listed<Backlink>> {
  const references = new References(listing, content.org);
  const file = 'file' in target ? target.file : undefined;
  return pagedArray(listing.page, await pagesLinkingTo(listing, content, target), {
    keyTypes: ['string'],
    key: ({ key }) => key,
    present: (pages) => Promise.all(pages.map(({ page }) => references.backlink(content, page, file))),
  });
}

interface LinkPlace {
  page: PageRow;
  url: string;
  node: string;
}

/** Links that lead to the same in the same way. */
interface Link extends Omit<Resolved, 'key'> {
  relation: 'reference' | 'dependsOn';
  places: LinkPlace[];
  /** The place of the first one, for paging. */
  key: Key;
}

/** The links of these pages, in the order in which they first occur. */
async function linksIn(scope: Scope, resolver: Resolver, pages: readonly PageRow[]): Promise<Link[]> {
  const linksOfPage = await readLinks(scope, pages);
  const links = new Map<string, Link>();
  for (const page of pages) {
    for (const row of linksOfPage(page)) {
      const { key, ...resolved } = await resolver.resolve(page, row.url);
      // A page needs the pictures that it shows, but not what it links to.
      const relation = row.kind === 'image' && resolved.target?.kind === 'file' ? 'dependsOn' : 'reference';
      const place = { page, url: row.url, node: row.node };
      const link = links.get(`${relation} ${key}`);
      if (link) link.places.push(place);
      else {
        const order: Key = [resolver.outline.orderOf(page.page), row.position];
        links.set(`${relation} ${key}`, { ...resolved, relation, places: [place], key: order });
      }
    }
  }
  return [...links.values()];
}

/** @returns the links of a page, in the order of its text */
async function readLinks({ db }: Scope, pages: readonly PageRow[]): Promise<(page: PageRow) => LinkRow[]> {
  const rows = await linksOf(db, [...new Set(pages.flatMap(({ document }) => document ?? []))]);
  return ({ document }) => (document === null ? [] : (rows.get(document) ?? []));
}

/**
 * Which of the broken links of a change request are broken by it: those that the main content that it is based on does
 * not have, or that work there.
 */
async function brokenByRequest(scope: Scope, content: Content, links: Link[]): Promise<Set<Link>> {
  const broken = links.filter((link) => link.status === 'broken');
  if (broken.length === 0) return new Set();
  const resolver = await Resolver.over(scope, { ...content, snapshot: baseOf(content.snapshot) });
  const pages = [...new Set(broken.flatMap((link) => link.places.map(({ page }) => page.page)))];
  const pagesBefore = pages.flatMap((page) => resolver.outline.find(page) ?? []);
  const brokenBefore = new Set<string>();
  for (const link of await linksIn(scope, resolver, pagesBefore)) {
    if (link.status !== 'broken') continue;
    for (const { page, url } of link.places) brokenBefore.add(`${page.page} ${url}`);
  }
  return new Set(
    broken.filter((link) => link.places.some(({ page, url }) => !brokenBefore.has(`${page.page} ${url}`))),
  );
}

/** What backlinks lead to. */
type BacklinkTarget = { page: PageRow } | { file: FileRow };

/** The pages with a link to a page or file, in page order. */
async function pagesLinkingTo(
  scope: Scope,
  content: Content,
  target: BacklinkTarget,
): Promise<{ page: PageRow; key: Key }[]> {
  const [id, name] = 'page' in target ? [target.page.page, target.page.slug] : [target.file.file, target.file.name];
  const endings = [id, ...spellingsOf(name)].map(linkKeyOfName);
  const documents = await documentsLinking(scope.db, [...endings, '']);
  const resolver = await Resolver.over(scope, content);
  const candidates = resolver.outline.rows.filter(
    ({ document, page }) => document !== null && documents.has(document) && !('page' in target && page === id),
  );
  const linksOfPage = await readLinks(scope, candidates);
  const targetKey = 'page' in target ? `page ${id}` : `file ${id}`;
  const leadsToTarget = async (page: PageRow, { url, ending }: LinkRow) => {
    if (ending !== '' && !endings.includes(ending)) return false;
    const { key } = await resolver.resolve(page, url);
    return key === targetKey || key.startsWith(`${targetKey}#`);
  };
  const pages: { page: PageRow; key: Key }[] = [];
  for (const page of candidates) {
    for (const link of linksOfPage(page)) {
      if (!(await leadsToTarget(page, link))) continue;
      pages.push({ page, key: [resolver.outline.orderOf(page.page)] });
      break;
    }
  }
  return pages;
}
