import type { Element, ElementContent } from 'hast';
import { classesOf, element } from '../../content/html/hast.ts';
import { sectionsOf } from '../../content/html/page-text.ts';
import type { OpenApiBlock, PageSection } from '../../content/html/page-source.ts';
import { guard } from '../../content/html/safe-html.ts';
import { writeHtml } from '../../content/html/write-html.ts';
import type { Reference } from '../../openapi/reference/index.ts';
import type { NavigationItem, SiteLink, SitePage } from '../model.ts';
import { drawOperation } from './draw-operation.ts';
import { drawGroup, drawOverview, drawSchemaList, drawSchemaPage } from './draw-pages.ts';
import { drawSchema } from './draw-schema.ts';
import { hasOwnPages, maxContentsEntries, placesOf, type ReferencePage } from './pages.ts';
import { DrawTools, type Highlight, type ReferenceAddresses } from './tools.ts';
import { h } from './elements.ts';

export { Reference } from '../../openapi/reference/index.ts';
export { findReferencePage, type ReferencePage, referencePages } from './pages.ts';
export type { ReferenceAddresses } from './tools.ts';

export interface DrawOptions {
  /** Whether operations have a form that sends them. */
  hasTryIt?: boolean | undefined;
}

export interface DrawnPage extends SitePage {
  /** For search, computed on demand. */
  sections: () => PageSection[];
}

/** Draws a page without the site around it. */
export async function drawReferencePage(
  reference: Reference,
  page: ReferencePage,
  addresses: ReferenceAddresses,
  options: DrawOptions = {},
): Promise<DrawnPage> {
  const tools = new DrawTools(reference, addresses, { highlight: await loadHighlight(), ...options });
  const children = drawPage(tools, page);
  const tree = { type: 'root' as const, children };
  guard(tree);
  return {
    title: page.title,
    html: writeHtml(tree),
    headings: tools.headings,
    sections: () => sectionsOf(withoutSamples(children), tools.headings),
    breadcrumbs: breadcrumbsOf(reference, page, addresses),
    ...neighbours(reference, page, addresses),
    layout: { outline: page.kind === 'overview' },
  };
}

const unsearched = new Set(['api-side', 'api-switch', 'api-try', 'api-downloads']);

/** Excludes samples and controls from search. */
const withoutSamples = (nodes: ElementContent[]): ElementContent[] =>
  nodes
    .filter((node) => node.type !== 'element' || !classesOf(node).some((name) => unsearched.has(name)))
    .map((node) => (node.type === 'element' ? { ...node, children: withoutSamples(node.children) } : node));

/** Loads the highlighter for code. */
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
  const place = placesOf(reference, addresses).get(page.path);
  const linkTo = (other: ReferencePage | undefined) =>
    other && { title: other.title, href: addresses.page(other.path) };
  return { previous: linkTo(place?.previous), next: linkTo(place?.next) };
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
  const isLarge = reference.operations.length + reference.schemas.size > maxContentsEntries;
  const groups = reference.groups.map((group) => {
    const isNear =
      (current.kind === 'operation' && group.operations.includes(current.operation)) ||
      (current.kind === 'group' && current.group === group);
    const children = (isLarge && !isNear ? [] : group.operations).map((operation): NavigationItem => ({
      kind: 'page',
      title: operation.title,
      href: hasOwnPages(operation.group, addresses)
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
  const hasSchemas = !isLarge || current.kind === 'schema' || current.kind === 'schemas';
  const schemas = [...(hasSchemas ? reference.schemas.values() : [])].map(({ name, slug }) =>
    item(`schemas/${slug}`, name),
  );
  const list = item('schemas', 'Schemas', { children: schemas, isOpen: current.kind === 'schema' });
  return [item('', 'Overview'), ...groups, ...(reference.schemas.size > 0 ? [list] : [])];
}

/** Draws a block in the text of a page; undefined if the operation or schema does not exist. */
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
  // A single schema is not collapsible.
  const isAlone = found.length === 1 && attributes['grouped'] !== 'true';
  const drawn = found.map(({ name, node }) =>
    isAlone
      ? element('div', { id: `schema-${name}` }, [h('p.api-subtitle', [h('strong', name)]), ...drawSchema(tools, node)])
      : element('details', { className: ['expandable'], id: `schema-${name}` }, [
          h('summary', name),
          ...drawSchema(tools, node),
        ]),
  );
  return h('div.api-block.api-schemas', drawn);
}
