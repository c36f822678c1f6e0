import { keyOf, scopeOf, titleFromKey } from '../site-address.ts';
import { readingOrder } from './reading-order.ts';
import { Crawl, type Crawled } from './crawl.ts';

export interface Node {
  key: string;
  title: string;
  parent: string | null;
  page?: Crawled;
}

/**
 * The pages depth first. The parent of a page is the one that it names itself ("Up"); else it follows from the site's
 * menus, from the page's breadcrumbs, or from the addresses.
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
  // The first page links to all others: it comes before them, and they are not its subpages.
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

/** The page above one by its breadcrumbs: null for the top level, undefined where they tell nothing. */
function pageInTrail(page: Crawled, crawl: Crawl): string | null | undefined {
  const trail = page.relations.breadcrumbs.flatMap((url) => crawl.pageAt(url) ?? []);
  const above = trail.findLast((each) => each !== page);
  if (above === undefined) return undefined;
  return above === crawl.pages[0] ? null : above.key;
}

/** Places a page under the one that its "Up" leads to, unless that is itself somewhere below the page. */
function moveUnderNamed(node: Node, { crawl, first, nodes }: Placed): void {
  const above = node.page && crawl.pageAt(node.page.relations.up);
  if (!above || above === first || above === node.page) return;
  const parent = nodes.get(above.key);
  for (let each = parent; each; each = each.parent === null ? undefined : nodes.get(each.parent)) {
    if (each === node) return;
  }
  if (parent) node.parent = parent.key;
}

/** Of a page's lists of links, the one with most links to imported pages. */
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
        // A label directly above the page with the same title: they are one page.
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

/** The node below which a page, or a folder of pages, belongs by its address. */
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
    // A folder with several pages, but without a page of its own, becomes a group of them.
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
    // Where some are in no reading order, the order of the menus stays.
    const isOrdered = siblings.every((node) => placeOf(node) !== undefined);
    if (isOrdered) siblings.sort((a, b) => (placeOf(a) ?? 0) - (placeOf(b) ?? 0));
    return siblings.flatMap((node) => {
      const inside = below(node.key);
      return node.page || inside.length > 0 ? [node, ...inside] : [];
    });
  };
  return below(null);
}
