import type { LocalFolder, LocalPage, OnFile, Problem } from './folder.ts';
import { type Layout, layoutName, readLayout, writeLayout } from './layout.ts';
import { type FileNames, matchFiles, matchPages } from './match.ts';
import { metaMembers, type PageMeta } from './page-info.ts';
import { PageWriter } from './page-writer.ts';
import { layoutFor } from './push-layout.ts';
import { PushTexts, type SentText } from './push-text.ts';
import type { Remote, RemotePage } from './remote.ts';
import { SiblingOrder } from './sibling-order.ts';

/** A page by its id, or by its key in the folder while it has no id. */
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
      /** Place among the siblings at the time when the operation is carried out. */
      index: number;
      fields: PageFields;
      text: string | null;
    }
  | { kind: 'move'; id: string; path: string; from: string; parent: PageRef | null; index: number }
  | { kind: 'change'; id: string; path: string; fields: PageFields; text?: string }
  | { kind: 'delete'; id: string; path: string; title: string };

export interface Plan {
  /** In the order in which they are carried out: files, pages from the top, deletions. */
  operations: Operation[];
  /** How many pages stay as they are. */
  unchanged: number;
  /** What cannot be pushed, because the service has no endpoint for it. */
  notes: Problem[];
}

/**
 * The operations that make the remote pages equal to those of the folder. Pages are matched by path, else by text, else
 * by title and slug, else by a title that only one page on each side has: so a file that was renamed, moved or edited
 * stays the same page, unless it is all three at once.
 *
 * @param onFile called with each file before it is parsed
 */
export function plan(local: LocalFolder, remote: Remote, onFile: OnFile = () => {}): Plan {
  const layout = readLayout(remote.layout);
  const files = matchFiles(local.files, remote.files, layout);
  const pushTexts = new PushTexts(local, files);
  const texts = new Map<LocalPage, SentText>();
  for (const page of local.pages) {
    if (page.file !== null) onFile(page.file);
    texts.set(page, pushTexts.textOf(page));
  }
  const matches = matchPages(local, remote, layout, (page) => texts.get(page)?.sent);
  const siblings = new SiblingOrder(remote.pages);
  expectOrder(local, matches, siblings);
  const writer = new PageWriter(remote, layout);
  const operations = uploadsOf(files, layoutFor(local, files.names, texts, layout));
  const notes: Problem[] = [];
  let unchanged = 0;
  for (const [page, text] of texts) {
    const match = matches.get(page.key);
    if (!match && page.type === 'link') {
      const message = `The link "${page.title}" cannot be pushed and is left out; add it in the app.`;
      notes.push({ file: local.summaryPath, line: page.line ?? 1, message });
      continue;
    }
    const parent = refOf(page.parent, matches);
    const parentId = parent && ('id' in parent ? parent.id : parent.key);
    if (!match) {
      operations.push(addition(page, text, parent, siblings.add(page.key, parentId)));
      continue;
    }
    if (page.file !== null) onFile(page.file);
    const index = siblings.place(match.id, parentId);
    const isSameText =
      (text.sent ?? '') === (match.text ?? '') || (!text.showsNewFile && page.text === writer.textOf(match, page.file));
    const fields = changedFields(page, match);
    const isChanged = !isSameText || Object.keys(fields).length > 0;
    if (index !== undefined) {
      operations.push({ kind: 'move', id: match.id, path: page.path, from: match.path ?? '', parent, index });
    }
    if (isChanged) {
      const sent = isSameText ? {} : { text: text.sent ?? '' };
      operations.push({ kind: 'change', id: match.id, path: page.path, fields, ...sent });
    }
    if (index === undefined && !isChanged) unchanged += 1;
  }
  for (const deletion of deletions(remote, local, matches, siblings)) operations.push(deletion);
  return { operations, unchanged, notes };
}

function uploadsOf({ uploads }: FileNames, layout: Layout | undefined): Operation[] {
  const operations = uploads.map(({ name, bytes }): Operation => ({ kind: 'upload', name, bytes }));
  if (layout) operations.push({ kind: 'upload', name: layoutName(layout.serial), bytes: writeLayout(layout) });
  return operations;
}

function addition(page: LocalPage, text: SentText, parent: PageRef | null, index: number): Operation {
  const { key, type, path, title, slug } = page;
  return { kind: 'add', key, type, path, parent, index, fields: { title, slug, ...metaOf(page) }, text: text.sent };
}

type Matches = ReadonlyMap<string, RemotePage>;

function expectOrder(local: LocalFolder, matches: Matches, siblings: SiblingOrder): void {
  const idOf = (key: string) => matches.get(key)?.id ?? key;
  for (const [parent, pages] of Map.groupBy(local.pages, (page) => page.parent)) {
    siblings.expect(
      parent === null ? null : idOf(parent),
      pages.map(({ key }) => idOf(key)),
    );
  }
}

function refOf(key: string | null, matches: Matches): PageRef | null {
  if (key === null) return null;
  const match = matches.get(key);
  return match ? { id: match.id } : { key };
}

function metaOf(page: PageMeta): PageMeta {
  return Object.fromEntries(metaMembers.flatMap((member) => (page[member] ? [[member, page[member]]] : [])));
}

const flags: ReadonlySet<string> = new Set(['hidden', 'noIndex', 'noRobotsIndex']);

/** The fields that differ, with "" and false for those that the folder no longer sets. */
function changedFields(page: LocalPage, match: RemotePage): PageFields {
  const fields: Record<string, string | boolean> = {};
  if (page.title !== match.title) fields['title'] = page.title;
  if (match.slug !== undefined && page.slug !== match.slug) fields['slug'] = page.slug;
  for (const member of metaMembers) {
    if ((page[member] || undefined) !== (match[member] || undefined))
      fields[member] = page[member] ?? (flags.has(member) ? false : '');
  }
  return fields;
}

function deletions(remote: Remote, local: LocalFolder, matches: Matches, siblings: SiblingOrder): Operation[] {
  const kept = new Set([...matches.values()].map(({ id }) => id));
  // Computed pages cannot be in Markdown, nor links in folders without SUMMARY.md: those were never pushed.
  const isPushed = ({ type }: RemotePage) => type !== 'computed' && (type !== 'link' || local.summary !== null);
  const deleted = new Set(remote.pages.filter((page) => !kept.has(page.id) && isPushed(page)).map(({ id }) => id));
  return remote.pages.flatMap((page): Operation[] => {
    const parent = siblings.parentOf(page.id);
    // A deletion includes the subpages.
    if (!deleted.has(page.id) || (parent !== null && deleted.has(parent))) return [];
    return [{ kind: 'delete', id: page.id, path: page.path ?? '', title: page.title }];
  });
}
