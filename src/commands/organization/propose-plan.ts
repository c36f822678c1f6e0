import { join } from 'node:path';
import { refused } from '../../cli/program/failure.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { foldersOfPlan, planText } from '../../organization/plan/saved-plan.ts';
import type { MadePlan } from '../../organization/plan/make-plan.ts';
import { FilePack } from '../../proposals/packed-files.ts';
import { planPlace, planWords } from '../shared/proposed-lines.ts';
import { propose } from '../shared/store-proposal.ts';

/** Stores a plan as a proposal, with the files that an apply of it needs. */
export async function proposePlan(
  invocation: Invocation<{}, {}>,
  made: MadePlan,
  options: { title: string; expires: string | undefined },
): Promise<{ number: number; hash: string | null } | undefined> {
  if (made.plan.changes.length === 0)
    throw refused('The organization matches the files, so there is nothing to propose.', undefined);
  const text = planText(made);
  const pack = new FilePack();
  pack.addText(planPlace.file, text);
  for (const [path, source] of made.source.read.sources.texts) pack.addText(`${planPlace.folder}/${path}`, source);
  for (const path of foldersOfPlan(text).contents) {
    if (made.source.read.sources.texts.keys().some((file) => file.startsWith(`${path}/`))) continue;
    await pack.addFolder(join(made.path, ...path.split('/')), `${planPlace.folder}/${path}`);
  }
  return propose(invocation, {
    ...options,
    kind: 'plan',
    lines: [{ line: 1, words: [...planWords] }],
    files: pack.files,
  });
}
