import { createHash } from 'node:crypto';
import { isObject } from '../../shared/is-object.ts';
import { metaMembers, type PageMeta } from './page-info.ts';

/** What a folder had when it was last pushed or pulled: the common ancestor of the folder and the space. */
export interface Base {
  /** Depth first, siblings in their order. */
  pages: readonly BasePage[];
  /** Hashes of the content's files, by id: files with these ids and sizes need not be fetched to be compared. */
  files: ReadonlyMap<string, { hash: string; size: number }>;
}

export interface BasePage extends PageMeta {
  /** Of the page in the space, where it may be deleted now. */
  id: string;
  parent: string | null;
  title: string;
  slug?: string;
  /** Slugs from the root, as the folder had them. */
  path?: string;
  href?: string;
  /** `textHash` of the text as it is sent. */
  text: string;
  /** What the space had at the same time. */
  space?: SpaceText;
  /** The revision of the space in which the page has the text. */
  revision?: string;
  /** The text itself, where no revision has it. */
  source?: string;
}

/** A text of the space by the name of its document: the same name means the same text. */
export interface SpaceText {
  document: string;
  updatedAt?: string;
  /** `textHash` of it; absent where it is that of the folder. */
  text?: string;
  /** It is the folder's in another form: the same file follows from both. */
  isAlike?: boolean;
}

/** Short, because a space keeps one for each page and push; 160 bits are enough to tell texts apart. */
export function textHash(text: string | null | undefined): string {
  return text ? createHash('sha256').update(text).digest('base64url').slice(0, 27) : '';
}

/** The `textHash` of a page of the space, where the base knows the text by the name of its document. */
export function knownText(
  page: { document?: string; updatedAt?: string },
  entry: BasePage | undefined,
): string | undefined {
  if (page.document === undefined) return '';
  const { space, text } = entry ?? {};
  if (space?.document !== page.document || space.updatedAt !== page.updatedAt) return undefined;
  return space.text ?? text;
}

export function jsonOfBase({ pages, files }: Base) {
  return { pages, files: Object.fromEntries([...files].map(([id, { hash, size }]) => [id, [hash, size]])) };
}

/** The base in a layout; undefined where it has none. Anybody who can write to the space can write one. */
export function readBase(value: unknown): Base | undefined {
  if (!isObject(value) || !Array.isArray(value.pages)) return undefined;
  const pages = value.pages.flatMap((page: unknown) => readPage(page) ?? []);
  if (pages.length < value.pages.length || new Set(pages.map(({ id }) => id)).size < pages.length) return undefined;
  const files = new Map<string, { hash: string; size: number }>();
  for (const [id, entry] of Object.entries(isObject(value.files) ? value.files : {})) {
    const [hash, size] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (isText(hash) && typeof size === 'number') files.set(id, { hash, size });
  }
  return { pages, files };
}

function readPage(value: unknown): BasePage | undefined {
  if (!isObject(value)) return undefined;
  const { id, parent, title, text, space } = value;
  if (!isText(id) || !isText(title) || !isText(text) || !(parent === null || isText(parent))) return undefined;
  const page: BasePage = { id, parent, title, text };
  for (const member of ['slug', 'path', 'href', 'revision', 'source'] as const) {
    const each = value[member];
    if (isText(each)) page[member] = each;
  }
  for (const member of metaMembers) {
    const each = value[member];
    if (isText(each) || each === true) Object.assign(page, { [member]: each });
  }
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

const isText = (value: unknown): value is string => typeof value === 'string';
