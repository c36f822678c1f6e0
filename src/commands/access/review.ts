import type { Invocation } from '../../cli/command/command.ts';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { print, scopeOf, withPort } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { withoutFormula } from '../../cli/output/delimited.ts';
import { visible } from '../../cli/output/index.ts';
import { UsageError, someFailed, checkFailed } from '../../cli/program/failure.ts';
import { users } from '../../contract/users.ts';
import { planReview, recordDecisions, type ReviewPlan, sendReview } from '../../people/review/apply.ts';
import { createReview } from '../../people/review/create.ts';
import { verifyReview } from '../../people/review/verify.ts';
import { counted } from '../../shared/counted.ts';
import { withLock } from '../../shared/lock.ts';
import { refuseOwnerless } from '../shared/keep-owners.ts';
import { outcomeCounts } from '../shared/result-file.ts';

const defaultFolder = 'access-review';

export async function create(invocation: Invocation<{}, { teamOwners?: boolean; out?: string }>): Promise<void> {
  const { flags, globals, io } = invocation;
  const dryRun = globals.dryRun === true;
  if (!flags.teamOwners) throw new UsageError('Nobody is named to decide.', 'Use --team-owners.');
  const folder = flags.out ?? defaultFolder;
  const orgId = await scopeOf(invocation, 'org');
  const client = await invocation.client();
  const { review, ownerless, outside } = await withPort(invocation, { text: 'Reading teams', client }, (port) =>
    createReview(port, { orgId, folder, dryRun }, withoutFormula),
  );
  await printList(
    invocation,
    review.files.map(({ file, owner, keys }) => ({ owner, file: `${folder}/${file}`, rows: keys.length })),
  );
  if (dryRun) await io.note(`Would write these files with ${counted(review.rows.length, 'row')}.`);
  if (ownerless.length > 0) await io.note(visible(`You decide about teams without an owner: ${ownerless.join(', ')}.`));
  if (outside > 0)
    await io.note(`${counted(outside, 'member')} ${outside === 1 ? 'is' : 'are'} in no team and not reviewed.`);
}

export async function apply(
  invocation: Invocation<{ folder?: string | undefined }, { allowOwnerless?: boolean }>,
): Promise<void> {
  const { args, flags, globals, io, signal } = invocation;
  const folder = args.folder ?? defaultFolder;
  const client = await invocation.client();
  if (globals.dryRun) return report(invocation, await planReview(client, folder));
  await withLock({ folder, what: 'access review' }, async () => {
    const plan = await planReview(client, folder);
    const recorded = recordDecisions(folder, plan);
    await io.note(`Recorded ${counted(recorded, 'decision')} in ${folder}/evidence.jsonl.`);
    if (!flags.allowOwnerless) refuseOwnerless(plan.ownerless, 'Decide otherwise, or use --allow-ownerless.');
    const open = plan.changes.filter(({ outcome }) => outcome === 'not tried');
    if (open.length > 0) {
      const lines = open.map(({ member, team, from, decision }) => `${member} in ${team}: ${from} -> ${decision}`);
      await io.err.write(`${lines.map(visible).join('\n')}\n`);
      await confirmQuestion(
        invocation,
        `Make ${counted(open.length, 'change')} in ${visible(plan.review.organization.title)}?`,
      );
    }
    const { id, email, displayName } = await client.call(users.current, {});
    await sendReview(client, folder, plan, { by: `${email ?? displayName} (${id})`, signal });
    await report(invocation, plan);
    await io.note(`The last entry of the evidence is ${plan.evidence.entries.at(-1)?.hash}.`);
  });
}

async function report(invocation: Invocation, plan: ReviewPlan): Promise<void> {
  const { io, signal } = invocation;
  await printList(invocation, plan.changes);
  for (const text of plan.rejected) await io.err.write(`${visible(text)}\n`);
  const changes = plan.changes.length === 0 ? 'No changes.' : outcomeCounts(plan.changes);
  await io.note(
    `${changes} ${counted(plan.decided.length, 'decision')}, ${counted(plan.undecided.length, 'row')} undecided.`,
  );
  signal.throwIfAborted();
  const failed = plan.changes.filter(({ outcome }) => outcome === 'failed' || outcome === 'unknown').length;
  const wrong = failed + plan.rejected.length;
  if (wrong > 0)
    throw someFailed(`${failed} changes failed, and ${plan.rejected.length} rows or files cannot be used.`);
}

export async function verify(
  invocation: Invocation<{ folder?: string | undefined }, { head?: string }>,
): Promise<void> {
  const folder = invocation.args.folder ?? defaultFolder;
  const { entries, head, findings, notes } = verifyReview(folder, invocation.flags.head);
  for (const note of notes) await invocation.io.note(visible(note));
  await print(invocation, { id: head, entries, findings: findings.length });
  if (findings.length === 0) return;
  throw checkFailed(
    visible(`The review was altered: ${findings.slice(0, 10).join('; ')}.`),
    'Compare the folder with a backup.',
  );
}
