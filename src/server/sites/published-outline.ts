import { latestLayouts, readLayout } from '../../content/folder/layout.ts';
import { uniqueSlug } from '../../content/markdown/slug.ts';
import { readReferenceRequest, type ReferenceRequest } from '../../site/reference/mounted.ts';
import { allPages, type PageRow } from '../../store/content.ts';
import { allFiles, findDownload } from '../../store/files.ts';
import { findSpecBySlug, findSpecBySource, findVersion } from '../../store/openapi.ts';
import type { Snapshot } from '../../store/snapshots.ts';
import { Outline } from '../content/pages/outline.ts';
import { extraOf } from '../content/pages/page-extra.ts';
import { DomainError } from '../engine/errors.ts';
import { Prepared } from './prepared.ts';
import type { AskedReference } from '../../site/reference/asked.ts';
import type { ListedReferencePage } from './published-references.ts';
import type { PublishedSpec } from './published-specs.ts';
import type { SiteVisit } from './published-visit.ts';
import type { Db } from '../../store/store.ts';
import type { Instance } from '../engine/instance.ts';

/** A page of an API reference that a site shows. */
export interface PublishedReference {
  request: ReferenceRequest;
  spec: PublishedSpec;
  page: ListedReferencePage;
  /** Ids of the pages of the same reference, by their paths in it. */
  ids: ReadonlyMap<string, string>;
}

/** The pages of a space as a site shows them: with those of its API references. */
export class PublishedOutline extends Outline {
  /** By the ids of the pages. */
  readonly references: ReadonlyMap<string, PublishedReference>;

  constructor(pages: readonly PageRow[], references: ReadonlyMap<string, PublishedReference>) {
    super(pages);
    this.references = references;
  }
}

/** Who reads an outline with its references. */
export interface OutlineReader {
  db: Db;
  instance: Instance;
  /** The organization of the specifications. */
  organization: string;
  /** Whose turn it takes in the text threads. */
  caller: string;
}

/** @throws NotPrepared */
export const publishedOutline = ({ db, instance, site }: SiteVisit, snapshot: Snapshot): Promise<PublishedOutline> =>
  outlineWithReferences({ db, instance, organization: site.organization, caller: `site ${site.id}` }, snapshot);

/** @throws NotPrepared */
export async function outlineWithReferences(reader: OutlineReader, snapshot: Snapshot): Promise<PublishedOutline> {
  const rows = await allPages(reader.db, snapshot);
  const references = new Map<string, PublishedReference>();
  const added: PageRow[] = [];
  for (const [base, request] of await requestsIn(reader, snapshot, rows)) {
    const spec = await latestVersion(reader, request.spec);
    if (!spec) continue;
    const key = `${spec.version} ${request.hasSchemas} ${request.hasPagePerOperation}`;
    const pages = lists.get(key, () => listPages(reader, spec, request));
    const placed = placePages(base, rows, pages);
    const ids = new Map(placed.map(({ page, row }) => [page.path, row.page]));
    for (const { page, row } of placed) {
      added.push(row);
      references.set(row.page, { request, spec, page, ids });
    }
  }
  return new PublishedOutline(added.length === 0 ? rows : [...rows, ...added], references);
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

/** Which references a space asks for, by the page under or at which they stand. */
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
const maxLayoutBytes = 8 * 1024 * 1024;

/** The references that `SUMMARY.md` of the folder asks for that was pushed to the space. */
async function askedInSummary(reader: OutlineReader, snapshot: Snapshot): Promise<readonly AskedReference[]> {
  const { db, instance, caller } = reader;
  const [layout] = latestLayouts(await allFiles(db, snapshot));
  if (!layout) return [];
  const text = summaryTexts.get(layout.file) ?? (await readSummaryText(reader, layout.file));
  summaryTexts.set(layout.file, text);
  const [oldest] = summaryTexts.keys();
  if (summaryTexts.size > 200 && oldest !== undefined) summaryTexts.delete(oldest);
  if (text === '') return [];
  const options = { caller, what: 'The table of contents' };
  return summaries.get(layout.file, () => instance.texts.run('askedReferences', text, options));
}

/** Those that ask for references, by the files of layouts: these never change. */
const summaryTexts = new Map<string, string>();

async function readSummaryText({ db }: OutlineReader, file: string): Promise<string> {
  const { summary } = readLayout((await findDownload(db, file))?.bytes, maxLayoutBytes);
  return summary?.text.includes('builtin:openapi') ? summary.text : '';
}

/** The page or the group that an entry of the table of contents has become. */
function rowOf({ kind, title, path }: Omit<AskedReference, 'request'>, outline: Outline): PageRow | undefined {
  const byPath = path === undefined ? undefined : outline.findByPath(path);
  if (byPath) return byPath;
  const type = kind === 'group' ? 'group' : 'document';
  const titled = outline.rows.filter((row) => row.type === type && row.title === title);
  return titled.length === 1 ? titled[0] : undefined;
}

/** Rows for the pages of a reference, in their order below the page that asks for them. */
function placePages(base: PageRow, rows: readonly PageRow[], pages: readonly ListedReferencePage[]) {
  // A computed page stands for its pages, which are in its place.
  const above = base.type === 'computed' ? base.parent : base.page;
  const taken = new Set(rows.filter(({ parent }) => parent === above).map(({ slug }) => slug));
  const idOf = (path: string) => `${base.page}~${path}`;
  return pages.map((page, index) => {
    const isTop = page.parent === undefined;
    const slug = isTop ? uniqueSlug(page.slug, taken) : page.slug;
    if (isTop) taken.add(slug);
    const row: PageRow = {
      ...base,
      page: idOf(page.path),
      parent: page.parent === undefined ? above : idOf(page.parent),
      position: `${base.type === 'computed' ? base.position : '~'}~${String(index).padStart(6, '0')}`,
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
