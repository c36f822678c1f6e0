import { isObject } from '../shared/is-object.ts';

/**
 * What an instance of docsctl offers beyond the API of the service. Clients use it only if an answer has
 * `instanceHeader`: other services get no such request.
 */

/** On every answer of an instance: its version. */
export const instanceHeader = 'x-docsctl-instance';

/**
 * On an import: how the instance carries it out, as `<id>[; replace[; overwrite]]`. The client makes up the id; who
 * knows it can read the state of the import, without a token.
 */
export const importHeader = 'x-docsctl-import';

export interface ImportOptions {
  id: string;
  /** Puts the pages in the place of those that an earlier import of the same address made. */
  replace: boolean;
  /** Replaces also pages that were changed since. */
  overwrite: boolean;
}

export const writeImportHeader = ({ id, replace, overwrite }: ImportOptions): string =>
  [id, ...(replace ? ['replace'] : []), ...(overwrite ? ['overwrite'] : [])].join('; ');

/** @returns undefined for a header of another form */
export function readImportHeader(header: unknown): ImportOptions | undefined {
  if (typeof header !== 'string') return undefined;
  const [id = '', ...words] = header.split(';').map((word) => word.trim());
  if (!/^[\w-]{16,64}$/.test(id) || words.some((word) => word !== 'replace' && word !== 'overwrite')) return undefined;
  return { id, replace: words.includes('replace'), overwrite: words.includes('overwrite') };
}

export const importStatePath = (id: string) => `/_instance/imports/${id}`;

/** Why pages of a website were not imported, and how many. */
export interface LeftOut {
  /** More than the limit of pages. */
  pages: number;
  /** Further away from the first page than the limit of links. */
  depth: number;
  /** Found after the time for fetching was over. */
  time: number;
  /** robots.txt forbids them. */
  robots: number;
  /** They could not be fetched or read, or are no HTML pages. */
  failed: number;
}

/** What a replacing import did to the pages of the earlier one. */
export interface Replaced {
  added: number;
  changed: number;
  unchanged: number;
  deleted: number;
  /** Titles of pages that were changed in the space only: they stay as they are. */
  kept: string[];
}

/** The state of an import, of `GET /_instance/imports/{id}`. */
export interface ImportState {
  step: 'fetching' | 'reading' | 'saving' | 'done' | 'failed';
  /** Pages that were fetched and read. */
  fetched: number;
  /** Pages that were found. */
  found: number;
  leftOut: LeftOut;
  /** Files and addresses that were not imported, at most 100 of them. */
  notImported?: string[];
  /** The limits of the instance. */
  limits: { pages: number; depth: number; seconds: number };
  /** With `replace`, once it is done; absent if the address was not imported before. */
  replaced?: Replaced;
}

export const isImportState = (value: unknown): value is ImportState =>
  isObject(value) &&
  typeof value['step'] === 'string' &&
  typeof value['fetched'] === 'number' &&
  typeof value['found'] === 'number' &&
  isObject(value['leftOut']) &&
  isObject(value['limits']);

/**
 * `POST` with the SHA-256 of a code that the client has made up, as `hash`, lets a browser sign in as the caller with that
 * code, once. The code itself is not sent, so that it is in no log.
 */
export const appLinkPath = '/_instance/sign-in-links';

/** Where a browser signs in, with `code`; it is then led to the path `to`. */
export const signInPath = '/sign-in';

/** The pages of the application, without the characters that could make an address lead elsewhere. */
export const appPath = /^\/o\/[^\\\s?#]*(?:[?#][^\\\s]*)?$/;
