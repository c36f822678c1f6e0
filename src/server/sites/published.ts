import { rssFeed, titledMarkdown, updatesIn } from '../../site/machine-files.ts';
import { hasDiagrams, pageDocument } from '../../site/page-document.ts';
import { gatePage, messagePage, searchPage } from '../../site/templates/special-pages.ts';
import { textsOf } from '../../site/texts.ts';
import { isAdaptive } from '../../shared/adaptive.ts';
import { tryDecode } from '../../shared/decode.ts';
import { escapeHtml } from '../../shared/escape-html.ts';
import type { PageRow } from '../../store/content.ts';
import { findPublishedSite } from '../../store/publications.ts';
import { opens } from '../../store/share-links.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { Db } from '../../store/store.ts';
import type { Outline } from '../content/pages/outline.ts';
import { DomainError, Unauthenticated } from '../engine/errors.ts';
import type { Instance } from '../engine/instance.ts';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';
import { isForBrowser, nothingHere, webPage } from '../http/web-page.ts';
import { answerAsset, answerFile, answerMarkdown, file } from './published-files.ts';
import { isMarked, readPages } from './listed-pages.ts';
import { withPrepared } from './prepared.ts';
import { type PublishedReference, publishedOutline } from './published-outline.ts';
import {
  descriptionFile,
  documentResponse,
  notFound,
  pageAround,
  pageWithText,
  referenceTextOf,
  textOf,
} from './published-page.ts';
import { searchSite } from './published-search.ts';
import { assetFolder, type PageInSite, searchPath, siteAround, siteShell } from './published-site.ts';
import { pathAddress, type PublishedHtml, type PublishedText } from './published-text.ts';
import {
  absoluteAddress,
  addressOf,
  organizationOf,
  partsFor,
  publishedContent,
  readPath,
  settingsOf,
  type SiteVisit,
} from './published-visit.ts';
import { pathPart } from './site-address.ts';
import { readSiteParts } from './site-parts.ts';
import { keepVisitor, readVisitor, type Visitor } from './visitors.ts';

