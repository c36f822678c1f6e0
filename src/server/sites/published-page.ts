import { specsIn } from '../../content/blocks/specs.ts';
import { lookOf } from '../../site/look.ts';
import { notFoundPage } from '../../site/templates/special-pages.ts';
import { pageDocument } from '../../site/page-document.ts';
import type { PageLayout, Site, SiteLink, SitePage } from '../../site/model.ts';
import type { PageRow } from '../../store/content.ts';
import { markdownOf } from '../../store/documents.ts';
import { allFiles } from '../../store/files.ts';
import type { Content } from '../content/find-content.ts';
import { linkedContent } from '../content/links/linked-content.ts';
import { extraOf } from '../content/pages/page-extra.ts';
import type { InstanceResponse } from '../engine/request.ts';
import { isMarked, readPages } from './listed-pages.ts';
import { includedTexts } from './included-texts.ts';
import { ancestorsOf, type PageInSite } from './published-site.ts';
import { latestVersion, type PublishedReference } from './published-outline.ts';
import type { ReferenceText } from './published-references.ts';
import type { PublishedSpec } from './published-specs.ts';
import { type PublishedHtml, type PublishedText, pathAddress } from './published-text.ts';
import { absoluteAddress, addressOf, settingsOf, type SiteVisit } from './published-visit.ts';

/** Everything that the text of a page is rendered with. */
export async function textOf(
  visit: SiteVisit,
  { siteSpace, outline, page }: PageInSite & { page: PageRow },
  content: Content,
): Promise<PublishedText> {
  const { db, instance, root, parts } = visit;
  const files = await allFiles(db, content.snapshot);
  const settings = settingsOf(visit, siteSpace);
  const markdown = await markdownOf(db, page.document);
  const linked = await linkedContent(db, outline, files);
  return {
    markdown,
    specs: await specsOf(visit, markdown),
    page: page.page,
    title: page.title,
    space: content.space.id,
    content: linked,
    included: await includedTexts(db, { markdown, page: page.page, content: linked }),
    pages: outline.rows.map(({ page: id, title, description, icon, emoji }) => ({
      id,
      title,
      description,
      icon,
      emoji,
    })),
    files: files.map(({ file, name, content_type, size, width, height }) => ({
      id: file,
      name,
      contentType: content_type,
      size,
      ...(width !== null && { width }),
      ...(height !== null && { height }),
    })),
    home: root + addressOf(parts, siteSpace),
    base: instance.base,
    locale: settings.internationalization.locale,
    icons: lookOf(settings).icons,
    values: valuesFor(visit, content.space.title),
  };
}

/** Everything that a page of a reference is rendered with. */
export function referenceTextOf(
  { root, parts }: SiteVisit,
  { siteSpace, outline, page }: PageInSite & { page: PageRow },
  { request, spec, page: { path }, ids }: PublishedReference,
): ReferenceText {
  const home = root + addressOf(parts, siteSpace);
  const addresses = new Map([...ids].map(([at, id]) => [at, pathAddress(home, outline.pathOf(id))]));
  const overview = addresses.get('')?.replace(/\/$/, '');
  const hasDownload = request.hasDownload && overview !== undefined;
  const description = hasDownload ? `${overview}/${descriptionFile(spec)}` : undefined;
  return { request, spec, path, title: page.title, addresses, description };
}

/** Name of the description as a file: it is given as it was published. */
export const descriptionFile = ({ text }: PublishedSpec): 'openapi.json' | 'openapi.yaml' =>
  text.trimStart().startsWith('{') ? 'openapi.json' : 'openapi.yaml';

/** What conditions and expressions in the pages of a space read. */
export const valuesFor = ({ visitor }: SiteVisit, spaceTitle: string) => ({
  visitor: { claims: visitor.claims },
  space: { title: spaceTitle, vars: {} },
});

