import type { Client } from '../../client/client.ts';
import type { Member } from '../../client/find-members.ts';
import { isAnswered } from '../../client/read-back.ts';
import { changeRequestComments } from '../../contract/comments.ts';
import { members } from '../../contract/members.ts';
import { teams } from '../../contract/teams.ts';
import { messageOf } from '../../shared/error-text.ts';
import type { Inventory, Named, OffboardingRecord, Step } from './record.ts';

/** A member by name and address. */
export const namedMember = ({ id, user }: Member): Named => ({
  id,
  title: user.email === undefined ? user.displayName : `${user.displayName} <${user.email}>`,
});

/** What has to be done after the steps of an earlier run. @param heir gets teams without other owners, and change requests */
export function stepsOf(
  inventory: Inventory,
  memberId: string,
  heir: Member | undefined,
  earlier: OffboardingRecord | undefined,
): Step[] {
  const done = earlier?.steps.filter(({ result }) => result === 'done') ?? [];
  const isDone = (id: string) => done.some(({ changeRequest }) => changeRequest === id);
  /** A comment that may have been posted is looked for before it is posted again. */
  const unclear = (id: string) => {
    const before = earlier?.steps.find(({ changeRequest }) => changeRequest === id);
    return before?.reason === undefined ? {} : { reason: before.reason };
  };
  const toHeir = ({ id: user }: Member): Step[] => [
    ...inventory.teams
      .filter(({ ownedAlone }) => ownedAlone)
      .map(({ id }): Step => ({ action: 'make owner', user, team: id, result: 'planned' })),
    ...inventory.changeRequests
      .filter(({ id }) => !isDone(id))
      .map(({ id }): Step => ({ action: 'hand over', user, changeRequest: id, result: 'planned', ...unclear(id) })),
  ];
  return [
    ...done,
    ...(heir ? toHeir(heir) : []),
    { action: 'remove from organization', user: memberId, result: 'planned' },
  ];
}

/**
 * Carries out the steps in order. Stops at the first failure, so that nobody is removed before their teams have an owner.
 *
 * @param save called after each step
 * @returns the step that failed, with its error
 */
export async function carryOut(
  client: Client,
  record: OffboardingRecord,
  save: () => Promise<void>,
): Promise<{ step: Step; error: unknown } | undefined> {
  for (const step of record.steps.filter(({ result }) => result !== 'done')) {
    try {
      await carryOutStep(client, record, step);
      step.result = 'done';
    } catch (error) {
      step.result = isAnswered(error) ? 'failed' : 'unknown';
      step.reason = messageOf(error);
      await save();
      return { step, error };
    }
    await save();
  }
  record.finishedAt = new Date().toISOString();
  await save();
  return undefined;
}

async function carryOutStep(client: Client, record: OffboardingRecord, step: Step): Promise<void> {
  const params = { orgId: record.organization.id, userId: step.user };
  if (step.action === 'remove from organization') await client.call(members.remove, { params });
  else if (step.action === 'hand over') await handOver(client, record, step);
  else if (step.team !== undefined)
    await client.call(teams.setMember, { params: { ...params, teamId: step.team }, body: { role: 'owner' } });
}

/** A change request keeps its author, so a comment on it names the heir. */
async function handOver(client: Client, record: OffboardingRecord, step: Step): Promise<void> {
  const request = record.changeRequests.find(({ id }) => id === step.changeRequest);
  if (!request || !record.heir) return;
  const params = { spaceId: request.space.id, changeRequestId: request.id };
  const markdown = `Handed over from ${plainName(record.member)} to ${plainName(record.heir)}.`;
  if (step.reason !== undefined) {
    const query = { status: 'open', format: 'markdown' } as const;
    for await (const { body, postedBy } of client.items(changeRequestComments.list, { params, query }))
      if (postedBy.id === record.by.id && 'markdown' in body && body.markdown.startsWith('Handed over from')) return;
  }
  await client.call(changeRequestComments.create, { params, body: { body: { markdown } } });
}

/** A name without its address, and without characters that mean something in Markdown. */
const plainName = ({ title }: Named) =>
  title
    .replace(/ <[^<>]*>$/, '')
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()#+!<>|~&@:-]/g, '\\$&');
