import { join } from 'node:path';
import type { Client } from '../../client/client.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { spaces } from '../../contract/spaces.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { type Lock, saveLock } from '../lock.ts';
import { contentPath, namedKinds } from '../organization.ts';
import type { OrganizationPort } from '../port.ts';
import { pendingRecord, refuseLarge, sendRecord } from '../../sync/push.ts';
import { createRequest, findRequest, merge, type Request } from '../../sync/push-request.ts';
import { sendOperations, Written } from '../../sync/send.ts';
import { compareContent, type Comparison } from '../content/compare-content.ts';
import { type PlannedContent, refuseConflicts } from '../content/plan-content.ts';
import type { ContentStep } from '../plan/change.ts';
import { singular } from '../plan/draft.ts';
import { type MaxRemovals, refuseLosses } from '../plan/limits.ts';
import type { MadePlan } from '../plan/make-plan.ts';
import { removeMark } from '../../sync/pull-base.ts';
import { type Applied, apply } from './apply.ts';

interface Checks {
  maxRemovals: MaxRemovals;
  withoutSelf: boolean;
  /** Whether a conflict is the failure of its space alone. */
  allowsConflicts: boolean;
}

/** @throws EngineError where the plan must not be applied */
export async function checkPlan(client: Client, made: MadePlan, { allowsConflicts, ...limits }: Checks): Promise<void> {
  const { plan, snapshot, contents } = made;
  if (!allowsConflicts) refuseConflicts(made, 'nothing was sent.');
  await refuseLosses(client, { ...limits, changes: plan.changes, current: snapshot.organization });
  const forbidden = contents.flatMap(({ step }) => {
    const { edit, merge: canMerge } = snapshot.spaces.get(step.content)?.permissions ?? { edit: true, merge: true };
    return edit && canMerge ? [] : [`${edit ? 'merge' : 'edit'} the content of ${step.content}`];
  });
  if (forbidden.length > 0)
    throw new EngineError('forbidden', `permission denied: ${forbidden.join(', ')}. Nothing was sent.`, {
      hint: 'Ask for a higher level on these spaces, or leave their content folders out.',
    });
}

/** Sends a plan. The lock file gets what was made at once: a run that is cut off must find it. */
export function applyPlan(port: OrganizationPort, made: MadePlan, keepGoing: boolean): Promise<Applied> {
  const { plan, lock, path, hasFolder } = made;
  const kinds = new Map(namedKinds.map((kind) => [singular[kind], kind]));
  return apply(port, {
    changes: plan.changes,
    steps: plan.steps,
    contents: { steps: plan.contents, send: (step, spaceId) => sendStep(port, made, step, spaceId) },
    keepGoing,
    async made(placeholder, id) {
      const [kind = '', ...name] = placeholder.split('/');
      const named = kinds.get(kind);
      if (!named || !hasFolder) return;
      lock.ids[named].set(name.join('/'), id);
      await saveLock(path, lock);
    },
  });
}

/** Keeps what the files were when the service had what they say. @param results of the changes that were sent */
export async function renewLock({ plan, lock, hashes, path }: MadePlan, results: Applied['results']): Promise<void> {
  const unfinished = new Set(plan.changes.flatMap(({ file }, index) => (results[index] === 'done' ? [] : [file])));
  for (const [file, hash] of hashes) if (!unfinished.has(file)) lock.files.set(file, hash);
  await saveLock(path, lock);
}

