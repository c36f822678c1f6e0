import type { BasePage } from '../content/folder/base.ts';
import type { Layout } from '../content/folder/layout.ts';

/**
 * What a push recorded of the files that were as in its commit, which other clones have, too. The others are as an earlier push
 * recorded them.
 *
 * @param uncommitted paths of the other files
 * @returns undefined if the pages of both do not fit together
 */
export function committedPart(
  layout: Layout,
  earlier: Layout | undefined,
  uncommitted: readonly string[],
): Layout | undefined {
  const { base } = layout;
  const paths = new Set(uncommitted);
  // The list of pages is a part of each of them.
  if (!base || (layout.summary && paths.has(layout.summary.path))) return undefined;
  const isUncommitted = ({ file }: BasePage) => file !== undefined && paths.has(file);
  const before = earlier?.base?.pages ?? [];
  const pages = mergePages(
    base.pages.filter((page) => !isUncommitted(page)),
    before,
    isUncommitted,
  );
  const ids = new Set(pages.map(({ id }) => id));
  if (pages.some(({ parent }) => parent !== null && !ids.has(parent))) return undefined;
  const places = new Set([...base.pages, ...before].flatMap((page) => (isUncommitted(page) ? [page.path ?? ''] : [])));
  const names = merge(base.names, earlier?.base?.names, (path) => paths.has(path));
  return {
    ...layout,
    pages: merge(layout.pages, earlier?.pages, (_, file) => paths.has(file)),
    files: merge(layout.files, earlier?.files, (_, path) => paths.has(path)),
    old: merge(layout.old, earlier?.old, (_, path) => paths.has(path)),
    links: merge(layout.links, earlier?.links, (path) => places.has(path)),
    base: {
      ...base,
      pages,
      files: new Map([...(earlier?.base?.files ?? []), ...base.files]),
      ...(names.size > 0 && { names }),
    },
  };
}

/** Adds the earlier state of uncommitted pages, each after the page that it followed then. */
function mergePages(
  committed: readonly BasePage[],
  before: readonly BasePage[],
  isUncommitted: (page: BasePage) => boolean,
): BasePage[] {
  const added = new Set(before.filter(isUncommitted).map(({ id }) => id));
  const pages = committed.filter(({ id }) => !added.has(id));
  for (const [index, page] of before.entries()) {
    if (!added.has(page.id)) continue;
    const previous = before.slice(0, index).findLast(({ id }) => pages.some((each) => each.id === id));
    pages.splice(pages.findIndex(({ id }) => id === previous?.id) + 1, 0, page);
  }
  return pages;
}

const merge = <Value>(
  committed: ReadonlyMap<string, Value> = new Map(),
  earlier: ReadonlyMap<string, Value> = new Map(),
  isUncommitted: (key: string, value: Value) => boolean,
): Map<string, Value> =>
  new Map([
    ...[...committed].filter((entry) => !isUncommitted(...entry)),
    ...[...earlier].filter((entry) => isUncommitted(...entry)),
  ]);
