import { isSafeAddress } from '../content/html/safe-address.ts';
import type { NavigationItem, SiteLink, SitePage } from './model.ts';
import { type ListedOperation, operationItems } from './reference/mounted.ts';
import { maxContentsEntries } from './reference/pages.ts';

/** An entry in the table of contents of a space. */
export interface ContentsPage {
  key: string;
  /** The key of the entry that it is below. */
  parent: string | null;
  type: 'document' | 'group' | 'link';
  title: string;
  description?: string | undefined;
  icon?: string | undefined;
  emoji?: string | undefined;
  /** Where a link leads. */
  href?: string | undefined;
  badge?: string | undefined;
  hidden?: boolean | undefined;
  noIndex?: boolean | undefined;
  noRobotsIndex?: boolean | undefined;
  /** Of a page of an API reference. */
  reference?: { path: string; operations: readonly ListedOperation[] } | undefined;
}

/** The address of a document. The same function gives the same addresses: what is made of them is kept. */
export type HrefOf<P> = (page: P, anchor?: string) => string;

/** What all pages of a space share. */
interface SharedNavigation<P> {
  items: NavigationItem[];
  itemOf: ReadonlyMap<P, NavigationItem>;
}

/** The pages of a space, and what follows for each from its place among them. */
export class Contents<P extends ContentsPage> {
  /** Depth first, in their order. */
  readonly pages: readonly P[];
  readonly #byKey: ReadonlyMap<string, P>;
  /** Whether the table would have too many entries of references. */
  readonly #isLarge: boolean;
  readonly #shared = new WeakMap<HrefOf<P>, SharedNavigation<P>>();
  #order: { listed: P[]; places: ReadonlyMap<P, number> } | undefined;

  constructor(pages: readonly P[]) {
    this.pages = pages;
    this.#byKey = new Map(pages.map((page) => [page.key, page]));
    this.#isLarge = pages.filter(({ reference }) => reference).length > maxContentsEntries;
  }

  find(key: string): P | undefined {
    return this.#byKey.get(key);
  }

  /** Documents that are not hidden, by themselves or by what they are in. */
  get listed(): readonly P[] {
    return this.#ordered().listed;
  }

