import { keyOf, scopeOf, titleFromKey } from '../site-address.ts';
import type { Crawl, Crawled } from './crawl.ts';

export interface Node {
  key: string;
  title: string;
  parent: string | null;
  page?: Crawled;
}

/**
 * The pages depth first. The parent of a page is the target of its "Up" link, or else follows from the menus of the
 * site, from the page's breadcrumbs, or from the addresses.
 */
export function orderPages(crawl: Crawl): Node[] {
  const nodes = new Map<string, Node>();
  const [first] = crawl.pages;
  if (!first) return [];
  const place = (node: Node) => {
    for (let above = node.parent; above !== null; above = nodes.get(above)?.parent ?? null) {
      if (above === node.key) return;
    }
    nodes.set(node.key, node);
  };
  for (const page of crawl.pages) placeMenu(bestMenu(page, crawl), crawl, nodes, place);
  // The first page links to all others. It comes before them, but they are not its subpages.
  if (!nodes.has(first.key)) {
    const rest = [...nodes];
    nodes.clear();
    place({ key: first.key, title: first.title, parent: null, page: first });
    for (const [key, node] of rest) nodes.set(key, node);
  }
  const menu = new Set(nodes.keys());
  for (const page of crawl.pages) {
    if (menu.has(page.key)) continue;
    const above = pageInTrail(page, crawl);
    const parent = above === undefined ? parentByAddress(page.key, { crawl, first, nodes }) : above;
    place({ key: page.key, title: page.title, parent, page });
  }
  const placed = [...new Set(nodes.values())];
  for (const node of placed) moveUnderNamed(node, { crawl, first, nodes });
  return depthFirst(placed, readingOrder(crawl, first));
}

/** The key of the page above, from the breadcrumbs: null for the top level, undefined without breadcrumbs. */
function pageInTrail(page: Crawled, crawl: Crawl): string | null | undefined {
  const trail = page.relations.breadcrumbs.flatMap((url) => crawl.pageAt(url) ?? []);
  const above = trail.findLast((each) => each !== page);
  if (above === undefined) return undefined;
  return above === crawl.pages[0] ? null : above.key;
}

/** Moves a page below the target of its "Up" link, unless that is itself below the page. */
function moveUnderNamed(node: Node, { crawl, first, nodes }: Placed): void {
  const above = node.page && crawl.pageAt(node.page.relations.up);
  if (!above || above === first || above === node.page) return;
  const parent = nodes.get(above.key);
  for (let each = parent; each; each = each.parent === null ? undefined : nodes.get(each.parent)) {
    if (each === node) return;
  }
  if (parent) node.parent = parent.key;
}

/** The menu of a page with the most links to imported pages. */
function bestMenu(page: Crawled, crawl: Crawl): Crawled['navigation'][number] {
  let best: Crawled['navigation'][number] = [];
  let most = 1;
  for (const menu of page.navigation) {
    const reached = new Set(menu.flatMap(({ url }) => crawl.pageAt(url) ?? []));
    if (reached.size <= most) continue;
    best = menu;
    most = reached.size;
  }
  return best;
}

function placeMenu(
  menu: Crawled['navigation'][number],
  crawl: Crawl,
  nodes: Map<string, Node>,
  place: (node: Node) => void,
): void {
  const keys: (string | null)[] = [];
  for (const { url, title, parent } of menu) {
    const above = keys[parent] ?? null;
    const page = crawl.pageAt(url);
    if (page) {
      const label = above === null ? undefined : nodes.get(above);
      if (nodes.has(page.key)) keys.push(page.key);
      else if (label && !label.page && sameTitle(label.title, page.title, title)) {
        // A label directly above a page with the same title is that page.
        label.page = page;
        nodes.set(page.key, label);
        keys.push(label.key);
      } else {
        place({ key: page.key, title: page.title, parent: page.key === above ? null : above, page });
        keys.push(page.key);
      }
    } else if (url === undefined && title !== '') {
      const key = `label:${above ?? ''}\n${title}`;
      if (!nodes.has(key)) place({ key, title, parent: above });
      keys.push(key);
    } else keys.push(above);
  }
}

function sameTitle(label: string, ...titles: string[]): boolean {
  return titles.some((title) => title.toLowerCase() === label.toLowerCase());
}

interface Placed {
  crawl: Crawl;
  first: Crawled;
  nodes: Map<string, Node>;
}

/** The parent of a page, or of a folder of pages, by its address. */
function parentByAddress(key: string, placed: Placed): string | null {
  const { crawl, first, nodes } = placed;
  const root = keyOf(new URL(scopeOf(new URL(first.url)), first.url));
  let path = key.replace(/\?.*/s, '');
  for (;;) {
    path = path.slice(0, path.lastIndexOf('/'));
    if (path.length <= root.length) return null;
    const parent = crawl.byKey.get(path) ?? crawl.byKey.get(`${path}.html`);
    if (parent && parent.key !== key && parent !== first) return parent.key;
    const beside = crawl.pages.find(
      (page) => page.key.slice(0, page.key.lastIndexOf('/')) === path && nodes.has(page.key),
    );
    if (!parent && beside && beside !== first) return nodes.get(beside.key)?.parent ?? null;
    // A folder with several pages, but without its own page, becomes a group.
    const inside = crawl.pages.filter((page) => page.key.startsWith(`${path}/`)).length;
    if (!parent && inside > 1) {
      const label = `label:${path}`;
      if (!nodes.has(label)) {
        const title = titleFromKey(path, first.url);
        nodes.set(label, { key: label, title, parent: parentByAddress(path, placed) });
      }
      return label;
    }
  }
}

function depthFirst(nodes: Node[], order: ReadonlyMap<Crawled, number>): Node[] {
  const children = Map.groupBy(nodes, ({ parent }) => parent);
  const placeOf = ({ page }: Node) => page && order.get(page);
  const below = (parent: string | null): Node[] => {
    const siblings = children.get(parent) ?? [];
    // If some have no reading order, the order of the menus is kept.
    const isOrdered = siblings.every((node) => placeOf(node) !== undefined);
    if (isOrdered) siblings.sort((a, b) => (placeOf(a) ?? 0) - (placeOf(b) ?? 0));
    return siblings.flatMap((node) => {
      const inside = below(node.key);
      return node.page || inside.length > 0 ? [node, ...inside] : [];
    });
  };
  return below(null);
}

/** The order of pages that are connected by "Next" links, from the first page on. */
function readingOrder(crawl: Crawl, first: Crawled): Map<Crawled, number> {
  const order = new Map<Crawled, number>();
  for (let page: Crawled | undefined = first; page && !order.has(page); page = crawl.pageAt(page.relations.next)) {
    order.set(page, order.size);
  }
  return order;
}
