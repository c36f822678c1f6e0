import { decodeAddress } from '../../shared/decode.ts';
import { type Reference, referenceOf } from './references.ts';
import { slugify } from './slug.ts';

/** The target of a link in the Markdown of a page. */
export type Target =
  | { kind: 'page'; page: string; anchor?: string }
  | { kind: 'file'; file: string }
  /** A heading of the same page. */
  | { kind: 'anchor'; anchor: string }
  /** Another space, a user and so on, or a page of another space. */
  | { kind: 'reference'; reference: Reference }
  | { kind: 'external'; url: string }
  /** A relative address or an address of this service whose target does not exist. */
  | { kind: 'missing'; url: string };

export interface LinkedPage {
  id: string;
  /** Slugs from the root. */
  path: string;
}

export class LinkIndex {
  readonly #pages = new Map<string, string>();
  readonly #paths = new Map<string, string>();
  readonly #parents = new Set<string>();
  readonly #files = new Map<string, string>();
  readonly #fileIds = new Set<string>();

  constructor(pages: Iterable<LinkedPage>, files: Iterable<{ id: string; name: string }>) {
    for (const { id, path } of pages) {
      this.#pages.set(path, id);
      this.#paths.set(id, path);
      this.#parents.add(parentPath(path));
    }
    for (const { id, name } of files) {
      if (!this.#files.has(name)) this.#files.set(name, id);
      this.#fileIds.add(id);
    }
  }

  /**
   * Resolves a link in a page. The address can be `/pages/<id>`, `/pages/<path>`, `/files/<id>`, another address of
   * `references.ts`, or relative like between files: `install.md`, `../assets/pump.png`, `guides/`, `/guides/install`.
   */
  resolve(url: string, from: string): Target {
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url)) return { kind: 'external', url };
    const [, address = '', hash = ''] = /^([^#?]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(url) ?? [];
    const anchor = decodeAddress(hash);
    if (address === '') return anchor === '' ? { kind: 'page', page: from } : { kind: 'anchor', anchor };
    const path = this.#paths.get(from) ?? '';
    const target = this.#byReference(url, address) ?? this.#relative(decodeAddress(address), path);
    if (!target) return this.#fileNamed(url, path) ?? { kind: 'missing', url };
    return target.kind === 'page' && anchor !== '' ? { ...target, anchor } : target;
  }

  /** Resolves an address of `references.ts`, or `/pages/<path>`. */
  #byReference(url: string, address: string): Target | undefined {
    const reference = referenceOf(url);
    if (reference.kind === 'file') return this.#fileIds.has(reference.file) ? reference : { kind: 'missing', url };
    const hasPage = reference.kind === 'page' || reference.kind === 'anchor';
    const page = hasPage && !reference.space ? reference.page : undefined;
    if (page && this.#paths.has(page)) return { kind: 'page', page };
    if (reference.kind !== 'url' && !page) return { kind: 'reference', reference };
    const path = /^\/pages\/(.+)$/.exec(address)?.[1];
    if (path === undefined) return undefined;
    const target = this.#pageAt(decodeAddress(path).split('/').filter(Boolean));
    return target === undefined ? { kind: 'missing', url } : { kind: 'page', page: target };
  }

  // A page with subpages is the page of a folder, and its links start in that folder. A page without subpages is a file
  // in the folder of its parent. Authors use both, so the other start is tried, too.
  #startsOf(address: string, path: string): string[] {
    if (address.startsWith('/')) return [''];
    return this.#parents.has(path) ? [path, parentPath(path)] : [parentPath(path), path];
  }

  /** Finds a file whose name contains `?`, `#` or `%`. */
  #fileNamed(url: string, path: string): Target | undefined {
    if (!/[%?#]/.test(url)) return undefined;
    for (const address of spellingsOf(url)) {
      for (const start of this.#startsOf(address, path)) {
        const file = this.#files.get(joinPath(start, address)?.join('/') ?? '');
        if (file !== undefined) return { kind: 'file', file };
      }
    }
    return undefined;
  }

  #relative(address: string, path: string): Target | undefined {
    for (const start of this.#startsOf(address, path)) {
      const segments = joinPath(start, address);
      if (!segments) continue;
      const file = this.#files.get(segments.join('/'));
      if (file !== undefined && !/\.(?:md|markdown|mdx)$/i.test(address)) return { kind: 'file', file };
      const page = this.#pageAt(segments);
      if (page !== undefined) return { kind: 'page', page };
      if (file !== undefined) return { kind: 'file', file };
    }
    return undefined;
  }

  #pageAt(segments: string[]): string | undefined {
    const path = [...segments];
    const last = path.pop()?.replace(/\.(?:md|markdown|mdx)$/i, '');
    const whole = last === undefined ? path : [...path, last];
    const candidates =
      last !== undefined && /^(?:readme|index)$/i.test(last) ? [path, whole, [...path, 'readme']] : [whole];
    if (whole.length === 0) candidates.push(['readme']);
    for (const candidate of candidates) {
      const page = this.#pages.get(candidate.join('/')) ?? this.#pages.get(candidate.map(slugify).join('/'));
      if (page !== undefined && candidate.length > 0) return page;
    }
    return undefined;
  }
}

/**
 * The paths that an address can mean, the likeliest first. Most editors encode spaces, `%`, `?` and `#` in file names, but
 * not all of them.
 */
export function spellingsOf(url: string): string[] {
  const bare = url.replace(/[?#].*$/s, '');
  return [...new Set([decodeAddress(bare), bare, decodeAddress(url), url])].filter((address) => address !== '');
}

/** The segments of the target of a relative address in a folder. Undefined if it is above the root. */
export function joinPath(folder: string, address: string): string[] | undefined {
  const segments = folder === '' || address.startsWith('/') ? [] : folder.split('/');
  for (const segment of address.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments;
}

/** The relative address from a folder to a path, percent-encoded for Markdown. */
export function relativeAddress(folder: string, path: string): string {
  const from = folder === '' ? [] : folder.split('/');
  const to = path.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  const steps = [...from.slice(shared).map(() => '..'), ...to.slice(shared).map(encodePath)];
  // `a:b.md` would be an address with a scheme.
  return steps[0]?.includes(':') ? `./${steps.join('/')}` : steps.join('/');
}

export function parentPath(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** Percent-encodes the characters of a path that have a meaning in an address or in Markdown. */
export function encodePath(segment: string): string {
  return segment.replaceAll(/[\s%?#<>()[\]\\"`|]/g, (character) =>
    character === '(' ? '%28' : character === ')' ? '%29' : encodeURIComponent(character),
  );
}
