import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { requireOrganization, scopeOf } from '../../cli/command/invocation.ts';
import { createProgress } from '../../cli/output/index.ts';
import { buildServer } from '../../cli/program/build-server.ts';
import { exit } from '../../cli/program/exit-status.ts';
import type { Lock } from '../lock.ts';
import { collectionsIn } from '../files/references.ts';
import { type LevelRow, levelsFile } from '../files/levels.ts';
import type { Titles } from '../names.ts';
import type { Ids, Organization, Part } from '../organization.ts';
import type { ChangeKind } from './change.ts';
import { onlyChanges, type OrganizationPlan, planOrganization } from './plan.ts';
import type { Secrets } from './variables.ts';
import { Selection } from '../selection.ts';
import type { Space } from '../service/content.ts';
import { readOrganization, type Snapshot } from '../service/read-organization.ts';
import type { FolderTexts } from '../../sync/folder-texts.ts';
import { contentPath } from '../content/content-folder.ts';
import { lockIn } from '../files/lock-file.ts';
import { managedParts, mentionedParts, refuseUnknown, selectedParts, selectedPlan, selectionOf } from './only.ts';
import { addEmptyParts } from '../files/empty-parts.ts';
import { FileMistakes, type FolderRead, readOrganizationFolder } from '../files/organization-folder.ts';
import { addContents, type PlannedContent, planContents } from '../content/plan-content.ts';

export type PlanInvocation = Invocation<
  { folder?: string | undefined },
  {
    only?: string[] | undefined;
    prune?: boolean | undefined;
    keepDrift?: boolean | undefined;
    ci?: boolean | undefined;
    exitCode?: boolean | undefined;
    out?: string | undefined;
  }
>;

export interface MadePlan {
  path: string;
  /** The folder, or the saved plan, as it was named. */
  folder: string;
  /** Whether the folder of the plan is here, and gets a lock file by an apply. */
  hasFolder: boolean;
  /** Whether it was read from a file. */
  isSaved: boolean;
  /** Whether the folder was exported or applied before, so that drift can be told. */
  hasLock: boolean;
  orgId: string;
  plan: OrganizationPlan;
  snapshot: Snapshot;
  lock: Lock;
  /** Names of variables by their values, which must not be shown. */
  secrets: Secrets;
  /** What the plan is made of. */
  source: PlanSource;
  /** Hashes of the files that it is made of, by path. */
  hashes: ReadonlyMap<string, string>;
  /** What levels.csv says, if it is compared. */
  levels?: readonly LevelRow[] | undefined;
  /** What its steps of content send. */
  contents: readonly PlannedContent[];
}

/** All that a plan follows from, together with what the service has. */
export interface PlanSource {
  path: string;
  /** As it was named. */
  folder: string;
  read: FolderRead;
  /** The names of objects. What is made gets into it. */
  lock: Lock;
  /** Hashes of the files as they were last written or applied. */
  applied: ReadonlyMap<string, string>;
  flags: { only?: string[] | undefined; prune: boolean; keepDrift: boolean };
}

/** Compares the files of a folder with the organization. @throws CommandError with all mistakes of the files */
export async function makePlan(
  invocation: PlanInvocation,
  texts: FolderTexts,
  { isDrift = false } = {},
): Promise<MadePlan> {
  const { args, flags, session } = invocation;
  const folder = args.folder ?? '.';
  const path = resolve(folder);
  selectionOf(flags.only);
  const read = await annotated(invocation, () => readOrganizationFolder(path, folder, session.env));
  for (const message of read.misnamed) await invocation.io.note(message);
  // The folder or plan has the id of its organization.
  const orgId = (await requireOrganization(invocation)) ?? (await scopeOf(invocation, 'org'));
  const lock = await lockIn(path, orgId);
  if (isDrift) addEmptyParts(read, lock);
  const { only, prune = false, keepDrift = false } = flags;
  const levels = selectionOf(only).has('levels')
    ? await comparedLevels(invocation, read, { lock, isDrift })
    : undefined;
  const source = { path, folder, read, lock, applied: lock.files, flags: { only, prune, keepDrift } };
  return planFrom(invocation, source, { texts, contents: read.contents, levels });
}

