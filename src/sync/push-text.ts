import { LinkIndex, parentPath, relativeAddress, type Target } from '../content/markdown/links.ts';
import { rewriteLinks } from '../content/markdown/markdown.ts';
import { isReadme } from '../content/folder/file-names.ts';
import type { LocalFolder, LocalPage } from '../content/folder/folder.ts';
import type { SentLink } from '../content/folder/layout.ts';
import { addressesIn, localPaths, PathsByCase } from '../content/folder/local-links.ts';
import type { FileNames } from './match.ts';

export interface SentText {
  sent: string | null;
  /** Addresses that are sent in another form than in the file, or that a pull would write in another form. */
  links: SentLink[];
  /** Addresses in the file that would lead elsewhere in the space, or nowhere. */
  corrected: string[];
  /** Whether an address was changed because it leads to a file that is not in the space yet. */
  showsNewFile: boolean;
}

/** Whether a text of the space has addresses that do not lead where they lead in the folder. */
export function leadsElsewhere({ corrected }: SentText, text: string | null): boolean {
  if (corrected.length === 0 || text === null) return false;
  const addresses = new Set(addressesIn(text));
  return corrected.some((url) => addresses.has(url));
}

type LocalTarget = { kind: 'file'; name: string } | { kind: 'page'; page: PlacedFile };

/** The file of a page, and the path of the page in the space. */
export type PlacedFile = Pick<LocalPage, 'key' | 'path'>;

const fileId = (name: string) => `file:${name}`;
const addressOfFile = (name: string) => `/${relativeAddress('', name)}`;

/**
 * Changes the links in the texts of a folder so that they have the same targets in the space as in the folder.
 */
export class PushTexts {
  readonly #names: ReadonlyMap<string, string>;
  readonly #newAddresses: ReadonlySet<string>;
  readonly #pages: ReadonlyMap<string, PlacedFile>;
  /** The content after the push. The IDs of pages are their keys. */
  readonly #index: LinkIndex;
  readonly #byCase: PathsByCase;

  /** @param held pages whose files are skipped, at their places in the space */
  constructor(local: LocalFolder, { names, uploads }: FileNames, held: readonly PlacedFile[] = []) {
    this.#names = names;
    this.#newAddresses = new Set(uploads.map(({ name }) => addressOfFile(name)));
    this.#pages = new Map([...held.map((page) => [page.key, page] as const), ...pagesByFile(local)]);
    this.#byCase = new PathsByCase([...names.keys(), ...local.pages.flatMap((page) => page.file ?? [])]);
    this.#index = new LinkIndex(
      [...local.pages, ...held].map(({ key, path }) => ({ id: key, path })),
      [...names.values()].map((name) => ({ id: fileId(name), name })),
    );
  }

  /** The text of a page as it is sent. Addresses that have the same target in the space stay unchanged. */
  textOf({ key, text, file }: LocalPage): SentText {
    const unchanged = { sent: text, links: [], corrected: [], showsNewFile: false };
    if (text === null || file === null) return unchanged;
    const changes = new Map<string, string>();
    for (const url of addressesIn(text)) {
      const address = this.#addressFor(url, file, key);
      if (address !== url || this.#isPulledOtherwise(url, file, key)) changes.set(url, address);
    }
    if (changes.size === 0) return unchanged;
    const links: SentLink[] = [];
    let showsNewFile = false;
    const sent = rewriteLinks(text, (url, _, raw) => {
      const address = changes.get(url);
      if (address === undefined) return url;
      links.push([address, raw]);
      if (address !== url && this.#newAddresses.has(address)) showsNewFile = true;
      return address;
    });
    const corrected = [...changes].flatMap(([url, address]) => (url === address ? [] : [url]));
    return { sent, links, corrected, showsNewFile };
  }

  /** The target of an address of a file in the folder. */
  #targetOf(url: string, file: string): LocalTarget | undefined {
    const paths = localPaths(file, url);
    for (const path of paths) {
      const target = this.#targetAt(path);
      if (target) return target;
    }
    const other = paths.map((path) => this.#byCase.find(path)).find((path) => path !== undefined);
    return other === undefined ? undefined : this.#targetAt(other);
  }

  #targetAt(path: string): LocalTarget | undefined {
    const name = this.#names.get(path);
    if (name !== undefined) return { kind: 'file', name };
    const page = this.#pages.get(path) ?? this.#pages.get(`${path}.md`) ?? this.#pages.get(`${path}/`);
    return page && { kind: 'page', page };
  }

  /** The address of the same page or file in the space: unchanged if that works. */
  #addressFor(url: string, file: string, from: string): string {
    const target = this.#targetOf(url, file);
    if (!target || isSame(this.#index.resolve(url, from), target)) return url;
    const rest = /[?#].*$/s.exec(url)?.[0] ?? '';
    const address = target.kind === 'file' ? addressOfFile(target.name) : `/pages/${target.page.path}${rest}`;
    return isSame(this.#index.resolve(address, from), target) ? address : url;
  }

  // A pull writes addresses such as `/pages/...` as relative paths, unless the layout has the form in the file.
  #isPulledOtherwise(url: string, file: string, from: string): boolean {
    return (
      url.startsWith('/') &&
      !this.#targetOf(url, file) &&
      ['page', 'file'].includes(this.#index.resolve(url, from).kind)
    );
  }
}

function isSame(target: Target, local: LocalTarget): boolean {
  if (local.kind === 'file') return target.kind === 'file' && target.file === fileId(local.name);
  return target.kind === 'page' && target.page === local.page.key;
}

/** Pages by their files. The page of a folder also has the path of the folder, with and without a slash. */
function pagesByFile(local: LocalFolder): Map<string, LocalPage> {
  const pages = new Map<string, LocalPage>();
  for (const page of local.pages) {
    pages.set(page.key, page);
    if (page.file === null) {
      if (page.key.endsWith('/')) pages.set(page.key.slice(0, -1), page);
      continue;
    }
    pages.set(page.file, page);
    const folder = parentPath(page.file);
    if (isReadme(page.file) && !pages.has(`${folder}/`)) pages.set(`${folder}/`, page).set(folder, page);
  }
  return pages;
}