/** The specifications that blocks of a text name. Those of the organization only: its site shows them. */
async function specsOf({ db, site }: SiteVisit, markdown: string): Promise<Map<string, PublishedSpec>> {
  const specs = new Map<string, PublishedSpec>();
  for (const name of specsIn(markdown)) {
    const spec = await latestVersion({ db, organization: site.organization }, name);
    if (spec) specs.set(name, spec);
  }
  return specs;
}

/** All of a page but its text. */
export function pageAround(
  visit: SiteVisit,
  place: PageInSite & { page: PageRow },
): Omit<SitePage, 'html' | 'headings'> {
  const { outline, page, siteSpace } = place;
  const { root, parts, site } = visit;
  const below = addressOf(parts, siteSpace);
  const addressIn = (home: string, row: PageRow) => pathAddress(home + below, outline.pathOf(row.page));
  const linkTo = (row: PageRow | undefined): SiteLink | undefined =>
    row && { title: row.title, href: addressIn(root, row) };
  const pages = readPages(outline);
  const index = pages.indexOf(page);
  const { layout, cover } = extraOf(page);
  const reference = outline.references.get(page.page);
  const coverHref = cover && coverAddress(visit.instance.base, cover.ref);
  const isOpen = site.visibility === 'public' || site.visibility === 'unlisted';
  return {
    title: page.title,
    description: page.description ?? undefined,
    icon: page.icon ?? undefined,
    emoji: page.emoji ?? undefined,
    breadcrumbs: ancestorsOf(outline, page).map((row) =>
      row.type === 'document' ? linkTo(row)! : { title: row.title },
    ),
    previous: index > 0 ? linkTo(pages[index - 1]) : undefined,
    next: index >= 0 ? linkTo(pages[index + 1]) : undefined,
    cover: coverHref === undefined ? undefined : { picture: { light: coverHref }, yPos: cover?.yPos },
    layout: reference ? { outline: reference.page.path === '' } : (layout as Partial<PageLayout> | undefined),
    updatedAt: page.updated_at,
    markdownHref: `${addressIn(root, page)}.md`,
    canonical: isOpen ? addressIn(absoluteAddress(visit), page) : undefined,
    isHidden: isMarked('hidden', outline, page),
    noIndex: isMarked('no_robots_index', outline, page),
  };
}

function coverAddress(base: string, ref: { kind: string; file?: string; url?: string }): string | undefined {
  if (ref.kind === 'file') return `${base}/files/${ref.file}`;
  // Pictures of other hosts would show them who reads the page.
  return ref.url?.startsWith(`${base}/`) ? ref.url : undefined;
}

interface Shown {
  site: Site;
  page: Omit<SitePage, 'html' | 'headings'>;
  text: PublishedHtml;
}

export function pageWithText({ site, page, text }: Shown): string {
  const hasFeed = text.html.includes('class="updates"');
  const feedHref = hasFeed ? page.markdownHref?.replace(/\.md$/, '/rss.xml') : undefined;
  return pageDocument(site, { ...page, ...text, feedHref });
}

export const notFound = (visit: SiteVisit, site: Site): InstanceResponse =>
  documentResponse(visit, pageDocument(site, notFoundPage(site)), { status: 404 });

interface DocumentOptions {
  status?: number;
  /** Whether search engines are asked not to list the page. */
  isUnlisted?: boolean;
  /** Whether it draws diagrams. */
  hasFrames?: boolean;
  headers?: Record<string, string>;
}

/** An HTML document as response: nothing in it loads from other hosts, and no code in it runs but that of the site. */
export function documentResponse(
  { instance, site }: Pick<SiteVisit, 'instance' | 'site'>,
  body: string,
  options: DocumentOptions = {},
): InstanceResponse {
  const { status = 200, hasFrames = false, headers = {} } = options;
  const { isUnlisted = status !== 200 || site.visibility !== 'public' } = options;
  const pictures = new URL(instance.base).origin;
  const frames = hasFrames ? " frame-src 'self';" : '';
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: ${pictures}; connect-src 'self'; font-src 'self';${frames} form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      ...(isUnlisted ? { 'x-robots-tag': 'noindex' } : {}),
      ...headers,
    },
    body,
  };
}
