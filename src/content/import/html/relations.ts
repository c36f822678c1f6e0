import type { Element } from 'hast';
import { attribute, textIn } from '../../html/hast.ts';
import { oneLine } from '../../markdown/markdown.ts';
import { all, lower, namesOf } from './html-tree.ts';

/** What a page itself says about its position in the site. Addresses are absolute. */
export interface Relations {
  /** The page above it. */
  up?: string;
  /** The page after it in reading order. */
  next?: string;
  /** The pages above it, from the top. Can end with the page itself. */
  breadcrumbs: string[];
}

type Relation = 'up' | 'next';

/** Values of `rel` in manuals, in `<link>` and `<a>`. */
const tokens: Record<Relation, readonly string[]> = { up: ['up', 'parent'], next: ['next'] };
/** The access keys of navigation links in DocBook and Texinfo. */
const keys: Record<Relation, string> = { up: 'u', next: 'n' };
const words: Record<Relation, RegExp> = { up: /^up$/i, next: /^next$/i };

/**
 * Reads the relations of a page, before its navigation is removed. The addresses in `body` are absolute.
 *
 * @param heads the links in the head
 */
export function relationsOf(heads: readonly Element[], body: Element, base: string): Relations {
  const links = all(body, ({ tagName }) => tagName === 'a');
  const related = (relation: Relation): string | undefined => {
    const isRelated = (element: Element) => tokens[relation].some((token) => hasRel(element, token));
    const stated = heads.find(isRelated);
    if (stated) return absolute(attribute(stated, 'href'), base);
    const link =
      links.find(isRelated) ??
      links.find((each) => lower(each, 'accessKey') === keys[relation] && words[relation].test(oneLine(textIn(each))));
    return (link && attribute(link, 'href')) || undefined;
  };
  const [up, next] = [related('up'), related('next')];
  return { ...(up && { up }), ...(next && { next }), breadcrumbs: breadcrumbsOf(body) };
}

const isTrail = (element: Element) =>
  namesOf(element).some((name) => /(?:^|[-_])breadcrumbs?(?:$|[-_])/.test(name)) ||
  /breadcrumb/i.test(attribute(element, 'ariaLabel')) ||
  attribute(element, 'itemType').endsWith('BreadcrumbList');

function breadcrumbsOf(body: Element): string[] {
  const [trail] = all(body, isTrail);
  if (!trail) return [];
  return all(trail, ({ tagName }) => tagName === 'a').flatMap((link) => attribute(link, 'href') || []);
}

/** Whether `rel` contains a token. */
export const hasRel = (element: Element, token: string): boolean => lower(element, 'rel').split(' ').includes(token);

export function absolute(address: string, base: string): string | undefined {
  return URL.parse(address.trim(), base)?.href;
}
