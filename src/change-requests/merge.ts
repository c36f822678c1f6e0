import type { Client } from '../client/client.ts';
import { changeRequests } from '../contract/change-requests.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { failOnConflicts } from './conflicts.ts';
import type { ChangeRequest } from './read-sides.ts';
import { type Condition, failOnUnmet } from './conditions.ts';

export interface MergeSteps {
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
 * @throws EngineError with the conflicts (status 6), or the conditions that do not hold (status 9)
 */
export async function mergeRequest(
  client: Client,
  params: Params,
  steps: MergeSteps,
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
 * @throws EngineError (status 9) with the conditions that do not hold
 */
export async function checkConditions(
  client: Client,
  params: Params,
  request: ChangeRequest,
  { open = false, update = false, require = [] }: MergeSteps,
): Promise<void> {
  const required = require.filter((condition) => !(update && condition === 'up-to-date'));
  const canMerge = request.status === 'open' || (open && request.status === 'draft');
  if (!canMerge || required.length === 0) return;
  await failOnUnmet(client, params, request, required);
}