/** Answers `/published/...` with the pages of published sites, for readers that their visibility allows. */
export async function answerPublished(
  instance: Instance,
  request: InstanceRequest,
): Promise<InstanceResponse | undefined> {
  const segments = segmentsOf(request.path);
  try {
    const answer = segments && (await withPrepared(() => answerAt(instance, request, segments)));
    return answer ? unlessKnown(request, answer) : nothingHere(request);
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

/** With the hash of the body, so that a browser that has it gets it only once. */
function unlessKnown(request: InstanceRequest, answer: InstanceResponse): InstanceResponse {
  if (answer.status !== 200 || answer.headers['cache-control'] !== undefined) return answer;
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256').update(answer.body).digest('base64url');
  const headers = { ...answer.headers, etag: `"${hash.slice(0, 22)}"`, 'cache-control': 'private, no-cache' };
  const isKnown = String(request.headers['if-none-match'] ?? '').includes(headers.etag);
  return isKnown ? { status: 304, headers, body: '' } : { ...answer, headers };
}

type Render = () => Promise<InstanceResponse | undefined>;

async function answerAt(
  instance: Instance,
  request: InstanceRequest,
  [, org = '', basename = '', ...rest]: string[],
): Promise<InstanceResponse | undefined> {
  const answer = await instance.store.read(async (db) => {
    const site = await findPublishedSite(db, org, basename);
    if (!site) return undefined;
    const path = rest.filter((segment) => segment !== '');
    // Whoever guesses an address learns nothing, not even whether there is such a site.
    if (site.visibility === 'share-link' && !(await opens(db, site.id, path[0] ?? ''))) return undefined;
    if (rest.length === 0) return { status: 308, headers: { location: `${request.path}/` }, body: '' };
    return answerInSite(
      { db, instance, site, request },
      path,
      // Relative addresses work behind a proxy too.
      '../'.repeat(rest.length - 1) || './',
    );
  });
  if (typeof answer !== 'function') return answer;
  const rendered = await answer();
  // Each answer gets headers of its own: the cached page is used for many.
  return rendered && { ...rendered, headers: { ...rendered.headers } };
}

interface SiteRequest {
  db: Db;
  instance: Instance;
  site: SiteRow;
  request: InstanceRequest;
}

/** @param home relative address of the site from the requested one */
async function answerInSite(
  siteRequest: SiteRequest,
  path: string[],
  home: string,
): Promise<InstanceResponse | Render | undefined> {
  const { db, instance, site, request } = siteRequest;
  const allParts = await readSiteParts(db, site.id);
  const [first = '', ...afterFirst] = path;
  const folderAt = path.indexOf(assetFolder.slice(0, -1));
  const inFolder =
    folderAt !== -1 && folderAt <= 1 && folderAt < path.length - 1 ? path.slice(folderAt + 1).join('/') : undefined;
  if (inFolder !== undefined) return answerAsset({ site }, allParts, inFolder, request);
  const visitor = await readVisitor({ db, request, site, now: instance.now() });
  if (site.visibility === 'visitor-auth' && !visitor.isSignedIn) return askToSignIn(siteRequest, { visitor, home });
  const sitePath = `${request.path.split('/').slice(0, 4).join('/')}/`;
  const kept = keepVisitor({ request, site, base: instance.base, path: sitePath }, visitor);
  if (kept) return kept;
  const hasKey = site.visibility === 'share-link';
  const key = hasKey ? pathPart(first) : '';
  const org = await organizationOf(db, site);
  const visit = { db, instance, org, site, parts: partsFor(visitor, allParts), visitor, root: home + key, key };
  return answerVisit(visit, request, hasKey ? afterFirst : path);
}

interface Gate {
  visitor: Visitor;
  home: string;
}

function askToSignIn({ instance, site, request }: SiteRequest, { home, visitor }: Gate): InstanceResponse {
  if (!isForBrowser(request)) throw new Unauthenticated('This site is only for visitors who have signed in.');
  const shell = siteShell({ site, root: home, instance }, settingsOf({ site }, undefined));
  const page = gatePage(shell, visitor.hasBadToken ? 'expired' : 'visitor-auth');
  return documentResponse({ instance, site }, pageDocument(shell, page), {
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** Finds what a path leads to for a reader who may read the site. */
async function answerVisit(
  visit: SiteVisit,
  request: InstanceRequest,
  path: string[],
): Promise<InstanceResponse | Render | undefined> {
  const [only = ''] = path;
  if (path.length === 1) {
    const answer = only === searchPath ? await answerSearch(visit, request) : await answerFile(visit, only);
    if (answer) return answer;
  }
  const { section, siteSpace, pagePath } = readPath(visit.parts, path);
  if (!siteSpace) {
    if (pagePath.length > 0) return undefined;
    const shell = siteShell(visit, settingsOf(visit, undefined));
    return documentResponse(visit, pageDocument(shell, messagePage(shell.title, textsOf(shell.locale).emptySite)));
  }
  const content = await publishedContent(visit, siteSpace);
  const outline = await publishedOutline(visit, content.snapshot);
  const wanted = pageOf(outline, pagePath);
  const place: PageInSite = { siteSpace, section, outline, page: wanted?.page };
  if (!wanted) {
    if (!isForBrowser(request)) return undefined;
    return notFound(visit, await siteAround(visit, place));
  }
  const { page, form } = wanted;
  if (!page) return emptySpace(visit, place);
  const reference = outline.references.get(page.page);
  if (form === 'description') return reference && answerDescription(reference, pagePath);
  if (reference && form !== 'feed') return answerReference(visit, { ...place, page }, { reference, form });
  if (form === 'markdown') return answerMarkdown(visit, page, { outline, content });
  const text = await textOf(visit, { ...place, page }, content);
  if (form === 'feed') return () => answerFeed(visit, { ...place, page }, text);
  const site = await siteAround(visit, place);
  const { updatedAt, ...rest } = pageAround(visit, { ...place, page });
  // What the reader does not see may have changed.
  const around = { ...rest, ...(isAdaptive(text.markdown) ? {} : { updatedAt }) };
  const isUnlisted =
    visit.site.visibility !== 'public' ||
    isMarked('no_robots_index', outline, page) ||
    isMarked('hidden', outline, page);
  const key = keyOf([
    site,
    around,
    { ...text, content: 0, pages: 0, files: 0, specs: [...text.specs].map(([name, { version }]) => [name, version]) },
    content.snapshot.revision,
  ]);
  return () =>
    visit.instance.pageCache.get(key, async () => {
      const rendered = await renderText(visit, text);
      const hasFrames = hasDiagrams(site, rendered);
      return documentResponse(visit, pageWithText({ site, page: around, text: rendered }), { isUnlisted, hasFrames });
    });
}

/** The description of an API reference, where its overview has a link to it. */
function answerDescription(
  { spec, request, page }: PublishedReference,
  path: readonly string[],
): InstanceResponse | undefined {
  const name = descriptionFile(spec);
  if (!request.hasDownload || page.path !== '' || path.at(-1) !== name) return undefined;
  return file(`application/${name === 'openapi.json' ? 'json' : 'yaml'}; charset=utf-8`, spec.text);
}

/** A page of an API reference. */
async function answerReference(
  visit: SiteVisit,
  place: PageInSite & { page: PageRow },
  { reference, form }: { reference: PublishedReference; form: WantedPage['form'] },
): Promise<Render> {
  const { page } = place;
  const { site: siteRow, instance } = visit;
  const options = { caller: `site ${siteRow.id}`, what: `The page "${page.title}"` };
  if (form === 'markdown') {
    const { spec, request } = reference;
    return async () => {
      const input = { spec, request, paths: [reference.page.path] };
      const [markdown = ''] = await instance.texts.run('referenceMarkdowns', input, options);
      return file('text/markdown; charset=utf-8', titledMarkdown(page.title, undefined, markdown));
    };
  }
  const text = referenceTextOf(visit, place, reference);
  const site = await siteAround(visit, place);
  const around = pageAround(visit, place);
  const isUnlisted = siteRow.visibility !== 'public' || page.no_robots_index === 1;
  const key = keyOf([site, around, reference.spec.version, reference.request, text.path]);
  return () =>
    instance.pageCache.get(key, async () => {
      const rendered = await instance.texts.run('renderReference', text, options);
      return documentResponse(visit, pageWithText({ site, page: around, text: rendered }), { isUnlisted });
    });
}

interface WantedPage {
  /** Undefined where the space has no pages. */
  page: PageRow | undefined;
  form: 'html' | 'markdown' | 'feed' | 'description';
}

/** The page at a path, which may end in `.md`, in `/rss.xml` or in the name of a description. */
function pageOf(outline: Outline, pagePath: string[]): WantedPage | undefined {
  if (pagePath.length === 0) return { page: readPages(outline)[0], form: 'html' };
  const path = pagePath.join('/');
  const documentAt = (at: string) => {
    const row = outline.findByPath(at);
    return row?.type === 'document' ? row : undefined;
  };
  const page = documentAt(path);
  if (page) return { page, form: 'html' };
  const inMarkdown = path.endsWith('.md') ? documentAt(path.slice(0, -'.md'.length)) : undefined;
  if (inMarkdown) return { page: inMarkdown, form: 'markdown' };
  const inFeed = path.endsWith('/rss.xml') ? documentAt(path.slice(0, -'/rss.xml'.length)) : undefined;
  if (inFeed) return { page: inFeed, form: 'feed' };
  const [, described] = /^(.*)\/openapi\.(?:json|yaml)$/.exec(`/${path}`) ?? [];
  const inDescription = described === undefined ? undefined : documentAt(described.slice(1));
  return inDescription && { page: inDescription, form: 'description' };
}

async function emptySpace(visit: SiteVisit, place: PageInSite): Promise<InstanceResponse> {
  const site = await siteAround(visit, place);
  return documentResponse(visit, pageDocument(site, messagePage(site.title, textsOf(site.locale).emptySite)));
}

async function answerSearch(visit: SiteVisit, request: InstanceRequest): Promise<Render> {
  const query = request.query.get('q') ?? '';
  const search = await searchSite(visit, query);
  if (!isForBrowser(request)) {
    return async () => file('application/json; charset=utf-8', JSON.stringify(await search()));
  }
  const { section, siteSpace } = readPath(visit.parts, []);
  const shell = siteShell(visit, settingsOf(visit, undefined));
  const outline = siteSpace && (await publishedOutline(visit, (await publishedContent(visit, siteSpace)).snapshot));
  const site = siteSpace && outline ? await siteAround(visit, { siteSpace, section, outline, page: undefined }) : shell;
  return async () => {
    const { results } = await search();
    return documentResponse(visit, pageDocument(site, searchPage(site, query, results)), { isUnlisted: true });
  };
}

async function answerFeed(
  visit: SiteVisit,
  { siteSpace, outline, page }: PageInSite & { page: PageRow },
  text: PublishedText,
): Promise<InstanceResponse | undefined> {
  const home = absoluteAddress(visit) + addressOf(visit.parts, siteSpace);
  const href = pathAddress(home, outline.pathOf(page.page));
  const { html } = await renderText(visit, { ...text, home });
  const updates = updatesIn(html);
  if (updates.length === 0) return undefined;
  return file('application/rss+xml; charset=utf-8', rssFeed(`${page.title} – ${visit.site.title}`, href, updates));
}

const keyOf = (parts: unknown[]) =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(JSON.stringify(parts)).digest('base64');

const renderText = ({ instance, site }: SiteVisit, text: PublishedText): Promise<PublishedHtml> =>
  instance.texts.run('renderPublished', text, { caller: `site ${site.id}`, what: `The page "${text.title}"` });
