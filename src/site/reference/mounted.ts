import {
  groupMarkdown,
  operationMarkdown,
  type OperationGroup,
  overviewMarkdown,
  readSchema,
  type Reference,
  schemaMarkdown,
  schemasMarkdown,
} from '../../openapi/reference/index.ts';
import { uniqueSlug } from '../../content/markdown/slug.ts';
import { isObject } from '../../shared/is-object.ts';
import type { NavigationItem } from '../model.ts';
import { findReferencePage, hasOwnPages, type PageLayout, type ReferencePage, referencePages } from './pages.ts';

/** The entry `type: builtin:openapi` of a table of contents. */
export interface ReferenceRequest {
  /** The name of the specification. */
  spec: string;
  /** Whether the schemas have pages. */
  hasSchemas: boolean;
  hasPagePerOperation: boolean;
  /** Whether readers may download the description. */
  hasDownload: boolean;
}

/** @returns undefined if it is not such an entry */
export function readReferenceRequest(computed: unknown): ReferenceRequest | undefined {
  if (!isObject(computed) || computed['type'] !== 'builtin:openapi') return undefined;
  const { dependencies, props } = computed;
  const dependency = isObject(dependencies) ? dependencies['spec'] : undefined;
  const target = isObject(dependency) ? dependency['ref'] : undefined;
  const spec = isObject(target) ? target['spec'] : undefined;
  if (typeof spec !== 'string' || spec === '') return undefined;
  const options = isObject(props) ? props : {};
  return {
    spec,
    hasSchemas: options['models'] !== false,
    hasPagePerOperation: options['grouping'] === 'by-operation',
    hasDownload: options['downloadLink'] === true,
  };
}

/** An operation on a page with several. */
export interface ListedOperation {
  title: string;
  /** Its method. */
  badge: string;
  anchor: string;
}

/** The operations of a page in a table of contents. @param href the address of the page */
export const operationItems = (operations: readonly ListedOperation[], href: string): NavigationItem[] =>
  operations.map(({ title, badge, anchor }) => ({
    kind: 'page',
    title,
    badge,
    href: `${href}#${encodeURIComponent(anchor)}`,
    isCurrent: false,
    isOpen: false,
    children: [],
  }));

/** A page of a reference in a site, as plain data. */
export interface MountedPage {
  /** As `ReferenceAddresses.page` takes it. */
  path: string;
  /** The path of the page above it; undefined at the top of the reference. */
  parent: string | undefined;
  slug: string;
  title: string;
  /** The method, if it is the page of an operation. */
  badge?: string;
  operations: ListedOperation[];
}

/** The pages of a reference within a site, depth first. The overview is the first of them. */
export function mountedPages(reference: Reference, request: ReferenceRequest): MountedPage[] {
  const pages = referencePages(reference, request).filter(({ kind }) => request.hasSchemas || !isOfSchemas(kind));
  const children = Map.groupBy(
    pages.map((page) => mounted(reference, page, request)),
    ({ parent }) => parent,
  );
  const ordered: MountedPage[] = [];
  const visit = (parent: string | undefined): void => {
    const here = children.get(parent) ?? [];
    children.delete(parent);
    for (const page of here) {
      ordered.push(page);
      visit(page.path);
    }
  };
  visit(undefined);
  return ordered;
}

/**
 * Gives the pages of a reference their slugs and paths below another page.
 *
 * @param above the path of the page that the reference is below
 * @param taken the slugs of its other pages; those of the reference are added
 */
export function placeReference<P extends MountedPage>(pages: readonly P[], above: string, taken: Set<string>) {
  const paths = new Map<string | undefined, string>([[undefined, above]]);
  return pages.map((page) => {
    const isTop = page.parent === undefined;
    const slug = isTop ? uniqueSlug(page.slug, taken) : page.slug;
    if (isTop) taken.add(slug);
    const path = [paths.get(page.parent), slug].filter(Boolean).join('/');
    paths.set(page.path, path);
    return { page, slug, path };
  });
}

const isOfSchemas = (kind: ReferencePage['kind']): boolean => kind === 'schemas' || kind === 'schema';

const overviewSlug = 'overview';

function mounted(reference: Reference, page: ReferencePage, request: ReferenceRequest): MountedPage {
  const { path, title } = page;
  const plain = { path, parent: undefined, slug: path, title, operations: [] };
  switch (page.kind) {
    case 'overview': {
      const isTaken = reference.groups.some(({ slug }) => slug === overviewSlug);
      return { ...plain, title: 'Overview', slug: isTaken ? 'about-the-api' : overviewSlug };
    }
    case 'schemas':
      return plain;
    case 'schema':
      return { ...plain, parent: 'schemas', slug: page.schema.slug };
    case 'operation': {
      const { group, anchor, method } = page.operation;
      return { ...plain, parent: group.slug, slug: anchor, badge: method.toUpperCase() };
    }
    case 'group':
      return { ...plain, parent: parentOf(reference, page.group), operations: operationsOn(page.group, request) };
  }
}

function parentOf({ groups }: Reference, group: OperationGroup): string | undefined {
  const above = ({ parentTag }: OperationGroup) =>
    parentTag === undefined ? undefined : groups.find(({ tag }) => tag === parentTag);
  const seen = new Set([group]);
  for (let parent = above(group); parent; parent = above(parent)) {
    // Tags in a cycle are moved to the top.
    if (seen.has(parent)) return undefined;
    seen.add(parent);
  }
  return above(group)?.slug;
}

const operationsOn = (group: OperationGroup, request: ReferenceRequest): ListedOperation[] =>
  hasOwnPages(group, request)
    ? []
    : group.operations
        .filter((operation) => operation.group === group)
        .map(({ title, method, anchor }) => ({ title, badge: method.toUpperCase(), anchor }));

/** The page as Markdown, without its title. */
export function referenceMarkdown(reference: Reference, path: string, layout: PageLayout): string {
  const page = findReferencePage(reference, path, layout);
  switch (page?.kind) {
    case undefined:
      return '';
    case 'overview':
      return overviewMarkdown(reference);
    case 'group':
      return groupMarkdown(reference, page.group, hasOwnPages(page.group, layout));
    case 'operation':
      return operationMarkdown(reference, page.operation, 2);
    case 'schemas':
      return schemasMarkdown(reference);
    case 'schema':
      return schemaMarkdown(reference, page.schema);
  }
}

/** The text that search looks through, in lower case. Markdown would take too long for thousands of pages. */
export function wordsOfReference(reference: Reference, path: string, layout: PageLayout): string {
  const page = findReferencePage(reference, path, layout);
  if (page?.kind === 'schema') {
    const { properties } = readSchema(reference, page.schema.node);
    return [page.title, ...properties.map(({ name }) => name)].join(' ').toLowerCase();
  }
  const operations =
    page?.kind === 'operation' ? [page.operation] : page?.kind === 'group' ? page.group.operations : [];
  return operations
    .map(({ title, method, path: at, node }) => [title, method, at, node['operationId'], node['description']].join(' '))
    .join('\n')
    .toLowerCase();
}
