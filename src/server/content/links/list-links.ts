import type { PageRow } from '../../../store/content.ts';
import type { Context } from '../../engine/context.ts';
import { type Listed, pagedArray } from '../../engine/paging.ts';
import type { Content } from '../find-content.ts';
import { type BacklinkTarget, brokenByRequest, type Link, linksIn, pagesLinkingTo } from './links.ts';
import { type Backlink, type LinkItem, References } from './references.ts';
import type { LinkStatus, Resolver } from './resolver.ts';

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
