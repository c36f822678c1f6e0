import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { EngineError } from '../../shared/engine-error.ts';
import { isObject } from '../../shared/is-object.ts';
import { visible } from '../../shared/visible.ts';
import type { FolderTexts } from '../../sync/local-folder.ts';
import type { PlannedContent } from '../content/plan-content.ts';
import { isOrganization, organizationIn, readSources } from '../files/organization-folder.ts';
import { lockIn } from '../lock.ts';
import { contentPath, eachNamedKind, type Ids, kinds, namedKinds, type Organization } from '../parts.ts';
import { continueInterrupted } from '../content/interrupted.ts';
import type { OrganizationPort } from '../port.ts';
import type { Snapshot } from '../service/read-organization.ts';
import { readShared, withState } from '../state/shared-state.ts';
import { Change, ContentStep, Step } from './change.ts';
import { type MadePlan, planFrom } from './make-plan.ts';
import { checksOf, hashOf, type Secrets, secretsIn, variablesFor, withNames, withValues } from './variables.ts';

interface SavedPlanFile {
  /** The file of the plan, as the user named it. */
  file: string;
  saved: SavedPlan;
  orgId: string;
  texts: FolderTexts;
}

/**
 * The plan in a file, if the organization has not changed since it was made.
 *
 * The plan is computed again from the files in it, and must equal the one in the file. Only the new plan is shown and
 * sent, so nobody can add a request that is not shown.
 *
 * @throws EngineError that names the changed objects
 */
export async function checkSavedPlan(
  port: OrganizationPort,
  { file, saved, orgId, texts }: SavedPlanFile,
): Promise<MadePlan> {
  if (saved.organization !== orgId)
    throw new EngineError('refused', `${file} is a plan for another organization, ${saved.organization}.`);
  const sources = { texts: new Map(Object.entries(saved.files)), folders: new Set(saved.folders) };
  if (!isOrganization(sources))
    throw new EngineError('usage', `${file} contains files that are not part of an organization.`);
  const path = resolve(saved.folder);
  await refuseOtherTexts(path, saved);
  refuseMissing(path, saved);
  const own = await lockIn(path, saved.organization, saved.flags.env);
  const shared = await readShared(port, orgId, own.state?.space);
  const { lock, isCurrent } = withState(own, shared);
  // After another apply, only the state knows what the files contained before.
  const isSameState = (shared?.state.serial ?? null) === saved.serial;
  const source = {
    path,
    folder: saved.folder,
    read: {
      ...organizationIn(sources, file, { variables: Object.fromEntries(saved.variables), today: saved.today }),
      contents: new Set(saved.contentFolders),
      misnamed: [],
    },
    lock,
    shared,
    applied: new Map(Object.entries(isSameState ? saved.applied : {})),
    continued: await continueInterrupted(port.client, { lock, shared, isCurrent }),
    flags: saved.flags,
  };
  await port.note(`This is a plan of the folder "${visible(saved.folder)}".`);
  const made = await planFrom(port, source, {
    texts,
    contents: new Set(saved.contents.map(({ content }) => content)),
    matching: saved.contentFolders.filter((name) => existsSync(join(path, ...contentPath(name).split('/')))),
  });
  refuseChanged(saved, made.snapshot);
  for (const step of saved.contents)
    refuseOtherFiles(
      step,
      made.contents.find((each) => each.step.content === step.content),
      saved.folder,
    );
  refuseOther(file, saved, made);
  return { ...made, folder: file, isSaved: true, hasLock: false };
}

/** @throws EngineError if the plan in the file differs from the one that was just made */
function refuseOther(file: string, saved: SavedPlan, { plan, snapshot }: MadePlan): void {
  const withoutHashes = saved.changes.map((change) => ({ ...change, basedOn: undefined }));
  const isSame = (one: unknown, other: unknown) => isDeepStrictEqual(plain(one), plain(other));
  const { ids } = snapshot.names;
  const isOtherId = namedKinds.some((kind) =>
    [...saved.ids[kind]].some(([name, id]) => (ids[kind].get(name) ?? id) !== id),
  );
  if (
    !isOtherId &&
    isSame(withoutHashes, plan.changes) &&
    isSame(saved.steps, plan.steps) &&
    isSame(saved.contents, plan.contents)
  )
    return;
  throw new EngineError(
    'refused',
    `${file} does not match the plan that follows from its files and the current organization. Nothing was sent.`,
    {
      hint: 'The organization has changed since the plan was made, or the plan was edited. Create, review and apply a new plan.',
    },
  );
}

