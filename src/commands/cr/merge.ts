import { findConflicts } from '../../change-requests/conflicts.ts';
import type { Condition } from '../../change-requests/condition-names.ts';
import { checkConditions, verifyMerged } from '../../change-requests/conditions.ts';
import { type MergeSteps, conflictsError, failOnConflicts, mergeRequest } from '../../change-requests/merge.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { dryRun, previewOf, printPreviews } from '../../cli/command/dry-run/dry-run.ts';
import { print } from '../../cli/command/invocation.ts';
import { callOf, paramsOf, send } from '../../cli/command/request.ts';
import { buildServer, markdownCell } from '../../cli/program/build-server.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';

/** Creates a request and, with --open, puts it up for review at once. */
export async function create(
  invocation: Invocation<{}, CiFlag & { open?: boolean | undefined }, typeof changeRequests.create>,
): Promise<void> {
  const call = await callOf(invocation);
  if (invocation.globals.dryRun) return dryRun(invocation, call);
  const draft = await send(invocation, call);
  const params = { ...call.params, changeRequestId: draft.id };
  const client = await invocation.client();
  const request = invocation.flags.open
    ? await client.call(changeRequests.edit, { params, body: { status: 'open' } })
    : draft;
  await tellRequest(invocation, params, request);
  await print(invocation, request);
}

type MergeFlags = CiFlag & {
  open?: boolean | undefined;
  update?: boolean | undefined;
  wait?: boolean | undefined;
  require?: Condition[] | undefined;
};

/** Merges, on the way bringing in main content and opening a draft if the flags say so. Conflicts end with status 6. */
export async function merge(invocation: Invocation<{}, MergeFlags, typeof changeRequests.merge>): Promise<void> {
  const params = await paramsOf(invocation);
  const { open, update: updates, wait, require } = invocation.flags;
  const steps = { open, update: updates, require };
  if (invocation.globals.dryRun) return dryRunMerge(invocation, params, { ...steps, wait });
  const client = await invocation.client();
  if (wait) {
    const request = await client.call(changeRequests.view, { params });
    // Running it again after it went through is no failure for a script.
    if (request.status === 'merged') {
      await invocation.io.note(`#${request.number} is already merged.`);
      await tellRequest(invocation, params);
      return print(invocation, { result: 'merge', revision: request.revisionMerged });
    }
  }
  const { answer, checked } = await mergeRequest(client, params, steps);
  await tellRequest(invocation, params);
  await print(invocation, answer);
  await verifyMerged(client, params, checked);
}

export async function update(invocation: Invocation<{}, CiFlag, typeof changeRequests.update>): Promise<void> {
  const params = await paramsOf(invocation);
  const call = { endpoint: changeRequests.update, params, query: {}, body: undefined };
  if (invocation.globals.dryRun) {
    const previews = [await previewOf(invocation, call)];
    const request = await (await invocation.client()).call(changeRequests.view, { params });
    await failOnFoundConflicts(invocation, params.spaceId, request);
    return printPreviews(invocation, previews);
  }
  const answer = await send(invocation, call);
  failOnConflicts(answer, params.changeRequestId);
  await tellRequest(invocation, params);
  await print(invocation, answer);
}

/** Prints the requests that `mergeRequest` would send, after checking what it would check, conflicts included. */
async function dryRunMerge(
  invocation: Invocation,
  params: { spaceId: string; changeRequestId: string },
  { wait = false, ...steps }: MergeSteps & { wait?: boolean | undefined },
): Promise<void> {
  const { open = false, update = false } = steps;
  const client = await invocation.client();
  const request = await client.call(changeRequests.view, { params });
  const [isDraft, isMerged] = [request.status === 'draft', request.status === 'merged'];
  if (wait && isMerged) return invocation.io.note(`#${request.number} is already merged: nothing would be sent.`);
  const merge = { endpoint: changeRequests.merge, params };
  const { checkPermission } = await import('../../cli/command/dry-run/check-call.ts');
  await checkPermission(invocation, changeRequests.merge, params);
  const previews = [
    ...(update && request.outdated ? [await previewOf(invocation, { endpoint: changeRequests.update, params })] : []),
    ...(open && isDraft
      ? [await previewOf(invocation, { endpoint: changeRequests.edit, params, body: { status: 'open' } })]
      : []),
    // The service would refuse a draft as it is now.
    open && isDraft ? { call: merge } : await previewOf(invocation, merge),
  ];
  await checkConditions(client, params, request, steps);
  await failOnFoundConflicts(invocation, params.spaceId, request);
  await printPreviews(invocation, previews);
}

/** @throws EngineError with the conflicts that the service would report */
async function failOnFoundConflicts(invocation: Invocation, spaceId: string, request: ChangeRequest): Promise<void> {
  const conflicts = await findConflicts(await invocation.client(), spaceId, request);
  if (!conflicts) {
    await invocation.io.note(
      'Not checked: conflicts, because the service does not show the revision that the request is based on. Only the real run finds them.',
    );
  } else if (conflicts.length > 0) throw conflictsError(conflicts, request.number);
}

type CiFlag = { ci?: boolean | undefined };

type ChangeRequest = AnswerOf<typeof changeRequests.view>;

/** Gives a build server the request's number, revision and address for later steps, and a line for the run's page. */
async function tellRequest(
  { io, session, flags, client }: Invocation<{}, CiFlag>,
  params: { spaceId: string; changeRequestId: string },
  answer?: ChangeRequest,
): Promise<void> {
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  if (server.name === 'none') return;
  await server.mask(session.tokenToHide);
  const request = answer ?? (await (await client()).call(changeRequests.view, { params }));
  const { number, subject, status, urls } = request;
  server.outputs({
    'change-request': number,
    result: status,
    revision: request.revisionMerged ?? request.revision,
    url: urls.app,
  });
  server.summary(`### Change request [#${number}](${urls.app}): ${status}\n\n${markdownCell(subject)}`);
}
