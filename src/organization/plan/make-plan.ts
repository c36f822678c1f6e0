import type { Port } from '../../client/port.ts';
import { EngineError } from '../../shared/engine-error.ts';
import type { FolderTexts } from '../../sync/local-folder.ts';
import { continueInterrupted } from '../content/interrupted.ts';
import { addContents, type PlannedContent, type PlannedContents, planContents } from '../content/plan-content.ts';
import { namedOrganization } from '../files/environment.ts';
import type { Approval } from '../../approval/policy.ts';
import { FileMistakes, type FolderRead } from '../files/organization-folder.ts';
import type { LevelRow } from '../files/schemas.ts';
import { addEmptyParts, type Lock, recordBase } from '../lock.ts';
import type { Titles } from '../names.ts';
import {
  type ChangeKind,
  changeKindOf,
  contentPath,
  type FilePart,
  fileParts,
  files,
  kinds,
  levelsFile,
  overlayFile,
  type Organization,
  type Part,
  pathOf,
} from '../parts.ts';
import type { OrganizationPort } from '../port.ts';
import { Selection } from '../selection.ts';
import { readOrganization, type ReadOptions, type Snapshot } from '../service/read-organization.ts';
import type { Space } from '../service/read-service.ts';
import { Baseline } from '../state/baseline.ts';
import {
  findRenames,
  type PossibleRenames,
  renamedLock,
  renameInState,
  type Rename,
  unknownMoves,
} from '../state/renames.ts';
import type { State } from '../state/state.ts';
import { readKnown, type SharedState } from '../state/shared-state.ts';
import { type Change, onlyChanges, type OrganizationPlan } from './change.ts';
import { Draft, type PlanInput } from './draft.ts';
import { planFields, planMembers, planProviders, planSettings, planTeams } from './people.ts';
import { withDrift } from './keep-drift.ts';
import { planCollections, planMoves, planSpaces } from './places.ts';
import { planInviteLinks, planSpecifications, planTranslations } from './publishing.ts';
import { planSites } from './sites.ts';
import { type Expiry, selectedExpiry } from '../terms.ts';
import type { Secrets } from './variables.ts';

export interface MadePlan {
  path: string;
  /** The folder or saved plan, as the user named it. */
  folder: string;
  /** Whether an apply updates the lock file of the folder. */
  hasFolder: boolean;
  /** Whether it is a saved plan. */
  isSaved: boolean;
  /** Whether the folder was exported or applied before, so that drift can be detected. */
  hasLock: boolean;
  orgId: string;
  plan: OrganizationPlan;
  snapshot: Snapshot;
  lock: Lock;
  /** Objects with new names in the files, which the lock has already. */
  renames: readonly Rename[];
  /** Objects that may have been renamed, too. */
  possible: readonly PossibleRenames[];
  /** The state in the service, if there is one. */
  shared: SharedState | undefined;
  /** Names of variables by their values, which must not be shown. */
  secrets: Secrets;
  source: PlanSource;
  /** Hashes of the planned files by path. */
  hashes: ReadonlyMap<string, string>;
  /** The rows of levels.csv, if they are compared. */
  levels?: readonly LevelRow[] | undefined;
  /** What ended in the planned files, and what ends soon. */
  expiry: Expiry;
  /** How many changes made in the service are kept. */
  kept: number;
  /** The content that its content steps send. */
  contents: readonly PlannedContent[];
  /** Files of the folder that are not as in the commit that is checked out, if an apply needs to know. */
  uncommitted?: ReadonlySet<string> | undefined;
}

/** Everything that determines a plan, apart from the state of the service. */
interface PlanSource {
  path: string;
  /** As the user named it. */
  folder: string;
  read: FolderRead;
  /** The names of objects. Created objects are added to it. */
  lock: Lock;
  shared: SharedState | undefined;
  /** The policy in effect, if it differs from that of the shared state. */
  approval?: Approval | null | undefined;
  /** Hashes of the files as last written or applied. Empty if the shared state is newer. */
  applied: ReadonlyMap<string, string>;
  /** The revisions of spaces that interrupted applies merged, and that the shared state does not have. */
  continued: ReadonlyMap<string, string>;
  flags: { only?: string[] | undefined; prune: boolean; keepDrift: boolean; env?: string | undefined };
}

interface PlanFolder extends Pick<PlanSource, 'path' | 'folder' | 'read' | 'flags'> {
  orgId: string;
  texts: FolderTexts;
  /** Whether parts without files count, and levels are compared. */
  isDrift?: boolean;
}