/** The value after it was written to a file and read again. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function refuseChanged(saved: SavedPlan, { organization, spaces }: Snapshot): void {
  const changed = saved.changes.filter((change, index) => {
    const content = saved.contents.find((each) => each.changes.includes(index));
    return content
      ? content.revision !== spaces.get(content.content)?.revision
      : !hasHash(organization, change, change.basedOn);
  });
  if (changed.length === 0) return;
  refuseSince([...new Set(changed.map(({ kind, name }) => `${kind} ${name}`))]);
}

/** @throws EngineError with the objects that were changed since the plan was made */
function refuseSince(names: readonly string[]): never {
  throw new EngineError(
    'refused',
    `Changed since the plan was made: ${names.slice(0, 10).map(visible).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}. Nothing was sent.`,
    { hint: 'Create, review and apply a new plan.' },
  );
}

/** @throws EngineError if the folder does not exist here, or has other files than the plan, which nobody reviewed then */
async function refuseOtherTexts(path: string, { folder, files, folders, flags }: SavedPlan): Promise<void> {
  if (!existsSync(path)) refuseWithout(folder);
  const { texts, folders: present } = await readSources(path, folder, flags.env);
  const planned = new Map(Object.entries(files));
  const changed = [
    ...[...new Set([...planned.keys(), ...texts.keys()])].filter((file) => planned.get(file) !== texts.get(file)),
    ...new Set(folders).symmetricDifference(present),
  ];
  if (changed.length > 0) refuseSince(changed.map((file) => join(folder, file)));
}

function refuseWithout(folder: string): never {
  throw new EngineError('refused', `${visible(folder)} does not exist here. Nothing was sent.`, {
    hint: 'Apply a plan where its folder is, unchanged.',
  });
}

/** @throws EngineError if a content folder does not exist here: plans do not contain its texts */
function refuseMissing(path: string, { folder, contents }: SavedPlan): void {
  const missing = contents.find(({ content }) => !existsSync(join(path, ...contentPath(content).split('/'))));
  if (missing) refuseWithout(join(folder, contentPath(missing.content)));
}

/** @throws EngineError with the files that were changed since the plan was made */
function refuseOtherFiles(step: ContentStep, planned: PlannedContent | undefined, folder: string): void {
  const now = planned?.step.files ?? {};
  const paths = new Set([...Object.keys(step.files), ...Object.keys(now)]);
  const changed = [...paths].filter((path) => step.files[path] !== now[path]).map((path) => join(folder, path));
  if (changed.length === 0 && step.sends === planned?.step.sends) return;
  refuseSince(changed.length > 0 ? changed : [`the requests for ${join(folder, contentPath(step.content))}`]);
}

/** The file of a plan. */
export function planText({ plan, secrets, orgId, folder, snapshot, source }: MadePlan): string {
  const { changes, steps, contents } = plan;
  const { read, applied, flags } = source;
  return writePlan({
    organization: orgId,
    folder,
    flags,
    files: Object.fromEntries(read.sources.texts),
    folders: [...read.sources.folders],
    contentFolders: [...read.contents],
    applied: Object.fromEntries(applied),
    serial: source.shared?.state.serial ?? null,
    ids: snapshot.names.ids,
    changes: withHashes(changes, contents, { current: snapshot.organization, secrets }),
    steps,
    contents,
    today: read.today,
    variables: read.variables,
  });
}

/** The version of saved plans. */
const planVersion = 5;

const Variables = z.record(z.string(), z.strictObject({ salt: z.string(), hash: z.string() }));

const PlanFile = z.strictObject({
  version: z.literal(planVersion),
  organization: z.string(),
  /** The planned folder, as the user named it. */
  folder: z.string(),
  flags: z.strictObject({
    only: z.optional(z.array(z.string())),
    prune: z.boolean(),
    keepDrift: z.boolean(),
    env: z.optional(z.string()),
  }),
  /** The texts of the planned files by path. The plan follows from them and from the state of the service. */
  files: z.record(z.string(), z.string()),
  /** The folders of the organization that existed, and the spaces whose content was in the folder. */
  folders: z.array(z.string()),
  contentFolders: z.array(z.string()),
  /** Hashes of the files as last written or applied. */
  applied: z.record(z.string(), z.string()),
  /** How many changes the shared state had; null if there was none. */
  serial: z.nullable(z.number()),
  ids: z.partialRecord(z.enum(namedKinds), z.record(z.string(), z.string())),
  /** Changes with a hash of the object that each was planned for. */
  changes: z.array(z.extend(Change, { basedOn: z.string() })),
  contents: z.array(ContentStep),
  steps: z.array(Step),
  /** When it was made, which decides what has ended. */
  today: z.string(),
  /** The variables that the files use. The plan must not contain their values. */
  variables: Variables,
});
type PlanFile = z.output<typeof PlanFile>;

interface SavedPlan extends Omit<PlanFile, 'version' | 'ids' | 'variables'> {
  ids: Ids;
  /** Values by name. */
  variables: ReadonlyMap<string, string>;
}

