import { readIncludes } from '../../content/blocks/includes.ts';
import { specsIn } from '../../content/blocks/specs.ts';
import { isVariables } from '../../content/blocks/variables.ts';
import { ContentLinks, type LinkedContent } from '../../content/markdown/content-links.ts';
import { isAdaptive } from '../../shared/adaptive.ts';
import { getFrom } from '../../shared/get-from.ts';
import { findDiagrams } from '../../site/diagrams.ts';
import { editAddress } from '../../site/edit-link.ts';
import { lookOf } from '../../site/look.ts';
import { rssFeed, updatesIn } from '../../site/machine-files.ts';
import type { PageLayout, Site, SitePage, SiteVariant } from '../../site/model.ts';
import { hasDiagrams, pageDocument } from '../../site/page-document.ts';
import { siteAround, type SiteSection, type SiteSource } from '../../site/site-around.ts';
import { markdownOf } from '../../store/documents.ts';
import { allFiles, findDownload } from '../../store/files.ts';
import { parseJson } from '../../store/json.ts';
import type { SiteSpaceRow } from '../../store/site-spaces.ts';
import { spacesById } from '../../store/spaces.ts';
import type { Db } from '../../store/store.ts';
import { linkedContent } from '../content/links/linked-content.ts';
import type { Reference } from '../content/links/visible-references.ts';
import { extraOf } from '../content/pages/page-extra.ts';
import type { InstanceResponse } from '../engine/request.ts';
import type { PublishedSpec, ReferenceText } from './published-openapi.ts';
import {
  latestVersion,
  openSpace,
  type PublishedEntry,
  type PublishedReference,
  type PublishedSpace,
} from './published-outline.ts';
import { type IncludedTexts, pathAddress, type PublishedHtml, type PublishedText } from './published-text.ts';
import { absoluteAddress, addressOf, settingsOf, type SiteVisit } from './published-visit.ts';
import { sectionPath, siteSpacesIn } from './site-parts.ts';
import { meets } from './visitors.ts';

/** The folder with the styles and scripts of a site, below its address. No page can have this path. */
export const assetFolder = '~site/';
export const searchPath = '~search';

/** A page as HTML. It is rendered outside the transaction. */
export async function answerPage(
  visit: SiteVisit,
  space: PublishedSpace,
  entry: PublishedEntry,
): Promise<() => Promise<InstanceResponse>> {
  const { instance } = visit;
  const reference = space.outline.references.get(entry.key);
  const text = reference ? referenceTextOf(space, entry, reference) : await textOf(visit, space, entry);
  const site = await publishedSite(visit, space, entry);
  const { updatedAt, ...around } = pageAround(visit, space, entry);
  // The time of an update would reveal changes in parts that the reader cannot see.
  const isDated = !('markdown' in text && isAdaptive(text.markdown));
  const page = { ...around, ...(isDated && { updatedAt }) };
  const isUnlisted = visit.site.visibility !== 'public' || page.isHidden === true || page.noIndex === true;
  const key = hashOf([site, page, keyOf(text), space.content.snapshot.revision]);
  return () =>
    instance.pageCache.get(key, async () => {
      const rendered = await render(visit, text);
      const feedHref = rendered.html.includes('class="updates"')
        ? page.markdownHref?.replace(/\.md$/, '/rss.xml')
        : undefined;
      const document = pageDocument(site, { ...page, ...rendered, feedHref });
      return documentResponse(visit, document, { isUnlisted, hasFrames: hasDiagrams(site, rendered) });
    });
}

