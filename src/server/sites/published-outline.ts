import { latestLayouts, readLayout } from '../../content/folder/layout.ts';
import { LruCache } from '../../shared/lru-cache.ts';
import { Contents, type ContentsPage, type HrefOf } from '../../site/contents.ts';
import type { AskedReference } from '../../site/reference/asked.ts';
import { placeReference, readReferenceRequest, type ReferenceRequest } from '../../site/reference/mounted.ts';
import { allPages, type PageRow } from '../../store/content.ts';
import { allFiles, findDownload } from '../../store/files.ts';
import { findSpace } from '../../store/lookups.ts';
import { findSpecBySlug, findSpecBySource, findVersion } from '../../store/openapi.ts';
import type { SiteSpaceRow } from '../../store/site-spaces.ts';
import type { Snapshot } from '../../store/snapshots.ts';
import type { Db } from '../../store/store.ts';
import { type Content, mainContent } from '../content/find-content.ts';
import { Outline } from '../content/pages/outline.ts';
import { extraOf } from '../content/pages/page-extra.ts';
import { DomainError } from '../engine/errors.ts';
import type { Instance } from '../engine/instance.ts';
import { Prepared } from './prepared.ts';
import type { ListedReferencePage, PublishedSpec } from './published-openapi.ts';
import { pathAddress } from './published-text.ts';
import { addressOf, type SiteVisit } from './published-visit.ts';

/** A space of a site, with the pages that the site shows. */
export interface PublishedSpace {
  siteSpace: SiteSpaceRow;
  content: Content;
  outline: PublishedOutline;
  /** The address before the paths of its pages. */
  home: string;
  contents: Contents<PublishedEntry>;
  hrefOf: HrefOf<PublishedEntry>;
}

export interface PublishedEntry extends ContentsPage {
  row: PageRow;
}