  /** The pages above a page, from the outermost. */
  ancestorsOf({ parent }: Pick<P, 'parent'>): P[] {
    const above: P[] = [];
    for (let page = this.#above(parent); page; page = this.#above(page.parent)) above.unshift(page);
    return above;
  }

  /** Whether a page is kept out of lists, by itself or by what it is in. */
  isMarked(page: P, flag: 'hidden' | 'noIndex' | 'noRobotsIndex'): boolean {
    return page[flag] === true || this.ancestorsOf(page).some((above) => above[flag] === true);
  }

  /** What a page shows because of its entry and its place. */
  around(page: P, hrefOf: HrefOf<P>): Omit<SitePage, 'html' | 'headings'> {
    const { listed, places } = this.#ordered();
    const place = places.get(page);
    const linkTo = (other: P | undefined): SiteLink | undefined => other && { title: other.title, href: hrefOf(other) };
    const { title, description, icon, emoji, reference } = page;
    return {
      title,
      description,
      icon,
      emoji,
      breadcrumbs: this.ancestorsOf(page).map((above) => ({
        title: above.title,
        ...(above.type === 'document' ? { href: hrefOf(above) } : {}),
      })),
      previous: place === undefined ? undefined : linkTo(listed[place - 1]),
      next: place === undefined ? undefined : linkTo(listed[place + 1]),
      // The operations of other pages are in the table of contents.
      ...(reference && { layout: { outline: reference.path === '' } }),
      isHidden: this.isMarked(page, 'hidden'),
      noIndex: this.isMarked(page, 'noRobotsIndex'),
    };
  }

  /**
   * The pages as a tree, with the current one marked. It is made once for all pages: otherwise, each page of thousands
   * would read all others for it.
   */
  navigationFor(current: P | undefined, hrefOf: HrefOf<P>): NavigationItem[] {
    const isKnown = current !== undefined && this.#byKey.get(current.key) === current;
    // A hidden page is in its own table of contents alone, and of a large reference each page has what is near.
    if (this.#isLarge || (isKnown && this.isMarked(current, 'hidden'))) return this.#navigation(hrefOf, current).items;
    const shared = this.#shared.get(hrefOf) ?? this.#navigation(hrefOf);
    this.#shared.set(hrefOf, shared);
    return isKnown ? opened(shared.items, [...this.ancestorsOf(current), current], shared) : shared.items;
  }

  #above(key: string | null): P | undefined {
    return key === null ? undefined : this.#byKey.get(key);
  }

  #ordered() {
    if (this.#order) return this.#order;
    const hidden = new Set<string>();
    const listed = this.pages.filter((page) => {
      // What a page is in comes before it.
      if (page.hidden || (page.parent !== null && hidden.has(page.parent))) hidden.add(page.key);
      return page.type === 'document' && !hidden.has(page.key);
    });
    this.#order = { listed, places: new Map(listed.map((page, index) => [page, index])) };
    return this.#order;
  }

  /** @param current is marked, and shown though it is hidden; of a large reference only what is near to it is shown */
  #navigation(hrefOf: HrefOf<P>, current?: P): SharedNavigation<P> {
    const open = new Set<P | undefined>(current && this.ancestorsOf(current));
    const items: NavigationItem[] = [];
    const itemOf = new Map<P, NavigationItem>();
    const children = new Map<string | null, NavigationItem[]>([[null, items]]);
    for (const page of this.pages) {
      const siblings = children.get(page.parent);
      // Pages below a hidden one are hidden too.
      if (!siblings || (page.hidden && page !== current) || this.#isFar(page, current, open)) continue;
      const href = hrefIn(page, hrefOf);
      const item: NavigationItem = {
        kind: page.type === 'document' ? 'page' : page.type,
        title: page.title,
        ...(href === undefined ? {} : { href }),
        icon: page.icon,
        emoji: page.emoji,
        isCurrent: page === current,
        isOpen: open.has(page),
        ...(page.type === 'link' && href !== undefined && isElsewhere.test(href) ? { isExternal: true } : {}),
        ...(page.badge === undefined ? {} : { badge: page.badge }),
        children: operationItems(page.reference?.operations ?? [], href ?? ''),
      };
      siblings.push(item);
      itemOf.set(page, item);
      children.set(page.key, item.children);
    }
    return { items, itemOf };
  }

  /** Of a large reference, a page is listed where it is at the top, or beside or below the current one. */
  #isFar({ reference, parent }: P, current: P | undefined, open: ReadonlySet<P | undefined>): boolean {
    if (!this.#isLarge || !reference) return false;
    const above = this.#above(parent);
    return above?.reference !== undefined && above.reference.path !== '' && above !== current && !open.has(above);
  }
}

const isElsewhere = /^(?:[a-z][\w+.-]*:|\/\/)/i;

function hrefIn<P extends ContentsPage>(page: P, hrefOf: HrefOf<P>): string | undefined {
  if (page.type === 'document') return hrefOf(page);
  return page.type === 'link' && page.href !== undefined && isSafeAddress(page.href) ? page.href : undefined;
}

/** The items with a copy of those that lead to the current page, the last of the trail. */
function opened<P>(
  items: NavigationItem[],
  [first, ...below]: readonly P[],
  shared: SharedNavigation<P>,
): NavigationItem[] {
  const item = first && shared.itemOf.get(first);
  if (!item) return items;
  const isCurrent = below.length === 0;
  const children = isCurrent ? item.children : opened(item.children, below, shared);
  return items.with(items.indexOf(item), { ...item, isCurrent, isOpen: !isCurrent, children });
}

/** The spaces that an address can lead to, the most specific first, each with the rest of the address. */
export const spacesAt = <S extends { address: string }>(
  spaces: readonly S[],
  address: string,
): [space: S, path: string][] =>
  spaces
    .filter((space) => space.address === '' || address === space.address || address.startsWith(`${space.address}/`))
    .toSorted((one, other) => other.address.length - one.address.length)
    .map((space) => [space, address.slice(space.address.length).replace(/^\//, '')]);
