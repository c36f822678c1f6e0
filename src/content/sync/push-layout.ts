import type { LocalFolder, LocalPage } from './folder.ts';
import type { Layout, SentLink } from './layout.ts';
import { derivedFiles, derivedPath } from './page-files.ts';
import type { SentText } from './push-text.ts';

/** The layout of a folder, without a base. @param texts by the keys of pages */
export function layoutFor(
  local: LocalFolder,
  names: ReadonlyMap<string, string>,
  texts: ReadonlyMap<string, SentText>,
  before: Layout,
): Layout {
  const pages = new Map<string, string>();
  const files = new Map<string, string>();
  const links = new Map<string, SentLink[]>();
  const derived = derivedFiles(local.pages.map((page) => ({ ...page, id: page.key })));
  const parents = new Set(local.pages.map(({ parent }) => parent));
  // The service does not distinguish an empty text from none; folders and labels without a text have no file.
  const couldHaveNoFile = ({ key, text }: LocalPage) => text === '' && (parents.has(key) || local.summary !== null);
  for (const page of local.pages) {
    const sent = texts.get(page.key)?.links ?? [];
    if (page.file !== null && (derived.get(page.key) !== page.file || couldHaveNoFile(page)))
      pages.set(page.path, page.file);
    if (sent.length > 0) links.set(page.path, sent);
  }
  for (const [path, name] of names) if (derivedPath(name) !== path) files.set(name, path);
  const { summary: text, summaryPath: path } = local;
  return {
    serial: before.serial + 1,
    ...(text !== null && { summary: { path, text } }),
    pages,
    files,
    links,
  };
}