/** Compares the files of a folder with the organization. @throws EngineError */
export async function makePlan(
  port: OrganizationPort,
  { orgId, texts, isDrift = false, ...folder }: PlanFolder,
): Promise<MadePlan> {
  const { path, read, flags } = folder;
  const { env } = flags;
  const isNamed = env !== undefined && namedOrganization(read.sources.texts.get(overlayFile(env)) ?? '') !== undefined;
  const { lock, shared, isCurrent } = await readKnown(port, { path, orgId, env, isNamed });
  if (isDrift) addEmptyParts(read, lock);
  const { levels } = read.organization;
  const hasLevels = levels !== undefined && new Selection(flags.only).has('levels');
  if (hasLevels && !isDrift && lock.files.get(levelsFile) !== read.hashes.get(levelsFile))
    await port.note(
      `${levelsFile} is not applied, because the service has no request that grants a level. "docsctl drift" compares it.`,
    );
  const continued = await continueInterrupted(port.client, { lock, shared, isCurrent });
  const source = { ...folder, lock, shared, applied: isCurrent ? lock.files : new Map<string, string>(), continued };
  return planFrom(port, source, {
    texts,
    contents: read.contents,
    levels: hasLevels && isDrift ? levels : undefined,
  });
}

interface PlanFromOptions {
  texts: FolderTexts;
  /** The spaces whose content is compared. */
  contents: ReadonlySet<string>;
  /** Other spaces, of which only a match with the folder is recorded. */
  matching?: readonly string[];
  levels?: readonly LevelRow[] | undefined;
}

export async function planFrom(
  port: OrganizationPort,
  source: PlanSource,
  { texts, contents: compared, matching = [], levels }: PlanFromOptions,
): Promise<MadePlan> {
  const { path, folder, read, shared, flags } = source;
  const { lock, state, applied, renames, possible } = await withRenames(port, source);
  const { prune, keepDrift } = flags;
  const only = new Selection(flags.only);
  const desired = selectedParts(read.organization, only);
  const contents = new Set([...compared].filter((name) => only.includes('content', name)));
  const orgId = lock.organization;
  const parts: Part[] = withMentioned(plannedParts.filter((part) => desired[part] !== undefined));
  const others = matching.filter((name) => only.includes('content', name) && !contents.has(name));
  if (contents.size > 0 || others.length > 0) parts.push('content');
  if (levels) parts.push('levels');
  const snapshot = await readCurrent(port, { orgId, parts, ids: lock.ids, titles: titlesIn(desired) });
  refuseMissing(only, [read.organization, snapshot.organization], read.contents);
  setPolicy(snapshot, source);
  const baseline = baselineOf(source, { applied, state, renames });
  const input = { ...sideOf(snapshot), orgId, places: read.places, prune, contents: read.contents, baseline };
  const planWith = (files: Organization) => planOrganization({ ...input, desired: files });
  const all = planWith(desired);
  const spaces = contentSpaces(all, contents, snapshot);
  const whole = coveredPlan(all, only);
  if (whole.problems.length > 0) throw new FileMistakes(folder, whole.problems, 'refused');
  const keeping = () => selectedPlan(planWith(withDrift(desired, snapshot.organization, baseline)), only);
  const plan = keepDrift ? onlyChanges(keeping(), ({ isDrift }) => isDrift !== true) : selectedPlan(all, only);
  // A space that somebody deleted in the service stays deleted.
  if (keepDrift) for (const [name, space] of spaces) if (!space && !creates(plan, name)) spaces.delete(name);
  const run = { port, path, folder, lock, texts, prune, keepDrift };
  const planned = await planContents(run, spaces);
  addContents(plan, planned);
  recordMatchesIn(lock, planned);
  await recordOthers(run, new Map([...snapshot.spaces].filter(([name]) => others.includes(name))));
  const kept = (keepDrift ? whole.changes.filter(hasDrift).length : 0) + planned.left;
  await noteKept(port, kept);
  lock.ids = snapshot.names.ids;
  return {
    path,
    folder,
    orgId,
    plan,
    contents: planned.contents,
    kept,
    levels,
    expiry: selectedExpiry(read.expiry, (file) => only.covers(file)),
    snapshot,
    lock,
    shared,
    renames,
    possible,
    source,
    hashes: new Map([...read.hashes].filter(([file]) => file !== levelsFile && only.covers(file))),
    secrets: read.secrets,
    hasFolder: true,
    isSaved: false,
    hasLock: baseline.exists,
  };
}

function recordMatchesIn(lock: Lock, { matches, bases }: PlannedContents): void {
  for (const [name, match] of matches) {
    lock.matches.set(name, match);
    const base = bases.get(name);
    if (base) recordBase(lock, name, { revision: match.revision, base });
  }
}

