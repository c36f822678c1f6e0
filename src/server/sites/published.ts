import { tryDecode } from '../../shared/decode.ts';
import { escapeHtml } from '../../content/markdown/render-html.ts';
import { getFrom } from '../../shared/get-from.ts';
import { markdownOf } from '../../store/documents.ts';
import { allFiles } from '../../store/files.ts';
import { findOrganization, findSpace } from '../../store/lookups.ts';
import { findPublishedSite } from '../../store/publications.ts';
import { opens } from '../../store/share-links.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { SiteSpaceRow } from '../../store/site-spaces.ts';
import { spacesById } from '../../store/spaces.ts';
import type { Db } from '../../store/store.ts';
import { type Content, mainContent, outlineAt } from '../content/find-content.ts';
import { linkedContent } from '../content/links/resolver.ts';
import type { Caller } from '../engine/context.ts';
import { DomainError, Unauthenticated } from '../engine/errors.ts';
import type { Instance } from '../engine/instance.ts';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';
import { isForBrowser, nothingHere, webPage } from '../http/web-page.ts';
import { emptySitePage, pageTree, publishedPage, sectionList, variantList } from './published-page.ts';
import { pathAddress, type PublishedText } from './published-text.ts';
import { pathPart } from './site-address.ts';
import { defaultSection, defaultSiteSpace, type Layout, readLayout, sectionPath, siteSpacesIn } from './site-layout.ts';

/** Answers `/published/...` with the pages of published sites, for readers that their visibility allows (open parts, 7). */
export async function answerPublished(
  instance: Instance,
  request: InstanceRequest,
): Promise<InstanceResponse | undefined> {
  const segments = segmentsOf(request.path);
  try {
    const page = segments && (await pageAt(instance, request, segments));
    return page ?? nothingHere(request);
  } catch (error) {
    if (!(error instanceof DomainError) || error.reason !== 'too-complex' || !isForBrowser(request)) throw error;
    return webPage({
      status: error.status,
      title: 'This page cannot be shown',
      body: `<main><h1>This page cannot be shown</h1><p>${escapeHtml(error.message)}</p></main>`,
    });
  }
}

function segmentsOf(path: string): string[] | undefined {
  const segments = path.split('/').slice(1).map(tryDecode);
  return segments.every((segment) => segment !== undefined) ? segments : undefined;
}

async function pageAt(
  instance: Instance,
  request: InstanceRequest,
  [, org = '', basename = '', ...rest]: string[],
): Promise<InstanceResponse | undefined> {
  const page = await instance.store.read(async (db) => {
    const site = await findPublishedSite(db, org, basename);
    if (!site) return undefined;
    if (rest.length === 0) return { status: 308, headers: { location: `${request.path}/` }, body: '' };
    if (site.visibility === 'visitor-auth') return answerSignIn(request, site);
    // Relative addresses work behind a proxy too.
    const home = '../'.repeat(rest.length - 1) || './';
    const path = rest.filter((segment) => segment !== '');
    const layout = await readLayout(db, site.id);
    if (site.visibility !== 'share-link') return findPage({ db, instance, site, layout, root: home }, path);
    const [shareKey = '', ...pathBelow] = path;
    if (!(await opens(db, site.id, shareKey))) return undefined;
    return findPage({ db, instance, site, layout, root: home + pathPart(shareKey) }, pathBelow);
  });
  if (typeof page !== 'function') return page;
  const answer = await page();
  // Each answer gets headers of its own: the cached page is used for many.
  return { ...answer, headers: { ...answer.headers } };
}

function answerSignIn(request: InstanceRequest, site: SiteRow): InstanceResponse {
  const message = 'This site is only for visitors who have signed in.';
  if (!isForBrowser(request)) throw new Unauthenticated(message);
  return webPage({
    status: 401,
    title: site.title,
    body: `<main><h1>${escapeHtml(site.title)}</h1><p>${message}</p></main>`,
    headers: { 'www-authenticate': 'Bearer' },
  });
}

interface SiteVisit {
  db: Db;
  instance: Instance;
  site: SiteRow;
  layout: Layout;
  /** Relative address of the site from the requested page. */
  root: string;
}

type Render = () => Promise<InstanceResponse>;

