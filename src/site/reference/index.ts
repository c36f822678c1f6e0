import type { Element, ElementContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { element, text } from '../../content/html/content.ts';
import type { OpenApiBlock } from '../../content/html/page-source.ts';
import { guard } from '../../content/html/safe-html.ts';
import type { NamedSchema, Operation, OperationGroup, Reference } from '../../openapi/reference/index.ts';
import type { NavigationItem, SiteLink, SitePage } from '../model.ts';
import { drawOperation } from './draw-operation.ts';
import { drawGroup, drawOverview, drawSchemaList, drawSchemaPage } from './draw-pages.ts';
import { drawSchema } from './draw-schema.ts';
import { DrawTools, type Highlight, isPageOfItsOwn, type ReferenceAddresses } from './tools.ts';

export { Reference } from '../../openapi/reference/index.ts';
export type { ReferenceAddresses } from './tools.ts';

/** A page of a reference. Its path is relative to the reference, without slashes at its ends; "" is the overview. */
export type ReferencePage = { path: string; title: string } & (
  | { kind: 'overview' | 'schemas' }
  | { kind: 'group'; group: OperationGroup }
  | { kind: 'operation'; operation: Operation }
  | { kind: 'schema'; schema: NamedSchema }
);

export interface DrawOptions {
  /** Whether operations have a form that sends them. */
  hasTryIt?: boolean | undefined;
}

/** All pages of a reference, in the order in which one reads them. */
export function referencePages(reference: Reference): ReferencePage[] {
  const pages: ReferencePage[] = [{ kind: 'overview', path: '', title: reference.title }];
  for (const group of reference.groups) {
    pages.push({ kind: 'group', path: group.slug, title: group.title, group });
    for (const operation of group.operations) {
      if (operation.group === group && isPageOfItsOwn(operation)) pages.push(operationPage(operation));
    }
  }
  if (reference.schemas.size > 0) pages.push({ kind: 'schemas', path: 'schemas', title: 'Schemas' });
  for (const schema of reference.schemas.values()) {
    pages.push({ kind: 'schema', path: `schemas/${schema.slug}`, title: schema.name, schema });
  }
  return pages;
}

const operationPage = (operation: Operation): ReferencePage => ({
  kind: 'operation',
  path: `${operation.group.slug}/${operation.anchor}`,
  title: operation.title,
  operation,
});

/** The page at a path, without slashes at its ends. */
export function findReferencePage(reference: Reference, path: string): ReferencePage | undefined {
  return pagesOf(reference).get(path);
}

const pagesByPath = new WeakMap<Reference, Map<string, ReferencePage>>();

function pagesOf(reference: Reference): Map<string, ReferencePage> {
  let pages = pagesByPath.get(reference);
  if (!pages) {
    pages = new Map(referencePages(reference).map((page) => [page.path, page]));
    pagesByPath.set(reference, pages);
  }
  return pages;
}

/** A page with what is to be known of it, but for the site around it. */
export async function drawReferencePage(
  reference: Reference,
  page: ReferencePage,
  addresses: ReferenceAddresses,
  options: DrawOptions = {},
): Promise<SitePage> {
  const tools = new DrawTools(reference, addresses, { highlight: await loadHighlight(), ...options });
  const children = drawPage(tools, page);
  const tree = { type: 'root' as const, children };
  guard(tree);
  return {
    title: page.title,
    html: toHtml(tree),
    headings: tools.headings,
    breadcrumbs: breadcrumbsOf(reference, page, addresses),
    ...neighbours(reference, page, addresses),
    layout: { outline: page.kind === 'overview' },
  };
}

/** Loads the colours of code, which blocks in pages are drawn with too. */
export const loadHighlight = async (): Promise<Highlight> =>
  (await import('../../content/html/code-colors.ts')).highlight;

function drawPage(tools: DrawTools, page: ReferencePage): ElementContent[] {
  switch (page.kind) {
    case 'overview':
      return drawOverview(tools);
    case 'group':
      return drawGroup(tools, page.group);
    case 'operation':
      return [drawOperation(tools, page.operation, { level: undefined, hasColumns: true })];
    case 'schemas':
      return drawSchemaList(tools);
    case 'schema':
      return drawSchemaPage(tools, page.schema);
  }
}

function breadcrumbsOf(reference: Reference, page: ReferencePage, addresses: ReferenceAddresses): SiteLink[] {
  if (page.kind === 'overview') return [];
  const overview = { title: reference.title, href: addresses.page('') };
  if (page.kind === 'schema') return [overview, { title: 'Schemas', href: addresses.page('schemas') }];
  if (page.kind !== 'operation') return [overview];
  const { group } = page.operation;
  return [overview, { title: group.title, href: addresses.page(group.slug) }];
}

function neighbours(
  reference: Reference,
  page: ReferencePage,
  addresses: ReferenceAddresses,
): Pick<SitePage, 'previous' | 'next'> {
  const pages = [...pagesOf(reference).values()];
  const index = pages.findIndex(({ path }) => path === page.path);
  const linkTo = (other: ReferencePage | undefined) =>
    other && { title: other.title, href: addresses.page(other.path) };
  return { previous: linkTo(index > 0 ? pages[index - 1] : undefined), next: linkTo(pages[index + 1]) };
}

/** The table of contents of a reference: tags with their operations, and schemas. */
export function referenceNavigation(
  reference: Reference,
  current: ReferencePage,
  addresses: ReferenceAddresses,
): NavigationItem[] {
  const item = (path: string, title: string, more: Partial<NavigationItem> = {}): NavigationItem => ({
    kind: 'page', title, href: addresses.page(path), isCurrent: path === current.path, isOpen: false, children: [], ...more,
  }); // prettier-ignore
  const groups = reference.groups.map((group) => {
    const children = group.operations.map((operation): NavigationItem => ({
      kind: 'page',
      title: operation.title,
      href: isPageOfItsOwn(operation)
        ? addresses.page(`${operation.group.slug}/${operation.anchor}`)
        : addresses.page(operation.group.slug, operation.anchor),
      badge: operation.method.toUpperCase(),
      isCurrent: current.kind === 'operation' && current.operation === operation,
      isOpen: false,
      children: [],
    }));
    const isOpen = children.some(({ isCurrent }) => isCurrent);
    return item(group.slug, group.title, { children, isOpen });
  });
  const schemas = [...reference.schemas.values()].map(({ name, slug }) => item(`schemas/${slug}`, name));
  const list = item('schemas', 'Schemas', { children: schemas, isOpen: current.kind === 'schema' });
  return [item('', 'Overview'), ...groups, ...(schemas.length > 0 ? [list] : [])];
}

/** What a block in the text of a page shows; undefined: there is no such operation or schema. */
export function drawReferenceBlock(
  reference: Reference,
  block: OpenApiBlock,
  highlight: Highlight | undefined,
  addresses: ReferenceAddresses = { page: () => undefined },
): Element | undefined {
  const tools = new DrawTools(reference, addresses, { highlight });
  const { attributes } = block;
  if (block.kind === 'schemas') return drawSchemasBlock(tools, block);
  const kind = block.kind === 'webhook' ? 'webhook' : 'operation';
  const path = (kind === 'webhook' ? (attributes['webhook'] ?? attributes['name'] ?? block.path) : block.path) ?? '';
  const operation = reference.find(kind, path, block.method);
  if (!operation) return undefined;
  const drawn = drawOperation(tools, operation, { level: 2, hasColumns: false });
  drawn.properties['className'] = ['api-operation', 'api-block'];
  return drawn;
}

function drawSchemasBlock(tools: DrawTools, { schemas, attributes }: OpenApiBlock): Element | undefined {
  const names = schemas.length > 0 ? schemas : [...tools.reference.schemas.keys()];
  const found = names.flatMap((name) => tools.reference.schemas.get(name) ?? []);
  if (found.length === 0 || found.length < schemas.length) return undefined;
  // One alone needs no title that opens it.
  const isAlone = found.length === 1 && attributes['grouped'] !== 'true';
  const drawn = found.map(({ name, node }) =>
    isAlone
      ? element('div', { id: `schema-${name}` }, [
          element('p', { className: ['api-subtitle'] }, [element('strong', {}, [text(name)])]),
          ...drawSchema(tools, node),
        ])
      : element('details', { className: ['expandable'], id: `schema-${name}` }, [
          element('summary', {}, [text(name)]),
          ...drawSchema(tools, node),
        ]),
  );
  return element('div', { className: ['api-block', 'api-schemas'] }, drawn);
}