/** Sends a content folder, and keeps at once what the space has of it. */
async function sendStep(port: OrganizationPort, made: MadePlan, step: ContentStep, spaceId: string): Promise<void> {
  const { contents, folder, lock, path, hasFolder } = made;
  const content = contents.find((each) => each.step.content === step.content);
  if (!content) throw new Error(`The content of ${step.content} was not compared.`);
  refuseConflicts({ contents: [content], folder }, 'nothing of it was sent.');
  const revision = await sendContent(port, { content, spaceId, lock });
  if (!hasFolder) return;
  const under = `${contentPath(step.content)}/`;
  for (const file of lock.files.keys()) if (file.startsWith(under)) lock.files.delete(file);
  for (const [file, hash] of Object.entries(content.step.files)) lock.files.set(file, hash);
  lock.revisions.delete(step.content);
  lock.applied.set(step.content, revision);
  await removeMark(join(content.push.docs.path, content.push.local.root));
  await saveLock(path, lock);
}

interface Sending {
  content: PlannedContent;
  spaceId: string;
  lock: Lock;
}

/**
 * Brings a content folder into its space, with one change request that is merged at the end.
 *
 * @returns the revision that main content has afterwards
 * @throws EngineError where the space was changed since it was compared; then nothing was sent
 */
async function sendContent(port: OrganizationPort, sending: Sending): Promise<string> {
  const { content, spaceId } = sending;
  // The plan has the messages, and several spaces are sent at once.
  const push = { ...port, note: async () => {}, progress: { say() {}, count() {} } };
  const subject = `docsctl apply ${contentPath(content.step.content)}`;
  const comparison = await currentComparison(push, sending);
  refuseLarge(content.push.docs, comparison.plan.operations);
  await archiveOthers(push, spaceId, subject);
  const { request, isOther } = await createRequest(push, { spaceId, subject });
  if (isOther) throw changedMeanwhile(content);
  try {
    return await sendAll(push, sending, { comparison, request });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new EngineError(
      'failed',
      `${error.message} What was sent is in change request #${request.number}, which is not merged.`,
      { cause: error },
    );
  }
}

interface Prepared {
  comparison: Comparison;
  request: Request;
}

async function sendAll(push: OrganizationPort, sending: Sending, { comparison, request }: Prepared) {
  const { content, spaceId } = sending;
  const { plan, compared, remote, revision } = comparison;
  if (!revision) throw new Error('The content was not compared with the space.');
  const written = new Written();
  const done = { add: 0, change: 0, move: 0, delete: 0, upload: 0 };
  const pending = pendingRecord(comparison);
  const operations = [...pending, ...plan.operations];
  const sent = await sendOperations(push, { spaceId, request, operations, done, written });
  const planned = { plan, compared, content: { revision, remote } };
  const recorded = await sendRecord(push, { local: content.push.local, spaceId }, sent, {
    planned,
    written,
    hasPending: pending.length > 0,
  });
  try {
    const merged = await merge(push, spaceId, recorded);
    return merged.revisionMerged ?? merged.revision;
  } catch (error) {
    push.notMerged(recorded, error);
    throw error;
  }
}

/** What is to be done in the space as it is: as it was compared, or new. */
async function currentComparison(port: OrganizationPort, { content, spaceId, lock }: Sending): Promise<Comparison> {
  const { revision } = await port.client.call(spaces.view, { params: { spaceId } });
  const { comparison, step } = content;
  if (comparison.revision !== undefined) {
    if (comparison.revision.id !== revision) throw changedMeanwhile(content);
    return comparison;
  }
  const space = { id: spaceId, revision };
  const options = { prune: true, keepDrift: false };
  return compareContent({ port, lock, name: step.content, space, push: content.push, ...options });
}

/** A run that was cut off may have left a change request. It is not known what it has, so that it is not used. */
async function archiveOthers(port: OrganizationPort, spaceId: string, subject: string): Promise<void> {
  for (;;) {
    const { existing } = await findRequest(port, spaceId, { subject });
    if (!existing) return;
    const params = { spaceId, changeRequestId: existing.id };
    await port.client.call(changeRequests.edit, { params, body: { status: 'archived' } });
  }
}

const changedMeanwhile = ({ step }: PlannedContent) =>
  new EngineError(
    'refused',
    `The content of ${step.content} was changed since it was compared. Nothing of it was sent.`,
  );