/** Records which other content folders match their spaces. */
async function recordOthers(
  run: Parameters<typeof planContents>[0],
  spaces: ReadonlyMap<string, Space>,
): Promise<void> {
  const port = { ...run.port, note: async () => {} };
  recordMatchesIn(run.lock, await planContents({ ...run, port }, spaces));
}

/** What is known about the files under the names that they have now. */
async function withRenames(port: Port, { read, lock, shared, applied }: PlanSource) {
  const { renames, possible } = findRenames({ lock, state: shared?.state }, read);
  for (const { kind, from, to } of unknownMoves(read, lock))
    await port.note(
      `moved: ${from} is ignored in the ${changeKindOf[kind]} "${to}": no ${changeKindOf[kind]} of that name was exported or applied.`,
    );
  for (const { kind, from, to } of renames)
    await port.note(`The ${changeKindOf[kind]} "${from}" is called "${to}" in the files now.`);
  for (const each of possible) await port.note(possibleRenameText(each));
  if (renames.length === 0) return { lock, state: shared?.state, applied, renames, possible };
  const state = shared && structuredClone(shared.state);
  if (state) renameInState(state, renames);
  const { files } = renamedLock({ ...lock, files: new Map(applied) }, renames);
  return { lock: renamedLock(lock, renames), state, applied: files, renames, possible };
}

function possibleRenameText({
  kind,
  gone: [from, ...moreGone],
  added: [to = '', ...moreAdded],
}: PossibleRenames): string {
  const more = (names: string[]) => (names.length > 0 ? ` (and ${names.length} more)` : '');
  const isPair = moreGone.length + moreAdded.length === 0;
  const [renamed, others] = isPair ? ['it was', 'they are two'] : ['one was', 'they are different'];
  return `The ${changeKindOf[kind]} "${from}"${more(moreGone)} is gone and "${to}"${more(moreAdded)} is new. If ${renamed} renamed, add "moved: ${isPair ? from : '…'}" to ${isPair ? pathOf(kinds[changeKindOf[kind]].part, to) : 'the file of the new one'}; otherwise ${others} objects.`;
}

/** @throws EngineError if drift is to be kept, but nothing tells what it is */
function baselineOf(
  { read: { organization, hashes, secrets, expiry }, folder, flags }: PlanSource,
  { applied, state, renames }: { applied: ReadonlyMap<string, string>; state: State | undefined; renames: Rename[] },
): Baseline {
  const overlay = flags.env === undefined ? undefined : overlayFile(flags.env);
  const isOther = overlay !== undefined && applied.get(overlay) !== hashes.get(overlay);
  // Both files describe the organization.
  const known = isOther ? new Map([...hashes].filter(([file]) => file !== files.organization.file)) : hashes;
  const former = new Map(renames.map(({ from, to }) => [to, from]));
  const baseline = new Baseline({ files: applied, state, organization, hashes: known, secrets, expiry, former });
  if (baseline.exists || !flags.keepDrift) return baseline;
  throw new EngineError(
    'refused',
    `--keep-drift cannot tell what was changed in the service, because ${folder} was neither exported nor applied before.`,
    { hint: 'Run "docsctl plan" without it, and review every change.' },
  );
}

async function noteKept(port: Port, count: number): Promise<void> {
  if (count > 0)
    await port.note(`Kept with --keep-drift: ${count} change${count === 1 ? '' : 's'} made in the service.`);
}

/** The service does not have the policy, so the snapshot gets the one in effect. */
function setPolicy({ organization: { organization } }: Snapshot, { approval, shared }: PlanSource): void {
  if (organization) organization.approval = (approval === undefined ? shared?.state.approval : approval) ?? null;
}

/** The side of the service. */
const sideOf = ({ names, memberIds, otherIds, unreadSpecs, organization }: Snapshot) => ({
  current: organization,
  ids: names.ids,
  memberIds,
  otherIds,
  unreadSpecs,
});

/** Whether the service changed something of an object. */
const hasDrift = ({ isDrift, fields }: Change) => isDrift === true || fields.some((field) => field.isDrift);

/** Plans the requests that bring an organization to the state in its files, except the content of spaces. */
export function planOrganization(input: PlanInput): OrganizationPlan {
  const draft = new Draft(input);
  planSettings(draft);
  planFields(draft);
  planMembers(draft);
  planTeams(draft);
  planProviders(draft);
  planCollections(draft);
  planSpaces(draft);
  planMoves(draft);
  planSpecifications(draft);
  planSites(draft);
  planTranslations(draft);
  planInviteLinks(draft);
  return draft.plan();
}