/** The feed of a page with updates. */
export async function answerFeed(
  visit: SiteVisit,
  space: PublishedSpace,
  entry: PublishedEntry,
): Promise<() => Promise<InstanceResponse | undefined>> {
  const text = await textOf(visit, space, entry);
  const home = absoluteAddress(visit) + addressOf(visit.parts, space.siteSpace);
  const href = pathAddress(home, space.outline.pathOf(entry.key));
  return async () => {
    const { html } = await render(visit, { ...text, home });
    const updates = updatesIn(html);
    if (updates.length === 0) return undefined;
    return fileResponse(
      'application/rss+xml; charset=utf-8',
      rssFeed(`${entry.title} – ${visit.site.title}`, href, updates),
    );
  };
}

function render({ instance, site }: SiteVisit, text: PublishedText | ReferenceText): Promise<PublishedHtml> {
  const options = { caller: `site ${site.id}`, what: `The page "${text.title}"` };
  return 'markdown' in text
    ? instance.texts.run('renderPublished', text, options)
    : instance.texts.run('renderReference', text, options);
}

/** The revision identifies the content, and versions identify specifications. */
const keyOf = (text: PublishedText | ReferenceText): unknown =>
  'markdown' in text
    ? { ...text, content: 0, pages: 0, files: 0, specs: [...text.specs].map(([name, { version }]) => [name, version]) }
    : [text.spec.version, text.request, text.path];

const hashOf = (parts: unknown[]) =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(JSON.stringify(parts)).digest('base64');

/** Everything that the text of a page is rendered from. */
async function textOf(
  visit: SiteVisit,
  { siteSpace, outline, content, home }: PublishedSpace,
  { key, title, row }: PublishedEntry,
): Promise<PublishedText> {
  const { db, instance } = visit;
  const files = await allFiles(db, content.snapshot);
  const settings = settingsOf(visit, siteSpace);
  const markdown = await markdownOf(db, row.document);
  const linked = await linkedContent(db, outline, files);
  return {
    markdown,
    specs: await specsOf(visit, markdown),
    page: key,
    title,
    space: content.space.id,
    content: linked,
    included: await includedTexts(db, { markdown, page: key, content: linked }),
    pages: outline.rows.map(({ page: id, title: name, description, icon, emoji }) => ({
      id,
      title: name,
      description,
      icon,
      emoji,
    })),
    files: files.map(({ file: id, name, content_type, size, width, height }) => ({
      id,
      name,
      contentType: content_type,
      size,
      ...(width !== null && { width }),
      ...(height !== null && { height }),
    })),
    home,
    base: instance.base,
    locale: settings.internationalization.locale,
    icons: lookOf(settings).icons,
    values: valuesFor(visit, content.space.title),
  };
}

/** Everything that a page of a reference is rendered from. */
function referenceTextOf(
  { outline, home }: PublishedSpace,
  { title }: PublishedEntry,
  { request, spec, page: { path }, ids }: PublishedReference,
): ReferenceText {
  const addresses = new Map([...ids].map(([at, id]) => [at, pathAddress(home, outline.pathOf(id))]));
  const overview = addresses.get('')?.replace(/\/$/, '');
  const hasDownload = request.hasDownload && overview !== undefined;
  const description = hasDownload ? { json: `${overview}/openapi.json`, yaml: `${overview}/openapi.yaml` } : undefined;
  return { request, spec, path, title, addresses, description };
}

/** The file name of a description as it was published. */
export const descriptionFile = ({ text }: PublishedSpec): 'openapi.json' | 'openapi.yaml' =>
  text.trimStart().startsWith('{') ? 'openapi.json' : 'openapi.yaml';

/** What conditions and expressions in the pages of a space can read. */
export const valuesFor = ({ visitor }: SiteVisit, spaceTitle: string) => ({
  visitor: { claims: visitor.claims },
  space: { title: spaceTitle, vars: {} },
});

/** The specifications of the organization that blocks of a text show. */
async function specsOf({ db, site }: SiteVisit, markdown: string): Promise<Map<string, PublishedSpec>> {
  const specs = new Map<string, PublishedSpec>();
  for (const name of specsIn(markdown)) {
    const spec = await latestVersion({ db, organization: site.organization }, name);
    if (spec) specs.set(name, spec);
  }
  return specs;
}

