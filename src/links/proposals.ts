import type { LinkedPage } from './model.ts';
import { slugify } from '../content/markdown/slug.ts';
import { nearest } from '../shared/suggest.ts';

/** A target for a link that leads to nothing. */
export interface Proposal {
  /** The new address. */
  url: string;
  /** Whether it is the same page or heading, not only a similar one. */
  isCertain: boolean;
}

/** Comparing an anchor with more headings takes too long. */
const maxCompared = 300;

/** Indexes by the sets and lists that they are made of. */
const anchorIndexes = new WeakMap<ReadonlySet<string>, Map<string, string[]>>();
const pageIndexes = new WeakMap<readonly LinkedPage[], Map<string, LinkedPage[]>>();

/** The heading that is meant. It is certain if only capitals, dashes and accents differ. */
export function nearestAnchor(anchor: string, anchors: ReadonlySet<string>): Proposal | undefined {
  const index = anchorIndexes.get(anchors) ?? Map.groupBy(anchors, slugify);
  anchorIndexes.set(anchors, index);
  const slug = slugify(anchor);
  const [same, ...others] = index.get(slug) ?? [];
  if (same !== undefined && others.length === 0 && slug !== 'page') return { url: same, isCertain: true };
  const near = anchors.size > maxCompared ? undefined : nearest(anchor, [...anchors]);
  return near === undefined ? undefined : { url: near, isCertain: false };
}

/** The only page with the same last part of its path. */
export function samePlace<P extends LinkedPage>(path: string, pages: readonly P[]): P | undefined {
  const name = lastOf(path.replace(/\/(?:readme|index)(?:\.\w+)?$/i, '').replace(/\.(?:md|markdown|mdx)$/i, ''));
  if (name === '') return undefined;
  const index = pageIndexes.get(pages) ?? Map.groupBy(pages, (page) => lastOf(page.path));
  pageIndexes.set(pages, index);
  const [only, ...others] = (index.get(slugify(name)) ?? []) as P[];
  return others.length === 0 ? only : undefined;
}

export const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