interface PlanFromOptions {
  texts: FolderTexts;
  /** The spaces whose content is compared. */
  contents: ReadonlySet<string>;
  levels?: readonly LevelRow[] | undefined;
}

export async function planFrom(
  invocation: PlanInvocation,
  source: PlanSource,
  { texts, contents: compared, levels }: PlanFromOptions,
): Promise<MadePlan> {
  const { path, folder, read, lock, applied, flags } = source;
  const { prune } = flags;
  const only = selectionOf(flags.only);
  const desired = selectedParts(read.organization, only);
  const contents = new Set([...compared].filter((name) => only.includes('content', name)));
  const hashes = new Map([...read.hashes].filter(([file]) => file !== levelsFile && only.covers(file)));
  const orgId = lock.organization;
  const snapshot = await readCurrent(invocation, {
    orgId,
    parts: [
      ...partsFor(desired),
      ...(contents.size > 0 ? (['content'] as const) : []),
      ...(levels ? (['levels'] as const) : []),
    ],
    ids: lock.ids,
    titles: titlesIn(desired),
  });
  refuseUnknown(only, read.organization, snapshot.organization, read.contents);
  const all = planFiles({ ...read, organization: desired, hashes }, { snapshot, applied, orgId, prune });
  const spaces = contentSpaces(all, contents, snapshot);
  const whole = selectedPlan(all, only);
  await annotated(invocation, async () => {
    if (whole.problems.length > 0) throw new FileMistakes(folder, whole.problems, exit.refused);
  });
  const plan = flags.keepDrift ? onlyChanges(whole, ({ isDrift }) => isDrift !== true) : whole;
  const dropped = whole.changes.length - plan.changes.length;
  const { contents: planned, left } = await withContents(invocation, plan, spaces, { ...source, texts });
  const kept = dropped + left;
  if (kept > 0)
    await invocation.io.note(`Kept with --keep-drift: ${kept} change${kept === 1 ? '' : 's'} made in the service.`);
  lock.ids = snapshot.names.ids;
  const hasLock = lock.files.size > 0;
  return {
    path,
    folder,
    hasFolder: true,
    isSaved: false,
    hasLock,
    orgId,
    plan,
    contents: planned,
    levels,
    snapshot,
    lock,
    secrets: read.secrets,
    source,
    hashes,
  };
}

/** The rows of levels.csv for drift. A plan cannot send them, and says so where they were edited. */
async function comparedLevels(
  { io }: PlanInvocation,
  { organization, hashes }: Awaited<ReturnType<typeof readOrganizationFolder>>,
  { lock, isDrift }: { lock: Lock; isDrift: boolean },
): Promise<LevelRow[] | undefined> {
  if (isDrift) return organization.levels;
  if (organization.levels && lock.files.get(levelsFile) !== hashes.get(levelsFile))
    await io.note(
      `${levelsFile} is not applied: the service has no request that grants a level. "docsctl drift" compares it.`,
    );
  return undefined;
}

/** What makes the organization as its files say, without the contents of spaces. */
function planFiles(
  { organization: desired, hashes, places, contents }: FolderRead,
  {
    snapshot,
    applied,
    orgId,
    prune,
  }: Pick<MadePlan, 'snapshot' | 'orgId'> & Pick<PlanSource, 'applied'> & { prune: boolean },
): OrganizationPlan {
  const { names, memberIds, otherIds, unreadSpecs, organization: current } = snapshot;
  return planOrganization({
    desired,
    current,
    orgId,
    ids: names.ids,
    memberIds,
    otherIds,
    unreadSpecs,
    places,
    prune,
    contents,
    unchanged: new Set([...hashes].flatMap(([file, hash]) => (applied.get(file) === hash ? [file] : []))),
    known: applied.size > 0 ? new Set(applied.keys()) : undefined,
  });
}

