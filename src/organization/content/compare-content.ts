import { join } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import type { LocalFolder } from '../../content/folder/folder.ts';
import type { Plan, PlanInput, PushConflict } from '../../sync/plan.ts';
import type { Remote } from '../../sync/remote.ts';
import type { MergeOptions } from '../../sync/three-way/merge-sides.ts';
import type { Compared } from '../../sync/three-way/sides.ts';
import type { Lock } from '../lock.ts';
import type { Push } from '../../sync/push-plan.ts';
import { withoutLarge } from '../../sync/push-warnings.ts';
import { readAncestors, readContent, readTexts, type Revision } from '../../sync/read-remote.ts';
import { lockedBase, noBase } from './content-base.ts';
import { linkChanges } from './content-links.ts';
import { operationKey, removedFiles } from './page-changes.ts';

/** A content folder, as `content push` has it. */
export type ContentFolder = Omit<Push, 'spaceId' | 'existing'>;

export interface CompareInput {
  invocation: Invocation<{}, {}>;
  lock: Lock;
  /** Name of the space. */
  name: string;
  /** Absent for a space that the plan makes. */
  space: { id: string; revision: string } | undefined;
  push: ContentFolder;
  /** Whether the folder had a file when it was exported or applied, and has it no more. */
  isRemoved?: (path: string) => boolean;
  /** Pages that the folder never had are removed. */
  prune: boolean;
  /** What somebody changed in the space stays. */
  keepDrift: boolean;
}

/** What makes a space as its content folder says, and why. */
export interface Comparison {
  plan: Plan;
  compared: Compared;
  remote: Remote;
  revision: Revision | undefined;
  read: PlanInput['read'];
  /** Paths of files that are removed. */
  removed: string[];
  /** Operations that take back what somebody changed in the space, by `operationKey`. */
  drift: ReadonlySet<string>;
  /** Ids of pages that were changed in the folder and in the space. */
  contested: ReadonlySet<string>;
  conflicts: Pick<PushConflict, 'path' | 'file' | 'title'>[];
  /** How many changes of the space stay because of --keep-drift. */
  left: number;
}

/**
 * Compares a content folder with its space. The folder is what counts: what was changed in the space since the last export
 * or apply is drift, and pages that both changed are conflicts. Pages that the folder never had stay.
 *
 * Files over the limit of the service are left out, as a push does.
 */
export async function compareContent(input: CompareInput): Promise<Comparison> {
  const { push } = input;
  const comparison = await compareOnce(input);
  const smaller = await withoutLarge(push.texts, push.docs, push.local, comparison.plan.operations);
  if (!smaller) return comparison;
  push.local = smaller;
  return compareOnce(input);
}

async function compareOnce(input: CompareInput): Promise<Comparison> {
  const { invocation, space, push, prune, keepDrift } = input;
  const { local, docs, texts } = push;
  const work = { folder: join(docs.name, local.root), texts: local.pages.map(({ text }) => text) };
  const { remote, revision } = space ? await contentIn(invocation, space, local) : noContent;
  const base = space && (await baseOf(input, space.id, remote));
  const compared = await texts.run('compare', { local, remote, pulled: base ?? noBase }, work);
  const read = await readFor(invocation, space, compared);
  const planWith = (options: MergeOptions): Promise<Plan> =>
    texts.run(
      'plan',
      { local, remote, compared, read, options },
      { ...work, texts: [...work.texts, ...read.remote.values()] },
    );
  const whole = await planWith({ overwrite: true, deleteOthers: prune || !space });
  const found = base ? await driftIn(whole, local, planWith) : nothingFound;
  const isKept = keepDrift && base !== undefined;
  const plan = isKept ? await planWith({ prefer: 'app' }) : whole;
  const links = space
    ? await linkChanges(invocation, { space, plan, local, remote, read })
    : { toNew: [], toRemoved: [] };
  // The service looks for the targets of links when a page is written.
  const operations = [...plan.operations, ...links.toRemoved, ...links.toNew];
  const { layout } = plan.record;
  const gone = removedFiles({ plan, local, remote }, compared.layout, input.isRemoved ?? (() => false));
  // The folder may have the same bytes at another path: then the file stays, with that path.
  const removed = new Map([...gone].filter(([name]) => !layout.files.has(name)));
  const record = { ...plan.record, layout: { ...layout, old: new Map([...layout.old, ...removed]) } };
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

const baseOf = ({ invocation, lock, name, push }: CompareInput, spaceId: string, remote: Remote) =>
  lockedBase(invocation, { lock, space: name, spaceId, remote, ...push, path: push.docs.path, folder: push.docs.name });

async function contentIn(
  invocation: Invocation<{}, {}>,
  space: { id: string; revision: string },
  local: LocalFolder,
): Promise<{ remote: Remote; revision: Revision }> {
  const sizes = new Set(local.files.map(({ bytes }) => bytes.length));
  const { remote, revision, close } = await readContent(
    invocation,
    { spaceId: space.id, revisionId: space.revision },
    sizes,
  );
  await close();
  return { remote, revision };
}

async function readFor(
  invocation: Invocation<{}, {}>,
  space: CompareInput['space'],
  { unread, ancestors }: Compared,
): Promise<PlanInput['read']> {
  if (!space) return { remote: new Map(), base: new Map() };
  return {
    remote: await readTexts(invocation, { spaceId: space.id, revisionId: space.revision }, unread),
    base: await readAncestors(invocation, space.id, ancestors),
  };
}

/** What of a plan takes back changes of the space, and what both sides changed. @param whole with the folder for every page */
async function driftIn(
  whole: Plan,
  local: LocalFolder,
  planWith: (options: MergeOptions) => Promise<Plan>,
): Promise<Pick<Comparison, 'drift' | 'contested' | 'conflicts'>> {
  const merged = await planWith({});
  const preferred = merged.conflicts.length === 0 ? merged : await planWith({ prefer: 'folder' });
  const own = new Set(preferred.operations.map(operationKey));
  const others = whole.operations.filter((operation) => !own.has(operationKey(operation)));
  const changedHere = new Set(preferred.operations.flatMap((each) => (each.kind === 'change' ? [each.id] : [])));
  // Changed in other places than the space was: a push would merge them, and the folder would not say what the space has.
  const elsewhere = others.flatMap((each) => (each.kind === 'change' && changedHere.has(each.id) ? [each] : []));
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
