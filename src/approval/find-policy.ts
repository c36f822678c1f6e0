import type { Client } from '../client/client.ts';
import { isInaccessible, isMissing } from '../client/errors/http-error.ts';
import { content } from '../contract/content.ts';
import { spaces } from '../contract/spaces.ts';
import { EngineError } from '../shared/engine-error.ts';
import { isStateSpace } from '../shared/state-title.ts';
import { type Approval, policyPath, readPolicy } from './policy.ts';

/** The policy of an organization, and the space of the shared state. */
export interface FoundPolicy {
  /** Null if there is no state, or the caller does not see it. */
  space: string | null;
  policy: Approval | null;
}

/**
 * Reads the policy: one request if the space is known, else also the list of spaces.
 *
 * @param known the space of the state as it was the last time
 */
export async function findPolicy(client: Client, orgId: string, known?: string): Promise<FoundPolicy> {
  try {
    if (known !== undefined) {
      const policy = await policyIn(client, known);
      // Without the page, another space may have the state.
      if (policy) return { space: known, policy };
    }
    for await (const space of client.items(spaces.list, { params: { orgId } }))
      if (isStateSpace(space)) return { space: space.id, policy: await policyIn(client, space.id) };
    return { space: null, policy: null };
  } catch (error) {
    // Nobody can obey what they may not see. Without access to the organization, the change itself is refused.
    if (isInaccessible(error)) return { space: null, policy: null };
    throw error;
  }
}

async function policyIn(client: Client, spaceId: string): Promise<Approval | null> {
  try {
    const params = { spaceId, pagePath: policyPath };
    const page = await client.call(content.pageByPath, { params, query: { format: 'markdown', metadata: false } });
    const policy = page.type === 'document' ? readPolicy(page.markdown ?? '') : undefined;
    if (policy) return policy;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  throw new EngineError('refused', 'The approval policy of the organization cannot be read.', {
    hint: 'Its page in the space "docsctl state" was edited, or a newer docsctl wrote it. Restore an earlier revision.',
  });
}
