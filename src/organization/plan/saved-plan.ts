import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { EngineError } from '../../shared/engine-error.ts';
import { visible } from '../../shared/visible.ts';
import { type Lock, lockIn, newLock } from '../lock.ts';
import { contentPath, type Ids, namedKinds, noIds, type Organization } from '../organization.ts';
import type { OrganizationPort } from '../port.ts';
import { type Change, changeKinds, type ContentStep, type Step } from './change.ts';
import { hasHash, objectHash } from './objects.ts';
import { checksOf, type Secrets, secretsIn, variablesFor, withNames, withValues } from './variables.ts';
import type { Snapshot } from '../service/read-organization.ts';
import type { FolderTexts } from '../../sync/folder-texts.ts';
import { type MadePlan, planFrom } from './make-plan.ts';
import { isOrganization, organizationIn } from '../files/organization-folder.ts';
import type { PlannedContent } from '../content/plan-content.ts';
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { isObject } from '../../shared/is-object.ts';

interface SavedPlanFile {
  /** The file of the plan, as it was named. */
  file: string;
  saved: SavedPlan;
  orgId: string;
  texts: FolderTexts;
}

/**
 * The plan in a file, if the organization is still as it was made for.
 *
 * It is made again from the files in it. What is shown and sent is the plan made here; the one in the file must be equal,
 * so that nobody can add a request to it that is not shown.
 *
 * @throws EngineError that names what changed
 */
export async function checkSavedPlan(
  port: OrganizationPort,
  { file, saved, orgId, texts }: SavedPlanFile,
): Promise<MadePlan> {
  if (saved.organization !== orgId)
    throw new EngineError('refused', `${file} is a plan for another organization, ${saved.organization}.`);
  const sources = { texts: new Map(Object.entries(saved.files)), folders: new Set(saved.folders) };
  if (!isOrganization(sources)) throw new EngineError('usage', `${file} names files that no organization has.`);
  const path = resolve(saved.folder);
  const { lock, isInFolder } = await lockOf(path, saved);
  if (isInFolder) await refuseOtherTexts(path, saved);
  else lock.ids = saved.ids;
  refuseMissing(path, saved);
  const source = {
    path,
    folder: saved.folder,
    read: {
      ...organizationIn(sources, file, Object.fromEntries(saved.variables)),
      contents: new Set(saved.contentFolders),
      misnamed: [],
    },
    lock,
    applied: new Map(Object.entries(saved.applied)),
    flags: saved.flags,
  };
  await port.note(`A plan of the folder ${visible(saved.folder)}.`);
  const made = await planFrom(port, source, {
    texts,
    contents: new Set(saved.contents.map(({ content }) => content)),
  });
  refuseChanged(saved, made.snapshot);
  for (const step of saved.contents)
    refuseOtherFiles(
      step,
      made.contents.find((each) => each.step.content === step.content),
      saved.folder,
    );
  refuseOther(file, saved, made);
  return { ...made, folder: file, hasFolder: isInFolder, isSaved: true, hasLock: false };
}

/** @throws EngineError where the plan in the file is not the one that was made here */
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
    `${file} has other changes or requests than follow from its files and from what the organization has now. Nothing was sent.`,
    {
      hint: 'The organization was changed since the plan was made, or somebody edited the plan. Make a new one, review and apply it.',
    },
  );
}

/** As it is after it was written to a file. */
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

/** @throws EngineError with what was changed since the plan was made */
function refuseSince(names: readonly string[]): never {
  throw new EngineError(
    'refused',
    `Changed since the plan was made: ${names.slice(0, 10).map(visible).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}. Nothing was sent.`,
    { hint: 'Make a new plan, review and apply it.' },
  );
}

/** The lock file of the folder that the plan is of, where it is here. */
async function lockOf(path: string, saved: SavedPlan): Promise<{ lock: Lock; isInFolder: boolean }> {
  const isInFolder = Object.keys(saved.files).some((file) => existsSync(join(path, ...file.split('/'))));
  const none = { lock: newLock(saved.organization), isInFolder: false };
  if (saved.contents.length > 0) return { lock: await lockIn(path, saved.organization), isInFolder: true };
  if (!isInFolder) return none;
  try {
    return { lock: await lockIn(path, saved.organization), isInFolder };
  } catch (error) {
    // It is the folder of another organization, and is not needed.
    if (error instanceof EngineError) return none;
    throw error;
  }
}

