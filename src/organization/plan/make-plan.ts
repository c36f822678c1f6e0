import type { Port } from '../../client/port.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { addEmptyParts, type Lock, lockIn } from '../lock.ts';
import { collectionsIn } from '../files/references.ts';
import { type LevelRow, levelsFile } from '../files/levels.ts';
import type { Titles } from '../names.ts';
import { contentPath, type Ids, type Organization, type Part, parts } from '../organization.ts';
import type { OrganizationPort } from '../port.ts';
import type { ChangeKind } from './change.ts';
import { onlyChanges, type OrganizationPlan, planOrganization } from './plan.ts';
import type { Secrets } from './variables.ts';
import { Selection } from '../selection.ts';
import type { Space } from '../service/read-service.ts';
import { readOrganization, type Snapshot } from '../service/read-organization.ts';
import type { FolderTexts } from '../../sync/folder-texts.ts';
import { FileMistakes, type FolderRead } from '../files/organization-folder.ts';
import { addContents, type PlannedContent, planContents } from '../content/plan-content.ts';

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
interface PlanSource {
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
  const lock = await lockIn(path, orgId);
  if (isDrift) addEmptyParts(read, lock);
  const { levels } = read.organization;
  const hasLevels = levels !== undefined && new Selection(flags.only).has('levels');
  if (hasLevels && !isDrift && lock.files.get(levelsFile) !== read.hashes.get(levelsFile))
    await port.note(
      `${levelsFile} is not applied: the service has no request that grants a level. "docsctl drift" compares it.`,
    );
  const source = { ...folder, lock, applied: lock.files };
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
  levels?: readonly LevelRow[] | undefined;
}

export async function planFrom(
  port: OrganizationPort,
  source: PlanSource,
  { texts, contents: compared, levels }: PlanFromOptions,
): Promise<MadePlan> {
  const { path, folder, read, lock, applied, flags } = source;
  const { prune } = flags;
  const only = new Selection(flags.only);
  const desired = selectedParts(read.organization, only);
  const contents = new Set([...compared].filter((name) => only.includes('content', name)));
  const hashes = new Map([...read.hashes].filter(([file]) => file !== levelsFile && only.covers(file)));
  const orgId = lock.organization;
  const snapshot = await readCurrent(port, {
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
  if (whole.problems.length > 0) throw new FileMistakes(folder, whole.problems, 'refused');
  const plan = flags.keepDrift ? onlyChanges(whole, ({ isDrift }) => isDrift !== true) : whole;
  const dropped = whole.changes.length - plan.changes.length;
  const { keepDrift } = flags;
  const planned = await planContents({ port, path, folder, lock, texts, prune, keepDrift }, spaces);
  addContents(plan, planned);
  const kept = dropped + planned.left;
  if (kept > 0) await port.note(`Kept with --keep-drift: ${kept} change${kept === 1 ? '' : 's'} made in the service.`);
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
    contents: planned.contents,
    levels,
    snapshot,
    lock,
    secrets: read.secrets,
    source,
    hashes,
  };
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

interface CurrentOptions {
  orgId: string;
  parts: readonly Part[];
  ids: Ids;
  titles?: Titles;
}

/** Parts of the organization as the service has them. */
export async function readCurrent(port: Port, { parts: wanted, ...options }: CurrentOptions): Promise<Snapshot> {
  const snapshot = await readOrganization(port, { ...options, only: new Selection(wanted) });
  for (const warning of snapshot.warnings) await port.note(warning);
  return snapshot;
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

/** Parts whose files make a plan; levels are compared and never sent. */
type FilePart = Exclude<Part, 'content' | 'levels'>;

const members: Record<FilePart, keyof Organization> = {
  organization: 'organization',
  members: 'members',
  teams: 'teams',
  sso: 'sso',
  collections: 'collections',
  spaces: 'spaces',
  sites: 'sites',
  openapi: 'openapi',
  translations: 'translations',
  'invite-links': 'inviteLinks',
};

/** The parts themselves, and those whose objects they mention. */
const mentionedParts: Record<FilePart, Part[]> = {
  organization: ['organization', 'sites'],
  members: ['members'],
  teams: ['teams', 'members'],
  sso: ['sso', 'teams'],
  collections: ['collections', 'spaces'],
  spaces: ['spaces', 'collections', 'organization'],
  sites: ['sites', 'spaces', 'collections'],
  openapi: ['openapi'],
  translations: ['translations'],
  'invite-links': ['invite-links', 'spaces', 'collections'],
};

const fileParts = parts.filter((part) => part !== 'content' && part !== 'levels');

/** The parts that files manage. */
const managedParts = (organization: Organization): FilePart[] =>
  fileParts.filter((part) => organization[members[part]] !== undefined);

/** The parts of which something is selected, and what they mention. */
function selectedParts(organization: Organization, only: Selection): Organization {
  const needed = new Set(fileParts.filter((part) => only.has(part)).flatMap((part) => mentionedParts[part]));
  const selected: Organization = { ...organization };
  for (const part of fileParts) if (!needed.has(part)) delete selected[members[part]];
  return selected;
}

/** @throws EngineError for a name of `--only` that neither the files nor the service have */
function refuseUnknown(only: Selection, folder: Organization, service: Organization, contents: Selectable): void {
  const missing = only.named().find(([part, name]) => {
    if (part === 'content') return !contents.has(name) && !has(folder.spaces, name) && !has(service.spaces, name);
    if (part === 'levels') return false;
    const member = members[part];
    return !has(folder[member], name) && !has(service[member], name);
  });
  if (!missing) return;
  throw new EngineError('notFound', `--only: there is no "${missing[1]}" in ${missing[0]}.`, {
    hint: 'Names are those of the files.',
  });
}

type Selectable = Pick<ReadonlySet<string>, 'has'>;
const has = (objects: unknown, name: string) => objects instanceof Map && objects.has(name);

/** The part of a plan that is selected. @throws EngineError where it needs an object that the rest would make */
function selectedPlan(plan: OrganizationPlan, only: Selection): OrganizationPlan {
  const problems = plan.problems.filter(({ file }) => only.covers(file));
  const unnamed = plan.unnamed.filter(({ file }) => only.covers(file));
  const selected = { ...onlyChanges(plan, ({ file }) => only.covers(file)), problems, unnamed };
  const makersOf = ({ steps }: OrganizationPlan) => new Set(steps.flatMap(({ makes = {} }) => Object.keys(makes)));
  const [all, made] = [makersOf(plan), makersOf(selected)];
  const needed = JSON.stringify([selected.steps, selected.contents]).matchAll(/"\{([^"{}]+)\}"/g);
  for (const [, placeholder = ''] of needed) {
    if (!all.has(placeholder) || made.has(placeholder)) continue;
    const [kind, ...name] = placeholder.split('/');
    throw new EngineError(
      'refused',
      `--only leaves out the ${kind} "${name.join('/')}", which is needed and not there yet.`,
      { hint: 'Name it with --only too.' },
    );
  }
  return selected;
}
