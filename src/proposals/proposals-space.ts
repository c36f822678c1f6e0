import type { Client } from '../client/client.ts';
import { spaces } from '../contract/spaces.ts';
import { createAlone, spacesTitled } from '../organization/state/hidden-space.ts';
import { isInaccessible } from '../client/errors/http-error.ts';
import { EngineError } from '../shared/engine-error.ts';
import { isProposalsSpace, proposalsTitle } from '../shared/state-title.ts';

/** Its title until its level is set. */
const unfinishedTitle = 'docsctl proposals (unfinished)';

export type ProposalsSpace = Awaited<ReturnType<typeof spacesTitled>>[number];

/** The space with the proposals of an organization; undefined if there is none, or the caller does not see it. */
export const findProposalsSpace = async (client: Client, orgId: string): Promise<ProposalsSpace | undefined> =>
  (await spacesTitled(client, orgId, proposalsTitle)).find(isProposalsSpace);

/** Creates the space unless there is one. @throws EngineError if the caller may not propose anything */
export async function requireProposalsSpace(client: Client, orgId: string): Promise<string> {
  const found = await findProposalsSpace(client, orgId);
  if (found && !found.permissions.edit) throw mayNotPropose();
  if (found) return found.id;
  try {
    const { id } = await createAlone(client, {
      orgId,
      title: proposalsTitle,
      find: () => findProposalsSpace(client, orgId),
      isFound: isProposalsSpace,
      make: () =>
        client.call(spaces.create, {
          params: { orgId },
          body: { title: unfinishedTitle, emoji: '🗳️' },
          unrecorded: true,
        }),
    });
    return id;
  } catch (error) {
    if (isInaccessible(error)) throw mayNotPropose();
    throw error;
  }
}

const mayNotPropose = () =>
  new EngineError('forbidden', 'You may not propose changes in this organization.', {
    hint: 'Ask an administrator to run "docsctl proposals allow <your email address>".',
  });
