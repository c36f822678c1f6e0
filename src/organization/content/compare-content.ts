import { join } from 'node:path';
import { HttpError } from '../../client/errors/http-error.ts';
import type { Base } from '../../content/folder/base.ts';
import type { LocalFolder } from '../../content/folder/folder.ts';
import { readLayout } from '../../content/folder/layout.ts';
import type { FolderTexts } from '../../sync/folder-texts.ts';
import type { Operation, Plan, PlanInput, PushConflict } from '../../sync/plan.ts';
import { markFor, readWhole } from '../../sync/pull-base.ts';
import type { Remote } from '../../sync/remote.ts';
import type { MergeOptions } from '../../sync/three-way/merge-sides.ts';
import type { Compared } from '../../sync/three-way/sides.ts';
import type { Lock } from '../lock.ts';
import type { OrganizationPort } from '../port.ts';
import type { Push } from '../../sync/push.ts';
import { withoutLarge } from '../../sync/push.ts';
import { readAncestors, readContent, readTexts, type Revision } from '../../sync/read-remote.ts';
import { operationKey, removedFiles } from './page-changes.ts';

/** A content folder, as `content push` has it. */
export type ContentFolder = Pick<Push, 'texts' | 'docs' | 'local' | 'warnings'>;

interface CompareInput {
  port: OrganizationPort;
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
  const { port, space, push, prune, keepDrift } = input;
  const { local, docs, texts } = push;
  const work = { folder: join(docs.name, local.root), texts: local.pages.map(({ text }) => text) };
  const { remote, revision } = space ? await contentIn(port, space, local) : noContent;
  const base = space && (await baseOf(input, space.id, remote));
  const compared = await texts.run('compare', { local, remote, pulled: base ?? noBase }, work);
  const read = await readFor(port, space, compared);
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
  const links = space ? await linkChanges(port, { space, plan, local, remote, read }) : { toNew: [], toRemoved: [] };
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

const baseOf = ({ port, lock, name, push }: CompareInput, spaceId: string, remote: Remote) =>
  lockedBase(port, { lock, space: name, spaceId, remote, ...push, path: push.docs.path, folder: push.docs.name });

async function contentIn(
  port: OrganizationPort,
  space: { id: string; revision: string },
  local: LocalFolder,
): Promise<{ remote: Remote; revision: Revision }> {
  const sizes = new Set(local.files.map(({ bytes }) => bytes.length));
  const { remote, revision } = await readContent(port, { spaceId: space.id, revisionId: space.revision }, sizes);
  return { remote, revision };
}

async function readFor(
  port: OrganizationPort,
  space: CompareInput['space'],
  { unread, ancestors }: Compared,
): Promise<PlanInput['read']> {
  if (!space) return { remote: new Map(), base: new Map() };
  return {
    remote: await readTexts(port, { spaceId: space.id, revisionId: space.revision }, unread),
    base: await readAncestors(port, space.id, ancestors),
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

interface BaseInput {
  lock: Lock;
  /** Name and id of the space. */
  space: string;
  spaceId: string;
  local: LocalFolder;
  remote: Remote;
  texts: FolderTexts;
  /** The content folder, and its name for messages. */
  path: string;
  folder: string;
}

/** Of a folder of which nobody knows what it had: none of the pages of the space is known to come from it. */
const noBase: Base = { pages: [], files: new Map() };

/**
 * What the content folder had when it was exported, applied or pulled; undefined where it never was, or the service does not show
 * that revision any more. The base that the space keeps of its last push may be that of another folder.
 */
async function lockedBase(port: OrganizationPort, input: BaseInput): Promise<Base | undefined> {
  const { lock, space, spaceId, local, remote, texts, folder, path } = input;
  // An export and an apply remove the mark, so a pull came later.
  const pulled = await markFor({ target: join(path, local.root), spaceId, changeRequest: undefined, remote });
  const applied = lock.applied.get(space);
  if (!pulled && applied !== undefined) return appliedBase(port, spaceId, applied);
  const revisionId = pulled?.revision ?? lock.revisions.get(space);
  const whole = revisionId === undefined ? undefined : await readWhole(port, { spaceId, revisionId }, remote);
  if (!whole) return undefined;
  return texts.run(
    'pulledBase',
    { remote: whole.remote, revision: whole.revision.id, local },
    { folder: join(folder, local.root), texts: [...local.pages, ...whole.remote.pages].map(({ text }) => text) },
  );
}

async function appliedBase(port: OrganizationPort, spaceId: string, revisionId: string): Promise<Base | undefined> {
  try {
    const { remote } = await readContent(port, { spaceId, revisionId });
    return readLayout(remote.layouts?.[0]).base;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}

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
async function linkChanges(
  port: OrganizationPort,
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
