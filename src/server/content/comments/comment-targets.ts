import { parseJson, jsonText } from '../../../store/json.ts';
import type { CommentRow } from '../../../store/comments.ts';
import { findPage, lineage, type PageRow } from '../../../store/content.ts';
import { markdownOf } from '../../../store/documents.ts';
import { type Snapshot, snapshotOf } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';
import type { PageSnapshot } from '../../../store/tables.ts';
import type { Context } from '../../engine/context.ts';
import { Invalid } from '../../engine/errors.ts';

/** The pages and blocks that comments are about. */

/** What a comment's page is compared by. */
export const commentedState = ({ type, title, slug, emoji, icon, description, document }: PageRow) =>
  JSON.stringify([type, title, slug, emoji, icon, description, document]);

async function snapshotPage(db: Db, snapshot: Snapshot, row: PageRow): Promise<PageSnapshot> {
  const path = await lineage(db, snapshot, row);
  return {
    page: {
      id: row.page,
      title: row.title,
      emoji: row.emoji ?? undefined,
      icon: row.icon ?? undefined,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      path: path.map((page) => page.slug).join('/'),
    },
    state: commentedState(row),
  };
}

interface TargetInput {
  page?: string | undefined;
  node?: string | undefined;
}

type Reading = Pick<Context, 'db' | 'texts'>;

/** The columns of a new comment's target. @throws Invalid for a page or a block that is not in the content */
export async function targetColumns({ db, texts }: Reading, revision: string, { page, node }: TargetInput) {
  if (page === undefined) return { page: null, page_snapshot: null, node: null, preview: null };
  const snapshot = await snapshotOf(db, revision);
  const row = await findPage(db, snapshot, page);
  if (!row) throw new Invalid('/page', 'is not a page of this content');
  return {
    page,
    page_snapshot: jsonText(await snapshotPage(db, snapshot, row)),
    node: node ?? null,
    preview: node === undefined ? null : await previewOf({ db, texts }, row, node),
  };
}

const previewLength = 100;

async function previewOf({ db, texts }: Reading, { document }: PageRow, node: string): Promise<string> {
  const markdown = await markdownOf(db, document);
  const label = { what: 'The text of the page', key: `${document} ${node}` };
  const text = await texts.run('blockText', { markdown, node }, label);
  if (text === undefined) throw new Invalid('/node', 'is not a block of this page now');
  // A character has at most two code units.
  return Array.from(text.slice(0, 2 * previewLength))
    .slice(0, previewLength)
    .join('');
}

/** The comments whose page changed since they were posted. @param revision the content now */
export async function outdatedComments(db: Db, revision: string, rows: CommentRow[]): Promise<Set<string>> {
  const outdated = new Set<string>();
  const withPage = rows.flatMap(({ id, page, page_snapshot }) =>
    page === null || page_snapshot === null ? [] : [{ id, page, before: parseJson(page_snapshot).state }],
  );
  if (withPage.length === 0) return outdated;
  const snapshot = await snapshotOf(db, revision);
  const states = new Map<string, string | undefined>();
  for (const { id, page, before } of withPage) {
    if (!states.has(page)) {
      const row = await findPage(db, snapshot, page);
      states.set(page, row && commentedState(row));
    }
    if (states.get(page) !== before) outdated.add(id);
  }
  return outdated;
}
