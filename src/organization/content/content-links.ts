import type { Invocation } from '../../cli/command/command.ts';
import type { LocalFolder } from '../../content/folder/folder.ts';
import type { Operation, Plan, PlanInput } from '../../sync/plan.ts';
import type { Remote } from '../../sync/remote.ts';
import { readTexts } from '../../sync/read-remote.ts';

interface LinksInput {
  space: { id: string; revision: string };
  plan: Plan;
  local: LocalFolder;
  remote: Remote;
  read: PlanInput['read'];
}

/**
 * Changes of pages that the plan leaves as they are, and that link to pages that it removes or makes again. The service
 * has the ids of these in the links: without the changes, an export would write other links than the folder has.
 *
 * @returns those because of pages that are made again, and those because of others
 */
export async function linkChanges(
  invocation: Invocation<{}, {}>,
  { space, plan, local, remote, read }: LinksInput,
): Promise<{ toNew: Operation[]; toRemoved: Operation[] }> {
  const [made, removed] = [madeAgain(plan, local), removedIds(plan, remote)];
  if (made.size + removed.size === 0) return { toNew: [], toRemoved: [] };
  const written = new Set(plan.operations.flatMap((each) => (each.kind === 'change' && each.text ? [each.id] : [])));
  const hasText = new Set(remote.pages.flatMap(({ id, document }) => (document === undefined ? [] : [id])));
  const pages = plan.record.pages.filter(({ entry: { id } }) => hasText.has(id) && !written.has(id));
  const unread = pages.flatMap(({ entry: { id } }) => (read.remote.has(id) ? [] : [id]));
  const texts = new Map([
    ...read.remote,
    ...(await readTexts(invocation, { spaceId: space.id, revisionId: space.revision }, unread)),
  ]);
  const changesFor = (ids: ReadonlySet<string>) =>
    pages.flatMap(({ entry: { id, path = '' }, sent }): Operation[] => {
      const text = texts.get(id) ?? '';
      const isLinked = [...text.matchAll(/\/pages\/([\w-]+)/g)].some(([, target = '']) => ids.has(target));
      return isLinked && text !== sent ? [{ kind: 'change', id, path, fields: {}, text: sent }] : [];
    });
  const toRemoved = changesFor(removed);
  const isChanged = new Set(toRemoved.flatMap((each) => ('id' in each ? [each.id] : [])));
  const toNew = changesFor(made).filter((each) => !('id' in each && isChanged.has(each.id)));
  return { toNew, toRemoved };
}

/** The ids that pages had before somebody deleted them in the space. */
function madeAgain({ operations }: Plan, { pages }: LocalFolder): Set<string> {
  const keys = new Set(pages.map(({ key }) => key));
  return new Set(operations.flatMap((each) => (each.kind === 'add' && !keys.has(each.key) ? [each.key] : [])));
}

function removedIds({ operations, record }: Plan, { pages }: Remote): Set<string> {
  const removed = new Set(operations.flatMap((each) => (each.kind === 'delete' ? [each.id] : [])));
  const staying = new Set(record.pages.map(({ entry }) => entry.id));
  for (const { id, parent } of pages) if (parent !== null && removed.has(parent) && !staying.has(id)) removed.add(id);
  return removed;
}
