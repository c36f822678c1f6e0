import type { LocalFolder, LocalPage } from './folder.ts';
import type { Layout } from './layout.ts';
import { derivedFiles, derivedPath } from './page-files.ts';
import type { SentText } from './push-text.ts';

export function layoutFor(
  local: LocalFolder,
  names: ReadonlyMap<string, string>,
  texts: ReadonlyMap<string, SentText>,
  before: Layout,
): Layout | undefined {
  const derived = derivedFiles(local.pages.map((page) => ({ ...page, id: page.key })));
  const layout: Layout = { version: 1, serial: before.serial, pages: {}, files: {}, links: {} };
  const parents = new Set(local.pages.map(({ parent }) => parent));
  // The service knows no difference between an empty text and none; folders and labels without a text have no file.
  const couldHaveNone = ({ key, text }: LocalPage) => text === '' && (parents.has(key) || local.summary !== null);
  if (local.summary !== null) layout.summary = { path: local.summaryPath, text: local.summary };
  for (const page of local.pages) {
    if (page.file !== null && (derived.get(page.key) !== page.file || couldHaveNone(page)))
      layout.pages[page.path] = page.file;
    const { links } = texts.get(page.key)!;
    if (links.length > 0) layout.links[page.path] = links;
  }
  for (const [path, name] of names) if (derivedPath(name) !== path) layout.files[name] = path;
  if (JSON.stringify(layout) === JSON.stringify({ ...before, version: 1 })) return undefined;
  const isEmpty =
    !layout.summary && [layout.pages, layout.files, layout.links].every((part) => Object.keys(part).length === 0);
  if (isEmpty && before.serial === 0) return undefined;
  return { ...layout, serial: before.serial + 1 };
}