/** @param root the address of the site @throws NotPrepared */
export async function openSpace(
  { db, instance, org, site, parts, root: relativeRoot }: SiteVisit,
  siteSpace: SiteSpaceRow,
  root = relativeRoot,
): Promise<PublishedSpace> {
  const space = await findSpace(db, siteSpace.space);
  if (!space) throw new Error(`The site ${site.id} has no space ${siteSpace.space}.`);
  const objects = { org, space: { ...space, level: 'read' as const } };
  const content = await mainContent({ db, base: instance.base, objects });
  const reader = { db, instance, organization: site.organization, caller: `site ${site.id}` };
  const outline = await outlineWithReferences(reader, content.snapshot);
  const home = root + addressOf(parts, siteSpace);
  return {
    siteSpace,
    content,
    outline,
    home,
    contents: new Contents(outline.rows.flatMap((row) => entryOf(row, outline, home) ?? [])),
    hrefOf: ({ key }, anchor) =>
      pathAddress(home, outline.pathOf(key)) + (anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`),
  };
}

function entryOf(row: PageRow, outline: PublishedOutline, home: string): PublishedEntry | undefined {
  const { page: key, parent, type, title } = row;
  if (type === 'computed') return undefined;
  const reference = outline.references.get(key)?.page;
  return {
    key,
    parent,
    row,
    type,
    title,
    description: row.description ?? undefined,
    icon: row.icon ?? undefined,
    emoji: row.emoji ?? undefined,
    href: type === 'link' ? linkOf(row, outline, home) : undefined,
    hidden: row.hidden === 1,
    noIndex: row.no_index === 1,
    noRobotsIndex: row.no_robots_index === 1,
    reference,
    badge: reference?.badge,
  };
}

function linkOf(row: PageRow, outline: Outline, home: string): string | undefined {
  const { href, target } = extraOf(row);
  if (target?.kind === 'page' && target.space === undefined && outline.find(target.page))
    return pathAddress(home, outline.pathOf(target.page));
  const url = target?.kind === 'url' ? target.url : href;
  return url !== undefined && /^(?:https?|mailto|tel):/i.test(url) ? url : undefined;
}

/** A page of an API reference that a site shows. */
export interface PublishedReference {
  request: ReferenceRequest;
  spec: PublishedSpec;
  page: ListedReferencePage;
  /** IDs of the pages of the same reference, by their paths in it. */
  ids: ReadonlyMap<string, string>;
}

/** The pages of a space, including those of its API references. */
export class PublishedOutline extends Outline {
  /** By the IDs of the pages. */
  readonly references: ReadonlyMap<string, PublishedReference>;

  constructor(pages: readonly PageRow[], references: ReadonlyMap<string, PublishedReference>) {
    super(pages);
    this.references = references;
  }
}

interface OutlineReader {
  db: Db;
  instance: Instance;
  /** The organization of the specifications. */
  organization: string;
  /** Callers take turns in the text threads. */
  caller: string;
}

/** @throws NotPrepared */
export async function outlineWithReferences(reader: OutlineReader, snapshot: Snapshot): Promise<PublishedOutline> {
  const rows = await allPages(reader.db, snapshot);
  const references = new Map<string, PublishedReference>();
  const added: PageRow[] = [];
  for (const [base, request] of await requestsIn(reader, snapshot, rows)) {
    const spec = await latestVersion(reader, request.spec);
    if (!spec) continue;
    const key = `${spec.version} ${request.hasSchemas} ${request.hasPagePerOperation}`;
    const pages = lists.getPrepared(key, () => listPages(reader, spec, request));
    const placed = placePages(base, rows, pages);
    const ids = new Map(placed.map(({ page, row }) => [page.path, row.page]));
    for (const { page, row } of placed) {
      added.push(row);
      references.set(row.page, { request, spec, page, ids });
    }
  }
  return new PublishedOutline([...rows, ...added], references);
}

const lists = new Prepared<readonly ListedReferencePage[]>(50);

async function listPages(
  { instance, caller }: OutlineReader,
  spec: PublishedSpec,
  request: ReferenceRequest,
): Promise<readonly ListedReferencePage[]> {
  const options = { caller, what: `The specification "${spec.slug}"` };
  try {
    return await instance.texts.run('listReference', { spec, request }, options);
  } catch (error) {
    // The other pages of the site are shown without it.
    if (error instanceof DomainError && error.reason === 'too-complex') return [];
    throw error;
  }
}

/** @param name the slug of a specification, or the address that it is published from */
export async function latestVersion(
  { db, organization }: Pick<OutlineReader, 'db' | 'organization'>,
  name: string,
): Promise<PublishedSpec | undefined> {
  const spec = (await findSpecBySlug(db, organization, name)) ?? (await findSpecBySource(db, organization, name));
  const version = spec?.last_version ? await findVersion(db, spec.id, spec.last_version) : undefined;
  return version && spec && { slug: spec.slug, version: version.id, text: version.text };
}

/** The references of a space, by the page that they are below, or whose place they take. */
async function requestsIn(
  reader: OutlineReader,
  snapshot: Snapshot,
  rows: readonly PageRow[],
): Promise<Map<PageRow, ReferenceRequest>> {
  const requests = new Map<PageRow, ReferenceRequest>();
  for (const row of rows) {
    const request = row.type === 'computed' ? readReferenceRequest(extraOf(row).computed) : undefined;
    if (request) requests.set(row, request);
  }
  const asked = await askedInSummary(reader, snapshot);
  if (asked.length === 0) return requests;
  const outline = new Outline(rows);
  for (const { request, ...entry } of asked) {
    const row = rowOf(entry, outline);
    if (row) requests.set(row, request);
  }
  return requests;
}

const summaries = new Prepared<readonly AskedReference[]>(200);
/** Summaries with references, else "", by the files of layouts, which never change. */
const summaryTexts = new LruCache<string>(200);
const maxLayoutBytes = 8 * 1024 * 1024;

/** The references in `SUMMARY.md` of the folder that was pushed to the space. */
async function askedInSummary(
  { db, instance, caller }: OutlineReader,
  snapshot: Snapshot,
): Promise<readonly AskedReference[]> {
  const [layout] = latestLayouts(await allFiles(db, snapshot));
  if (!layout) return [];
  const text = summaryTexts.get(layout.file) ?? (await readSummary(db, layout.file));
  summaryTexts.set(layout.file, text);
  if (text === '') return [];
  const options = { caller, what: 'The table of contents' };
  return summaries.getPrepared(layout.file, () => instance.texts.run('askedReferences', text, options));
}

async function readSummary(db: Db, file: string): Promise<string> {
  const { summary } = readLayout((await findDownload(db, file))?.bytes, maxLayoutBytes);
  return summary?.text.includes('builtin:openapi') ? summary.text : '';
}

/** The page or group that belongs to an entry of the table of contents. */
function rowOf({ kind, title, path }: Omit<AskedReference, 'request'>, outline: Outline): PageRow | undefined {
  const byPath = path === undefined ? undefined : outline.findByPath(path);
  if (byPath) return byPath;
  const type = kind === 'group' ? 'group' : 'document';
  const titled = outline.rows.filter((row) => row.type === type && row.title === title);
  return titled.length === 1 ? titled[0] : undefined;
}

/** Rows for the pages of a reference, which are sorted after the other pages below `base`. */
function placePages(base: PageRow, rows: readonly PageRow[], pages: readonly ListedReferencePage[]) {
  // The pages of a computed page take its place.
  const isComputed = base.type === 'computed';
  const above = isComputed ? base.parent : base.page;
  const taken = new Set(rows.filter(({ parent }) => parent === above).map(({ slug }) => slug));
  const idOf = (path: string) => `${base.page}~${path}`;
  // The outline computes the paths.
  return placeReference(pages, '', taken).map(({ page, slug }, index) => {
    const row: PageRow = {
      ...base,
      page: idOf(page.path),
      parent: page.parent === undefined ? above : idOf(page.parent),
      position: `${isComputed ? base.position : '~'}~${String(index).padStart(6, '0')}`,
      type: 'document',
      title: page.title,
      slug,
      description: null,
      icon: null,
      emoji: null,
      document: null,
      extra: null,
    };
    return { page, row };
  });
}
