import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { requireOrganization, scopeOf } from '../../cli/command/invocation.ts';
import { visible } from '../../cli/output/index.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { type Lock, newLock } from '../lock.ts';
import { namedKinds } from '../organization.ts';
import type { ContentStep } from './change.ts';
import { hasHash } from './objects.ts';
import { readPlan, type SavedPlan, UnreadablePlan } from './plan-file.ts';
import { VariableMismatch } from './variables.ts';
import type { Snapshot } from '../service/read-organization.ts';
import type { FolderTexts } from '../../sync/folder-texts.ts';
import { contentPath } from '../content/content-folder.ts';
import { lockIn } from '../files/lock-file.ts';
import { type MadePlan, planFrom, type PlanInvocation } from './make-plan.ts';
import { isOrganization, organizationIn } from '../files/organization-folder.ts';
import type { PlannedContent } from '../content/plan-content.ts';

/**
 * The plan in a file, if the organization is still as it was made for.
 *
 * It is made again from the files in it. What is shown and sent is the plan made here; the one in the file must be equal,
 * so that nobody can add a request to it that is not shown.
 *
 * @throws CommandError that names what changed
 */
export async function savedPlan(invocation: PlanInvocation, texts: FolderTexts): Promise<MadePlan> {
  const file = invocation.args.folder ?? '';
  const saved = planIn(file, await readFile(resolve(file), 'utf8'), invocation.session.env);
  const { only, prune, keepDrift } = invocation.flags;
  if (only || prune || keepDrift) {
    const flag = only ? '--only' : prune ? '--prune' : '--keep-drift';
    throw new UsageError(`${flag} has no effect on a saved plan.`, `Make the plan with "docsctl plan ${flag} --out".`);
  }
  // The folder or plan has the id of its organization.
  const orgId = (await requireOrganization(invocation)) ?? (await scopeOf(invocation, 'org'));
  if (saved.organization !== orgId)
    throw new CommandError(`${file} is a plan for another organization, ${saved.organization}.`, {
      exitCode: exit.refused,
    });
  const sources = { texts: new Map(Object.entries(saved.files)), folders: new Set(saved.folders) };
  if (!isOrganization(sources)) throw new UsageError(`${file} names files that no organization has.`);
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
  await invocation.io.note(`A plan of the folder ${visible(saved.folder)}.`);
  const made = await planFrom(invocation, source, {
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

/** @throws CommandError where the plan in the file is not the one that was made here */
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
  throw new CommandError(
    `${file} has other changes or requests than follow from its files and from what the organization has now. Nothing was sent.`,
    {
      exitCode: exit.refused,
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

/** @throws CommandError with what was changed since the plan was made */
function refuseSince(names: readonly string[]): never {
  throw new CommandError(
    `Changed since the plan was made: ${names.slice(0, 10).map(visible).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}. Nothing was sent.`,
    { exitCode: exit.refused, hint: 'Make a new plan, review and apply it.' },
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
    if (error instanceof CommandError) return none;
    throw error;
  }
}

/** @throws CommandError where files of the folder are not those of the plan: its lock file would say that they were applied */
async function refuseOtherTexts(path: string, { folder, files }: SavedPlan): Promise<void> {
  const changed: string[] = [];
  for (const [file, text] of Object.entries(files)) {
    const now = await readFile(join(path, ...file.split('/')), 'utf8').catch(() => undefined);
    if (now !== text) changed.push(join(folder, file));
  }
  if (changed.length > 0) refuseSince(changed);
}

/** @throws CommandError where a content folder is not here. The texts are not in the plan */
function refuseMissing(path: string, { folder, contents }: SavedPlan): void {
  const missing = contents.find(({ content }) => !existsSync(join(path, ...contentPath(content).split('/'))));
  if (!missing) return;
  throw new CommandError(`${join(folder, contentPath(missing.content))} is not here. Nothing was sent.`, {
    exitCode: exit.refused,
    hint: 'A plan has hashes of pages and files, not the texts: apply it where it was made, with the folder as it was.',
  });
}

/** @throws CommandError with files that are not as they were when the plan was made */
function refuseOtherFiles(step: ContentStep, planned: PlannedContent | undefined, folder: string): void {
  const now = planned?.step.files ?? {};
  const paths = new Set([...Object.keys(step.files), ...Object.keys(now)]);
  const changed = [...paths].filter((path) => step.files[path] !== now[path]).map((path) => join(folder, path));
  if (changed.length === 0 && step.sends === planned?.step.sends) return;
  refuseSince(changed.length > 0 ? changed : [`what is sent of ${join(folder, contentPath(step.content))}`]);
}

function planIn(file: string, text: string, env: Readonly<Record<string, string | undefined>>): SavedPlan {
  try {
    return readPlan(text, (name) => env[name]);
  } catch (error) {
    if (error instanceof VariableMismatch)
      throw new CommandError(`${file}: ${error.message}. Nothing was sent.`, {
        exitCode: exit.refused,
        hint: 'Set it as it was for "docsctl plan", or make a new plan.',
      });
    if (!(error instanceof UnreadablePlan)) throw error;
    throw new UsageError(`${file} cannot be used as a plan: ${error.message}.`, 'Write one with "docsctl plan --out".');
  }
}
