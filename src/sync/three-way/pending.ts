import { type Base, type BasePage, textHash } from '../../content/folder/base.ts';
import { metaMembers } from '../../content/folder/page-info.ts';
import type { Remote, RemotePage } from '../remote.ts';
import type { Layout } from '../../content/folder/layout.ts';

/** The base with what an interrupted push had sent already: pages that have the text that it was about to send. */
export function interruptedBase(
  { base, layout: { pending } }: { base: Base | undefined; layout: Layout },
  remote: Remote,
  texts: ReadonlyMap<string, string>,
): Base {
  const entries = new Map(base?.pages.map((entry) => [entry.id, entry]));
  const byId = new Map(remote.pages.map((page) => [page.id, page]));
  const byPath = new Map(remote.pages.flatMap((page) => (entries.has(page.id) ? [] : [[page.path, page]])));
  const ids = new Map<string, string>();
  for (const entry of pending?.pages ?? []) {
    const page = byId.get(entry.id) ?? byPath.get(entry.path);
    const text = page && (texts.get(page.id) ?? (page.document === undefined ? '' : undefined));
    if (!page || text === undefined || textHash(text) !== entry.text) continue;
    ids.set(entry.id, page.id);
    const parent = entry.parent === null ? null : (ids.get(entry.parent) ?? page.parent);
    entries.set(page.id, merged({ ...entry, id: page.id, parent }, entries.get(page.id), page));
  }
  return { pages: [...entries.values()], files: new Map(base?.files) };
}

const fields = ['title', 'slug', 'parent', ...metaMembers] as const;

/** Of a page that was there before, the fields that were sent. */
function merged(entry: BasePage, before: BasePage | undefined, page: RemotePage): BasePage {
  if (!before) return entry;
  const result: BasePage = { ...before, text: entry.text };
  for (const field of fields) {
    if ((entry[field] || undefined) === (page[field] || undefined)) Object.assign(result, { [field]: entry[field] });
  }
  return result;
}
