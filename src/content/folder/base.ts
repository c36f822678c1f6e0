import { hash } from 'node:crypto';
import { isObject } from '../../shared/is-object.ts';
import { metaMembers, type PageMeta } from './page-info.ts';

/** The state of a folder at its last push or pull: the common ancestor of the folder and the space. */
export interface Base {
  /** Depth first, with siblings in order. */
  pages: readonly BasePage[];
  /** Hashes of the files by ID. Files with these IDs and sizes can be compared without fetching them. */
  files: ReadonlyMap<string, { hash: string; size: number }>;
  /** The names of files that others had replaced or renamed before that, by the paths that they still had in the folder. */
  names?: ReadonlyMap<string, string>;
  /** Whether links to pages were sent with their IDs. Earlier versions sent paths. */
  hasIds?: boolean;
}

export interface BasePage extends PageMeta {
  /** The ID of the page in the space; the page may have been deleted. */
  id: string;
  parent: string | null;
  title: string;
  slug?: string;
  /** The slugs from the root in the folder. */
  path?: string;
  /** Relative to the root of the docs; missing in records of earlier versions. */
  file?: string;
  href?: string;
  /** The `textHash` of the text as sent. */
  text: string;
  /** The text in the space at that time. */
  space?: SpaceText;
  /** The revision of the space with this text. */
  revision?: string;
  /** The text itself, if it is not in any revision. */
  source?: string;
  /** Identifies the file and where its links lead. As long as it is the same, so is the text as sent. */
  from?: string;
  /** Whether links to pages are paths, because an earlier version or somebody in the app wrote them. */
  hasPaths?: boolean;
}

/** A text in the space. Equal documents have equal texts. */
export interface SpaceText {
  document: string;
  updatedAt?: string;
  /** Its `textHash`, if it differs from that of the folder. */
  text?: string;
  /** Whether it is the text of the folder in another form, so that both result in the same file. */
  isAlike?: boolean;
}

/** Short, because a space stores one for each page and push. 160 bits are enough to distinguish texts. */
export function textHash(text: string | null | undefined): string {
  return text ? hash('sha256', text, 'base64url').slice(0, 27) : '';
}

/** The `textHash` of a page in the space, if its document is in the base. */
export function knownText(
  page: { document?: string; updatedAt?: string },
  entry: BasePage | undefined,
): string | undefined {
  if (page.document === undefined) return '';
  const { space, text } = entry ?? {};
  if (space?.document !== page.document || space.updatedAt !== page.updatedAt) return undefined;
  return space.text ?? text;
}

export function jsonOfBase({ pages, files, names, hasIds }: Base) {
  return {
    pages,
    files: Object.fromEntries([...files].map(([id, file]) => [id, [file.hash, file.size]])),
    names: names && Object.fromEntries(names),
    hasIds,
  };
}

/** Reads the base in a layout. It is not trusted, because everyone with write access to the space can change it. */
export function readBase(value: unknown): Base | undefined {
  if (!isObject(value) || !Array.isArray(value.pages)) return undefined;
  const pages = value.pages.flatMap((page: unknown) => readPage(page) ?? []);
  if (pages.length < value.pages.length || new Set(pages.map(({ id }) => id)).size < pages.length) return undefined;
  const files = new Map<string, { hash: string; size: number }>();
  for (const [id, entry] of Object.entries(isObject(value.files) ? value.files : {})) {
    const [fileHash, size] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (isText(fileHash) && typeof size === 'number') files.set(id, { hash: fileHash, size });
  }
  const names = Object.entries(isObject(value.names) ? value.names : {}).filter((entry): entry is [string, string] =>
    isText(entry[1]),
  );
  return {
    pages,
    files,
    ...(names.length > 0 && { names: new Map(names) }),
    ...(value.hasIds === true && { hasIds: true }),
  };
}

function readPage(value: unknown): BasePage | undefined {
  if (!isObject(value)) return undefined;
  const { id, parent, title, text, space } = value;
  if (!isText(id) || !isText(title) || !isText(text) || !(parent === null || isText(parent))) return undefined;
  const page: BasePage = { id, parent, title, text };
  for (const member of ['slug', 'path', 'file', 'href', 'revision', 'source', 'from'] as const) {
    const each = value[member];
    if (isText(each)) page[member] = each;
  }
  for (const member of metaMembers) {
    const each = value[member];
    if (isText(each) || each === true) Object.assign(page, { [member]: each });
  }
  if (value.hasPaths === true) page.hasPaths = true;
  const { document, updatedAt, text: spaceText, isAlike } = isObject(space) ? space : {};
  if (isText(document)) {
    page.space = {
      document,
      ...(isText(updatedAt) && { updatedAt }),
      ...(isText(spaceText) && { text: spaceText }),
      ...(isAlike === true && { isAlike }),
    };
  }
  return page;
}

export const isText = (value: unknown): value is string => typeof value === 'string';
