import type { Client } from '../client/client.ts';
import type { Invocation } from '../cli/command/command.ts';
import { previewOf, printPreviews } from '../cli/command/dry-run/dry-run.ts';
import { changeRequests } from '../contract/change-requests.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { conflictsError, failOnConflicts } from './conflicts.ts';
import type { ChangeRequest } from './read-sides.ts';
import type { Condition } from '../commands/shared/require-flag.ts';

interface Steps {
  /** The request, where it was just read. */
  request?: ChangeRequest | undefined;
  /** Open a draft first. */
  open?: boolean | undefined;
  /** Bring main content in first, where the request is outdated. */
  update?: boolean | undefined;
  /** What must hold before anything is changed, and again after an update. */
  require?: readonly Condition[] | undefined;
}

type Params = { spaceId: string; changeRequestId: string };

/**
 * Merges, where asked after checking conditions, bringing main content in and opening a draft.
 *
 * @throws CommandError with the conflicts (status 6), or the conditions that do not hold (status 9)
 */
export async function mergeRequest(
  client: Client,
  params: Params,
  steps: Steps,
): Promise<AnswerOf<typeof changeRequests.merge>> {
  const { open = false, update = false, require = [] } = steps;
  let name: string | number = params.changeRequestId;
  if (open || update || require.length > 0) {
    const request = steps.request ?? (await client.call(changeRequests.view, { params }));
    name = request.number;
    await checkConditions(client, params, request, steps);
    if (update && request.outdated) {
      failOnConflicts(await client.call(changeRequests.update, { params }), name);
      // Main content may have brought in what does not meet a condition.
      const updated = await client.call(changeRequests.view, { params });
      await checkConditions(client, params, updated, { ...steps, update: false });
    }
    if (open && request.status === 'draft')
      await client.call(changeRequests.edit, { params, body: { status: 'open' }, current: request });
  }
  const answer = await client.call(changeRequests.merge, { params });
  failOnConflicts(answer, name);
  return answer;
}

/**
 * A request that cannot be merged in its state is left to the service, which says so.
 *
 * @throws CommandError (status 9) with the conditions that do not hold
 */
export async function checkConditions(
  client: Client,
  params: Params,
  request: ChangeRequest,
  { open = false, update = false, require = [] }: Steps,
): Promise<void> {
  const required = require.filter((condition) => !(update && condition === 'up-to-date'));
  const canMerge = request.status === 'open' || (open && request.status === 'draft');
  if (!canMerge || required.length === 0) return;
  const { failOnUnmet } = await import('../commands/cr/require.ts');
  await failOnUnmet(client, params, request, required);
}

/** Prints the requests that `mergeRequest` would send, after checking what it would check, conflicts included. */
export async function dryRunMerge(
  invocation: Invocation,
  params: Params,
  { wait = false, ...steps }: Steps & { wait?: boolean | undefined },
): Promise<void> {
  const { open = false, update = false } = steps;
  const client = await invocation.client();
  const request = await client.call(changeRequests.view, { params });
  const [isDraft, isMerged] = [request.status === 'draft', request.status === 'merged'];
  if (wait && isMerged) return invocation.io.note(`#${request.number} is already merged: nothing would be sent.`);
  const merge = { endpoint: changeRequests.merge, params };
  const previews = [
    ...(update && request.outdated ? [await previewOf(invocation, { endpoint: changeRequests.update, params })] : []),
    ...(open && isDraft
      ? [await previewOf(invocation, { endpoint: changeRequests.edit, params, body: { status: 'open' } })]
      : []),
    // The service would refuse a draft as it is now.
    open && isDraft ? { call: merge } : await previewOf(invocation, merge),
  ];
  await checkConditions(client, params, request, steps);
  const { findConflicts } = await import('../commands/cr/find-conflicts.ts');
  const conflicts = await findConflicts(client, params.spaceId, request);
  if (conflicts && conflicts.length > 0) throw conflictsError(conflicts, request.number);
  await printPreviews(invocation, previews);
}
