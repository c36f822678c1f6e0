import type { Client } from '../../client/client.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { failureOf, failureText } from '../../cli/program/failure.ts';
import type { RoleName } from '../../contract/access.ts';
import { members } from '../../contract/members.ts';
import { users } from '../../contract/users.ts';
import { eachOf } from '../../shared/each-of.ts';
import { findMembersNamed, type Member, nameKey } from '../../client/find-members.ts';
import { NotSent } from '../../client/errors/not-sent.ts';
import { isAnswered, readBackClient } from '../../client/read-back.ts';
import { isUnchanged } from '../../client/unchanged.ts';
import { isLower, wordOf } from './roles.ts';

/** A new role for a member. */
export interface RoleChange {
  /** The name by which the user referred to the member. */
  name: string;
  member: Member;
  role: RoleName | null;
}

const concurrency = 8;
const maxNamed = 5;

/** Asks before people become administrators. @param people their names as the user wrote them */
export async function confirmAdministrators(invocation: Invocation, people: readonly string[]): Promise<void> {
  if (people.length === 0) return;
  const named = people.slice(0, maxNamed).join(', ');
  const more = people.length > maxNamed ? ` and ${people.length - maxNamed} more` : '';
  const count = people.length === 1 ? '1 person an administrator' : `${people.length} people administrators`;
  const { visible } = await import('../../cli/output/index.ts');
  await confirmQuestion(invocation, `Make ${count}: ${visible(named)}${more}?`);
}

/** Asks if one of the changes lowers the caller's own role. */
export async function confirmOwnChange(invocation: Invocation, changes: readonly RoleChange[]): Promise<void> {
  const lowered = changes.filter(({ member, role }) => isLower(role, member.role));
  if (lowered.length === 0) return;
  const client = await invocation.client();
  const { id } = await client.call(users.current, {});
  const own = lowered.find(({ member }) => member.id === id);
  if (!own) return;
  const { confirmAboutSelf } = await import('../../cli/command/confirm/self.ts');
  await confirmAboutSelf(
    invocation,
    `Lower the role of ${own.name} (${id}) from ${wordOf(own.member.role)} to ${wordOf(own.role)}?`,
    'you cannot give yourself the role back.',
  );
}

export interface RoleOutcome {
  change: RoleChange;
  /** `unchanged` if somebody else made the change in the meantime, `unknown` if the service did not answer and could not be asked. */
  state: 'changed' | 'unchanged' | 'failed' | 'unknown';
  /** Why it failed, or is not known. */
  reason?: string;
}

/**
 * Changes the roles, several at a time, and reads back what became of requests without an answer. After a signal, changes
 * that were not made have no outcome.
 */
export async function changeRoles(
  invocation: Invocation,
  client: Client,
  orgId: string,
  changes: readonly RoleChange[],
): Promise<RoleOutcome[]> {
  const outcomes: RoleOutcome[] = [];
  const { io, signal, flagOf } = invocation;
  const progress = io.progress('Changing roles', changes.length > 1);
  let failed = 0;
  const work = async (change: RoleChange) => {
    if (signal.aborted) return;
    try {
      const params = { orgId, userId: change.member.id };
      const answer = await client.call(members.edit, { params, body: { role: change.role } });
      outcomes.push({ change, state: isUnchanged(answer) ? 'unchanged' : 'changed' });
    } catch (error) {
      if (error instanceof NotSent && signal.aborted) return;
      failed++;
      const [line = ''] = failureText(failureOf(error), flagOf)
        .replace(/^error: /, '')
        .split('\n');
      outcomes.push({ change, state: isAnswered(error) ? 'failed' : 'unknown', reason: line.replace(/\.$/, '') });
    }
    progress.count(outcomes.length, changes.length, failed);
  };
  try {
    await eachOf(changes, work, concurrency);
    return await resolved(outcomes, client, orgId, signal);
  } finally {
    progress.stop();
  }
}

/** Asks the service which of the changes without an answer it made. */
async function resolved(
  outcomes: readonly RoleOutcome[],
  client: Client,
  orgId: string,
  signal: AbortSignal,
): Promise<RoleOutcome[]> {
  const open = outcomes.filter(({ state }) => state === 'unknown').map(({ change }) => change.member.id);
  const current = await findMembersNamed(readBackClient(client, signal), orgId, open).catch(() => undefined);
  return outcomes.flatMap((outcome): RoleOutcome[] => {
    const { change, state, reason } = outcome;
    if (state !== 'unknown') return [outcome];
    if (!current) return [{ ...outcome, reason: `${reason}; it may have been changed` }];
    const member = current.get(nameKey(change.member.id));
    if (member?.role === change.role) return [{ change, state: 'changed' }];
    return signal.aborted ? [] : [{ ...outcome, state: 'failed' }];
  });
}