/** The spaces whose content is in the folder; undefined for those that the plan creates. */
function contentSpaces(
  plan: OrganizationPlan,
  contents: ReadonlySet<string>,
  { spaces }: Snapshot,
): Map<string, Space | undefined> {
  for (const name of contents) {
    if (spaces.has(name) || creates(plan, name)) continue;
    const message = `there is no space "${name}"; to create it, write its title to spaces/${name}/space.yaml`;
    plan.problems.push({ file: contentPath(name), message });
  }
  return new Map([...contents].map((name) => [name, spaces.get(name)]));
}

const creates = ({ changes }: OrganizationPlan, space: string): boolean =>
  changes.some(({ kind, name, action }) => kind === 'space' && action === 'create' && name === space);

/** Parts of the organization in the service. */
export async function readCurrent(
  port: Port,
  { parts, ...options }: Pick<ReadOptions, 'orgId' | 'ids' | 'titles'> & { parts: readonly Part[] },
): Promise<Snapshot> {
  // An apply reads the organization twice, so the lists must not stay in memory.
  const { lists: _, ...snapshot } = await readOrganization(port, { ...options, only: new Selection(parts) });
  for (const warning of snapshot.warnings) await port.note(warning);
  return snapshot;
}

/** The parts that contain the objects of these kinds. Spaces and collections need each other for their order. */
export function partsOfKinds(changed: ReadonlySet<ChangeKind>): Part[] {
  const parts = new Set([...changed].map((kind) => kinds[kind].part));
  return parts.has('spaces') || parts.has('collections') ? [...parts, 'spaces', 'collections'] : [...parts];
}

/** The titles of named objects in the files. Objects that are not in the lock file are found by their titles. */
function titlesIn(organization: Organization): Titles {
  const { teams, sso = [], spaces, sites } = organization;
  const titles = (objects: Iterable<[name: string, object: { title?: string | undefined }]> = []) =>
    new Map([...objects].map(([name, { title = name }]) => [name, title]));
  return {
    teams: titles(teams),
    sso: new Map([...sso].map(([name, { label }]) => [name, label])),
    collections: titles(kinds.collection.objects(organization)),
    spaces: titles(spaces),
    sites: titles(sites),
  };
}

/** Levels are compared, but never planned. */
const plannedParts = fileParts.filter((part) => part !== 'levels');

/** Parts, and those whose objects they mention. */
const withMentioned = (parts: readonly FilePart[]): FilePart[] => [
  ...new Set(parts.flatMap((part) => [part, ...files[part].mentions])),
];

/** The files of the selected parts, and of what they mention. */
function selectedParts(organization: Organization, only: Selection): Organization {
  const needed = withMentioned(plannedParts.filter((part) => only.has(part)));
  const selected: Organization = { ...organization };
  for (const part of plannedParts) if (!needed.includes(part)) delete selected[part];
  return selected;
}

function refuseMissing(only: Selection, sides: readonly Organization[], contents: ReadonlySet<string>): void {
  only.refuseMissing(
    (part, name) =>
      (part === 'content' && contents.has(name)) ||
      sides.some((side) => {
        const objects = side[part === 'content' ? 'spaces' : part];
        return objects instanceof Map && objects.has(name);
      }),
    () => 'Use the names from the files.',
  );
}

/** The selected part of a plan. */
function coveredPlan(plan: OrganizationPlan, only: Selection): OrganizationPlan {
  const problems = plan.problems.filter(({ file }) => only.covers(file));
  const unnamed = plan.unnamed.filter(({ file }) => only.covers(file));
  return { ...onlyChanges(plan, ({ file }) => only.covers(file)), problems, unnamed };
}

/** The selected part of a plan. @throws EngineError if it needs an object that only the rest would create */
function selectedPlan(plan: OrganizationPlan, only: Selection): OrganizationPlan {
  const selected = coveredPlan(plan, only);
  const createdBy = ({ steps }: OrganizationPlan) => new Set(steps.flatMap(({ makes = {} }) => Object.keys(makes)));
  const [all, created] = [createdBy(plan), createdBy(selected)];
  const needed = JSON.stringify([selected.steps, selected.contents]).matchAll(/"\{([^"{}]+)\}"/g);
  for (const [, placeholder = ''] of needed) {
    if (!all.has(placeholder) || created.has(placeholder)) continue;
    const [kind, ...name] = placeholder.split('/');
    throw new EngineError(
      'refused',
      `--only leaves out the ${kind} "${name.join('/')}", which is needed and does not exist yet.`,
      { hint: 'Add it to --only.' },
    );
  }
  return selected;
}
