import { LinkIndex, parentPath, relativeAddress, type Target } from '../content/markdown/links.ts';
import { textHash } from '../content/folder/base.ts';
import { isReadme } from '../content/folder/file-names.ts';
import type { LocalFolder, LocalPage } from '../content/folder/folder.ts';
import type { SentLink } from '../content/folder/layout.ts';
import { addressesIn, isRelative, localPaths, PathsByCase } from '../content/folder/local-links.ts';
import type { FileNames } from './match.ts';
import { addressOfFile, isCover, isLinkTo, pageIdIn, pageIdsIn, partsOf, replacePageIds } from './page-links.ts';
import { rewriteLinks } from './rewrite-links.ts';

export interface SentText {
  /** Undefined if it is the text of the last push, and was not read again. */
  sent: string | null | undefined;
  /** The `textHash` of the text as sent. */
  hash: string;
  /** Addresses that a pull would write in another form than the file has. */
  links: readonly SentLink[];
  /** Addresses in the file that would lead elsewhere in the space, or nowhere. */
  corrected: readonly string[];
  /** Whether an address was changed because it leads to a file that is not in the space yet. */
  showsNewFile: boolean;
  /** The text of the file and where its links lead. As long as it is the same, so is the text as sent. */
  source?: string | undefined;
  /** Whether links to pages are sent as paths, because the space has them in this form and its text need not change. */
  hasPaths?: boolean;
}

/** What the last push sent. */
interface SentBefore extends Pick<SentText, 'hash' | 'links'> {
  /** The `textHash` of its source. */
  source: string;
}

/** Whether a text of the space has addresses that do not lead where they lead in the folder. */
export function leadsElsewhere({ corrected }: SentText, text: string | null): boolean {
  if (corrected.length === 0 || text === null) return false;
  const addresses = new Set(addressesIn(text));
  return corrected.some((url) => addresses.has(url));
}

/** Whether a text of the space shows one of these files. */
export function showsAny(names: ReadonlySet<string>, text: string | null): boolean {
  if (names.size === 0 || text === null) return false;
  const addresses = new Set(addressesIn(text));
  return names.values().some((name) => addresses.has(addressOfFile(name)));
}

/** Whether a text of the space links to other pages than these by ID, and the folder does not. */
export function linksToDeleted(
  { sent }: SentText,
  text: string | null,
  pages: readonly { id: string; path?: string }[],
): boolean {
  const linked = new Set(pageIdsIn(text ?? ''));
  if (linked.size === 0) return false;
  for (const { id, path = '' } of pages) {
    linked.delete(id);
    // A path of twelve letters looks like an ID.
    linked.delete(path);
  }
  for (const id of pageIdsIn(sent ?? '')) linked.delete(id);
  return linked.size > 0;
}

/** The text with the IDs of pages that the space has by now. */
export function withIds(text: SentText, idOf: (id: string) => string | undefined): SentText {
  const addressOf = (id: string) => {
    const known = idOf(id);
    return known === undefined ? undefined : `/pages/${known}`;
  };
  const sent = text.sent && replacePageIds(text.sent, addressOf);
  if (sent === text.sent) return text;
  return {
    ...text,
    sent,
    hash: textHash(sent),
    links: text.links.map(([address, raw]) => [replacePageIds(address, addressOf), raw]),
    source: text.source && replacePageIds(text.source, addressOf),
  };
}

type LocalTarget = { kind: 'file'; name: string } | { kind: 'page'; page: PlacedFile };

/** The file of a page, and the path of the page in the space. */
export type PlacedFile = Pick<LocalPage, 'key' | 'path'>;

/** An address of a file, in the forms in which it can be sent. */
interface Change {
  /** By the path of the page or file. */
  path: string;
  /** As it leads there wherever the pages are moved, and the address that a pull writes instead. */
  stable?: { kind: LocalTarget['kind']; address: string; pulled: string | undefined } | undefined;
}

const fileId = (name: string) => `file:${name}`;

interface PushedPages {
  /** Pages whose files are skipped, at their places in the space. */
  held?: readonly PlacedFile[];
  /** The IDs of pages by key. Without them, links to pages and files are sent as paths. */
  ids?: ReadonlyMap<string, string>;
}

/**
 * Changes the links in the texts of a folder so that they have the same targets in the space as in the folder. Links to pages
 * get their IDs, and links to files start at the root, so that they lead there wherever the pages are moved.
 */
export class PushTexts {
  readonly #names: ReadonlyMap<string, string>;
  /** Paths of files by their names in the space. */
  readonly #paths: ReadonlyMap<string, string>;
  readonly #newAddresses: ReadonlySet<string>;
  readonly #pages: ReadonlyMap<string, PlacedFile>;
  /** The content after the push. The IDs of pages are their keys. */
  readonly #index: LinkIndex;
  readonly #byCase: PathsByCase;
  readonly #ids: ReadonlyMap<string, string> | undefined;
  /** Keys of pages by ID. */
  readonly #keys: ReadonlyMap<string, string>;
  /** Files of pages by key. */
  readonly #files: ReadonlyMap<string, string | null>;

