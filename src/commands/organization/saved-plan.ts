import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { scopeOf } from '../../cli/command/invocation.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import type { Lock } from '../../organization/lock.ts';
import { hasHash } from '../../organization/plan/objects.ts';
import { readPlan, type SavedPlan, UnreadablePlan } from '../../organization/plan/plan-file.ts';
import { VariableMismatch } from '../../organization/plan/variables.ts';
import { type MadePlan, partsOfKinds, type PlanInvocation, readCurrent } from './make-plan.ts';

/** The plan in a file, if the organization is still as it was made for. @throws CommandError that names what changed */
export async function savedPlan(invocation: PlanInvocation): Promise<MadePlan> {
  const file = invocation.args.folder ?? '';
  const saved = planIn(file, await readFile(resolve(file), 'utf8'), invocation.session.env);
  const { prune, keepDrift } = invocation.flags;
  if (prune || keepDrift) {
    const flag = prune ? '--prune' : '--keep-drift';
    throw new UsageError(`${flag} has no effect on a saved plan.`, `Make the plan with "docsctl plan ${flag} --out".`);
  }
  const orgId = await scopeOf(invocation, 'org');
  if (saved.organization !== orgId)
    throw new CommandError(`${file} is a plan for another organization, ${saved.organization}.`, {
      exitCode: exit.refused,
    });
  const kinds = new Set(saved.changes.map(({ kind }) => kind));
  const snapshot = await readCurrent(invocation, { orgId, parts: partsOfKinds(kinds), ids: saved.ids });
  const changed = saved.changes.filter((change) => !hasHash(snapshot.organization, change, change.basedOn));
  if (changed.length > 0) {
    const names = [...new Set(changed.map(({ kind, name }) => `${kind} ${name}`))];
    throw new CommandError(
      `Changed since the plan was made: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}. Nothing was sent.`,
      { exitCode: exit.refused, hint: 'Make a new plan, review and apply it.' },
    );
  }
  const lock: Lock = { organization: orgId, ids: saved.ids, files: new Map(), revisions: new Map() };
  const plan = { changes: saved.changes, steps: saved.steps, problems: [], unnamed: [] };
  return {
    path: '',
    folder: file,
    hasFolder: false,
    hasLock: false,
    orgId,
    plan,
    snapshot,
    lock,
    secrets: saved.secrets,
    hashes: new Map(),
  };
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