/** @throws EngineError if the file is not a plan, or its variables have other values here */
export async function readSavedPlan(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SavedPlan> {
  const text = await readFile(resolve(file), 'utf8');
  const unusable = (reason: string) =>
    new EngineError('usage', `${file} cannot be used as a plan: ${reason}.`, {
      hint: 'Create one with "docsctl plan --out".',
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable('it is not JSON');
  }
  const wrongMembers = unusable(`it does not have the fields of a plan of version ${planVersion}`);
  if (!isObject(value) || value['version'] !== planVersion) throw wrongMembers;
  const { digest, ...members } = value;
  // Comparing the text excludes duplicate members, of which parsers may see different ones.
  if (digest !== digestOf(members) || text.replaceAll('\r\n', '\n') !== textOf(value))
    throw unusable('it was edited after "docsctl plan" created it');
  const checks = Variables.safeParse(members['variables']).data ?? {};
  const variables = variablesFor(
    checks,
    env,
    (reason) =>
      new EngineError('refused', `${file}: ${reason}. Nothing was sent.`, {
        hint: 'Set it to the value that it had for "docsctl plan", or create a new plan.',
      }),
  );
  const result = PlanFile.safeParse(withValues(members, variables));
  if (!result.success) throw wrongMembers;
  const { version: _, ids, ...others } = result.data;
  return { ...others, ids: eachNamedKind((kind) => new Map(Object.entries(ids[kind] ?? {}))), variables };
}

/** The folders that a saved plan expects to exist, and those of spaces with content that it sends. */
export function foldersOfPlan(text: string): { folders: string[]; contents: string[] } {
  const { folders, contents } = PlanPaths.parse(JSON.parse(text));
  return { folders, contents: contents.map(({ content }) => contentPath(content)) };
}

/** The changes in a saved plan. */
export const changesOfPlan = (text: string): Change[] =>
  PlanPaths.parse(JSON.parse(text)).changes.map(({ basedOn: _basedOn, ...change }) => change);

/** The text of a saved plan whose folder is in another place. */
export function movedPlan(text: string, folder: string): string {
  const { digest: _, ...members }: Record<string, unknown> = { ...PlanPaths.parse(JSON.parse(text)), folder };
  return textOf({ ...members, digest: digestOf(members) });
}

const PlanPaths = z.looseObject({
  folder: z.string(),
  folders: z.array(z.string()),
  changes: z.array(z.extend(Change, { basedOn: z.string() })),
  contents: z.array(z.looseObject({ content: z.string() })),
});

/** The text of a plan, with the names of variables instead of their values. */
function writePlan({ organization, files, ids, changes, steps, variables, ...others }: SavedPlan): string {
  const members = {
    version: planVersion,
    organization,
    ...others,
    variables: checksOf(variables),
    ...withNames(
      { files, ids: eachNamedKind((kind) => Object.fromEntries(ids[kind])), changes, steps },
      secretsIn(variables),
    ),
  };
  return textOf({ ...members, digest: digestOf(members) });
}

const textOf = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;

/** Detects accidental edits. The digest can be recomputed on purpose, so an apply also plans again and compares. */
const digestOf = (members: object) => createHash('sha256').update(JSON.stringify(members)).digest('hex');

/** The changes with a hash of what each was planned for: an object, or the revision of a space. */
const withHashes = (
  changes: readonly Change[],
  contents: readonly ContentStep[],
  { current, secrets }: { current: Organization; secrets: Secrets },
): PlanFile['changes'] =>
  changes.map((change, index) => {
    const content = contents.find((each) => each.changes.includes(index));
    return { ...change, basedOn: content ? (content.revision ?? 'none') : objectHash(current, change, secrets) };
  });

/** A hash of the object of a change in the service. A slow one if it contains secrets, which must not be guessable. */
function objectHash(organization: Organization, change: Change, secrets: Secrets): string {
  const text = objectText(organization, change);
  const hasSecret = [...secrets.keys()].some((secret) => text.includes(JSON.stringify(secret).slice(1, -1)));
  return hasSecret ? slowHash(text, randomBytes(16).toString('base64')) : fastHash(text);
}

function hasHash(organization: Organization, change: Change, hash: string): boolean {
  const text = objectText(organization, change);
  const [, salt] = /^(.*):/.exec(hash) ?? [];
  return hash === (salt === undefined ? fastHash(text) : slowHash(text, salt));
}

/** The object of a change in the service as JSON; `null` if there is none. */
function objectText(organization: Organization, { kind, name }: Change): string {
  const all: [name: string, object: unknown][] = kinds[kind].objects(organization) ?? [];
  // The name of an organization is its title, which may change.
  const objects = all.flatMap(([each, object]) => (kind === 'organization' || each === name ? [object] : []));
  // Several invite links may lead to the same place.
  return JSON.stringify((kind === 'invite link' ? objects : objects[0]) ?? null);
}

const fastHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

const slowHash = (text: string, salt: string) => `${salt}:${hashOf(text, salt).toString('base64')}`;
