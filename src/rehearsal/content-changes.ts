import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../client/client.ts';
import type { RemotePage } from '../sync/remote.ts';
import type { Change, PageChange } from '../organization/plan/change.ts';
import type { Snapshot } from '../organization/service/read-organization.ts';
import { readRevision } from '../sync/read-remote.ts';

type Side = { client: Client };

/** Spaces that are on both sides, with other content. */
export async function contentChanges(before: Side, after: Side, [old, now]: [Snapshot, Snapshot]): Promise<Change[]> {
  const changes: Change[] = [];
  for (const [name, { id, revision }] of old.spaces) {
    const revisionId = now.spaces.get(name)?.revision;
    if (revisionId === undefined || revisionId === revision) continue;
    const pages = pageChanges(
      await pagesOf(before, { spaceId: id, revisionId: revision }),
      await pagesOf(after, { spaceId: id, revisionId }),
    );
    // Files alone may differ.
    const fields = pages.length > 0 ? [] : [{ field: 'revision', before: revision, after: revisionId }];
    changes.push({ kind: 'content', name, action: 'update', fields, file: `spaces/${name}/content`, pages });
  }
  return changes;
}

async function pagesOf({ client }: Side, place: { spaceId: string; revisionId: string }): Promise<RemotePage[]> {
  return (await readRevision({ client: async () => client }, place)).pages;
}

/** Both sides are copies of one database, so that pages with the same document have the same text. */
function pageChanges(old: readonly RemotePage[], now: readonly RemotePage[]): PageChange[] {
  const before = new Map(old.map((page) => [page.id, page]));
  const after = new Set(now.map(({ id }) => id));
  const changes = now.flatMap((page): PageChange[] => {
    const { id, title, path = title } = page;
    const previous = before.get(id);
    if (!previous) return [{ action: 'create', path, title }];
    const { path: from = previous.title } = previous;
    const isMoved = page.parent !== previous.parent || from !== path;
    const fields = changedMembers(previous, page);
    return [
      ...(isMoved ? [{ action: 'move' as const, path, from, to: path }] : []),
      ...(fields.length > 0 ? [{ action: 'update' as const, path, fields }] : []),
    ];
  });
  const removed = old.flatMap(({ id, title, path = title }): PageChange[] =>
    after.has(id) ? [] : [{ action: 'delete', path, title }],
  );
  return [...changes, ...removed];
}

/** What is shown in other words, or follows from the rest. */
const notShown: ReadonlySet<string> = new Set(['id', 'parent', 'path', 'slug', 'text', 'updatedAt']);

function changedMembers(previous: RemotePage, page: RemotePage): string[] {
  const members = new Set([...Object.keys(previous), ...Object.keys(page)]);
  return [...members].flatMap((member) => {
    const [before, after]: unknown[] = [Reflect.get(previous, member), Reflect.get(page, member)];
    if (notShown.has(member) || isDeepStrictEqual(before, after)) return [];
    return [member === 'document' ? 'text' : member];
  });
}
