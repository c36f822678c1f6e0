import type { Site } from '../../site/model.ts';
import { prefersMarkdown } from '../../site/machine-files.ts';
import { pageDocument } from '../../site/page-document.ts';
import { gatePage, messagePage, notFoundPage, searchPage } from '../../site/templates/special-pages.ts';
import { textsOf } from '../../site/texts.ts';
import { tryDecode } from '../../shared/decode.ts';
import { escapeHtml } from '../../shared/escape-html.ts';
import { findPublishedSite } from '../../store/publications.ts';
import { opens } from '../../store/share-links.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { Db } from '../../store/store.ts';
import { DomainError, Unauthenticated } from '../engine/errors.ts';
import type { Instance } from '../engine/instance.ts';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';
import { isForBrowser, nothingHere, webPage } from '../http/web-page.ts';
import { withPrepared } from './prepared.ts';
import { answerAsset, answerFile, answerMarkdown } from './published-files.ts';
import { openSpace, type PublishedEntry, type PublishedReference, type PublishedSpace } from './published-outline.ts';
import { answerPicture } from './published-picture.ts';
import {
  answerFeed,
  answerPage,
  assetFolder,
  descriptionFile,
  documentResponse,
  fileResponse,
  publishedSite,
  searchPath,
  siteShell,
} from './published-page.ts';
import { searchSite } from './published-search.ts';
import { organizationOf, partsFor, readPath, type SiteVisit } from './published-visit.ts';
import { pathPart } from './site-address.ts';
import { readSiteParts } from './site-parts.ts';
import { keepVisitor, readVisitor, type Visitor } from './visitors.ts';

/** Answers requests for `/published/...`, if the visibility of the site allows the reader. */
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

/** Adds the hash of the body, so that a browser downloads it only once. */
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
    // A guessed address must not reveal whether the site exists.
    if (site.visibility === 'share-link' && !(await opens(db, site.id, path[0] ?? ''))) return undefined;
    if (rest.length === 0) return { status: 308, headers: { location: `${request.path}/` }, body: '' };
    return answerInSite(
      { db, instance, site, request },
      path,
      // Relative addresses also work behind a proxy.
      '../'.repeat(rest.length - 1) || './',
    );
  });
  if (typeof answer !== 'function') return answer;
  const rendered = await answer();
  // The caller may change the headers, but the cached page is shared.
  return rendered && { ...rendered, headers: { ...rendered.headers } };
}

interface SiteRequest {
  db: Db;
  instance: Instance;
  site: SiteRow;
  request: InstanceRequest;
}

/** @param home the relative address of the site from the requested page */
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

async function askToSignIn(
  { instance, site, request }: SiteRequest,
  { home, visitor }: { home: string; visitor: Visitor },
): Promise<InstanceResponse> {
  if (!isForBrowser(request)) throw new Unauthenticated('This site is only for visitors who have signed in.');
  const shell = await siteShell({ site, root: home, instance });
  const page = gatePage(shell, visitor.hasBadToken ? 'expired' : 'visitor-auth');
  return documentResponse({ instance, site }, pageDocument(shell, page), {
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** Answers a reader who may read the site. */
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
  const { siteSpace, pagePath } = readPath(visit.parts, path);
  if (!siteSpace) return pagePath.length > 0 ? undefined : nothingPublished(visit, await siteShell(visit));
  const space = await openSpace(visit, siteSpace);
  const [first] = space.contents.listed;
  const answerEntry = prefersMarkdown(request.headers.accept) ? answerMarkdown : answerPage;
  if (pagePath.length === 0)
    return first ? answerEntry(visit, space, first) : nothingPublished(visit, await publishedSite(visit, space));
  const target = findTarget(space, pagePath.join('/'));
  if (!target) {
    if (!isForBrowser(request)) return undefined;
    const site = await publishedSite(visit, space);
    return documentResponse(visit, pageDocument(site, notFoundPage(site)), { status: 404 });
  }
  const { entry, form } = target;
  switch (form) {
    case 'html':
      return answerEntry(visit, space, entry);
    case 'markdown':
      return answerMarkdown(visit, space, entry);
    case 'feed':
      return answerFeed(visit, space, entry);
    case 'picture':
      return answerPicture(visit, space, entry);
    case 'description':
      return answerDescription(visit, space.outline.references.get(entry.key), pagePath.at(-1));
  }
}

const nothingPublished = (visit: SiteVisit, site: Site): InstanceResponse =>
  documentResponse(visit, pageDocument(site, messagePage(site.title, textsOf(site.locale).emptySite)));

interface Target {
  entry: PublishedEntry;
  form: 'html' | 'markdown' | 'feed' | 'picture' | 'description';
}

/** Finds the page at a path, which may end with `.md`, `/rss.xml`, `/social.png` or the file name of a description. */
function findTarget({ outline, contents }: PublishedSpace, path: string): Target | undefined {
  const endings = [
    ['html', /$/],
    ['markdown', /\.md$/],
    ['feed', /\/rss\.xml$/],
    ['picture', /\/social\.png$/],
    ['description', /(?:^|\/)openapi\.(?:json|yaml)$/],
  ] as const;
  for (const [form, ending] of endings) {
    const row = ending.test(path) ? outline.findByPath(path.replace(ending, '')) : undefined;
    const entry = row?.type === 'document' ? contents.find(row.page) : undefined;
    if (entry) return { entry, form };
  }
  return undefined;
}

/** The description of an API reference, if the overview links to it: as it was published, or in the other format. */
async function answerDescription(
  { instance, site }: SiteVisit,
  reference: PublishedReference | undefined,
  name: string | undefined,
): Promise<InstanceResponse | undefined> {
  if (!reference?.request.hasDownload || reference.page.path !== '') return undefined;
  const { spec } = reference;
  const format = name === 'openapi.json' ? 'json' : 'yaml';
  const options = { caller: `site ${site.id}`, what: `The description "${spec.slug}"` };
  const text =
    name === descriptionFile(spec)
      ? spec.text
      : await instance.texts.run('convertDescription', { spec, format }, options);
  return fileResponse(`application/${format}; charset=utf-8`, text);
}

async function answerSearch(visit: SiteVisit, request: InstanceRequest): Promise<Render> {
  const query = request.query.get('q') ?? '';
  const answer = await searchSite(visit, request, query);
  if (!isForBrowser(request))
    return async () => fileResponse('application/json; charset=utf-8', JSON.stringify(answer));
  const { siteSpace } = readPath(visit.parts, []);
  const site = siteSpace ? await publishedSite(visit, await openSpace(visit, siteSpace)) : await siteShell(visit);
  return async () => documentResponse(visit, pageDocument(site, searchPage(site, query, answer)), { isUnlisted: true });
}
