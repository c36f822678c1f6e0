import type { NamedSchema, Operation, OperationGroup, Reference } from '../../openapi/reference/index.ts';

/** A page of a reference. Its path is relative to the reference, without slashes at its ends; "" is the overview. */
export type ReferencePage = { path: string; title: string } & (
  | { kind: 'overview' | 'schemas' }
  | { kind: 'group'; group: OperationGroup }
  | { kind: 'operation'; operation: Operation }
  | { kind: 'schema'; schema: NamedSchema }
);

/** Which operations have their own pages. */
export interface PageLayout {
  /** All operations, or only those of large groups. */
  hasPagePerOperation?: boolean | undefined;
}

/** Groups with more operations than this have a page for each. */
const maxOperationsOfPage = 12;

/** Whether the operations of a group have their own pages. */
export const hasOwnPages = ({ operations }: Operation['group'], { hasPagePerOperation = false }: PageLayout): boolean =>
  hasPagePerOperation || operations.length > maxOperationsOfPage;

/** All pages of a reference, in reading order. */
export function referencePages(reference: Reference, layout: PageLayout = {}): ReferencePage[] {
  const pages: ReferencePage[] = [{ kind: 'overview', path: '', title: reference.title }];
  for (const group of reference.groups) {
    pages.push({ kind: 'group', path: group.slug, title: group.title, group });
    for (const operation of group.operations) {
      if (operation.group === group && hasOwnPages(group, layout)) pages.push(operationPage(operation));
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
export function findReferencePage(
  reference: Reference,
  path: string,
  layout: PageLayout = {},
): ReferencePage | undefined {
  return placesOf(reference, layout).get(path)?.page;
}

/** A page with those before and after it. */
interface PagePlace {
  page: ReferencePage;
  previous?: ReferencePage | undefined;
  next?: ReferencePage | undefined;
}

type Places = Map<string, PagePlace>;

const placesByPath = new WeakMap<Reference, { perGroup?: Places; perOperation?: Places }>();

export function placesOf(reference: Reference, layout: PageLayout): Places {
  const kept = placesByPath.get(reference) ?? {};
  placesByPath.set(reference, kept);
  const key = layout.hasPagePerOperation ? 'perOperation' : 'perGroup';
  return (kept[key] ??= readPlaces(referencePages(reference, layout)));
}

const readPlaces = (pages: readonly ReferencePage[]): Places =>
  new Map(pages.map((page, index) => [page.path, { page, previous: pages[index - 1], next: pages[index + 1] }]));

/**
 * Larger tables of contents only list the entries next to the current page and below it. With all 2,000 entries of a large
 * description, the table on each page would be larger than the page.
 */
export const maxContentsEntries = 300;
