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

/** The heading that is meant. It is certain if only capitals, dashes and accents differ. */
export function nearestAnchor(anchor: string, anchors: ReadonlySet<string>): Proposal | undefined {
  const [same, ...others] = [...anchors].filter((each) => slugify(each) === slugify(anchor));
  if (same !== undefined && others.length === 0 && slugify(anchor) !== 'page') {
    return { url: same, isCertain: true };
  }
  const near = nearest(anchor, [...anchors]);
  return near === undefined ? undefined : { url: near, isCertain: false };
}

/** The only page with the same last part of its path. */
export function samePlace(path: string, pages: readonly LinkedPage[]): LinkedPage | undefined {
  const name = lastOf(path.replace(/\/(?:readme|index)(?:\.\w+)?$/i, '').replace(/\.(?:md|markdown|mdx)$/i, ''));
  if (name === '') return undefined;
  const [only, ...others] = pages.filter((page) => lastOf(page.path) === slugify(name));
  return others.length === 0 ? only : undefined;
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
