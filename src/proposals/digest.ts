import { createHash } from 'node:crypto';
import type { Exchange } from '../client/exchange.ts';
import type { ContentAt, ContentSides, Difference } from '../rehearsal/compare.ts';
import { noProgress } from '../organization/service/read-service.ts';
import { isObject } from '../shared/is-object.ts';
import { jsonOf } from '../shared/json-of.ts';
import { replacePageIds } from '../sync/page-links.ts';
import { readTexts, type RemotePage } from '../sync/read-remote.ts';

/** The hash of everything that a rehearsal showed, and of its parts. */
export interface Digest {
  digest: string;
  /** Sorted by name. */
  parts: [name: string, hash: string][];
}

interface Shown {
  difference: Difference;
  exchanges: readonly Exchange[];
  signal: AbortSignal;
}

/**
 * A digest of what a rehearsal showed: each object that it touches with its values before and after, the texts of pages,
 * access, broken links, and the addresses of the requests. It is the same for a second rehearsal, unless something of that
 * was changed in between.
 */
export async function digestOf({ difference, exchanges, signal }: Shown): Promise<Digest> {
  const { changes, access, brokenLinks, contents } = difference;
  const parts: [string, string][] = [
    ...changes.map(({ kind, name, ...change }): [string, string] => [`${kind} ${name}`, hashOf(stable(change))]),
    ...access.map(({ member, space, ...levels }): [string, string] => [
      `access of ${member} to ${space}`,
      hashOf(levels),
    ]),
    ...brokenLinks.map((link): [string, string] => [`broken link in ${link.space}: ${link.page}`, hashOf(link)]),
  ];
  for (const sides of contents) parts.push(...(await pageParts(sides, signal)));
  for (const address of addressesOf(exchanges)) parts.push([address, '']);
  const sorted = parts.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  return { digest: hashOf(sorted), parts: sorted };
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Without the ID of a revision that only the copy has. */
function stable({ fields, ...change }: Omit<Difference['changes'][number], 'kind' | 'name'>): unknown {
  return [
    fields.map(({ field, before, after }) => (field === 'revision' ? [field, before] : [field, before, after])),
    change,
  ];
}

/** Pages that differ, with the hashes of their texts. */
async function pageParts({ name, before, after }: ContentSides, signal: AbortSignal): Promise<[string, string][]> {
  const old = new Map(before.pages.map((page) => [page.id, page]));
  const now = new Map(after.pages.map((page) => [page.id, page]));
  const isChanged = (id: string) => JSON.stringify(metaOf(old.get(id))) !== JSON.stringify(metaOf(now.get(id)));
  const ids = [...new Set([...old.keys(), ...now.keys()])].filter(isChanged);
  const [oldTexts, newTexts] = await Promise.all([textsOf(before, ids, signal), textsOf(after, ids, signal)]);
  const pathOfNew = (id: string) => (old.has(id) || !now.has(id) ? undefined : `/pages/${now.get(id)?.path ?? ''}`);
  return ids.map((id) => {
    const page = now.get(id) ?? old.get(id);
    const facts = [
      [metaWithoutIds(old.get(id), old), oldTexts.get(id)],
      [metaWithoutIds(now.get(id), now), withoutIds(newTexts.get(id), pathOfNew)],
    ];
    return [`page ${page?.path ?? page?.title ?? id} of ${name}`, hashOf(facts)];
  });
}

const metaOf = (page: RemotePage | undefined) => page && { ...page, updatedAt: undefined };

/** What a page shows. New pages have IDs that only the copy has, and so have texts. */
function metaWithoutIds(page: RemotePage | undefined, pages: ReadonlyMap<string, RemotePage>): unknown {
  if (!page) return null;
  const { id: _, document: _text, updatedAt: _time, parent, ...shown } = page;
  return { ...shown, parent: (parent && pages.get(parent)?.path) ?? null };
}

/** A text in which links to new pages name their paths. */
const withoutIds = (text: string | undefined, pathOfNew: (id: string) => string | undefined): string | undefined =>
  text && replacePageIds(text, pathOfNew);

async function textsOf(at: ContentAt, ids: readonly string[], signal: AbortSignal) {
  const documents = new Set(at.pages.filter(({ document }) => document !== undefined).map(({ id }) => id));
  const port = { client: at.client, signal, progress: noProgress, note: async () => {} };
  return readTexts(
    port,
    at,
    ids.filter((id) => documents.has(id)),
  );
}

/** A page that differs between two sides, with its text on each. */
export interface ChangedPage {
  space: string;
  page: string;
  before: string;
  after: string;
}

/** The pages of which a rehearsal changed the text. */
export async function changedPages({ contents }: Difference, signal: AbortSignal): Promise<ChangedPage[]> {
  const changed: ChangedPage[] = [];
  for (const { name, before, after } of contents) {
    const byId = (at: ContentAt) => new Map(at.pages.map((page) => [page.id, page]));
    const [old, now] = [byId(before), byId(after)];
    const isChanged = (id: string) => old.get(id)?.document !== now.get(id)?.document;
    const ids = [...new Set([...old.keys(), ...now.keys()])].filter(isChanged);
    const [oldTexts, newTexts] = await Promise.all([textsOf(before, ids, signal), textsOf(after, ids, signal)]);
    for (const id of ids) {
      const page = now.get(id) ?? old.get(id);
      const [text, next] = [oldTexts.get(id) ?? '', newTexts.get(id) ?? ''];
      if (text !== next)
        changed.push({ space: name, page: page?.path ?? page?.title ?? id, before: text, after: next });
    }
  }
  return changed;
}

/** Whether a request may create an object. */
export const mayCreate = (method: string): boolean => method === 'POST' || method === 'PUT';

/** The ID of the object that a request has created, which its address does not have; undefined if it has created none. */
export function createdId(answer: unknown, addressParts: readonly string[]): string | undefined {
  const id = isObject(answer) ? answer['id'] : undefined;
  return typeof id === 'string' && !addressParts.includes(id) ? id : undefined;
}

/** The addresses of the changing requests, in which objects that they created have no IDs. */
function addressesOf(exchanges: readonly Exchange[]): string[] {
  const created = new Set<string>();
  for (const { request, response } of exchanges) {
    if (!mayCreate(request.method)) continue;
    const id = createdId(jsonOf(response?.body), request.path.split(/[/?]/));
    if (id !== undefined) created.add(id);
  }
  return exchanges.map(({ request: { method, path }, response }) => {
    const address = path.split(/(?=[/?])/).map((part) => (created.has(part.slice(1)) ? `${part[0]}new` : part));
    return `${method} ${address.join('')} -> ${response?.status ?? 'none'}`;
  });
}

/** The names of parts that differ between two rehearsals. */
export function changedParts(old: Digest['parts'], now: Digest['parts']): string[] {
  const keys = (parts: Digest['parts']) => new Set(parts.map((part) => JSON.stringify(part)));
  const [before, after] = [keys(old), keys(now)];
  const names = [
    ...now.filter((part) => !before.has(JSON.stringify(part))),
    ...old.filter((part) => !after.has(JSON.stringify(part))),
  ].map(([name]) => name);
  return [...new Set(names)];
}
