import { tryDecode } from '../../shared/decode.ts';
import { escapeHtml } from '../../content/markdown/render-html.ts';
import type { PageRow } from '../../store/content.ts';
import { markdownOf } from '../../store/documents.ts';
import { allFiles } from '../../store/files.ts';
import { findOrganization, findSpace } from '../../store/lookups.ts';
import { findPublishedSite } from '../../store/publications.ts';
import { opens } from '../../store/share-links.ts';
import type { SectionRow } from '../../store/site-sections.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { SiteSpaceRow } from '../../store/site-spaces.ts';
import { spacesById } from '../../store/spaces.ts';
import type { Db } from '../../store/store.ts';
import type { Caller } from '../engine/context.ts';
import { DomainError, Unauthenticated } from '../engine/errors.ts';
import type { Instance } from '../engine/instance.ts';
import { linkedContent } from '../content/links.ts';
import type { Outline } from '../content/outline.ts';
import { pathAddress, type PublishedText } from './published-text.ts';
import { type Content, mainContent, outlineAt } from '../content/find-content.ts';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';
import { part } from './site-address.ts';
import { presentCustomization } from './site-customization.ts';
import {
  defaultSection,
  defaultSiteSpace,
  type Layout,
  readLayout,
  sectionPath,
  sectionsIn,
  siteSpacesIn,
} from './site-layout.ts';
import { isForBrowser, nothingHere, webPage } from '../http/web-page.ts';

