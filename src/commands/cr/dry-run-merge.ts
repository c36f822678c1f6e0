import type { Invocation } from '../../cli/command/command.ts';
import { previewOf, printPreviews } from '../../cli/command/dry-run/dry-run.ts';
import { conflictsError } from '../../change-requests/conflicts.ts';
import { findConflicts } from '../../change-requests/find-conflicts.ts';
import { checkConditions, type MergeSteps } from '../../change-requests/merge.ts';
import { changeRequests } from '../../contract/change-requests.ts';

/** Prints the requests that `mergeRequest` would send, after checking what it would check, conflicts included. */
export async function dryRunMerge(
  invocation: Invocation,
  params: { spaceId: string; changeRequestId: string },
  { wait = false, ...steps }: MergeSteps & { wait?: boolean | undefined },
): Promise<void> {
  const { open = false, update = false } = steps;
  const client = await invocation.client();
  const request = await client.call(changeRequests.view, { params });
  const [isDraft, isMerged] = [request.status === 'draft', request.status === 'merged'];
  if (wait && isMerged) return invocation.io.note(`#${request.number} is merged already: nothing would be sent.`);
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
  const conflicts = await findConflicts(client, params.spaceId, request);
  if (conflicts && conflicts.length > 0) throw conflictsError(conflicts, request.number);
  await printPreviews(invocation, previews);
}
