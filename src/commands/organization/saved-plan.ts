import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { requireOrganization, scopeOf } from '../../cli/command/invocation.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { buildServer } from '../../cli/program/build-server.ts';
import { type Lock, newLock } from '../../organization/lock.ts';
import { namedKinds } from '../../organization/organization.ts';
import type { ContentStep } from '../../organization/plan/change.ts';
import { hasHash } from '../../organization/plan/objects.ts';
import { readPlan, type SavedPlan, UnreadablePlan } from '../../organization/plan/plan-file.ts';
import { VariableMismatch } from '../../organization/plan/variables.ts';
import type { Snapshot } from '../../organization/service/read-organization.ts';
import type { FolderTexts } from '../content/folder-texts.ts';
import { contentPath } from './content-folder.ts';
import { lockIn } from './lock-file.ts';
import { type MadePlan, partsOfKinds, type PlanInvocation, readCurrent } from './make-plan.ts';
import { planContent, type PlannedContent } from './plan-content.ts';

/** The plan in a file, if the organization is still as it was made for. @throws CommandError that names what changed */
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
  const kinds = new Set(saved.changes.map(({ kind }) => kind));
  const snapshot = await readCurrent(invocation, { orgId, parts: partsOfKinds(kinds), ids: saved.ids });
  refuseChanged(saved, snapshot);
  const path = resolve(saved.folder);
  const lock = await lockOf(path, saved);
  const contents = await contentsOf(invocation, { saved, path, lock, snapshot, texts });
  for (const kind of namedKinds) lock.lock.ids[kind] = new Map([...lock.lock.ids[kind], ...saved.ids[kind]]);
  const { changes, steps } = saved;
  return {
    path,
    folder: file,
    hasFolder: lock.isInFolder,
    isSaved: true,
    hasLock: false,
    orgId,
    plan: { changes, steps, contents: saved.contents, problems: [], unnamed: [] },
    contents,
    snapshot,
    lock: lock.lock,
    secrets: saved.secrets,
    hashes: new Map(Object.entries(saved.files)),
  };
}

function refuseChanged(saved: SavedPlan, { organization, spaces }: Snapshot): void {
  const changed = saved.changes.filter((change, index) => {
    const content = saved.contents.find((each) => each.changes.includes(index));
    return content
      ? content.revision !== spaces.get(content.content)?.revision
      : !hasHash(organization, change, change.basedOn);
  });
  if (changed.length === 0) return;
  const names = [...new Set(changed.map(({ kind, name }) => `${kind} ${name}`))];
  throw new CommandError(
    `Changed since the plan was made: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}. Nothing was sent.`,
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

interface SavedContents {
  saved: SavedPlan;
  path: string;
  lock: { lock: Lock };
  snapshot: Snapshot;
  texts: FolderTexts;
}

/** What the plan sends of content folders. The texts are not in the plan: those of the folder must be the same. */
async function contentsOf(
  invocation: PlanInvocation,
  { saved, path, lock: { lock }, snapshot, texts }: SavedContents,
): Promise<PlannedContent[]> {
  const { folder, flags } = saved;
  const missing = saved.contents.find(({ content }) => !existsSync(join(path, ...contentPath(content).split('/'))));
  if (missing)
    throw new CommandError(`${join(folder, contentPath(missing.content))} is not here. Nothing was sent.`, {
      exitCode: exit.refused,
      hint: 'A plan has hashes of pages and files, not the texts: apply it where it was made, with the folder as it was.',
    });
  const server = buildServer(invocation.io, { env: invocation.session.env });
  const run = { invocation, path, folder, lock, texts, server, ...flags };
  const contents: PlannedContent[] = [];
  for (const step of saved.contents) {
    const space = step.revision === undefined ? undefined : snapshot.spaces.get(step.content);
    const { planned } = await planContent(run, step.content, space);
    refuseOtherFiles(step, planned, folder);
    if (planned) contents.push(planned);
  }
  return contents;
}

/** @throws CommandError with files that are not as they were when the plan was made */
function refuseOtherFiles(step: ContentStep, planned: PlannedContent | undefined, folder: string): void {
  const now = planned?.step.files ?? {};
  const paths = new Set([...Object.keys(step.files), ...Object.keys(now)]);
  const changed = [...paths].filter((path) => step.files[path] !== now[path]).map((path) => join(folder, path));
  if (changed.length === 0 && step.sends === planned?.step.sends) return;
  const names =
    changed.length === 0
      ? `what is sent of ${join(folder, contentPath(step.content))}`
      : changed.slice(0, 10).join(', ');
  const more = changed.length > 10 ? ` and ${changed.length - 10} more` : '';
  throw new CommandError(`Changed since the plan was made: ${names}${more}. Nothing was sent.`, {
    exitCode: exit.refused,
    hint: 'Make a new plan, review and apply it.',
  });
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
    throw new UsageError(`${file} is not a plan: ${error.message}.`, 'Write one with "docsctl plan --out".');
  }
}