/** @throws EngineError where files of the folder are not those of the plan: its lock file would say that they were applied */
async function refuseOtherTexts(path: string, { folder, files }: SavedPlan): Promise<void> {
  const changed: string[] = [];
  for (const [file, text] of Object.entries(files)) {
    const now = await readFile(join(path, ...file.split('/')), 'utf8').catch(() => undefined);
    if (now !== text) changed.push(join(folder, file));
  }
  if (changed.length > 0) refuseSince(changed);
}

/** @throws EngineError where a content folder is not here. The texts are not in the plan */
function refuseMissing(path: string, { folder, contents }: SavedPlan): void {
  const missing = contents.find(({ content }) => !existsSync(join(path, ...contentPath(content).split('/'))));
  if (!missing) return;
  throw new EngineError('refused', `${join(folder, contentPath(missing.content))} is not here. Nothing was sent.`, {
    hint: 'A plan has hashes of pages and files, not the texts: apply it where it was made, with the folder as it was.',
  });
}

/** @throws EngineError with files that are not as they were when the plan was made */
function refuseOtherFiles(step: ContentStep, planned: PlannedContent | undefined, folder: string): void {
  const now = planned?.step.files ?? {};
  const paths = new Set([...Object.keys(step.files), ...Object.keys(now)]);
  const changed = [...paths].filter((path) => step.files[path] !== now[path]).map((path) => join(folder, path));
  if (changed.length === 0 && step.sends === planned?.step.sends) return;
  refuseSince(changed.length > 0 ? changed : [`what is sent of ${join(folder, contentPath(step.content))}`]);
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
    ids: snapshot.names.ids,
    changes: withHashes(changes, contents, { current: snapshot.organization, secrets }),
    steps,
    contents,
    variables: read.variables,
  });
}

/** The version of saved plans. */
const planVersion = 3;

/** Variables whose values are part of a plan. */
const Variables = z.object({
  variables: z.record(z.string(), z.strictObject({ salt: z.string(), hash: z.string() })),
});

const pageActions = ['create', 'update', 'move', 'delete'] as const;

const Page = z.strictObject({
  action: z.enum(pageActions),
  path: z.string(),
  isFile: z.optional(z.literal(true)),
  title: z.optional(z.string()),
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  lines: z.optional(z.strictObject({ added: z.number(), removed: z.number() })),
  fields: z.optional(z.array(z.string())),
  subpages: z.optional(z.number()),
  isDrift: z.optional(z.boolean()),
});

const hashes = z.record(z.string(), z.string());

const PlanFile = z.strictObject({
  version: z.literal(planVersion),
  organization: z.string(),
  folder: z.string(),
  flags: z.strictObject({ only: z.optional(z.array(z.string())), prune: z.boolean(), keepDrift: z.boolean() }),
  files: z.record(z.string(), z.string()),
  folders: z.array(z.string()),
  contentFolders: z.array(z.string()),
  applied: hashes,
  ids: z.partialRecord(z.enum(namedKinds), z.record(z.string(), z.string())),
  changes: z.array(
    z.strictObject({
      kind: z.enum(changeKinds),
      name: z.string(),
      action: z.enum(['create', 'update', 'move', 'delete']),
      fields: z.array(
        z.strictObject({ field: z.string(), before: z.optional(z.unknown()), after: z.optional(z.unknown()) }),
      ),
      file: z.string(),
      basedOn: z.string(),
      isDrift: z.optional(z.boolean()),
      pages: z.optional(z.array(Page)),
      pageCount: z.optional(z.number()),
    }),
  ),
  contents: z.array(
    z.strictObject({
      content: z.string(),
      space: z.string(),
      revision: z.optional(z.string()),
      sends: z.string(),
      files: hashes,
      requests: z.number(),
      changes: z.array(z.number()),
    }),
  ),
  steps: z.array(
    z.strictObject({
      endpoint: z.string(),
      params: z.record(z.string(), z.string()),
      body: z.optional(z.unknown()),
      changes: z.array(z.number()),
      makes: z.optional(z.record(z.string(), z.string())),
      phase: z.number(),
    }),
  ),
  variables: z.record(z.string(), z.strictObject({ salt: z.string(), hash: z.string() })),
});