async function includedTexts(
  db: Db,
  { markdown, page, content }: { markdown: string; page: string; content: LinkedContent },
): Promise<IncludedTexts> {
  if (!/\{%|<code\b/.test(markdown)) return { includes: new Map() };
  const links = new ContentLinks(content);
  const includes = await readIncludes(markdown, async (path) => {
    const target = links.resolve(path, page);
    return target.kind === 'file' ? readText(db, target.file) : undefined;
  });
  return { includes, variables: await variablesIn(db, content) };
}

async function readText(db: Db, id: string): Promise<string | undefined> {
  const bytes = (await findDownload(db, id))?.bytes;
  return bytes && new TextDecoder().decode(bytes);
}

async function variablesIn(db: Db, { files }: Pick<LinkedContent, 'files'>): Promise<string | undefined> {
  const variables = files.find(({ name }) => isVariables(name));
  return variables && readText(db, variables.id);
}

/** YAML of the variables of a space. */
export const spaceVariables = async (db: Db, { outline, content }: PublishedSpace): Promise<string | undefined> =>
  variablesIn(db, await linkedContent(db, outline, await allFiles(db, content.snapshot)));

/** Everything on a page except its text. */
function pageAround(
  visit: SiteVisit,
  { outline, siteSpace, contents, hrefOf, content }: PublishedSpace,
  entry: PublishedEntry,
): Omit<SitePage, 'html' | 'headings'> {
  const { visibility } = visit.site;
  const { layout, cover, git } = extraOf(entry.row);
  const { git_sync: gitSync } = content.space;
  const coverHref = cover && coverAddress(visit.instance.base, cover.ref);
  const isOpen = visibility === 'public' || visibility === 'unlisted';
  const home = absoluteAddress(visit) + addressOf(visit.parts, siteSpace);
  const canonical = isOpen ? pathAddress(home, outline.pathOf(entry.key)) : undefined;
  return {
    layout: layout as Partial<PageLayout> | undefined,
    ...contents.around(entry, hrefOf),
    cover: coverHref === undefined ? undefined : { picture: { light: coverHref }, yPos: cover?.yPos },
    updatedAt: entry.row.updated_at,
    markdownHref: `${hrefOf(entry)}.md`,
    llmsHref: `${visit.root}llms.txt`,
    editHref: editAddress(gitSync === null ? undefined : parseJson(gitSync), git?.path),
    canonical,
    socialHref: canonical === undefined ? undefined : `${canonical}/social.png`,
  };
}

function coverAddress(base: string, ref: { kind: string; file?: string; url?: string }): string | undefined {
  if (ref.kind === 'file') return `${base}/files/${ref.file}`;
  // Other hosts would learn who reads the page.
  return ref.url?.startsWith(`${base}/`) ? ref.url : undefined;
}

type ShellVisit = Pick<SiteVisit, 'site' | 'root' | 'instance'>;

function shellOf(visit: ShellVisit, siteSpace: SiteSpaceRow | undefined) {
  const { site, root, instance } = visit;
  // Other hosts would learn who reads the site.
  const isOwn = (url: string) => url.startsWith('data:') || url.startsWith(`${instance.base}/`);
  return {
    title: site.title,
    home: root,
    sections: [],
    variants: [],
    customization: {
      settings: settingsOf(visit, siteSpace),
      pictureOf: (url: string) => (isOwn(url) ? url : undefined),
      meets: () => false,
    },
    assets: { folder: root + assetFolder, diagrams: findDiagrams() },
  } satisfies SiteSource<PublishedEntry>;
}

/** The parts of a site that are shown even to visitors who may not read it. */
export const siteShell = (visit: ShellVisit): Promise<Site> => siteAround(shellOf(visit, undefined));

/** The site around a page. @param entry the current page, if there is one */
export async function publishedSite(visit: SiteVisit, space: PublishedSpace, entry?: PublishedEntry): Promise<Site> {
  const { root, visitor } = visit;
  const shell = shellOf(visit, space.siteSpace);
  const source: SiteSource<PublishedEntry> = {
    ...shell,
    space,
    sections: sectionsOf(visit, space.siteSpace),
    variants: await variantsOf(visit, space.siteSpace),
    customization: {
      ...shell.customization,
      addressOf: (target) => addressIn(visit, space, target),
      meets: (condition) => meets(visitor, condition),
    },
    search: { kind: 'service', href: root + searchPath, action: root + searchPath },
  };
  return siteAround(source, entry);
}

/** A group is in the position of its first section. */
function sectionsOf({ parts, root }: SiteVisit, current: SiteSpaceRow): SiteSection[] {
  const groups = new Map<string | null, (typeof parts.groups)[number]>(parts.groups.map((row) => [row.id, row]));
  const positionOf = (row: (typeof parts.sections)[number]) => groups.get(row.section_group)?.position ?? row.position;
  return parts.sections
    .toSorted((a, b) => positionOf(a) - positionOf(b))
    .map((row) => {
      const group = groups.get(row.section_group);
      return {
        title: row.title,
        href: root + sectionPath(parts, row.id),
        description: row.description ?? undefined,
        icon: row.icon ?? undefined,
        isCurrent: row.id === current.section,
        group: group && { key: group.id, title: group.title, icon: group.icon ?? undefined },
      };
    });
}

async function variantsOf({ db, parts, root }: SiteVisit, current: SiteSpaceRow): Promise<SiteVariant[]> {
  const variants = siteSpacesIn(parts, current.section);
  if (variants.length < 2) return [];
  const spaces = await spacesById(
    db,
    variants.map((row) => row.space),
  );
  const titles = new Map(spaces.map((space) => [space.id, space.title]));
  return variants.map((row) => ({
    title: getFrom(titles, row.space),
    href: root + addressOf(parts, row),
    isCurrent: row.id === current.id,
  }));
}

/** The address that a link of the customization leads to. */
async function addressIn(visit: SiteVisit, current: PublishedSpace, to: Reference): Promise<string | undefined> {
  const { instance, parts, root } = visit;
  if (to.kind === 'file') return `${instance.base}/files/${to.file}`;
  if (to.kind !== 'space' && to.kind !== 'page' && to.kind !== 'anchor') return undefined;
  const { siteSpace } = current;
  const id = to.space ?? siteSpace.space;
  const row = id === siteSpace.space ? siteSpace : parts.siteSpaces.find((candidate) => candidate.space === id);
  if (!row) return undefined;
  const home = root + addressOf(parts, row);
  if (to.kind === 'space') return home;
  const anchor = to.kind === 'anchor' ? `#${encodeURIComponent(to.anchor)}` : '';
  if (to.page === undefined) return home + anchor;
  const { outline } = row === siteSpace ? current : await openSpace(visit, row);
  return outline.find(to.page) ? pathAddress(home, outline.pathOf(to.page)) + anchor : undefined;
}

interface DocumentOptions {
  status?: number;
  /** Whether search engines are asked not to list the page. */
  isUnlisted?: boolean;
  /** Whether the page draws diagrams, which needs a frame. */
  hasFrames?: boolean;
  headers?: Record<string, string>;
}

/** An HTML document as a response. It loads nothing from other hosts and runs only the scripts of the site. */
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
      vary: 'accept',
      'x-content-type-options': 'nosniff',
      ...(isUnlisted ? { 'x-robots-tag': 'noindex' } : {}),
      ...headers,
    },
    body,
  };
}

/** A file for programs as a response. */
export const fileResponse = (contentType: string, body: string | Uint8Array): InstanceResponse => ({
  status: 200,
  headers: {
    'content-type': contentType,
    vary: 'accept',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  },
  body,
});
