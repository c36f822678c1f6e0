import { isSafeAddress } from '../../content/html/safe-address.ts';
import { decodeAddress } from '../../shared/decode.ts';
import { trimSlashes } from '../../shared/trim-slashes.ts';
import { isReadme } from '../../content/folder/file-names.ts';
import { joinPath, LinkIndex, parentPath } from '../../content/markdown/links.ts';
import type { DiskFolder } from './disk-folder.ts';
import { noSafeAddress } from './problem.ts';
import type { FolderPage, SpaceFolder } from './space-folder.ts';

/** What a link in a file of a folder leads to. */
export type FolderTarget =
  | { kind: 'external'; url: string }
  | { kind: 'page'; page: FolderPage; anchor: string }
  /** By a path from the whole folder. */
  | { kind: 'file'; file: string }
  /** With the reason, as the end of a sentence. */
  | { kind: 'missing'; reason: string };

/** The spaces whose files link to each other. */
export interface LinkedSpaces {
  disk: DiskFolder;
  /** The space that a path from the whole folder belongs to. */
  spaceOf(path: string): SpaceFolder | undefined;
}

export const isAbsoluteAddress = (url: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url);

/** Where the addresses of a file start. */
export interface LinkStart {
  /** From the whole folder. */
  file: string;
  space: SpaceFolder;
  /** The page of the file, if it is one. */
  page: FolderPage | undefined;
}

/** Resolves the addresses in a folder's files: paths of other files, as git and editors read them, or addresses of pages. */
export class FolderLinks {
  readonly #spaces: LinkedSpaces;
  readonly #folderPages = new WeakMap<SpaceFolder, { of: readonly FolderPage[]; byFolder: Map<string, FolderPage> }>();
  readonly #indexes = new WeakMap<SpaceFolder, { of: readonly FolderPage[]; index: LinkIndex }>();
  #lowerCase: { of: ReadonlySet<string>; names: Map<string, string> } | undefined;

  constructor(spaces: LinkedSpaces) {
    this.#spaces = spaces;
  }