/** A change, with a hash of the object that it was planned for. */
type SavedChange = Change & { basedOn: string };

interface SavedPlan {
  organization: string;
  /** The folder that it is a plan of, as it was named. */
  folder: string;
  /** How it was made. */
  flags: { only?: string[] | undefined; prune: boolean; keepDrift: boolean };
  /** The texts of the files that it is made of, by path. The plan follows from them and from what the service has. */
  files: Record<string, string>;
  /** The folders of the organization that were there, and the spaces that had their content in them. */
  folders: string[];
  contentFolders: string[];
  /** Hashes of the files as they were last written or applied before. */
  applied: Record<string, string>;
  ids: Ids;
  changes: SavedChange[];
  steps: Step[];
  contents: ContentStep[];
  /** The variables that the files name, with their values, which the plan must not show. */
  variables: ReadonlyMap<string, string>;
}

/** @throws EngineError where the file is no plan, or its variables have other values here */
export async function readSavedPlan(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SavedPlan> {
  const text = await readFile(resolve(file), 'utf8');
  const unusable = (reason: string) =>
    new EngineError('usage', `${file} cannot be used as a plan: ${reason}.`, {
      hint: 'Write one with "docsctl plan --out".',
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable('it is not JSON');
  }
  const wrongMembers = unusable(`it does not have the members of a plan of version ${planVersion}`);
  if (!isObject(value) || value['version'] !== planVersion) throw wrongMembers;
  const { digest, ...members } = value;
  // Of members that are there twice, readers see different ones.
  if (digest !== digestOf(members) || text.replaceAll('\r\n', '\n') !== textOf(value))
    throw unusable('it was edited after "docsctl plan" wrote it');
  const checks = Variables.safeParse(members).data?.variables ?? {};
  const variables = variablesFor(
    checks,
    env,
    (reason) =>
      new EngineError('refused', `${file}: ${reason}. Nothing was sent.`, {
        hint: 'Set it as it was for "docsctl plan", or make a new plan.',
      }),
  );
  const result = PlanFile.safeParse(withValues(members, variables));
  if (!result.success) throw wrongMembers;
  const ids = noIds();
  for (const kind of namedKinds) ids[kind] = new Map(Object.entries(result.data.ids[kind] ?? {}));
  const { version: _, changes, steps, ...others } = result.data;
  return {
    ...others,
    ids,
    changes,
    variables,
    steps: steps.map(({ makes, ...step }) => ({ ...step, ...(makes && { makes }) })),
  };
}

/** The file of a plan. It has the names of variables, not their values. */
function writePlan({ organization, files, ids, changes, steps, variables, ...others }: SavedPlan): string {
  const sorted = Object.fromEntries(namedKinds.map((kind) => [kind, Object.fromEntries(ids[kind])]));
  const members = {
    version: planVersion,
    organization,
    ...others,
    variables: checksOf(variables),
    ...withNames({ files, ids: sorted, changes, steps }, secretsIn(variables)),
  };
  return textOf({ ...members, digest: digestOf(members) });
}

const textOf = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;

/** Finds accidental edits. Who edits a plan on purpose can make it anew, so an apply also plans again and compares. */
const digestOf = (members: object) => createHash('sha256').update(JSON.stringify(members)).digest('hex');

/** The changes with a hash of what each was planned for: of an object, or the revision of a space. */
const withHashes = (
  changes: readonly Change[],
  contents: readonly ContentStep[],
  { current, secrets }: { current: Organization; secrets: Secrets },
): SavedChange[] =>
  changes.map((change, index) => {
    const content = contents.find((each) => each.changes.includes(index));
    return { ...change, basedOn: content ? (content.revision ?? 'none') : objectHash(current, change, secrets) };
  });
