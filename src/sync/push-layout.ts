import type { LocalFolder, LocalPage } from '../content/folder/folder.ts';
import type { Layout, SentLink } from '../content/folder/layout.ts';
import { isOwnFile } from '../content/folder/own-files.ts';
import { derivedFiles, derivedPath } from './page-files.ts';
import type { Remote } from './remote.ts';
import type { SentText } from './push-text.ts';

interface LayoutInput {
  local: LocalFolder;
  /** From the paths of files to their names in the content. */
  names: ReadonlyMap<string, string>;
  /** By the keys of pages. */
  texts: ReadonlyMap<string, SentText>;
  remote: Remote;
  before: Layout;
}

/** The layout of a folder, without a base. */
export function layoutFor({ local, names, texts, remote, before }: LayoutInput): Layout {
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
    old: oldFiles(names, remote, before),
    links,
  };
}

/** The files of the content that another one has replaced, or that were removed, with the paths that they had. */
function oldFiles(names: LayoutInput['names'], { files }: Remote, before: Layout): Map<string, string> {
  const used = new Set(names.values());
  return new Map(
    files.flatMap(({ name }): [string, string][] => {
      const path = before.old.get(name) ?? before.files.get(name) ?? derivedPath(name);
      return !isOwnFile(name) && !used.has(name) && (names.has(path) || before.old.has(name)) ? [[name, path]] : [];
    }),
  );
}
