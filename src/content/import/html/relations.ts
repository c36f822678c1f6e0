import type { Element } from 'hast';
import { absolute } from './addresses.ts';
import { all, hasToken, lower, namesOf, oneLine, text, textOf } from './html-tree.ts';

/** Where a page stands in its site, as it says itself. Addresses are absolute. */
export interface Relations {
  /** The page above it. */
  up?: string;
  /** The page after it in reading order. */
  next?: string;
  /** The pages above it, from the top; may end with the page itself. */
  breadcrumbs: string[];
}

type Relation = 'up' | 'next';

/** `rel` of `<link>` and `<a>`, as writers of manuals use it. */
const tokens: Record<Relation, readonly string[]> = { up: ['up', 'parent'], next: ['next'] };
/** DocBook and Texinfo mark the links of their navigation with these keys. */
const keys: Record<Relation, string> = { up: 'u', next: 'n' };
const words: Record<Relation, RegExp> = { up: /^up$/i, next: /^next$/i };

/** Reads what a whole page says, before its navigation is removed. The addresses in `body` are absolute. */
export function relationsOf(head: Element | undefined, body: Element, base: string): Relations {
  const links = all(body, ({ tagName }) => tagName === 'a');
  const heads = head ? all(head, ({ tagName }) => tagName === 'link') : [];
  const related = (relation: Relation): string | undefined => {
    const hasRel = (element: Element) => tokens[relation].some((token) => hasToken(element, 'rel', token));
    const stated = heads.find(hasRel);
    if (stated) return absolute(text(stated.properties['href']), base);
    const link =
      links.find(hasRel) ??
      links.find(
        (each) => lower(each.properties['accessKey']) === keys[relation] && words[relation].test(wordsOf(each)),
      );
    return (link && text(link.properties['href'])) || undefined;
  };
  const [up, next] = [related('up'), related('next')];
  return { ...(up && { up }), ...(next && { next }), breadcrumbs: breadcrumbsOf(body) };
}

const wordsOf = (link: Element) => oneLine(textOf(link));

const isTrail = (element: Element) =>
  namesOf(element).some((name) => /(?:^|[-_])breadcrumbs?(?:$|[-_])/.test(name)) ||
  /breadcrumb/i.test(text(element.properties['ariaLabel'])) ||
  text(element.properties['itemType']).endsWith('BreadcrumbList');

function breadcrumbsOf(body: Element): string[] {
  const [trail] = all(body, isTrail);
  if (!trail) return [];
  return all(trail, ({ tagName }) => tagName === 'a').flatMap((link) => text(link.properties['href']) || []);
}
