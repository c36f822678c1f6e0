import type { Client } from '../../client/client.ts';
import { isMissing } from '../../client/errors/http-error.ts';
import { isAnswered } from '../../client/read-back.ts';
import { teams } from '../../contract/teams.ts';
import { eachOf } from '../../shared/each-of.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { messageOf } from '../../shared/error-text.ts';
import { appendEvidence, type EvidenceEvent, type EvidenceFile, readEvidence } from './evidence.ts';
import {
  type DecidedRow,
  type Decision,
  type Decisions,
  evidenceFile,
  readDecisions,
  readReview,
  type Review,
} from './files.ts';

/** A change that follows from a decision. */
export interface ReviewChange {
  key: string;
  team: string;
  member: string;
  teamId: string;
  memberId: string;
  from: string;
  decision: Decision;
  owner: string;
  outcome: 'not tried' | 'changed' | 'removed' | 'unchanged' | 'failed' | 'unknown';
  reason?: string;
}

export interface ReviewPlan extends Decisions {
  review: Review;
  changes: ReviewChange[];
  evidence: EvidenceFile;
  /** Teams that would have no owner. */
  ownerless: { id: string; title: string }[];
}

const concurrency = 8;

/** Compares the decisions with the teams. @throws EngineError if the evidence or the review was altered */
export async function planReview(client: Client, folder: string): Promise<ReviewPlan> {
  const { review, hash } = readReview(folder);
  const evidence = readEvidence(evidenceFile(folder));
  const [first] = evidence.entries;
  if (evidence.broken || first?.type !== 'created' || first.review !== hash) {
    throw new EngineError('checkFailed', 'The review was altered, so nothing was sent.', {
      hint: 'See what was altered: "docsctl access review verify".',
    });
  }
  const decisions = readDecisions(folder, review);
  const current = await rolesIn(client, review);
  const chosen = new Map(decisions.decided.map((each) => [each.row.key, each]));
  const changes = [...chosen.values()].flatMap((each) => changeOf(each, current.get(each.row.key)));
  return { ...decisions, review, changes, evidence, ownerless: ownerlessAfter(review, current, changes) };
}

async function rolesIn(client: Client, { organization, rows }: Review): Promise<Map<string, string>> {
  const current = new Map<string, string>();
  const read = async (teamId: string) => {
    try {
      for await (const { organization: member, team } of client.items(teams.listMembers, {
        params: { orgId: organization.id, teamId },
      }))
        current.set(`${teamId}/${member.id}`, team.role);
    } catch (error) {
      // A team that was deleted since has no members.
      if (!isMissing(error)) throw error;
    }
  };
  await eachOf([...new Set(rows.map(({ teamId }) => teamId))], read, concurrency);
  return current;
}

function changeOf({ row, decision, owner }: DecidedRow, role: string | undefined): ReviewChange[] {
  const { key, team, member, teamId, memberId } = row;
  if (decision === 'keep') return [];
  const change: ReviewChange = {
    key,
    team,
    member,
    teamId,
    memberId,
    from: role ?? 'none',
    decision,
    owner,
    outcome: 'not tried',
  };
  if (role === undefined) return [{ ...change, outcome: 'unchanged', reason: 'is no longer in the team' }];
  return [role === decision ? { ...change, outcome: 'unchanged' } : change];
}

function ownerlessAfter(review: Review, current: ReadonlyMap<string, string>, changes: readonly ReviewChange[]) {
  const after = new Map(current);
  for (const { key, decision, outcome } of changes) {
    if (outcome !== 'not tried') continue;
    if (decision === 'remove') after.delete(key);
    else after.set(key, decision);
  }
  const owned = (roles: ReadonlyMap<string, string>) =>
    new Set([...roles].filter(([, role]) => role === 'owner').map(([key]) => key.split('/')[0]));
  const [before, later] = [owned(current), owned(after)];
  const titles = new Map(review.rows.map(({ teamId, team }) => [teamId, team]));
  return [...titles].filter(([id]) => before.has(id) && !later.has(id)).map(([id, title]) => ({ id, title }));
}

/** Records the decisions that are not in the evidence yet. */
export function recordDecisions(folder: string, { decided, evidence }: ReviewPlan): number {
  const recorded = new Map<string, string>();
  for (const entry of evidence.entries)
    if (entry.type === 'decided') recorded.set(`${entry.row} ${entry.owner}`, `${entry.decision} ${entry.comment}`);
  const events = decided
    .filter(({ row, owner, decision, comment }) => recorded.get(`${row.key} ${owner}`) !== `${decision} ${comment}`)
    .map(({ row, owner, decision, comment, saved }): EvidenceEvent => ({
      type: 'decided',
      row: row.key,
      owner,
      decision,
      comment,
      saved,
    }));
  appendEvidence(evidenceFile(folder), evidence, events);
  return events.length;
}

/** Sends the changes, and records each with its result. Those that failed or have no answer are planned again next time. */
export async function sendReview(
  client: Client,
  folder: string,
  plan: ReviewPlan,
  { by, signal }: { by: string; signal: AbortSignal },
): Promise<void> {
  const file = evidenceFile(folder);
  const applied = new Set(
    plan.evidence.entries.map((entry) => entry.type === 'applied' && isDone(entry) && keyOf(entry)),
  );
  const record = (change: ReviewChange) => {
    const { key: row, decision, outcome } = change;
    if (outcome === 'unchanged' && applied.has(keyOf({ row, decision }))) return;
    appendEvidence(file, plan.evidence, [{ type: 'applied', row, by, decision, outcome }]);
  };
  const send = async (change: ReviewChange) => {
    if (signal.aborted) return;
    if (change.outcome === 'not tried') await sendChange(client, plan.review, change);
    record(change);
  };
  await eachOf(plan.changes, send, concurrency);
}

const keyOf = ({ row, decision }: { row: string; decision: string }) => `${row} ${decision}`;
const isDone = ({ outcome }: { outcome: string }) => ['changed', 'removed', 'unchanged'].includes(outcome);

async function sendChange(client: Client, { organization }: Review, change: ReviewChange): Promise<void> {
  const params = { orgId: organization.id, teamId: change.teamId, userId: change.memberId };
  try {
    if (change.decision === 'owner' || change.decision === 'member')
      await client.call(teams.setMember, { params, body: { role: change.decision } });
    else await client.call(teams.removeMember, { params });
    change.outcome = change.decision === 'remove' ? 'removed' : 'changed';
  } catch (error) {
    const isGone = change.decision === 'remove' && isMissing(error);
    change.outcome = isGone ? 'unchanged' : isAnswered(error) ? 'failed' : 'unknown';
    if (!isGone) change.reason = messageOf(error);
  }
}
