import type { Invocation } from '../../cli/command/command.ts';
import { contentPort } from '../../commands/shared/content-port.ts';
import { type BuildServer, buildServer, markdownCell } from '../../cli/program/build-server.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { Io } from '../../cli/program/io.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { spaces } from '../../contract/spaces.ts';
import type { Lock } from '../lock.ts';
import { pendingRecord, sendRecord } from '../../sync/push.ts';
import { createRequest, findRequest, merge, type Request } from '../../sync/push-request.ts';
import { refuseLarge } from '../../sync/push.ts';
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
  const push = pushInvocation(invocation);
  const port = await contentPort(push);
  const server = buildServer(push.io, { env: push.session.env });
  const comparison = await currentComparison(push, sending);
  refuseLarge(content.push.docs, comparison.plan.operations);
  await archiveOthers(push, sending);
  const { request, isOther } = await createRequest(port, { spaceId, subject: subjectOf(content) });
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

async function sendAll(push: Invocation<{}, {}>, sending: Sending, { comparison, request, server }: Prepared) {
  const { content, spaceId } = sending;
  const { plan, compared, remote, revision } = comparison;
  if (!revision) throw new Error('The content was not compared with the space.');
  const port = await contentPort(push);
  const written = new Written();
  const done = { add: 0, change: 0, move: 0, delete: 0, upload: 0 };
  const pending = pendingRecord(comparison);
  const operations = [...pending, ...plan.operations];
  const sent = await sendOperations(port, { spaceId, request, operations, done, written });
  const planned = { plan, compared, content: { revision, remote } };
  const recorded = await sendRecord(port, { local: content.push.local, spaceId }, sent, {
    planned,
    written,
    hasPending: pending.length > 0,
  });
  try {
    const merged = await merge(port, spaceId, recorded);
    return merged.revisionMerged ?? merged.revision;
  } catch (error) {
    server.outputs({ 'change-request': request.number, url: request.urls.app });
    if (error instanceof EngineError) server.summary(`### Not merged\n\n${markdownCell(error.message)}`);
    throw error;
  }
}

/** What is to be done in the space as it is: as it was compared, or new. */
async function currentComparison(push: Invocation<{}, {}>, { content, spaceId, lock }: Sending): Promise<Comparison> {
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
async function archiveOthers(push: Invocation<{}, {}>, { content, spaceId }: Sending): Promise<void> {
  const client = await push.client();
  for (;;) {
    const { existing } = await findRequest({ client }, spaceId, { subject: subjectOf(content) });
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
function pushInvocation(invocation: Invocation<{}, {}>): Invocation<{}, {}> {
  const { globals, session, io } = invocation;
  const quiet = new Io({ ...globals, quiet: true }, session.env, io);
  return { ...invocation, io: quiet };
}

const subjectOf = ({ step }: PlannedContent) => `docsctl apply ${contentPath(step.content)}`;
