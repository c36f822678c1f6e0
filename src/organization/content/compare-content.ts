import { undefinedIfMissing } from '../../client/errors/http-error.ts';
import { join } from 'node:path';
import type { Base } from '../../content/folder/base.ts';
import type { LocalFolder } from '../../content/folder/folder.ts';
import { readLayout } from '../../content/folder/layout.ts';
import { workOn } from '../../sync/local-folder.ts';
import type { Operation, Plan, PlanInput, PushConflict } from '../../sync/plan.ts';
import { baseAt } from '../../sync/pull-base.ts';
import { readStates } from '../../sync/state-file.ts';
import type { MergeOptions } from '../../sync/three-way/merge-sides.ts';
import type { Compared } from '../../sync/three-way/compare.ts';
import type { Lock } from '../lock.ts';
import type { OrganizationPort } from '../port.ts';
import { compareWithoutLarge, type Push } from '../../sync/push.ts';
import { readContent, readForPlan, readTexts, type Remote, type Revision } from '../../sync/read-remote.ts';
import { operationKey, removedFiles } from './page-changes.ts';

/** A content folder, as for `content push`. */
export type ContentFolder = Pick<Push, 'texts' | 'docs' | 'local' | 'warnings'>;

interface CompareInput {
  port: OrganizationPort;
  lock: Lock;
  /** Name of the space. */
  name: string;
  /** Undefined if the plan creates the space. */
  space: { id: string; revision: string } | undefined;
  push: ContentFolder;
  /** Whether a file was removed from the folder since it was exported or applied. */
  isRemoved?: (path: string) => boolean;
  /** Whether pages that the folder never had are removed. */
  prune: boolean;
  /** Whether changes made in the space are kept. */
  keepDrift: boolean;
}

/** The operations that bring a content folder into its space, and why. */
export interface Comparison {
  plan: Plan;
  compared: Compared;
  remote: Remote;
  revision: Revision | undefined;
  read: PlanInput['read'];
  /** Paths of files that are removed. */
  removed: string[];
  /** Operations that revert changes made in the space, by `operationKey`. */
  drift: ReadonlySet<string>;
  /** IDs of pages that were changed both in the folder and in the space. */
  contested: ReadonlySet<string>;
  conflicts: Pick<PushConflict, 'path' | 'file' | 'title'>[];
  /** How many changes made in the space are kept. */
  left: number;
}

/**
 * Compares a content folder with its space. Changes made in the space since the last export or apply are drift, and are
 * reverted. Pages that were changed on both sides are conflicts. Pages that the folder never had are kept.
 *
 * Files that exceed the limit of the service are skipped, as in a push.
 */
export const compareContent = (input: CompareInput): Promise<Comparison> =>
  compareWithoutLarge(input.push, () => compareOnce(input));

async function compareOnce(input: CompareInput): Promise<Comparison> {
  const { port, space, push, prune, keepDrift } = input;
  const { local, texts } = push;
  const place = space && { spaceId: space.id, revisionId: space.revision };
  const { remote, revision } = place ? await readContent(port, place, local.files) : noContent;
  const base = space && (await lockedBase(input, space.id, remote));
  const ancestor = { base: base ?? noBase };
  const compared = await texts.run('compare', { local, remote, ancestor, isWhole: true }, workOn(push));
  const read = place ? await readForPlan(port, place, compared) : { remote: new Map(), base: new Map() };
  const planWith = (options: MergeOptions): Promise<Plan> =>
    texts.run('plan', { local, remote, compared, read, options }, workOn(push, read.remote.values()));
  const whole = await planWith({ overwrite: true, deleteOthers: prune || !space });
  const found = base ? await driftIn(whole, local, planWith) : nothingFound;
  const isKept = keepDrift && base !== undefined;
  const plan = isKept ? await planWith({ prefer: 'app' }) : whole;
  const links = space ? await linkChanges(port, { space, plan, local, remote, read }) : { toNew: [], toRemoved: [] };
  // The service resolves links when a page is written.
  const operations = [...plan.operations, ...links.toRemoved, ...links.toNew];
  const { layout } = plan.record;
  const gone = removedFiles({ plan, local, remote }, compared.layout, input.isRemoved ?? (() => false));
  // If the folder has the same bytes at another path, the file is kept with that path.
  const present = new Set(compared.files.names.values());
  const removed = new Map([...gone].filter(([name]) => !present.has(name)));
  const files = new Map([...layout.files].filter(([name]) => !removed.has(name)));
  const record = { ...plan.record, layout: { ...layout, files, old: new Map([...layout.old, ...removed]) } };
  const shared = {
    plan: { ...plan, operations, record },
    compared,
    remote,
    revision,
    read,
    removed: [...removed.values()],
  };
  if (isKept) return { ...shared, ...nothingFound, left: found.drift.size };
  return { ...shared, ...found, drift: new Set([...found.drift, ...links.toNew.map(operationKey)]), left: 0 };
}

const nothingFound = { drift: new Set<string>(), contested: new Set<string>(), conflicts: [] };

const noContent = { remote: { pages: [], files: [] }, revision: undefined };

