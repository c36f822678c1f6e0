import type { PlacedPage } from '../../content/folder/page-tree.ts';
import { readYaml, UnreadableYaml } from '../../shared/yaml.ts';
import {
  type ListedOperation,
  type MountedPage,
  mountedPages,
  placeReference,
  readReferenceRequest,
  referenceMarkdown,
  type ReferenceRequest,
} from '../reference/mounted.ts';
import type { FolderSpec, FolderSpecs } from './folder-specs.ts';

/** What a page of an API reference shows. It is plain data, because pages are compared as JSON. */
export interface PageOfReference extends ReferenceRequest {
  /** The description with its state. */
  file: FolderSpec;
  /** The key of the page above the reference. */
  base: string;
  /** Its path in the reference. */
  path: string;
  /** The operations on the page. */
  operations: ListedOperation[];
}

/** A page that may be part of a reference. */
export interface PageWithReference extends PlacedPage {
  reference?: PageOfReference;
  /** The method, if it is the page of an operation. */
  badge?: string;
}

/**
 * The pages that the service creates below this one, if the folder contains the description. A page without a text is the
 * overview, and comes first.
 *
 * @throws UnreadableYaml
 */
function referencePagesUnder(
  base: PlacedPage,
  siblings: readonly PlacedPage[],
  specs: FolderSpecs,
): PageWithReference[] {
  const request = readReferenceRequest(readYaml(base.generated ?? ''));
  const file = request && specs.find(request.spec);
  const reference = file && specs.reference(file.file);
  if (!request || !file || !reference) return [];
  const mounted = mountedPages(reference, request);
  const referenceOf = ({ path, operations }: MountedPage) => ({ ...request, file, base: base.key, path, operations });
  const [overview] = base.type === 'document' && base.file === null ? mounted : [];
  const keyOf = (parent: string | undefined) => (parent === undefined ? base.key : referenceKey(base.key, parent));
  const placed = placeReference(
    overview ? mounted.slice(1) : mounted,
    base.path,
    new Set(siblings.map(({ slug }) => slug)),
  );
  return [
    ...(overview ? [{ ...base, reference: referenceOf(overview) }] : []),
    ...placed.map(({ page, slug, path }): PageWithReference => ({
      key: referenceKey(base.key, page.path),
      type: 'document',
      parent: keyOf(page.parent),
      title: page.title,
      slug,
      path,
      file: null,
      ...(page.badge !== undefined && { badge: page.badge }),
      reference: referenceOf(page),
    })),
  ];
}

const referenceKey = (base: string, path: string): string => `${base}\nreference:${path}`;

/** The page at a path of the same reference. */
export const pageInReference = <Page>(
  space: { pageOfKey(key: string): Page | undefined },
  { base }: PageOfReference,
  path: string,
): Page | undefined => space.pageOfKey(referenceKey(base, path)) ?? (path === '' ? space.pageOfKey(base) : undefined);

/** The page as Markdown, without its title. */
export function markdownOfReference(specs: FolderSpecs, of: PageOfReference): string {
  const reference = specs.reference(of.file.file);
  return reference ? referenceMarkdown(reference, of.path, of) : '';
}

/** The pages of a folder, depth first, including those that the service creates. */
export function withReferencePages(
  tree: readonly PlacedPage[],
  specs: FolderSpecs,
  onProblem: (base: PlacedPage, message: string) => void,
): PageWithReference[] {
  const pages: PageWithReference[] = [...tree];
  for (const base of tree) {
    if (base.generated === undefined) continue;
    try {
      const siblings = tree.filter(({ parent }) => parent === base.key);
      const made = referencePagesUnder(base, siblings, specs);
      const [first] = made;
      const index = pages.indexOf(base);
      if (first?.key === base.key) pages[index] = first;
      pages.splice(endOf(pages, index), 0, ...made.filter(({ key }) => key !== base.key));
    } catch (error) {
      if (!(error instanceof UnreadableYaml)) throw error;
      onProblem(base, `The entry below "${base.title}" is not valid YAML: ${error.message}.`);
    }
  }
  return pages;
}

/** The index after the pages below a page. */
function endOf(pages: readonly PlacedPage[], index: number): number {
  const above = new Set([pages[index]?.key]);
  let end = index + 1;
  for (let page = pages[end]; page && page.parent !== null && above.has(page.parent); page = pages[end]) {
    above.add(page.key);
    end += 1;
  }
  return end;
}
