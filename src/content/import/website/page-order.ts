import { keyOf, scopeOf, titleFromKey } from '../site-address.ts';
import { Crawl, type Crawled } from './crawl.ts';

interface Node {
  key: string;
  title: string;
  parent: string | null;
  page?: Crawled;
}

/**
 * The pages depth first. The parent of a page follows from the site's menus; of pages that are in no menu, from the
 * addresses.
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
    place({ key: page.key, title: page.title, parent: parentByAddress(page.key, { crawl, first, nodes }), page });
  }
  return depthFirst([...new Set(nodes.values())]);
}

/** Of a page's lists of links, the one with most links to imported pages. */
function bestMenu(page: Crawled, crawl: Crawl): Crawled['navigation'][number] {
  let best: Crawled['navigation'][number] = [];
  let most = 1;
  for (const menu of page.navigation) {
    const reached = new Set(menu.flatMap(({ url }) => pageAt(url, crawl) ?? []));
    if (reached.size <= most) continue;
    best = menu;
    most = reached.size;
  }
  return best;
}

function pageAt(url: string | undefined, crawl: Crawl): Crawled | undefined {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed?.origin === crawl.origin ? crawl.byKey.get(keyOf(parsed)) : undefined;
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
    const page = pageAt(url, crawl);
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

function depthFirst(nodes: Node[]): Node[] {
  const children = Map.groupBy(nodes, ({ parent }) => parent);
  const below = (parent: string | null): Node[] =>
    (children.get(parent) ?? []).flatMap((node) => {
      const inside = below(node.key);
      return node.page || inside.length > 0 ? [node, ...inside] : [];
    });
  return below(null);
}
