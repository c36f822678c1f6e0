import type { LocalFolder, LocalPage } from './folder.ts';
import { isSameLayout, type Layout, type SentLink } from './layout.ts';
import { derivedFiles, derivedPath } from './page-files.ts';
import type { SentText } from './push-text.ts';

/** The layout to send with a push; undefined where the existing one is equal. */
export function layoutFor(
  local: LocalFolder,
  names: ReadonlyMap<string, string>,
  texts: ReadonlyMap<LocalPage, SentText>,
  before: Layout,
): Layout | undefined {
  const pages = new Map<string, string>();
  const files = new Map<string, string>();
  const links = new Map<string, SentLink[]>();
  const derived = derivedFiles(local.pages.map((page) => ({ ...page, id: page.key })));
  const parents = new Set(local.pages.map(({ parent }) => parent));
  // The service does not distinguish an empty text from none; folders and labels without a text have no file.
  const couldHaveNoFile = ({ key, text }: LocalPage) => text === '' && (parents.has(key) || local.summary !== null);
  for (const [page, text] of texts) {
    if (page.file !== null && (derived.get(page.key) !== page.file || couldHaveNoFile(page)))
      pages.set(page.path, page.file);
    if (text.links.length > 0) links.set(page.path, text.links);
  }
  for (const [path, name] of names) if (derivedPath(name) !== path) files.set(name, path);
  const { summary: text, summaryPath: path } = local;
  const layout: Layout = {
    serial: before.serial + 1,
    ...(text !== null && { summary: { path, text } }),
    pages,
    files,
    links,
  };
  if (isSameLayout(layout, before)) return undefined;
  const isEmpty = !layout.summary && pages.size + files.size + links.size === 0;
  return isEmpty && before.serial === 0 ? undefined : layout;
}
