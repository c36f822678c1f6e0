import { parentPath } from '../markdown/links.ts';
import { firstFree } from '../markdown/slug.ts';
import { isMarkdown, isProgramFile, pathFault } from './file-names.ts';
import { hashOf, type LocalFolder, type Problem } from './folder.ts';
import { isLayout, type Layout } from './layout.ts';
import { matchPages } from './match.ts';
import type { Remote, RemoteFile, RemotePage } from './remote.ts';

export interface Naming {
  /** Gets the names that the service gives and that must not be written: what has one gets another. */
  problems?: Problem[];
  /** Hashes of texts that the user's own push sent, by path: they may have names that programs look for. */
  own?: ReadonlyMap<string, string>;
}

/** Why a page's text must not be written to a file of this name, in words that follow it. */
export function pageFault(file: string): string | undefined {
  const fault = pathFault(file);
  if (fault !== undefined) return fault;
  if (!isMarkdown(file)) return 'is not that of a Markdown file';
  return isProgramFile(file) ? 'is one that programs look for' : undefined;
}

/** A file for each page that has a text, or needs one to be there. */
export function filesFor(
  remote: Remote,
  layout: Layout,
  local: LocalFolder | undefined,
  { problems = [], own = new Map() }: Naming,
): Map<string, string> {
  const parents = new Set(remote.pages.map(({ parent }) => parent));
  const hasFile = ({ id, text, path }: RemotePage) =>
    text !== null || layout.pages[path ?? ''] !== undefined || !(parents.has(id) || layout.summary);
  const documents = remote.pages.filter((page) => page.type === 'document' && hasFile(page));
  const kept = local ? keptFiles(remote, layout, local) : new Map<string, string>();
  const derived = derivedFiles(remote.pages, kept);
  const files = new Map<string, string>();
  const taken = new Paths();
  const claims = documents.map(({ id, path, text }, at) => {
    const recorded = path === undefined ? [] : [layout.pages[path]].filter((file) => file !== undefined);
    const usual = derived.get(id)!;
    // `agents/README.md` is the same page as `agents.md`.
    const others = [usual, usual.replace(/\.md$/, '/README.md'), `page-${at + 1}.md`];
    const isUsable = (file: string) =>
      pageFault(file) === undefined || (pathFault(file) === undefined && own.get(file) === hashOf(text ?? ''));
    const refused = [recorded[0] ?? usual].find((file) => !isUsable(file));
    return { id, refused, choices: [kept.get(id), recorded.find(isUsable), others.find(isUsable)] };
  });
  // Who has a name already goes before who would take it.
  for (const rank of [0, 1, 2]) {
    for (const { id, choices, refused } of claims) {
      const file = choices[rank];
      if (files.has(id) || file === undefined) continue;
      if (rank < 2 && taken.has(file)) continue;
      const free = taken.take(file);
      files.set(id, free);
      if (rank > 0 && refused !== undefined) {
        const message = `The name ${pageFault(refused)}; the page is written to ${free} instead.`;
        problems.push({ file: refused, message });
      }
    }
  }
  return files;
}

/** The local files that stay: of pages that are still where the file says. */
function keptFiles(remote: Remote, layout: Layout, local: LocalFolder): Map<string, string> {
  const texts = new Map(local.pages.map((page) => [page.key, { sent: page.text, links: [], showsNew: false }]));
  const pages = new Map(local.pages.map((page) => [page.key, page]));
  const kept = new Map<string, string>();
  for (const [key, twin] of matchPages(local, remote, layout, texts)) {
    const page = pages.get(key)!;
    const isInPlace = local.summary === null ? page.path === twin.path : page.slug === twin.slug;
    if (page.file !== null && isInPlace) kept.set(twin.id, page.file);
  }
  return kept;
}

/** File names that follow from the pages' addresses: `a/b.md`, and `a/b/README.md` for a page with subpages. */
export function derivedFiles(
  pages: readonly { id: string; parent: string | null; slug?: string }[],
  known: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const parents = new Set(pages.map(({ parent }) => parent));
  const folders = new Map<string | null, string>([[null, '']]);
  const files = new Map<string, string>();
  for (const { id, parent, slug } of pages) {
    const above = folders.get(parent) ?? '';
    const own = (above === '' ? '' : `${above}/`) + (slug ?? 'page');
    const file = known.get(id);
    const isReadme = file !== undefined && /(?:^|\/)(?:readme|index)\.[a-z]+$/i.test(file);
    folders.set(id, file === undefined ? own : isReadme ? parentPath(file) : file.replace(/\.[a-z]+$/i, ''));
    if (parent === null && slug === 'readme' && !parents.has(id)) files.set(id, 'README.md');
    else files.set(id, parents.has(id) ? `${own}/README.md` : `${own}.md`);
  }
  return files;
}

export function derivedPath(name: string): string {
  return name.includes('/') ? name : `assets/${name}`;
}

export function pathsFor(
  files: readonly RemoteFile[],
  layout: Layout,
  taken: ReadonlySet<string>,
  { problems = [] }: Naming,
): Map<string, string> {
  const paths = new Map<string, string>();
  const used = new Paths(taken);
  const add = (id: string, path: string) => {
    const free = used.take(path);
    paths.set(id, free);
    return free;
  };
  const claimed = new Set(Object.values(layout.files));
  const shown = files.filter(({ name }) => !isLayout(name));
  const recorded = (name: string) => layout.files[name] ?? '';
  for (const { id, name } of shown) if (pathFault(recorded(name)) === undefined) add(id, recorded(name));
  for (const { id, name } of shown) {
    const wanted = recorded(name) || derivedPath(name);
    const fault = pathFault(wanted);
    // Older bytes of a file that was pushed again are history, not content.
    if (paths.has(id) || (fault === undefined && claimed.has(wanted))) continue;
    if (fault === undefined) add(id, wanted);
    else {
      const instead = [derivedPath(name), `assets/${id}`].find((path) => pathFault(path) === undefined);
      const outcome = instead === undefined ? 'it is left out' : `it is written to ${add(id, instead)} instead`;
      problems.push({ file: wanted, message: `The name ${fault}; ${outcome}.` });
    }
  }
  return paths;
}

/** Paths of files; most systems ignore their case. */
class Paths {
  readonly #taken = new Set<string>();

  constructor(taken: Iterable<string> = []) {
    for (const path of taken) this.#taken.add(path.toLowerCase());
  }

  has(path: string): boolean {
    return this.#taken.has(path.toLowerCase());
  }

  /** Takes the path, or where it is taken one like it. */
  take(path: string): string {
    const dot = path.lastIndexOf('.');
    const nameOf = (count: number) => (count === 1 ? path : `${path.slice(0, dot)}-${count}${path.slice(dot)}`);
    const free = firstFree(this, path, nameOf);
    this.#taken.add(free.toLowerCase());
    return free;
  }
}
