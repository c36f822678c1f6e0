import type { Invocation } from '../../cli/command/command.ts';
import { type BuildServer, buildServer } from '../../cli/program/build-server.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { Io } from '../../cli/program/io.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { spaces } from '../../contract/spaces.ts';
import type { Lock } from '../lock.ts';
import { pendingRecord, sendRecord } from '../../sync/push-record.ts';
import { createRequest, findRequest, merge, type PushInvocation, type Request } from '../../sync/push-request.ts';
import { refuseLarge } from '../../sync/push-warnings.ts';
import { sendOperations, Written } from '../../sync/send.ts';
import { compareContent, type Comparison } from './compare-content.ts';
import { contentPath } from './content-folder.ts';
import type { PlannedContent } from './plan-content.ts';

interface Sending {
  content: PlannedContent;
  spaceId: string;
  lock: Lock;
}

/**
 * Brings a content folder into its space, with one change request that is merged at the end.
 *
 * @returns the revision that main content has afterwards
 * @throws CommandError where the space was changed since it was compared; then nothing was sent
 */
export async function sendContent(invocation: Invocation<{}, {}>, sending: Sending): Promise<string> {
  const { content, spaceId } = sending;
  const push = pushInvocation(invocation, content.step.content);
  const server = buildServer(push.io, { env: push.session.env });
  const comparison = await currentComparison(push, sending);
  const { docs } = content.push;
  refuseLarge(docs, comparison.plan.operations);
  await archiveOthers(push, sending);
  const { request, isOther } = await createRequest(push, { spaceId, docs });
  if (isOther) throw changedMeanwhile(content);
  try {
    return await sendAll(push, sending, { comparison, request, server });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CommandError(
      `${error.message} What was sent is in change request #${request.number}, which is not merged.`,
      {
        cause: error,
      },
    );
  }
}

interface Prepared {
  comparison: Comparison;
  request: Request;
  server: BuildServer;
}

async function sendAll(push: PushInvocation, sending: Sending, { comparison, request, server }: Prepared) {
  const { content, spaceId } = sending;
  const { plan, compared, remote, revision } = comparison;
  if (!revision) throw new Error('The content was not compared with the space.');
  const written = new Written();
  const done = { add: 0, change: 0, move: 0, delete: 0, upload: 0 };
  const pending = pendingRecord(comparison);
  const operations = [...pending, ...plan.operations];
  const sent = await sendOperations(push, { spaceId, request, operations, done, written });
  const planned = { plan, compared, content: { revision, remote } };
  const target = { ...content.push, spaceId, existing: undefined };
  const recorded = await sendRecord(push, target, sent, { planned, written, hasPending: pending.length > 0 });
  const merged = await merge(push, spaceId, recorded, server);
  return merged.revisionMerged ?? merged.revision;
}

/** What is to be done in the space as it is: as it was compared, or new. */
async function currentComparison(push: PushInvocation, { content, spaceId, lock }: Sending): Promise<Comparison> {
  const { revision } = await (await push.client()).call(spaces.view, { params: { spaceId } });
  const { comparison, step } = content;
  if (comparison.revision !== undefined) {
    if (comparison.revision.id !== revision) throw changedMeanwhile(content);
    return comparison;
  }
  const space = { id: spaceId, revision };
  const options = { prune: true, keepDrift: false };
  return compareContent({ invocation: push, lock, name: step.content, space, push: content.push, ...options });
}

/** A run that was cut off may have left a change request. It is not known what it has, so that it is not used. */
async function archiveOthers(push: PushInvocation, { content, spaceId }: Sending): Promise<void> {
  const client = await push.client();
  for (;;) {
    const { existing } = await findRequest(push, spaceId, content.push.docs);
    if (!existing) return;
    const params = { spaceId, changeRequestId: existing.id };
    await client.call(changeRequests.edit, { params, body: { status: 'archived' } });
  }
}

const changedMeanwhile = ({ step }: PlannedContent) =>
  new CommandError(`The content of ${step.content} was changed since it was compared. Nothing of it was sent.`, {
    exitCode: exit.refused,
  });

/** The invocation of a push whose messages are not shown: the plan has them, and several spaces are sent at once. */
function pushInvocation(invocation: Invocation<{}, {}>, space: string): PushInvocation {
  const { globals, session, io, flags } = invocation;
  const quiet = new Io({ ...globals, quiet: true }, session.env, io);
  return { ...invocation, args: {}, flags: { ...flags, new: `docsctl apply ${contentPath(space)}` }, io: quiet };
}
