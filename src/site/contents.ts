import { isSafeAddress } from '../content/html/safe-address.ts';
import type { NavigationItem, SiteLink, SitePage } from './model.ts';
import { type ListedOperation, operationItems } from './reference/mounted.ts';
import { maxContentsEntries } from './reference/pages.ts';

/** An entry in the table of contents of a space. */
export interface ContentsPage {
  key: string;
  /** The key of the entry above it. */
  parent: string | null;
  type: 'document' | 'group' | 'link';
  title: string;
  description?: string | undefined;
  icon?: string | undefined;
  emoji?: string | undefined;
  /** The address of a link. */
  href?: string | undefined;
  badge?: string | undefined;
  hidden?: boolean | undefined;
  noIndex?: boolean | undefined;
  noRobotsIndex?: boolean | undefined;
  /** Present for pages of an API reference. */
  reference?: { path: string; operations: readonly ListedOperation[] } | undefined;
}

/** Whether lists for language models and search name the page. */
export const isListed = <P extends ContentsPage>(contents: Contents<P>, page: P): boolean =>
  !contents.isMarked(page, 'hidden') && !contents.isMarked(page, 'noIndex');

/** Returns the address of a document. Navigation is cached by function, so a function must always return the same addresses. */
export type HrefOf<P> = (page: P, anchor?: string) => string;

/** The navigation that the pages of a space share. */
interface SharedNavigation<P> {
  items: NavigationItem[];
  itemOf: ReadonlyMap<P, NavigationItem>;
}

/** The pages of a space, with what depends on their positions. */
export class Contents<P extends ContentsPage> {
  /** Depth first. */
  readonly pages: readonly P[];
  readonly #byKey: ReadonlyMap<string, P>;
  /** Whether the references have too many pages for one table of contents. */
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

  /** Documents that are not hidden or below something hidden. */
  get listed(): readonly P[] {
    return this.#ordered().listed;
  }

  /** The pages above a page, outermost first. */
  ancestorsOf({ parent }: Pick<P, 'parent'>): P[] {
    const above: P[] = [];
    for (let page = this.#above(parent); page; page = this.#above(page.parent)) above.unshift(page);
    return above;
  }

  /** Whether a page, or one above it, has the flag. */
  isMarked(page: P, flag: 'hidden' | 'noIndex' | 'noRobotsIndex'): boolean {
    return page[flag] === true || this.ancestorsOf(page).some((above) => above[flag] === true);
  }

  /** The parts of a page that depend on its entry and its position. */
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
   * The pages as a tree, with the current one marked. All pages share a tree, because building it for each of thousands
   * of pages would take quadratic time.
   */
  navigationFor(current: P | undefined, hrefOf: HrefOf<P>): NavigationItem[] {
    const isKnown = current !== undefined && this.#byKey.get(current.key) === current;
    // A hidden page appears only in its own table of contents. Pages of a large reference list only nearby pages.
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
      // Parents come before their children.
      if (page.hidden || (page.parent !== null && hidden.has(page.parent))) hidden.add(page.key);
      return page.type === 'document' && !hidden.has(page.key);
    });
    this.#order = { listed, places: new Map(listed.map((page, index) => [page, index])) };
    return this.#order;
  }

  /** @param current is marked, and listed even if it is hidden; of a large reference, only nearby pages are listed */
  #navigation(hrefOf: HrefOf<P>, current?: P): SharedNavigation<P> {
    const open = new Set<P | undefined>(current && this.ancestorsOf(current));
    const items: NavigationItem[] = [];
    const itemOf = new Map<P, NavigationItem>();
    const children = new Map<string | null, NavigationItem[]>([[null, items]]);
    for (const page of this.pages) {
      const siblings = children.get(page.parent);
      // Pages below a hidden page are hidden, too.
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

  /** Whether a page of a large reference is neither at the top, nor next to or below the current page. */
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

/** Copies the items on the path to the current page, which is the last of the trail. */
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
