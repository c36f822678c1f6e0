import { namedFonts } from '../../content/fonts/installed.ts';
import type { PdfFinding } from '../../content/pdf/findings.ts';
import { type PdfOptions, type PdfPage, writePdf } from '../../content/pdf/pdf.ts';
import { readVariables } from '../../content/blocks/variables.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import type { Page } from '../../contract/pages.ts';
import { spaces } from '../../contract/spaces.ts';
import { currentMain, readSides } from '../../change-requests/read-sides.ts';
import type { Client } from '../../client/client.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { blockDescriber, textOfReference } from '../reference/printed.ts';
import { RemoteFiles, type ServicePort } from './open-remote.ts';
import { openContent, type RemoteContent } from './remote-content.ts';
import { RemoteSpecs } from './remote-specs.ts';

export interface SpacePdf {
  spaceId: string;
  /** A change request of the space; by default the main content. */
  request?: string | undefined;
  /** The ID, path or title of a page. By default, all pages are printed. */
  page?: string | undefined;
  /** Whether the pages below the page are left out. */
  only?: boolean | undefined;
  /** Files of fonts. */
  fonts?: readonly string[];
}

/**
 * Draws the pages of a space as a PDF.
 *
 * @param write receives the file in pieces
 * @returns what could not be drawn as intended
 * @throws EngineError if there is no such page
 */
export async function writeSpacePdf(
  port: ServicePort & { onPage(title: string): void },
  { spaceId, request, page, only = false, fonts = [] }: SpacePdf,
  write: (bytes: Uint8Array) => void,
): Promise<PdfFinding[]> {
  const { client, download } = port;
  const space = await client.call(spaces.view, { params: { spaceId } });
  const side = await sideOf(client, space.id, request);
  const files = new RemoteFiles(download);
  files.add(side.revision.files);
  const specs = new RemoteSpecs(client, space.organization);
  const content = await openContent(side, { specs, bytesOf: (id) => files.bytesOf(id) });
  const all = outlineOf(content.side.revision.pages);
  const printed = page === undefined ? all : selected(all, page, only);
  const [first] = printed;
  return writePdf(
    printed.map(({ depth, ...each }) => ({ ...each, depth: depth - (first?.depth ?? 0) })),
    {
      title: page === undefined || !first ? space.title : first.title,
      date: new Date(side.revision.createdAt),
      fonts: { named: namedFonts(fonts) },
      onPage: ({ title }) => port.onPage(title),
      ...textsOf(content, specs),
      ...linksOf(content, { printed, app: space.urls.app }),
      image: async (file) => (await files.bytesOf(file))?.bytes,
    },
    write,
  );
}

async function sideOf(client: Client, spaceId: string, request: string | undefined) {
  if (request === undefined) return currentMain(client, spaceId);
  const params = { spaceId, changeRequestId: request };
  return (await readSides(client, spaceId, await client.call(changeRequests.view, { params }))).after;
}

interface PrintedPage extends PdfPage {
  /** Undefined for a group. */
  path: string | undefined;
}

/** Groups and documents, depth first. */
function outlineOf(pages: readonly Page[], depth = 0): PrintedPage[] {
  return pages.flatMap((page): PrintedPage[] => {
    if (page.type !== 'document' && page.type !== 'group') return [];
    const { id, title } = page;
    const description = page.type === 'document' ? page.description : undefined;
    return [
      { id, title, depth, path: page.path, ...(description && { description }) },
      ...outlineOf(page.pages, depth + 1),
    ];
  });
}

function selected(pages: readonly PrintedPage[], name: string, only: boolean): PrintedPage[] {
  const path = name.replace(/^\/|\/$/g, '');
  const keys: ((page: PrintedPage) => boolean)[] = [
    ({ id }) => id === name,
    (page) => page.path === path,
    ({ title }) => title === name,
  ];
  const matches = keys.map((is) => pages.filter(is)).find(({ length }) => length > 0) ?? [];
  const [top, ...others] = matches;
  if (!top || others.length > 0) {
    const what = top ? `has ${matches.length} pages with the title` : 'has no page';
    throw new EngineError(top ? 'usage' : 'notFound', `The space ${what} "${name}".`, {
      hint: 'List the pages and their IDs: docsctl content pages list',
    });
  }
  if (only) return [top];
  const start = pages.indexOf(top);
  const end = pages.findIndex(({ depth }, index) => index > start && depth <= top.depth);
  return pages.slice(start, end === -1 ? undefined : end);
}

/** The texts of pages, with what they show of specifications, includes and variables. */
function textsOf(
  { side, references, links, variables, fileText }: RemoteContent,
  specs: RemoteSpecs,
): Pick<PdfOptions, 'text' | 'openapi' | 'include' | 'values'> {
  const printed = { get: (name: string) => specs.reference(name) };
  const documents = new Set(documentsIn(side.revision.pages));
  return {
    text(page) {
      const reference = references.get(page);
      if (reference) return textOfReference(printed, { request: reference.request, path: reference.page.path });
      return documents.has(page) ? side.textOf(page) : '';
    },
    openapi: async (markdown, page) => (references.has(page) ? undefined : blockDescriber(markdown, printed)),
    include: async (path, page) => {
      const target = links.resolve(path, page);
      return target.kind === 'file' ? fileText(target.file) : undefined;
    },
    values: () => ({
      space: { vars: readVariables('', variables).space },
      visitor: { claims: { unsigned: {} } },
    }),
  };
}

/** The IDs of pages that have a text. */
const documentsIn = (pages: readonly Page[]): string[] =>
  pages.flatMap((page) => [
    ...(page.type === 'document' && page.documentId !== undefined ? [page.id] : []),
    ...('pages' in page ? documentsIn(page.pages) : []),
  ]);

function linksOf(
  { side, links }: RemoteContent,
  { printed, app }: { printed: readonly PrintedPage[]; app: string },
): Pick<PdfOptions, 'resolve' | 'address' | 'imageName'> {
  const ids = new Set(printed.map(({ id }) => id));
  const paths = new Map(outlineOf(side.revision.pages).map(({ id, path }) => [id, path]));
  const files = new Map(side.revision.files.map(({ id, downloadURL }) => [id, downloadURL]));
  return {
    resolve(url, page) {
      const target = links.resolve(url, page);
      if (target.kind === 'anchor') return { page, anchor: target.anchor };
      return target.kind === 'page' && ids.has(target.page) ? target : undefined;
    },
    address(url, page) {
      const target = links.resolve(url, page);
      if (target.kind === 'external') return url;
      if (target.kind === 'file') return files.get(target.file);
      const path = target.kind === 'page' ? paths.get(target.page) : undefined;
      return path === undefined ? undefined : `${app}/${path.split('/').map(encodeURIComponent).join('/')}`;
    },
    imageName(url, page) {
      const target = links.resolve(url, page);
      return target.kind === 'file' ? target.file : undefined;
    },
  };
}
