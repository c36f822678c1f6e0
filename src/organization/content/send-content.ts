import { join } from 'node:path';
import { changeRequests } from '../../contract/change-requests.ts';
import { spaces } from '../../contract/spaces.ts';
import { users } from '../../contract/users.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { visible } from '../../shared/visible.ts';
import { mergeRequest } from '../../change-requests/merge.ts';
import type { ChangeRequest } from '../../change-requests/read-sides.ts';
import { removeState } from '../../sync/state-file.ts';
import { createRequest, refuseLarge, requestsWith } from '../../sync/push.ts';
import { sendPlan } from '../../sync/send.ts';
import { type Lock, saveLock } from '../lock.ts';
import { contentPath } from '../parts.ts';
import type { ContentStep } from '../plan/change.ts';
import type { MadePlan } from '../plan/make-plan.ts';
import type { OrganizationPort } from '../port.ts';
import { compareContent, type Comparison } from './compare-content.ts';
import { type PlannedContent, refuseConflicts } from './plan-content.ts';

/** Sends a content folder and updates the lock file. @returns the revision of the space afterwards */
export async function sendStep(
  port: OrganizationPort,
  made: MadePlan,
  step: ContentStep,
  spaceId: string,
): Promise<string> {
  const { contents, folder, lock, path, hasFolder } = made;
  const content = contents.find((each) => each.step.content === step.content);
  if (!content) throw new Error(`The content of ${step.content} was not compared.`);
  refuseConflicts({ contents: [content], folder }, 'nothing of it was sent.');
  const revision = await sendContent(port, { content, spaceId, lock });
  if (!hasFolder) return revision;
  const under = `${contentPath(step.content)}/`;
  for (const file of lock.files.keys()) if (file.startsWith(under)) lock.files.delete(file);
  for (const [file, hash] of Object.entries(content.step.files)) lock.files.set(file, hash);
  lock.revisions.delete(step.content);
  lock.applied.set(step.content, revision);
  await removeState(join(content.push.docs.path, content.push.local.root));
  await saveLock(path, lock);
  return revision;
}

interface Sending {
  content: PlannedContent;
  spaceId: string;
  lock: Lock;
}

/**
 * Brings a content folder into its space with one change request, which is merged at the end.
 *
 * @returns the revision of the main content afterwards
 * @throws EngineError if the space was changed since it was compared; nothing is sent then
 */
async function sendContent(port: OrganizationPort, sending: Sending): Promise<string> {
  const { content, spaceId } = sending;
  // The plan already printed these messages, and several spaces are sent at once.
  const push = { ...port, note: async () => {}, progress: { say() {}, count() {} } };
  const space = content.step.content;
  const subject = applySubject(space);
  const comparison = await currentComparison(push, sending);
  refuseLarge(content.push.docs, comparison.plan.operations);
  await archiveLeft(port, { space, spaceId, subject });
  const { request, isOther } = await createRequest(push, { spaceId, subject });
  if (isOther) throw changedSince(content);
  try {
    return await sendAll(push, sending, { comparison, request });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new EngineError(
      'failed',
      `${error.message} The changes sent so far are in change request #${request.number}, which was not merged.`,
      { cause: error },
    );
  }
}

async function sendAll(
  push: OrganizationPort,
  { content, spaceId }: Sending,
  { comparison, request }: { comparison: Comparison; request: ChangeRequest },
): Promise<string> {
  const { plan, compared, remote, revision } = comparison;
  if (!revision) throw new Error('The content was not compared with the space.');
  const planned = { plan, compared, content: { revision, remote } };
  const sent = await sendPlan(push, { local: content.push.local, spaceId }, planned, { request });
  try {
    const params = { spaceId, changeRequestId: sent.id };
    const { answer: merged } = await mergeRequest(push.client, params, { request: sent, open: true });
    return merged.revision ?? sent.revision;
  } catch (error) {
    push.notMerged(sent, error);
    throw error;
  }
}

/** The comparison with the current space. A space that the plan created is compared now. */
async function currentComparison(port: OrganizationPort, { content, spaceId, lock }: Sending): Promise<Comparison> {
  const { revision } = await port.client.call(spaces.view, { params: { spaceId } });
  const { comparison, step } = content;
  if (comparison.revision !== undefined) {
    if (comparison.revision.id !== revision) throw changedSince(content);
    return comparison;
  }
  const space = { id: spaceId, revision };
  const options = { prune: true, keepDrift: false };
  return compareContent({ port, lock, name: step.content, space, push: content.push, ...options });
}

/** The subject of the change request for the content of a space. */
export const applySubject = (space: string): string => `docsctl apply ${contentPath(space)}`;

/**
 * Archives the change requests that interrupted applies left in a space, because their content is not known.
 *
 * @param user who applied; the caller if it is undefined
 */
export async function archiveLeft(
  { client, note }: OrganizationPort,
  { space, spaceId, subject, user }: { space: string; spaceId: string; subject: string; user?: string },
): Promise<void> {
  for (const status of ['draft', 'open'] as const) {
    const requests = await requestsWith(client, spaceId, { status, subject });
    const author = requests.length === 0 ? undefined : (user ?? (await client.call(users.current, {})).id);
    for (const { id, number, createdBy } of requests) {
      if (createdBy.id !== author) continue;
      await client.call(changeRequests.edit, {
        params: { spaceId, changeRequestId: id },
        body: { status: 'archived' },
      });
      await note(`Archived change request #${number} of ${visible(space)}, which an interrupted apply left.`);
    }
  }
}

const changedSince = ({ step }: PlannedContent) =>
  new EngineError(
    'refused',
    `The content of ${step.content} was changed since it was compared. Nothing of it was sent.`,
  );
