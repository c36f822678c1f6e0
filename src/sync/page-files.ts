import { isMarkdown, isOwnFile, isProgramFile, isReadme, pathProblem } from '../content/folder/file-names.ts';
import type { LocalFolder, Problem } from '../content/folder/folder.ts';
import type { Layout } from '../content/folder/layout.ts';
import { parentPath } from '../content/markdown/links.ts';
import { firstFree } from '../content/markdown/slug.ts';
import { matchPages } from './match.ts';
import type { Remote, RemoteFile, RemotePage } from './read-remote.ts';

export interface Naming {
  /** Receives the names that must not be written, with the names used instead. */
  problems?: Problem[];
  /** Hashes of texts that the user pushed, by path. These may have names that programs use. */
  pushedHashes?: ReadonlyMap<string, string>;
  /** The files that pages have, by page ID, where that is recorded. */
  names?: ReadonlyMap<string, string>;
}

/** Why a page must not be written to a file of this name, as a predicate of "The name". */
export function pageFileProblem(file: string): string | undefined {
  const problem = pathProblem(file);
  if (problem !== undefined) return problem;
  if (!isMarkdown(file)) return 'is not the name of a Markdown file';
  return isProgramFile(file) ? 'is one that programs look for' : undefined;
}

/**
 * The file of each page that has a text or needs a file, by page ID.
 *
 * @param isPushed whether the user pushed the text of a page as this file, so that it may have a name that programs use
 */
export function filesFor(
  remote: Remote,
  layout: Layout,
  local: LocalFolder | undefined,
  { problems = [], names = new Map() }: Naming,
  isPushed: (page: RemotePage, file: string) => boolean,
): Map<string, string> {
  const parents = new Set(remote.pages.map(({ parent }) => parent));
  const hasFile = ({ id, text, document, path }: RemotePage) =>
    text !== null || document !== undefined || layout.pages.has(path ?? '') || !(parents.has(id) || layout.summary);
  const documents = remote.pages.filter((page) => page.type === 'document' && hasFile(page));
  const kept = new Map([...(local ? keptFiles(remote, layout, local) : []), ...names]);
  const derived = derivedFiles(remote.pages, kept);
  const claims = documents.map((page, index) => {
    const { id, path } = page;
    const recorded = path === undefined ? undefined : layout.pages.get(path);
    const fallback = `page-${index + 1}.md`;
    const usual = derived.get(id) ?? fallback;
    // `agents/README.md` has the same address as `agents.md`.
    const others = [usual, usual.replace(/\.md$/, '/README.md'), fallback];
    const isUsable = (file: string) =>
      pageFileProblem(file) === undefined || (pathProblem(file) === undefined && isPushed(page, file));
    const isRecordedUsable = recorded !== undefined && isUsable(recorded);
    return {
      id,
      refused: isUsable(recorded ?? usual) ? undefined : (recorded ?? usual),
      choices: [kept.get(id), isRecordedUsable ? recorded : undefined, others.find(isUsable)],
    };
  });
  const files = new Map<string, string>();
  const taken = new TakenPaths();
  // Pages that already have a name take precedence over pages that would get it.
  for (const rank of [0, 1, 2]) {
    for (const { id, choices, refused } of claims) {
      const file = choices[rank];
      if (files.has(id) || file === undefined) continue;
      if (rank < 2 && taken.has(file)) continue;
      const free = taken.take(file);
      files.set(id, free);
      if (rank > 0 && refused !== undefined) {
        const message = `The name ${pageFileProblem(refused)}; the page is written to ${free} instead.`;
        problems.push({ file: refused, message });
      }
    }
  }
  return files;
}

/** The files that keep their names, because the addresses of their pages are unchanged, by page ID. */
function keptFiles(remote: Remote, layout: Layout, local: LocalFolder): Map<string, string> {
  const matches = matchPages({
    pages: local.pages,
    candidates: remote.pages,
    layout,
    localText: ({ text }) => text?.trim() || undefined,
    candidateText: ({ text }) => text?.trim() || undefined,
  });
  const kept = new Map<string, string>();
  for (const { key, file, path, slug } of local.pages) {
    const match = matches.get(key);
    if (!match || file === null) continue;
    const isInPlace = local.summary === null ? path === match.path : slug === match.slug;
    if (isInPlace) kept.set(match.id, file);
  }
  return kept;
}

/**
 * File names derived from the addresses of pages: `a/b.md`, and `a/b/README.md` for a page with subpages.
 *
 * @param kept files of pages that keep their names; their subpages are put next to them
 */
export function derivedFiles(
  pages: readonly { id: string; parent: string | null; slug?: string }[],
  kept: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const parents = new Set(pages.map(({ parent }) => parent));
  const folders = new Map<string | null, string>([[null, '']]);
  const files = new Map<string, string>();
  for (const { id, parent, slug } of pages) {
    const above = folders.get(parent) ?? '';
    const path = (above === '' ? '' : `${above}/`) + (slug ?? 'page');
    const file = kept.get(id);
    folders.set(id, file === undefined ? path : folderFor(file));
    if (parent === null && slug === 'readme' && !parents.has(id)) files.set(id, 'README.md');
    else files.set(id, parents.has(id) ? `${path}/README.md` : `${path}.md`);
  }
  return files;
}

const folderFor = (file: string) => (isReadme(file) ? parentPath(file) : file.replace(/\.[a-z]+$/i, ''));

export const derivedPath = (name: string) => (name.includes('/') ? name : `assets/${name}`);

/** The path of each file of the docs, by file ID. */
export function pathsFor(
  files: readonly RemoteFile[],
  layout: Layout,
  pageFiles: ReadonlySet<string>,
  { problems = [] }: Naming,
): Map<string, string> {
  const paths = new Map<string, string>();
  const taken = new TakenPaths(pageFiles);
  const add = (id: string, path: string) => {
    const free = taken.take(path);
    paths.set(id, free);
    return free;
  };
  const claimed = new Set(layout.files.values());
  const docsFiles = files.filter(({ name }) => !isOwnFile(name) && !layout.old.has(name));
  for (const { id, name } of docsFiles) {
    const recorded = layout.files.get(name);
    if (recorded !== undefined && pathProblem(recorded) === undefined) add(id, recorded);
  }
  for (const { id, name } of docsFiles) {
    const path = layout.files.get(name) || derivedPath(name);
    const problem = pathProblem(path);
    // Older versions of a file that was pushed again exist only for old revisions.
    if (paths.has(id) || (problem === undefined && claimed.has(path))) continue;
    if (problem === undefined) add(id, path);
    else {
      const other = [derivedPath(name), `assets/${id}`].find((each) => pathProblem(each) === undefined);
      const outcome = other === undefined ? 'it is skipped' : `it is written to ${add(id, other)} instead`;
      problems.push({ file: path, message: `The name ${problem}; ${outcome}.` });
    }
  }
  return paths;
}

/** Paths that are in use, ignoring case as most file systems do. */
class TakenPaths {
  readonly #taken = new Set<string>();

  constructor(taken: Iterable<string> = []) {
    for (const path of taken) this.#taken.add(path.toLowerCase());
  }

  has(path: string): boolean {
    return this.#taken.has(path.toLowerCase());
  }

  /** Reserves the path or, if it is in use, `path-2`, `path-3`... */
  take(path: string): string {
    const dot = path.lastIndexOf('.');
    const nameOf = (count: number) => (count === 1 ? path : `${path.slice(0, dot)}-${count}${path.slice(dot)}`);
    const free = firstFree(this, path, nameOf);
    this.#taken.add(free.toLowerCase());
    return free;
  }
}