/** Answers `/published/...`: the pages of published sites, for whom their visibility lets in (open parts, 7). */
export async function answerPublished(
  instance: Instance,
  request: InstanceRequest,
): Promise<InstanceResponse | undefined> {
  const parts = partsOf(request.path);
  try {
    const page = parts && (await pageAt(instance, request, parts));
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

async function pageAt(
  instance: Instance,
  request: InstanceRequest,
  parts: string[],
): Promise<InstanceResponse | undefined> {
  const [, org = '', basename = '', ...rest] = parts;
  const page = await instance.store.read(async (db) => {
    const site = await findPublishedSite(db, org, basename);
    if (!site) return undefined;
    if (rest.length === 0) return { status: 308, headers: { location: `${request.path}/` }, body: '' };
    if (site.visibility === 'visitor-auth') return signIn(request, site);
    const path = rest.filter((segment) => segment !== '');
    if (site.visibility === 'share-link' && !(await opens(db, site.id, path[0] ?? ''))) return undefined;
    const key = site.visibility === 'share-link' ? path.shift()! : null;
    // Relative addresses hold under a proxy too.
    const root = ('../'.repeat(rest.length - 1) || './') + part(key);
    return find({ db, instance, site, layout: await readLayout(db, site.id), root }, path);
  });
  if (typeof page !== 'function') return page;
  const answer = await page();
  // The headers of each answer are its own, the page may be that of many.
  return { ...answer, headers: { ...answer.headers } };
}

function partsOf(path: string): string[] | undefined {
  const parts = path.split('/').slice(1).map(tryDecode);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function signIn(request: InstanceRequest, site: SiteRow): InstanceResponse {
  const message = 'This site is for visitors who have signed in with its owner.';
  if (!isForBrowser(request)) throw new Unauthenticated(message);
  return webPage({
    status: 401,
    title: site.title,
    body: `<main><h1>${escapeHtml(site.title)}</h1><p>${message}</p></main>`,
    headers: { 'www-authenticate': 'Bearer' },
  });
}

interface Shown {
  db: Db;
  instance: Instance;
  site: SiteRow;
  layout: Layout;
  /** Relative address of the site from what is asked for. */
  root: string;
}

type Render = () => Promise<InstanceResponse>;

/** Finds section, site space and page along the path; a default need not be named. */
async function find(shown: Shown, path: string[]): Promise<InstanceResponse | Render | undefined> {
  const { db, instance, site, layout, root } = shown;
  const section = take(path, layout.sections) ?? defaultSection(layout);
  const beside = siteSpacesIn(layout, section?.id ?? null);
  const siteSpace = take(path, beside) ?? defaultSiteSpace(layout, section?.id ?? null);
  if (!siteSpace) return path.length > 0 ? undefined : empty(shown);
  const variants = beside.length > 1 ? await variantList(shown, beside, siteSpace) : '';
  const content = await publishedContent(shown, siteSpace);
  const { base, keptPages } = instance;
  const key = keyOf([base, root, path, site, layout, siteSpace.id, variants, content.at.revision]);
  const kept = keptPages.find(key);
  if (kept) return () => kept;
  const outline = await outlineAt(db, content.at);
  const page =
    path.length > 0
      ? outline.at(path.join('/'))
      : outline.rows.find((row) => row.type === 'document' && row.hidden === 0);
  if (path.length > 0 && page?.type !== 'document') return undefined;
  const home = root + addressOf(layout, siteSpace);
  const nav = [
    sectionList(shown, section),
    variants,
    contents(outline, null, (row) => pathAddress(home, outline.pathOf(row.page)), page),
  ].join('\n');
  const text = page && {
    markdown: await markdownOf(db, page.document),
    page: page.page,
    title: page.title,
    space: content.space.id,
    content: linkedContent(outline, await allFiles(db, content.at)),
    home,
    base,
  };
  return () => keptPages.get(key, async () => render(shown, nav, page, text && (await textOf(shown, text))));
}

const keyOf = (parts: unknown[]) =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(JSON.stringify(parts)).digest('base64');

const textOf = ({ instance, site }: Shown, text: PublishedText): Promise<string> =>
  instance.texts.run('renderPublished', text, { caller: `site ${site.id}`, what: `The page "${text.title}"` });

function render({ instance, site, root }: Shown, nav: string, page: PageRow | undefined, text = noPages) {
  const settings = presentCustomization(site);
  return webPage({
    title: page ? `${page.title} – ${site.title}` : site.title,
    language: settings.internationalization.locale,
    colors: settings.styling.primaryColor,
    unlisted: site.visibility !== 'public' || page?.no_robots_index === 1,
    images: new URL(instance.base).origin,
    body: `<nav><p><a href="${escapeHtml(root)}">${escapeHtml(site.title)}</a></p>${nav}</nav>
<main>${page ? heading(page) : `<h1>${escapeHtml(site.title)}</h1>`}${text}${footer(settings.footer.copyright)}</main>`,
  });
}

const noPages = '<p>There are no pages here yet.</p>';

/** The first of the rows that the path begins with; its path is taken off. */
function take<T extends { path: string }>(path: string[], rows: T[]): T | undefined {
  const row = rows.find((candidate) => candidate.path === path[0]);
  if (row) path.shift();
  return row;
}

const empty = ({ site }: Shown) =>
  webPage({
    title: site.title,
    body: `<main><h1>${escapeHtml(site.title)}</h1><p>There is nothing here yet.</p></main>`,
  });

// Nobody in particular reads: what only members see is not there.
const nobody: Caller = { seq: 0, id: '', display_name: '', email: '', photo_url: null, created_at: '' };

async function publishedContent({ db, instance, site }: Shown, { space }: SiteSpaceRow): Promise<Content> {
  const row = (await findSpace(db, space))!;
  const org = (await findOrganization(db, site.organization, nobody.id))!;
  return mainContent({ db, base: instance.base, at: { org, space: { ...row, level: 'read' } } });
}

function addressOf(layout: Layout, row: SiteSpaceRow): string {
  const first = defaultSiteSpace(layout, row.section)?.id === row.id;
  return sectionPath(layout, row.section) + part(first ? null : row.path);
}

const list = (items: string[]) =>
  items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
const link = (to: string, text: string, current = false) =>
  `<a href="${escapeHtml(to)}"${current ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>`;

function sectionList({ layout, root }: Shown, current: SectionRow | undefined): string {
  const { groups, sections } = layout;
  const one = (row: SectionRow) => link(root + sectionPath(layout, row.id), row.title, row.id === current?.id);
  const entries = [
    ...groups.map((row) => ({
      position: row.position,
      item: `${escapeHtml(row.title)}${list(sectionsIn(layout, row.id).map(one))}`,
    })),
    ...sections.filter((row) => row.section_group === null).map((row) => ({ position: row.position, item: one(row) })),
  ];
  return list(entries.toSorted((a, b) => a.position - b.position).map(({ item }) => item));
}

async function variantList({ db, layout, root }: Shown, rows: SiteSpaceRow[], current: SiteSpaceRow): Promise<string> {
  const spaces = await spacesById(
    db,
    rows.map((row) => row.space),
  );
  const titles = new Map(spaces.map((space) => [space.id, space.title]));
  return list(rows.map((row) => link(root + addressOf(layout, row), titles.get(row.space)!, row.id === current.id)));
}

function contents(
  outline: Outline,
  parent: string | null,
  address: (row: PageRow) => string,
  current?: PageRow,
): string {
  const entry = (row: PageRow) => {
    const below = contents(outline, row.page, address, current);
    if (row.type === 'document') return link(address(row), row.title, row.page === current?.page) + below;
    const href = row.type === 'link' ? (JSON.parse(row.extra ?? '{}') as { href?: string }).href : undefined;
    return (href !== undefined && /^https?:/i.test(href) ? link(href, row.title) : escapeHtml(row.title)) + below;
  };
  return list(
    outline
      .children(parent)
      .filter((row) => row.hidden === 0 && row.type !== 'computed')
      .map(entry),
  );
}

function heading({ emoji, title, description }: PageRow): string {
  const lead = description === null || description === '' ? '' : `<p><em>${escapeHtml(description)}</em></p>`;
  return `<h1>${escapeHtml(emoji === null ? title : `${emoji} ${title}`)}</h1>${lead}`;
}

const footer = (copyright: string | undefined) =>
  copyright === undefined ? '' : `<hr><p><small>${escapeHtml(copyright)}</small></p>`;
