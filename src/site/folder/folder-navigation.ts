import type { NavigationItem } from '../model.ts';
import { maxContentsEntries } from '../reference/pages.ts';
import type { FolderPage } from './space-folder.ts';

/** How addresses are written on one page: absolute, or relative to it. */
export interface PageAddresses {
  page(page: FolderPage, anchor?: string): string;
}

/** What all pages of a space share. It is made once for them: each page of thousands would read all others for it. */
interface SharedNavigation {
  items: NavigationItem[];
  itemOf: ReadonlyMap<FolderPage, NavigationItem>;
}

/** The pages of a space are a new list when one of them has changed. */
const kept = new WeakMap<readonly FolderPage[], WeakMap<PageAddresses, SharedNavigation>>();

/** The pages of a space as a tree, with the current one marked. */
export function navigationFor(current: FolderPage, addresses: PageAddresses): NavigationItem[] {
  const { pages } = current.space;
  // A hidden page is in its own table of contents alone, and of a large reference each page has what is near.
  if (isHiddenPage(current) || isLarge(pages)) return navigationOf(pages, addresses, current).items;
  const byAddresses = kept.get(pages) ?? new WeakMap<PageAddresses, SharedNavigation>();
  const shared = byAddresses.get(addresses) ?? navigationOf(pages, addresses);
  byAddresses.set(addresses, shared);
  kept.set(pages, byAddresses);
  return opened(shared.items, [...ancestorsOf(current), current], shared);
}

/** The items with a copy of those that lead to the current page, the last of the trail. */
function opened(
  items: NavigationItem[],
  [first, ...below]: readonly FolderPage[],
  shared: SharedNavigation,
): NavigationItem[] {
  const item = first && shared.itemOf.get(first);
  if (!item) return items;
  const isCurrent = below.length === 0;
  const children = isCurrent ? item.children : opened(item.children, below, shared);
  return items.with(items.indexOf(item), { ...item, isCurrent, isOpen: !isCurrent, children });
}

/** @param current is marked, and shown though it is hidden; of a large reference only what is near to it is shown */
function navigationOf(pages: readonly FolderPage[], addresses: PageAddresses, current?: FolderPage): SharedNavigation {
  const open = new Set(current && ancestorsOf(current));
  const isNear = current && isLarge(pages) ? nearTo(current, open) : () => true;
  const items: NavigationItem[] = [];
  const itemOf = new Map<FolderPage, NavigationItem>();
  const children = new Map<string | null, NavigationItem[]>([[null, items]]);
  for (const page of pages) {
    const siblings = children.get(page.parent);
    // Pages below a hidden one are hidden too.
    if (!siblings || (page.hidden && page !== current) || !isNear(page)) continue;
    const item: NavigationItem = {
      kind: page.type === 'document' ? 'page' : page.type,
      title: page.title,
      ...(page.type === 'group' ? {} : { href: page.type === 'link' ? page.href : addresses.page(page) }),
      icon: page.icon,
      emoji: page.emoji,
      isCurrent: page === current,
      isOpen: open.has(page),
      ...(page.type === 'link' ? { isExternal: true } : {}),
      ...(page.badge === undefined ? {} : { badge: page.badge }),
      children: operationsOn(page, addresses),
    };
    siblings.push(item);
    itemOf.set(page, item);
    children.set(page.key, item.children);
  }
  return { items, itemOf };
}

/** Answers of `isLarge`, by the list of the pages of a space. */
const large = new WeakMap<readonly FolderPage[], boolean>();

/** Whether a table of contents would have too many entries of references. */
function isLarge(pages: readonly FolderPage[]): boolean {
  const isKnown = large.get(pages) ?? pages.filter(({ reference }) => reference).length > maxContentsEntries;
  large.set(pages, isKnown);
  return isKnown;
}

/** Of references, what stands beside the current page, below it, and at the top. */
function nearTo(current: FolderPage, open: ReadonlySet<FolderPage>): (page: FolderPage) => boolean {
  const parents = new Set([current, ...open].map(({ key }) => key));
  return ({ reference, parent }) =>
    reference === undefined || parent === reference.base || (parent !== null && parents.has(parent));
}

/** Operations that are a part of a page of a reference. */
const operationsOn = (page: FolderPage, addresses: PageAddresses): NavigationItem[] =>
  (page.reference?.operations ?? []).map(({ title, badge, anchor }) => ({
    kind: 'page',
    title,
    badge,
    href: addresses.page(page, anchor),
    isCurrent: false,
    isOpen: false,
    children: [],
  }));

/** The places of pages that previous and next lead to, by the list of the pages of a space. */
const orders = new WeakMap<readonly FolderPage[], { documents: FolderPage[]; places: Map<FolderPage, number> }>();

/** The pages before and after a page, as readers see them. */
export function neighboursOf(page: FolderPage): { previous?: FolderPage | undefined; next?: FolderPage | undefined } {
  const { pages } = page.space;
  let order = orders.get(pages);
  if (!order) {
    const documents = pages.filter((each) => each.type === 'document' && !isHiddenPage(each));
    order = { documents, places: new Map(documents.map((each, index) => [each, index])) };
    orders.set(pages, order);
  }
  const place = order.places.get(page);
  return place === undefined ? {} : { previous: order.documents[place - 1], next: order.documents[place + 1] };
}

/** The pages above a page, from the outermost. */
export function ancestorsOf(page: FolderPage): FolderPage[] {
  const above: FolderPage[] = [];
  for (let key = page.parent; key !== null;) {
    const parent = page.space.pageOfKey(key);
    if (!parent) break;
    above.unshift(parent);
    key = parent.parent;
  }
  return above;
}

/** Whether a page is kept out of lists, by itself or by what it is in. */
export const isMarkedPage = (page: FolderPage, flag: 'hidden' | 'noIndex' | 'noRobotsIndex'): boolean =>
  [page, ...ancestorsOf(page)].some((each) => each[flag] === true);

export const isHiddenPage = (page: FolderPage): boolean => isMarkedPage(page, 'hidden');
