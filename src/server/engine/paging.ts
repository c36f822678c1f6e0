import { isObject } from '../../shared/is-object.ts';
import type { ListByCreated } from '../../store/list-by-created.ts';
import type { Db } from '../../store/store.ts';
import { DomainError } from './errors.ts';

/** The values an item is sorted by, its id last. */
export type Key = readonly (string | number | null)[];

export interface PageRequest {
  /** Requested number of items, 0 to 1000. */
  limit: number;
  /** Key of the last item of the previous page. */
  after: Key | undefined;
}

/** A page as handlers return it; the engine makes the token from `next`. */
export interface Listed<Item> {
  items: Item[];
  count: number;
  next?: Key;
  /** Members of the envelope beside these. */
  envelope?: Record<string, unknown>;
}

export const isListed = (value: unknown): value is Listed<unknown> =>
  isObject(value) && Array.isArray(value.items) && typeof value.count === 'number';

type PartType = 'string' | 'number' | 'string or null';

type KeyTypes = readonly (PartType | readonly PartType[])[];
type PartOf<T> = T extends 'number' ? number : T extends 'string' ? string : string | null;
/** The keys of a list: with repeated parts, a key of any length. */
type KeyOf<T extends KeyTypes> = T extends readonly PartType[] ? { readonly [I in keyof T]: PartOf<T[I]> } : Key;

interface Source<Row, Item, T extends KeyTypes> {
  /** The parts of a key of this list, in order. Parts in an inner array are repeated, at least once. */
  keyTypes: T;
  /** Rows after the key, at most `limit`; in the list's order. */
  rows(after: KeyOf<T> | undefined, limit: number): Promise<Row[]>;
  key(row: Row): Key;
  count(): Promise<number> | number;
  present(rows: Row[]): Promise<Item[]> | Item[];
}

/**
 * One page by key: a page far into the list costs no more than the first.
 *
 * @throws DomainError `bad-page-token` for a key that is not one of this list
 */
export async function paged<Row, Item, const T extends KeyTypes>(
  { after, limit }: PageRequest,
  source: Source<Row, Item, T>,
): Promise<Listed<Item>> {
  if (after !== undefined && !isKeyOf(source.keyTypes, after)) throw badPageToken();
  if (limit === 0) return { items: [], count: await source.count() };
  const rows = await source.rows(after, limit + 1);
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  // If all items are on the first page, their number is known.
  const count = hasMore || after !== undefined ? await source.count() : rows.length;
  const items = await source.present(rows);
  const last = rows.at(-1);
  return hasMore && last !== undefined ? { items, count, next: source.key(last) } : { items, count };
}

/** One page of the rows of an owner, sorted by creation time. */
export const pagedByCreated = <Row extends { created_at: string; id: string }, Item>(
  { db, page }: { db: Db; page: PageRequest },
  { list, count }: ListByCreated<Row>,
  owner: string,
  present: (rows: Row[]) => Promise<Item[]> | Item[],
): Promise<Listed<Item>> =>
  paged(page, {
    rows: (after, limit) => list(db, owner, after, limit),
    keyTypes: ['string', 'string'],
    key: (row) => [row.created_at, row.id],
    count: () => count(db, owner),
    present,
  });

/** One page of a list that is in memory, sorted by `key`: for lists that are always short. */
export async function pagedArray<Row, Item>(
  page: PageRequest,
  rows: Row[],
  source: Pick<Source<Row, Item, KeyTypes>, 'keyTypes' | 'key' | 'present'>,
): Promise<Listed<Item>> {
  const { after } = page;
  const start = after === undefined ? 0 : rows.findIndex((row) => compareKeys(source.key(row), after) > 0);
  return paged(page, {
    ...source,
    count: () => rows.length,
    rows: async (_, limit) => (start < 0 ? [] : rows.slice(start, start + limit)),
  });
}

/** Order of two keys, part by part; null comes first, as in SQLite. */
export function compareKeys(a: Key, b: Key): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const x = a[i] ?? null;
    const y = b[i] ?? null;
    if (x === y) continue;
    if (x === null) return -1;
    if (y === null) return 1;
    return x < y ? -1 : 1;
  }
  return 0;
}

/** A token that is valid for one list with one set of filters. */
export function encodeToken(scope: string, key: Key): string {
  return Buffer.from(JSON.stringify([fingerprint(scope), ...key])).toString('base64url');
}

export function decodeToken(scope: string, token: string): Key {
  const values = parse(token);
  if (!Array.isArray(values) || values[0] !== fingerprint(scope)) throw badPageToken();
  const key = values.slice(1);
  if (!key.every(isKeyPart)) throw badPageToken();
  return key;
}

const badPageToken = () =>
  new DomainError(
    'bad-page-token',
    'The page token is not valid for this list with these filters. Start again without page.',
  );

// The scope in a token is not a signature: a caller can make up a token, so its key is checked too.
function isKeyOf<T extends KeyTypes>(types: T, key: Key): key is KeyOf<T> {
  let next = 0;
  for (const type of types) {
    if (typeof type === 'string') {
      if (!isPartOf(type, key[next++])) return false;
      continue;
    }
    const start = next;
    while (type.every((part, offset) => isPartOf(part, key[next + offset]))) next += type.length;
    if (next === start) return false;
  }
  return next === key.length;
}

function isPartOf(type: PartType, value: Key[number] | undefined): boolean {
  if (type === 'number') return Number.isFinite(value);
  return typeof value === 'string' || (value === null && type === 'string or null');
}

const isKeyPart = (value: unknown): value is Key[number] =>
  value === null || typeof value === 'string' || typeof value === 'number';

function parse(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** FNV-1a of 32 bits: tells lists apart, but protects nothing. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}
