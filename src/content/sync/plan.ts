import type { LocalFolder, LocalPage } from './folder.ts';
import { layoutName, readLayout, writeLayout } from './layout.ts';
import { matchFiles, matchPages } from './match.ts';
import { metaMembers, type PageMeta } from './page-info.ts';
import { Writer } from './page-writer.ts';
import { layoutFor } from './push-layout.ts';
import { sentText } from './push-text.ts';
import type { Remote, RemotePage } from './remote.ts';
import { Placing } from './sibling-order.ts';

/** A page by its id, or by its key in the folder while it has none. */
export type PageRef = { id: string } | { key: string };

export type PageFields = PageMeta & { title?: string; slug?: string };

export type Operation =
  | { kind: 'upload'; name: string; bytes: Uint8Array }
  | {
      kind: 'add';
      key: string;
      type: LocalPage['type'];
      path: string;
      parent: PageRef | null;
      /** Place among the siblings as they are when the operation's turn comes. */
      at: number;
      fields: PageFields;
      text: string | null;
    }
  | { kind: 'move'; id: string; path: string; from: string; parent: PageRef | null; at: number }
  | { kind: 'change'; id: string; path: string; fields: PageFields; text?: string }
  | { kind: 'delete'; id: string; path: string; title: string };

export interface Plan {
  /** In the order in which they are carried out: files, pages from the top, deletions. */
  operations: Operation[];
  /** How many pages stay as they are. */
  unchanged: number;
  /** What the service has no call for, told rather than left out in silence. */
  notes: string[];
}

/**
 * What makes the remote pages those of the folder. A page is the same by its path, else by its text, else by title and
 * slug, else by a title that only one page on each side has: so a file that was renamed, moved or edited stays the page
 * it was, as long as it is not all three at once.
 */
export function plan(local: LocalFolder, remote: Remote): Plan {
  const layout = readLayout(remote.layout);
  const uploads = matchFiles(local.files, remote.files, layout);
  const texts = new Map(local.pages.map((page) => [page.key, sentText(page, local, uploads)]));
  const matched = matchPages(local, remote, layout, texts);
  const writer = new Writer(remote, layout);
  const operations: Operation[] = [...uploads.operations];
  const notes: string[] = [];
  const placing = new Placing(remote.pages);
  let unchanged = 0;
  expectOrder(local, matched, placing);
  for (const page of local.pages) {
    const twin = matched.get(page.key);
    const parent = refOf(page.parent, matched);
    const text = texts.get(page.key)!;
    if (!twin && page.type === 'link') {
      notes.push(
        `"${page.title}" in ${local.summaryPath} is a link to elsewhere; add it in the app, it cannot be pushed.`,
      );
      continue;
    }
    const at = placing.place(twin?.id ?? page.key, parent && ('id' in parent ? parent.id : parent.key));
    if (!twin) {
      const fields = { title: page.title, slug: page.slug, ...metaOf(page) };
      operations.push({
        kind: 'add',
        key: page.key,
        type: page.type,
        path: page.path,
        parent,
        at: at!,
        fields,
        text: text.sent,
      });
      continue;
    }
    const operationsBefore = operations.length;
    if (at !== undefined) {
      operations.push({ kind: 'move', id: twin.id, path: page.path, from: twin.path ?? '', parent, at });
    }
    const fields = changedFields(page, twin);
    const isSame =
      (text.sent ?? '') === (twin.text ?? '') || (!text.showsNew && page.text === writer.textOf(twin, page.file));
    if (!isSame || Object.keys(fields).length > 0) {
      const sent = isSame ? {} : { text: text.sent ?? '' };
      operations.push({ kind: 'change', id: twin.id, path: page.path, fields, ...sent });
    }
    if (operations.length === operationsBefore) unchanged += 1;
  }
  for (const deletion of deletions(remote, local, matched, placing)) operations.push(deletion);
  const record = layoutFor(local, uploads.names, texts, layout);
  if (record)
    operations.splice(uploads.operations.length, 0, {
      kind: 'upload',
      name: layoutName(record.serial),
      bytes: writeLayout(record),
    });
  return { operations, unchanged, notes };
}

function expectOrder(local: LocalFolder, matched: ReadonlyMap<string, RemotePage>, placing: Placing): void {
  const idOf = (key: string) => matched.get(key)?.id ?? key;
  for (const [parent, siblings] of Map.groupBy(local.pages, (page) => page.parent)) {
    placing.expect(
      parent === null ? null : idOf(parent),
      siblings.map(({ key }) => idOf(key)),
    );
  }
}

function refOf(key: string | null, matched: ReadonlyMap<string, RemotePage>): PageRef | null {
  if (key === null) return null;
  const twin = matched.get(key);
  return twin ? { id: twin.id } : { key };
}

function metaOf(page: PageMeta): PageMeta {
  return Object.fromEntries(metaMembers.flatMap((member) => (page[member] ? [[member, page[member]]] : [])));
}

/** What differs, with "" and false for what the folder no longer says. */
function changedFields(page: LocalPage, twin: RemotePage): PageFields {
  const fields: Record<string, string | boolean> = {};
  if (page.title !== twin.title) fields['title'] = page.title;
  if (twin.slug !== undefined && page.slug !== twin.slug) fields['slug'] = page.slug;
  for (const member of metaMembers) {
    const isFlag = member === 'hidden' || member === 'noIndex' || member === 'noRobotsIndex';
    if ((page[member] || undefined) !== (twin[member] || undefined))
      fields[member] = page[member] ?? (isFlag ? false : '');
  }
  return fields;
}

function deletions(
  remote: Remote,
  local: LocalFolder,
  matched: ReadonlyMap<string, RemotePage>,
  placing: Placing,
): Operation[] {
  const kept = new Set([...matched.values()].map(({ id }) => id));
  // Markdown has no computed pages, and folders have no links: those are none of ours.
  const isOurs = (page: RemotePage) => page.type !== 'computed' && (page.type !== 'link' || local.summary !== null);
  const gone = new Set(remote.pages.filter((page) => !kept.has(page.id) && isOurs(page)).map(({ id }) => id));
  return remote.pages.flatMap((page): Operation[] => {
    const above = placing.parentOf(page.id);
    if (!gone.has(page.id) || (above !== null && gone.has(above))) return [];
    return [{ kind: 'delete', id: page.id, path: page.path ?? '', title: page.title }];
  });
}