  resolve(url: string, start: LinkStart): FolderTarget {
    if (!isSafeAddress(url)) return { kind: 'missing', reason: noSafeAddress };
    if (isAbsoluteAddress(url)) return { kind: 'external', url };
    const [, address = '', hash = ''] = /^([^#?]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(url) ?? [];
    const anchor = decodeAddress(hash);
    const path = decodeAddress(address);
    if (path === '') {
      return start.page ? { kind: 'page', page: start.page, anchor } : { kind: 'missing', reason: 'does not exist' };
    }
    const paths = this.#pathsOf(path, start);
    const target = paths.map((candidate) => this.#targetOf(candidate)).find((each) => each !== undefined);
    if (target?.kind === 'page') return { ...target, anchor };
    const byAddress = target ?? this.#byAddress(path, anchor, start);
    if (byAddress) return byAddress;
    // The service writes such addresses for deleted pages.
    const isDeleted = path.startsWith('/broken/');
    return { kind: 'missing', reason: isDeleted ? 'refers to a deleted page' : this.#reasonFor(paths) };
  }

  /** Resolves the target of a redirect: a file from the root of the space, the address of a page, or another host. */
  redirectTarget(target: string, space: SpaceFolder): Exclude<FolderTarget, { kind: 'missing' }> | undefined {
    const start = { file: space.root === '' ? '-' : `${space.root}/-`, space, page: undefined };
    const resolved = this.resolve(target, start);
    return resolved.kind === 'missing' ? undefined : resolved;
  }

  /** Resolves the address of a file that is not a page. */
  file(url: string, start: LinkStart): Exclude<FolderTarget, { kind: 'page' }> {
    if (isAbsoluteAddress(url)) return { kind: 'external', url };
    const paths = this.#pathsOf(decodeAddress(url.replace(/[?#].*$/s, '')), start);
    // File names may contain question marks and number signs.
    const literal = this.#pathsOf(decodeAddress(url), start);
    const file = [...paths, ...literal].find((path) => this.#spaces.disk.shows(path));
    return file === undefined ? { kind: 'missing', reason: this.#reasonFor(paths) } : { kind: 'file', file };
  }

  /** The paths that an address can mean. With a slash at its start, it is relative to the space or the whole folder. */
  #pathsOf(path: string, { file, space }: LinkStart): string[] {
    const starts = path.startsWith('/') ? [space.root, space.directory, ''] : [parentPath(file)];
    const relative = path.replace(/^\/+/, '');
    const paths = starts.flatMap((folder) => joinPath(folder, relative)?.join('/') ?? []);
    return [...new Set(paths)];
  }

  #targetOf(path: string): Exclude<FolderTarget, { kind: 'external' | 'missing' }> | undefined {
    const space = this.#spaces.spaceOf(path === '' ? 'README.md' : path) ?? this.#spaces.spaceOf(`${path}/README.md`);
    const page =
      space &&
      (space.pageOfFile(path) ?? space.pageOfFile(`${path}.md`) ?? this.#byFolder(space).get(path.replace(/\/$/, '')));
    if (page) return { kind: 'page', page, anchor: '' };
    return !space?.isPageFile(path) && this.#spaces.disk.shows(path) ? { kind: 'file', file: path } : undefined;
  }

  /** The pages of folders, by the paths of the folders. */
  #byFolder(space: SpaceFolder): Map<string, FolderPage> {
    const cached = this.#folderPages.get(space);
    if (cached?.of === space.pages) return cached.byFolder;
    const byFolder = new Map<string, FolderPage>();
    for (const page of space.pages) {
      if (page.type !== 'document') continue;
      if (page.file !== null && isReadme(page.file)) byFolder.set(parentPath(page.file), page);
      else if (page.file === null && page.key.endsWith('/')) {
        byFolder.set([space.root, page.key.slice(0, -1)].filter(Boolean).join('/'), page);
      }
    }
    this.#folderPages.set(space, { of: space.pages, byFolder });
    return byFolder;
  }

  /** Finds pages by their addresses, as the service does. */
  #byAddress(path: string, anchor: string, { space, page }: LinkStart): FolderTarget | undefined {
    const index = this.#indexOf(space);
    const target = index.resolve(path, page?.key ?? '');
    const other = target.kind === 'page' ? space.pageOfKey(target.page) : undefined;
    if (other) return { kind: 'page', page: other, anchor };
    const source = trimSlashes(path);
    const redirect = space.redirectFrom(source);
    if (!redirect || !isSafeAddress(redirect.target)) return undefined;
    if (isAbsoluteAddress(redirect.target)) return { kind: 'external', url: redirect.target };
    const file = this.#targetOf(
      [space.root, trimSlashes(redirect.target.replace(/#.*$/s, ''))].filter(Boolean).join('/'),
    );
    return file?.kind === 'page' ? { ...file, anchor } : undefined;
  }

  #indexOf(space: SpaceFolder): LinkIndex {
    const cached = this.#indexes.get(space);
    if (cached?.of === space.pages) return cached.index;
    const documents = space.pages.filter(({ type }) => type === 'document');
    const index = new LinkIndex(
      documents.map(({ key, path }) => ({ id: key, path })),
      [],
    );
    this.#indexes.set(space, { of: space.pages, index });
    return index;
  }

  /** The reason why none of these paths leads to anything. */
  #reasonFor(paths: readonly string[]): string {
    if (paths.length === 0) return 'leads out of the folder';
    const { disk } = this.#spaces;
    for (const path of paths) {
      if (disk.files.has(path) && !disk.shows(path)) return 'leads to a hidden file';
      for (const file of [path, `${path}.md`, `${path}/README.md`]) {
        const space = disk.files.has(file) ? this.#spaces.spaceOf(file) : undefined;
        if (space) return `is a file that is not in ${space.summaryFile}`;
        const other = this.#otherCase(file);
        if (other !== undefined) return `differs in capitalization from the file ${other}`;
      }
      const link = linkIn(path, disk.leftOut);
      if (link !== undefined) {
        return `is ${link === path ? '' : 'behind '}a symbolic link that ${disk.leftOut.get(link)}`;
      }
    }
    return 'does not lead to a file in the folder';
  }

  #otherCase(path: string): string | undefined {
    const { files } = this.#spaces.disk;
    if (this.#lowerCase?.of !== files) {
      this.#lowerCase = { of: files, names: new Map([...files].map((file) => [file.toLowerCase(), file])) };
    }
    return this.#lowerCase.names.get(path.toLowerCase());
  }
}

/** The symbolic link at a path, or above it. */
function linkIn(path: string, links: ReadonlyMap<string, string>): string | undefined {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/')).find((start) => links.has(start));
}