/** Adds what makes the contents of spaces as their folders say. */
async function withContents(
  invocation: PlanInvocation,
  plan: OrganizationPlan,
  spaces: ReadonlyMap<string, Space | undefined>,
  { path, folder, lock, texts, flags: { prune, keepDrift } }: PlanSource & { texts: FolderTexts },
) {
  const server = buildServer(invocation.io, { env: invocation.session.env, ci: invocation.flags.ci });
  const run = { invocation, path, folder, lock, texts, server, prune, keepDrift };
  const planned = await planContents(run, spaces);
  addContents(plan, planned);
  return planned;
}

/** The spaces whose content is in the folder; undefined those that the plan makes. */
function contentSpaces(
  { changes, problems }: OrganizationPlan,
  contents: ReadonlySet<string>,
  { spaces }: Snapshot,
): Map<string, Space | undefined> {
  const made = new Set(
    changes.flatMap(({ kind, name, action }) => (kind === 'space' && action === 'create' ? name : [])),
  );
  for (const name of contents) {
    if (spaces.has(name) || made.has(name)) continue;
    const message = `there is no space "${name}"; to create it, write its title to spaces/${name}/space.yaml`;
    problems.push({ file: contentPath(name), message });
  }
  return new Map([...contents].map((name) => [name, spaces.get(name)]));
}

/** Shows mistakes of the files beside them, where a build server can. */
async function annotated<Result>({ io, session, flags }: PlanInvocation, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FileMistakes)
      await buildServer(io, { env: session.env, ci: flags.ci }).annotate(error.findings);
    throw error;
  }
}

interface CurrentOptions {
  orgId: string;
  parts: readonly Part[];
  ids: Ids;
  titles?: Titles;
}

/** Parts of the organization as the service has them. */
export async function readCurrent(
  { io, signal, client }: Pick<PlanInvocation, 'io' | 'signal' | 'client'>,
  { orgId, parts, ids, titles }: CurrentOptions,
): Promise<Snapshot> {
  const warnings: string[] = [];
  const progress = createProgress('Reading the organization', { animated: io.canAnimate, quiet: io.quiet });
  try {
    const snapshot = await readOrganization({
      client: await client(),
      orgId,
      signal,
      warn: (message) => void warnings.push(message),
      progress: (what, done, total) => {
        progress.say(`Reading ${what}`);
        progress.count(done, total);
      },
      only: new Selection(parts),
      ids,
      ...(titles && { titles }),
    });
    progress.stop();
    for (const warning of warnings) await io.note(warning);
    return snapshot;
  } finally {
    progress.stop();
  }
}

/** The parts that have the objects of these kinds. */
export function partsOfKinds(kinds: ReadonlySet<ChangeKind>): Part[] {
  const parts: Record<ChangeKind, Part[]> = {
    organization: ['organization'],
    'custom field': ['organization'],
    member: ['members'],
    team: ['teams'],
    'SSO provider': ['sso', 'teams'],
    collection: ['collections', 'spaces'],
    space: ['spaces', 'collections'],
    content: ['content'],
    specification: ['openapi'],
    site: ['sites', 'spaces', 'collections'],
    translation: ['translations'],
    'invite link': ['invite-links', 'spaces', 'collections'],
  };
  return [...new Set([...kinds].flatMap((kind) => parts[kind]))];
}

/** The parts of the service that a plan looks at: those that the files manage, and what they mention. */
const partsFor = (desired: Organization): Part[] => [
  ...new Set(managedParts(desired).flatMap((part) => mentionedParts[part])),
];

/** The titles of named objects in the files: an object that the lock file does not know is found by its title. */
function titlesIn({ teams, sso, collections, spaces, sites }: Organization) {
  return {
    teams: new Map([...(teams ?? [])].map(([name, { title }]) => [name, title])),
    sso: new Map([...(sso ?? [])].map(([name, { label }]) => [name, label])),
    collections: new Map(
      [...collectionsIn(collections?.collections)].map(({ node }) => [node.name, node.title ?? node.name]),
    ),
    spaces: new Map([...(spaces ?? [])].map(([name, { title }]) => [name, title ?? name])),
    sites: new Map([...(sites ?? [])].map(([name, { title }]) => [name, title ?? name])),
  };
}
