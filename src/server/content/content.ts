import { content } from '../../contract/content.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { changeHandlers } from './changes/apply-changes.ts';
import type { Context } from '../engine/context.ts';
import { implement, type Handlers } from '../engine/implement.ts';
import { importHandlers } from './changes/import.ts';
import { brokenByRequest, type Link, type LinkStatus, linksIn, pagesUsing, Resolver } from './links/links.ts';
import type { PageRow } from '../../store/content.ts';
import type { FileRow } from '../../store/files.ts';
import { type Listed, pagedArray } from '../engine/paging.ts';
import { type Content, type ContentOf, getFile, getPage, mainContent, reads } from './find-content.ts';
import { type LinkItem, References } from './links/references.ts';
import { presentSpace } from './spaces/spaces.ts';

interface Asked {
  status?: LinkStatus | undefined;
  brokenContext?: 'change-request' | 'space' | undefined;
}

type Listing = Pick<Context, 'db' | 'base' | 'caller' | 'now' | 'page'>;

/** A page of the links of some pages, with `stats` over all of them. */
export async function listLinks(
  listing: Listing,
  resolver: Resolver,
  pages: readonly PageRow[],
  { status, brokenContext }: Asked,
): Promise<Listed<LinkItem>> {
  const { content: of } = resolver;
  const links = await linksIn(listing, resolver, pages);
  const byRequest = of.changeRequest ? await brokenByRequest(listing, of, links) : undefined;
  const broken = links.filter((link) => link.status === 'broken').length;
  const asked = links.filter(
    (link) =>
      (status === undefined || link.status === status) &&
      (brokenContext === undefined ||
        (link.status === 'broken' && byRequest?.has(link) === (brokenContext === 'change-request'))),
  );
  const references = new References(listing, of.org);
  const listed = await pagedArray(listing.page, asked, {
    keyTypes: ['string', 'number'],
    key: (link) => link.key,
    present: (some) => Promise.all(some.map((link) => presentLink(references, of, link))),
  });
  const stats = {
    total: links.length,
    broken: { total: broken, ...(byRequest ? { changeRequest: byRequest.size } : {}) },
  };
  return { ...listed, envelope: { stats } };
}

const presentLink = async (
  references: References,
  of: Content,
  { status, relation, target, places }: Link,
): Promise<LinkItem> => ({
  status,
  relation,
  ...(target ? { targetReference: await references.present(target) } : {}),
  locationReferences: await Promise.all(places.map(({ page, node }) => references.location(of, page, node))),
});

async function listUsers(listing: Listing, of: Content, target: { page: PageRow } | { file: FileRow }) {
  const references = new References(listing, of.org);
  return pagedArray(listing.page, await pagesUsing(listing, of, target), {
    keyTypes: ['string'],
    key: (user) => user.key,
    present: (some) =>
      Promise.all(some.map(({ page }) => references.user(of, page, 'file' in target ? target.file : undefined))),
  });
}

type Family = Omit<Handlers<typeof content>, 'change' | 'links'>;

/** Handlers of what main content and that of a change request have alike. */
export const family = (contentOf: ContentOf): Family => ({
  ...reads(contentOf),
  import: importHandlers(contentOf),

  async fileBacklinks(context) {
    const of = await contentOf(context);
    return listUsers(context, of, { file: await getFile(context, of.at) });
  },

  async pageLinks(context) {
    const of = await contentOf(context);
    const { page: id } = await getPage(context, of.at);
    const resolver = await Resolver.over(context, of);
    return listLinks(context, resolver, [resolver.outline.find(id)!], context.query);
  },

  async pageBacklinks(context) {
    const of = await contentOf(context);
    return listUsers(context, of, { page: await getPage(context, of.at) });
  },
});

type Changed = Extract<AnswerOf<typeof content.change>, { changes: unknown }>;

export const handlers = implement(content, {
  ...family(mainContent),

  change: changeHandlers(mainContent, async ({ db, base, query }, { space }, done) => {
    const presented = await presentSpace({ db, base }, space);
    return query.compat ? presented : ({ space: presented, ...done } satisfies Changed);
  }),

  async links(context) {
    const resolver = await Resolver.over(context, await mainContent(context));
    return listLinks(context, resolver, resolver.outline.rows, context.query);
  },
});
