import { LinkIndex, parentPath, relativeAddress, type Target } from '../markdown/links.ts';
import { rewriteLinks } from '../markdown/markdown.ts';
import type { LocalFolder, LocalPage } from './folder.ts';
import { addressesIn, localPath } from './local-links.ts';
import type { Uploads } from './match.ts';

export interface SentText {
  sent: string | null;
  /** Addresses that were sent otherwise than written, or that a pull would write otherwise. */
  links: [sent: string, written: string][];
  /** An address was changed because it leads to a file that is not there yet. */
  showsNew: boolean;
}

const indexes = new WeakMap<LocalFolder, LinkIndex>();

/**
 * The page's text with those addresses changed that would lead elsewhere, as pages have no file names: most often none,
 * and then the text goes as it is.
 */
export function sentText(page: LocalPage, local: LocalFolder, { names, fresh }: Uploads): SentText {
  const { text, file } = page;
  if (text === null || file === null) return { sent: text, links: [], showsNew: false };
  const pages = pagesByFile(local);
  let index = indexes.get(local);
  if (!index) {
    const known = local.pages.map(({ key, path }) => ({ id: key, path }));
    index = new LinkIndex(
      known,
      [...names.values()].map((name) => ({ id: `file:${name}`, name })),
    );
    indexes.set(local, index);
  }
  const wanted = (url: string): Target | undefined => {
    const path = localPath(file, url);
    if (path === undefined) return undefined;
    const name = names.get(path);
    if (name !== undefined) return { kind: 'file', file: `file:${name}` };
    const target = pages.get(path) ?? pages.get(`${path}.md`) ?? pages.get(`${path}/`);
    return target && { kind: 'page', page: target.key };
  };
  const change = (url: string): string => {
    const target = wanted(url);
    if (!target || leadsTo(index.resolve(url, page.key), target)) return url;
    const rest = /[?#].*$/s.exec(url)?.[0] ?? '';
    const address =
      target.kind === 'file'
        ? `/${relativeAddress('', target.file.slice('file:'.length))}`
        : `/pages/${pages.get((target as { page: string }).page)?.path ?? pathOf(local, target)}${rest}`;
    return leadsTo(index.resolve(address, page.key), target) ? address : url;
  };
  // A pull writes `/pages/...` and the like as paths between files, unless told that the file has them as they are.
  const isOwn = (url: string) =>
    url.startsWith('/') && !wanted(url) && ['page', 'file'].includes(index.resolve(url, page.key).kind);
  const candidates = [...addressesIn(text)];
  if (candidates.every((url) => change(url) === url && !isOwn(url))) return { sent: text, links: [], showsNew: false };
  const links: SentText['links'] = [];
  let showsNew = false;
  const sent = rewriteLinks(text, (url, _, raw) => {
    const address = change(url);
    if (address !== url || isOwn(url)) links.push([address, raw]);
    const target = address === url ? undefined : wanted(url);
    if (target?.kind === 'file' && fresh.has(target.file.slice('file:'.length))) showsNew = true;
    return address;
  });
  return { sent, links, showsNew };
}

function pathOf(local: LocalFolder, target: Target): string {
  return local.pages.find(({ key }) => target.kind === 'page' && key === target.page)!.path;
}

function leadsTo(one: Target, other: Target): boolean {
  return (
    one.kind === other.kind &&
    ((one.kind === 'page' && other.kind === 'page' && one.page === other.page) ||
      (one.kind === 'file' && other.kind === 'file' && one.file === other.file))
  );
}

const filesToPages = new WeakMap<LocalFolder, Map<string, LocalPage>>();

/** Pages by their files, and by `folder/` too where they are a folder's. */
function pagesByFile(local: LocalFolder): Map<string, LocalPage> {
  const known = filesToPages.get(local);
  if (known) return known;
  const pages = new Map<string, LocalPage>();
  for (const page of local.pages) {
    pages.set(page.key, page);
    if (page.file === null) {
      if (page.key.endsWith('/')) pages.set(page.key.slice(0, -1), page);
      continue;
    }
    pages.set(page.file, page);
    const folder = parentPath(page.file);
    const isReadme = /(?:^|\/)(?:readme|index)\.[a-z]+$/i.test(page.file);
    if (isReadme && !pages.has(`${folder}/`)) pages.set(`${folder}/`, page).set(folder, page);
  }
  filesToPages.set(local, pages);
  return pages;
}