/** Finds section, site space and page along a path, which may leave out defaults. */
async function findPage(visit: SiteVisit, path: string[]): Promise<InstanceResponse | Render | undefined> {
  const { db, instance, site, layout, root } = visit;
  const { section, siteSpace, pagePath } = readPath(layout, path);
  if (!siteSpace) return pagePath.length > 0 ? undefined : emptySitePage(site);
  const variants = siteSpacesIn(layout, siteSpace.section);
  const variantLinks = variants.length > 1 ? await variantLinksOf(visit, variants, siteSpace) : '';
  const content = await publishedContent(visit, siteSpace);
  const { base, pageCache } = instance;
  const key = keyOf([base, root, pagePath, site, layout, siteSpace.id, variantLinks, content.snapshot.revision]);
  const cached = pageCache.find(key);
  if (cached) return () => cached;
  const outline = await outlineAt(db, content.snapshot);
  const page =
    pagePath.length > 0
      ? outline.findByPath(pagePath.join('/'))
      : outline.rows.find((row) => row.type === 'document' && row.hidden === 0);
  if (pagePath.length > 0 && page?.type !== 'document') return undefined;
  const home = root + addressOf(layout, siteSpace);
  const nav = [
    sectionList(layout, root, section),
    variantLinks,
    pageTree(outline, (row) => pathAddress(home, outline.pathOf(row.page)), page),
  ].join('\n');
  const text = page && {
    markdown: await markdownOf(db, page.document),
    page: page.page,
    title: page.title,
    space: content.space.id,
    content: linkedContent(outline, await allFiles(db, content.snapshot)),
    home,
    base,
  };
  return () =>
    pageCache.get(key, async () => {
      const html = text && (await renderText(visit, text));
      return publishedPage({ site, base, root, nav, page, text: html });
    });
}

/** @returns `pagePath`: what is left of the path after the section and the site space */
function readPath(layout: Layout, path: string[]) {
  const [first, ...afterFirst] = path;
  const namedSection = layout.sections.find((row) => row.path === first);
  const section = namedSection ?? defaultSection(layout);
  const pathInSection = namedSection ? afterFirst : path;
  const [second, ...afterSecond] = pathInSection;
  const namedSiteSpace = siteSpacesIn(layout, section?.id ?? null).find((row) => row.path === second);
  const siteSpace = namedSiteSpace ?? defaultSiteSpace(layout, section?.id ?? null);
  return { section, siteSpace, pagePath: namedSiteSpace ? afterSecond : pathInSection };
}

const keyOf = (parts: unknown[]) =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(JSON.stringify(parts)).digest('base64');

const renderText = ({ instance, site }: SiteVisit, text: PublishedText): Promise<string> =>
  instance.texts.run('renderPublished', text, { caller: `site ${site.id}`, what: `The page "${text.title}"` });

// Readers are not members: they do not see what only members see.
const anonymous: Caller = { seq: 0, id: '', display_name: '', email: '', photo_url: null, created_at: '' };

async function publishedContent({ db, instance, site }: SiteVisit, { space: id }: SiteSpaceRow): Promise<Content> {
  const space = await findSpace(db, id);
  const org = await findOrganization(db, site.organization, anonymous.id);
  if (!space || !org) throw new Error(`The site ${site.id} has no space ${id} or no organization.`);
  return mainContent({ db, base: instance.base, objects: { org, space: { ...space, level: 'read' } } });
}

/** Relative address of a site space from its site. */
function addressOf(layout: Layout, row: SiteSpaceRow): string {
  const isDefault = defaultSiteSpace(layout, row.section)?.id === row.id;
  return sectionPath(layout, row.section) + pathPart(isDefault ? null : row.path);
}

async function variantLinksOf({ db, layout, root }: SiteVisit, variants: SiteSpaceRow[], current: SiteSpaceRow) {
  const spaces = await spacesById(
    db,
    variants.map((row) => row.space),
  );
  const titles = new Map(spaces.map((space) => [space.id, space.title]));
  return variantList(
    variants.map((row) => ({
      address: root + addressOf(layout, row),
      title: getFrom(titles, row.space),
      isCurrent: row.id === current.id,
    })),
  );
}