/** The operations that revert changes of the space, and the conflicts. @param whole the plan that overwrites everything */
async function driftIn(
  whole: Plan,
  local: LocalFolder,
  planWith: (options: MergeOptions) => Promise<Plan>,
): Promise<Pick<Comparison, 'drift' | 'contested' | 'conflicts'>> {
  const merged = await planWith({});
  const preferred = merged.conflicts.length === 0 ? merged : await planWith({ prefer: 'folder' });
  const own = new Set(preferred.operations.map(operationKey));
  const others = whole.operations.filter((operation) => !own.has(operationKey(operation)));
  const changedInFolder = new Set(preferred.operations.flatMap((each) => (each.kind === 'change' ? [each.id] : [])));
  // Both sides changed different lines: a push would merge them, and the folder would no longer match the space.
  const elsewhere = others.flatMap((each) => (each.kind === 'change' && changedInFolder.has(each.id) ? [each] : []));
  const contested = new Set([...merged.conflicts.map(({ page }) => page), ...elsewhere.map(({ id }) => id)]);
  const named = new Set(merged.conflicts.map(({ page }) => page));
  const conflicts = [
    ...merged.conflicts,
    ...elsewhere.flatMap(({ id, path }) => {
      const { file, title = '' } = local.pages.find((page) => page.path === path) ?? {};
      return named.has(id) ? [] : [{ path: file ?? path, title }];
    }),
  ];
  const drift = others.filter((each) => !('id' in each) || !contested.has(each.id));
  return { drift: new Set(drift.map(operationKey)), contested, conflicts };
}

/** Used if there is no baseline: no page of the space is known to come from the folder. */
const noBase: Base = { pages: [], files: new Map() };

/**
 * The content of the folder when it was exported, applied or pulled; undefined if it never was, or if the service no longer
 * has that revision. The base of the last push in the space may come from another folder.
 */
async function lockedBase(
  { port, lock, name, push }: CompareInput,
  spaceId: string,
  remote: Remote,
): Promise<Base | undefined> {
  const folder = { ...push, spaceId };
  // An export and an apply remove the state, so a pull came later.
  const { serial } = readLayout(remote.layouts?.[0]);
  const pulled = (await readStates(join(push.docs.path, push.local.root))).find(
    (state) =>
      state.space === spaceId &&
      state.changeRequest === undefined &&
      state.push === undefined &&
      state.serial === serial,
  );
  const applied = lock.applied.get(name);
  if (!pulled && applied !== undefined) {
    const content = await readContent(port, { spaceId, revisionId: applied }).catch(undefinedIfMissing);
    return readLayout(content?.remote.layouts?.[0]).base;
  }
  const revision = pulled?.revision ?? lock.revisions.get(name);
  return revision === undefined ? undefined : baseAt(port, folder, pulled ?? { revision }, remote);
}

interface LinksInput {
  space: { id: string; revision: string };
  plan: Plan;
  local: LocalFolder;
  remote: Remote;
  read: PlanInput['read'];
}

/**
 * Changes of otherwise unchanged pages that link to pages that the plan removes or creates again. The service stores the IDs
 * of those pages in the links, so without these changes an export would write other links than the folder has.
 *
 * @returns changes because of pages that are created again, and because of removed pages
 */
async function linkChanges(
  port: OrganizationPort,
  { space, plan, local, remote, read }: LinksInput,
): Promise<{ toNew: Operation[]; toRemoved: Operation[] }> {
  const [recreated, removed] = [recreatedIds(plan, local), removedIds(plan, remote)];
  if (recreated.size + removed.size === 0) return { toNew: [], toRemoved: [] };
  const written = new Set(plan.operations.flatMap((each) => (each.kind === 'change' && each.text ? [each.id] : [])));
  const hasText = new Set(remote.pages.flatMap(({ id, document }) => (document === undefined ? [] : [id])));
  const pages = plan.record.pages.filter(({ entry: { id } }) => hasText.has(id) && !written.has(id));
  const unread = pages.flatMap(({ entry: { id } }) => (read.remote.has(id) ? [] : [id]));
  const texts = new Map([
    ...read.remote,
    ...(await readTexts(port, { spaceId: space.id, revisionId: space.revision }, unread)),
  ]);
  const changesFor = (ids: ReadonlySet<string>) =>
    pages.flatMap(({ entry: { id, path = '' }, sent }): Operation[] => {
      const text = texts.get(id) ?? '';
      const isLinked = [...text.matchAll(/\/pages\/([\w-]+)/g)].some(([, target = '']) => ids.has(target));
      return isLinked && text !== sent ? [{ kind: 'change', id, path, fields: {}, text: sent }] : [];
    });
  const toRemoved = changesFor(removed);
  const isChanged = new Set(toRemoved.flatMap((each) => ('id' in each ? [each.id] : [])));
  const toNew = changesFor(recreated).filter((each) => !('id' in each && isChanged.has(each.id)));
  return { toNew, toRemoved };
}

/** The IDs of pages that were deleted in the space and are created again. */
function recreatedIds({ operations }: Plan, { pages }: LocalFolder): Set<string> {
  const keys = new Set(pages.map(({ key }) => key));
  return new Set(operations.flatMap((each) => (each.kind === 'add' && !keys.has(each.key) ? [each.key] : [])));
}

function removedIds({ operations, record }: Plan, { pages }: Remote): Set<string> {
  const removed = new Set(operations.flatMap((each) => (each.kind === 'delete' ? [each.id] : [])));
  const staying = new Set(record.pages.map(({ entry }) => entry.id));
  for (const { id, parent } of pages) if (parent !== null && removed.has(parent) && !staying.has(id)) removed.add(id);
  return removed;
}
