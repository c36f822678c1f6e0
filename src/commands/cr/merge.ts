import type { Client } from '../../client/client.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { previewOf, printPreviews } from '../../cli/command/dry-run.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { failOnConflicts } from './conflicts.ts';

interface Steps {
  /** Open a draft first. */
  open?: boolean | undefined;
  /** Bring main content in first, where the request is outdated. */
  update?: boolean | undefined;
}

/** Merges, where asked after opening a draft and bringing main content in. @throws CommandError (status 6) that lists conflicts */
export async function mergeRequest(
  client: Client,
  params: { spaceId: string; changeRequestId: string },
  { open = false, update = false }: Steps,
): Promise<AnswerOf<typeof changeRequests.merge>> {
  let name: string | number = params.changeRequestId;
  if (open || update) {
    const request = await client.call(changeRequests.view, { params });
    name = request.number;
    if (update && request.outdated) failOnConflicts(await client.call(changeRequests.update, { params }), name);
    if (open && request.status === 'draft')
      await client.call(changeRequests.edit, { params, body: { status: 'open' } });
  }
  const answer = await client.call(changeRequests.merge, { params });
  failOnConflicts(answer, name);
  return answer;
}

/** Prints the requests that `mergeRequest` would send. Conflicts are found by the service only when it merges. */
export async function dryRunMerge(
  invocation: Invocation,
  params: { spaceId: string; changeRequestId: string },
  { open = false, update = false, wait = false }: Steps & { wait?: boolean | undefined },
): Promise<void> {
  const client = await invocation.client();
  const request = await client.call(changeRequests.view, { params });
  const [isDraft, isMerged] = [request.status === 'draft', request.status === 'merged'];
  if (wait && isMerged) return invocation.io.note(`#${request.number} is merged already: nothing would be sent.`);
  const merge = { endpoint: changeRequests.merge, params };
  await printPreviews(invocation, [
    ...(update && request.outdated ? [await previewOf(invocation, { endpoint: changeRequests.update, params })] : []),
    ...(open && isDraft
      ? [await previewOf(invocation, { endpoint: changeRequests.edit, params, body: { status: 'open' } })]
      : []),
    // The service would refuse a draft as it is now.
    open && isDraft ? { call: merge } : await previewOf(invocation, merge),
  ]);
}