  constructor(local: LocalFolder, { names, uploads }: FileNames, { held = [], ids }: PushedPages = {}) {
    this.#names = names;
    this.#paths = new Map([...names].map(([path, name]) => [name, path]));
    this.#newAddresses = new Set(uploads.map(({ name }) => addressOfFile(name)));
    this.#pages = new Map([...held.map((page) => [page.key, page] as const), ...pagesByFile(local)]);
    this.#byCase = new PathsByCase([...names.keys(), ...local.pages.flatMap((page) => page.file ?? [])]);
    this.#index = new LinkIndex(
      [...local.pages, ...held].map(({ key, path }) => ({ id: key, path })),
      [...names.values()].map((name) => ({ id: fileId(name), name })),
    );
    this.#ids = ids;
    this.#keys = new Map([...(ids ?? [])].map(([key, id]) => [id, key]));
    this.#files = new Map([
      ...held.map(({ key }) => [key, key] as const),
      ...local.pages.map(({ key, file }) => [key, file] as const),
    ]);
  }

  /**
   * The text of a page as it is sent. Addresses of files that have the same target in the space stay unchanged.
   *
   * @param before what the last push sent; if the source is the same, the text is not parsed
   */
  textOf({ key, text, file }: LocalPage, before?: SentBefore): SentText {
    const unchanged = { sent: text, hash: textHash(text), links: [], corrected: [], showsNewFile: false };
    if (text === null || file === null) return unchanged;
    const changes = new Map<string, Change>();
    for (const url of addressesIn(text)) {
      const change = this.#changeOf(url, file, key);
      if (change) changes.set(url, change);
    }
    if (changes.size === 0) return unchanged;
    const corrected = [...changes].flatMap(([url, { path }]) => (url === path ? [] : [url]));
    const source = sourceOf(text, changes);
    if (before && source !== undefined && textHash(source) === before.source)
      return { ...unchanged, ...before, sent: undefined, corrected, source };
    const links: { address: string; raw: string; isPulled: boolean }[] = [];
    let showsNewFile = false;
    const sent = rewriteLinks(text, (url, kind, raw, _, tag) => {
      const change = changes.get(url);
      if (!change) return url;
      const stable = change.stable && isLinkTo(change.stable.kind, kind, tag) ? change.stable : undefined;
      const address = stable?.address ?? change.path;
      if (address !== url || stable || this.#isPulledOtherwise(url, file, key))
        links.push({ address, raw, isPulled: raw === stable?.pulled && isSpelledAlike(raw, tag) });
      if (change.path !== url && this.#newAddresses.has(address)) showsNewFile = true;
      return address;
    });
    // Several links with one address are told apart by their order.
    const others = new Set(links.flatMap(({ address, isPulled }) => (isPulled ? [] : [address])));
    return {
      sent,
      hash: textHash(sent),
      links: links.flatMap(({ address, raw }): SentLink[] => (others.has(address) ? [[address, raw]] : [])),
      corrected,
      showsNewFile,
      source,
    };
  }

  /** The forms of an address that is not sent, or not pulled, as it is. */
  #changeOf(url: string, file: string, from: string): Change | undefined {
    const path = this.#addressFor(url, file, from);
    const stable = this.#ids && this.#stableAddress(url, file, from);
    return path !== url || stable || this.#isPulledOtherwise(url, file, from) ? { path, stable } : undefined;
  }

  #stableAddress(url: string, file: string, from: string): Change['stable'] {
    const parts = isRelative(url) ? partsOf(url) : undefined;
    if (!parts) return undefined;
    const key = this.#pageAt(parts.address, file, from);
    if (key === undefined) return parts.anchor === '' ? this.#fileAddress(url, file, from) : undefined;
    const id = this.#ids?.get(key);
    if (id === undefined) return undefined;
    const target = this.#files.get(key);
    return {
      kind: 'page',
      address: `/pages/${id}${parts.anchor}`,
      pulled: target ? relativeAddress(parentPath(file), target) + parts.anchor : undefined,
    };
  }

  #fileAddress(url: string, file: string, from: string): Change['stable'] {
    const target = this.#targetOf(url, file);
    if (target?.kind !== 'file') return undefined;
    const address = addressOfFile(target.name);
    if (!isSame(this.#index.resolve(address, from), target)) return undefined;
    const path = this.#paths.get(target.name) ?? '';
    return { kind: 'file', address, pulled: relativeAddress(parentPath(file), path) };
  }

  /** The key of the page that an address without an anchor leads to, in the folder or only in the space. */
  #pageAt(address: string, file: string, from: string): string | undefined {
    const named = this.#keys.get(pageIdIn(address) ?? '');
    if (named !== undefined) return named;
    const target = this.#targetOf(address, file);
    if (target) return target.kind === 'page' ? target.page.key : undefined;
    const inSpace = this.#index.resolve(address, from);
    return inSpace.kind === 'page' ? inSpace.page : undefined;
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

  /** The address of the same page or file in the space by its path: unchanged if that works. */
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

/** A text and its links that lead to pages and files; undefined if it has none. */
function sourceOf(text: string, changes: ReadonlyMap<string, Change>): string | undefined {
  const addresses = [...changes].map(([url, { path, stable }]) => [url, path, stable?.address]);
  return addresses.some(([, , stable]) => stable !== undefined)
    ? JSON.stringify([textHash(text), addresses])
    : undefined;
}

/** Whether an address is spelled in the same way everywhere: some places escape characters, and covers can have quotes. */
const isSpelledAlike = (raw: string, tag: string | undefined) => !/['&,]/.test(raw) && !isCover(tag);

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
