import { isVariables } from '../../content/blocks/variables.ts';
import { ContentLinks } from '../../content/markdown/content-links.ts';
import { latestLayouts, readLayout } from '../../content/folder/layout.ts';
import { isOwnFile } from '../../content/folder/file-names.ts';
import type { DocumentPage, Page } from '../../contract/pages.ts';
import type { Reference } from '../../openapi/reference/index.ts';
import type { AskedReference } from '../reference/asked.ts';
import {
  type MountedPage,
  mountedPages,
  placeReference,
  readReferenceRequest,
  type ReferenceRequest,
} from '../reference/mounted.ts';
import { pagesById } from '../../change-requests/compare-content.ts';
import type { Side } from '../../change-requests/read-sides.ts';
import type { RemoteSpecs } from './remote-specs.ts';

/** A page of an API reference that a space shows. */
export interface RemoteReference {
  reference: Reference;
  request: ReferenceRequest;
  page: MountedPage;
  /** Ids of the pages of the same reference, by their paths in it. */
  ids: ReadonlyMap<string, string>;
}

/** A content of a space, with everything that its pages use. */
export interface RemoteContent {
  /** Its pages include those of references. */
  side: Side;
  links: ContentLinks;
  /** By the IDs of the pages. */
  references: ReadonlyMap<string, RemoteReference>;
  specs: RemoteSpecs;
  /** YAML of the space's variables. */
  variables: string | undefined;
  fileText(id: string): Promise<string | undefined>;
}

interface ContentOptions {
  specs: RemoteSpecs;
  bytesOf(id: string): Promise<{ bytes: Uint8Array } | undefined>;
}

/** Layouts of 10,000 pages are smaller. */
const maxLayoutBytes = 8 * 1024 * 1024;

/** Reads everything that all pages of a content need. */
export async function openContent(side: Side, { specs, bytesOf }: ContentOptions): Promise<RemoteContent> {
  const { pages, files } = side.revision;
  const fileText = async (id: string) => {
    const file = await bytesOf(id);
    return file && new TextDecoder().decode(file.bytes);
  };
  const [latest] = latestLayouts(files);
  const layout = latest && readLayout((await bytesOf(latest.id))?.bytes, maxLayoutBytes);
  const mounts = new Map<string, RemoteReference>();
  const extended = await new ReferencePages(specs, await askedIn(layout?.summary?.text), mounts).among(pages);
  const shown = files.filter(({ name }) => !isOwnFile(name));
  const variables = shown.find(({ name }) => isVariables(layout?.files.get(name) ?? name));
  const documents = [...pagesById(extended).values()].flatMap(({ page }) =>
    page.type === 'document' ? [{ id: page.id, path: page.path }] : [],
  );
  // A file that was pushed again has different names in the content and in the folder.
  const renamed = shown.flatMap(({ id, name }) => {
    const path = layout?.files.get(name);
    return path === undefined ? [] : [{ id, name: path }];
  });
  return {
    side: { ...side, revision: { ...side.revision, pages: extended, files: shown } },
    links: new ContentLinks({ pages: documents, files: [...renamed, ...shown] }),
    references: mounts,
    specs,
    variables: variables && (await fileText(variables.id)),
    fileText,
  };
}

/** The references in `SUMMARY.md` of the folder that was pushed to the space. */
async function askedIn(summary: string | undefined): Promise<AskedReference[]> {
  if (!summary?.includes('builtin:openapi')) return [];
  const { askedReferences } = await import('../reference/asked.ts');
  return askedReferences(summary);
}

/** Adds the pages of references to those of a space. */
class ReferencePages {
  readonly #specs: RemoteSpecs;
  readonly #asked: readonly AskedReference[];
  readonly #mounts: Map<string, RemoteReference>;

  constructor(specs: RemoteSpecs, asked: readonly AskedReference[], mounts: Map<string, RemoteReference>) {
    this.#specs = specs;
    this.#asked = asked;
    this.#mounts = mounts;
  }

  async among(pages: readonly Page[], above = ''): Promise<Page[]> {
    const all: Page[] = [];
    const taken = new Set(pages.flatMap((page) => ('slug' in page ? [page.slug] : [])));
    for (const page of pages) {
      if (page.type === 'computed') {
        // The pages of a computed page take its place.
        const request = readReferenceRequest(page.computed);
        all.push(...(request ? await this.#pagesOf(request, { id: page.id, path: above, taken }) : [page]));
      } else all.push('pages' in page ? await this.#withReference(page) : page);
    }
    return all;
  }

  async #withReference<P extends Extract<Page, { pages: Page[] }>>(page: P): Promise<P> {
    const below = await this.among(page.pages, page.path);
    const asked = this.#asked.find((entry) => isAt(entry, page));
    if (!asked) return { ...page, pages: below };
    const taken = new Set(below.flatMap((each) => ('slug' in each ? [each.slug] : [])));
    const made = await this.#pagesOf(asked.request, { id: page.id, path: page.path, taken });
    return { ...page, pages: [...below, ...made] };
  }

  async #pagesOf(request: ReferenceRequest, base: Base): Promise<DocumentPage[]> {
    const reference = await this.#specs.reference(request.spec);
    if (!reference) return [];
    const placed = placeReference(mountedPages(reference, request), base.path, base.taken);
    const idOf = (path: string) => `${base.id}~${path}`;
    const ids = new Map(placed.map(({ page }) => [page.path, idOf(page.path)]));
    const documents = new Map<string | undefined, DocumentPage>();
    for (const { page, slug, path } of placed) {
      const id = idOf(page.path);
      const document = { ...documentPage(page), id, slug, path, pages: [] };
      this.#mounts.set(id, { reference, request, page, ids });
      documents.set(page.path, document);
      documents.get(page.parent)?.pages.push(document);
    }
    return placed.flatMap(({ page }) => (page.parent === undefined ? (documents.get(page.path) ?? []) : []));
  }
}

/** The place of a reference. */
interface Base {
  id: string;
  path: string;
  /** The slugs of its siblings. */
  taken: Set<string>;
}

const isAt = ({ kind, title, path }: AskedReference, page: Extract<Page, { pages: Page[] }>): boolean =>
  path !== undefined && page.type === 'document'
    ? page.path === path
    : page.title === title && page.type === (kind === 'group' ? 'group' : 'document');

const documentPage = ({ path, title }: MountedPage) => ({
  type: 'document' as const,
  title,
  urls: { app: '' },
  layout: {
    cover: true,
    coverSize: 'hero' as const,
    title: true,
    description: true,
    tableOfContents: true,
    // The operations of other pages are in the table of contents.
    outline: path === '',
    pagination: true,
  },
});
