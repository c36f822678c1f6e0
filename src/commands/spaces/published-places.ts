import type { Call, Invocation } from '../../cli/command/command.ts';
import { visible } from '../../cli/output/index.ts';
import { undefinedIfMissing } from '../../client/errors/http-error.ts';
import { siteSpaces } from '../../contract/site-spaces.ts';
import { sites } from '../../contract/sites.ts';
import { spaces } from '../../contract/spaces.ts';

/** Names the published sites that show the spaces, with the addresses that disappear. */
export async function notePublishedPlaces(invocation: Invocation, calls: readonly Call[]): Promise<void> {
  const client = await invocation.client();
  const organizations = new Map<string, Set<string>>();
  for (const { params } of calls) {
    const { spaceId = '' } = params;
    const space = await client.call(spaces.view, { params: { spaceId } }).catch(undefinedIfMissing);
    if (!space) continue;
    const ids = organizations.get(space.organization) ?? new Set();
    organizations.set(space.organization, ids.add(space.id));
  }
  for (const [orgId, ids] of organizations) {
    for await (const site of client.items(sites.list, { params: { orgId }, query: { published: true } })) {
      for await (const { space, urls } of client.items(siteSpaces.list, { params: { orgId, siteId: site.id } })) {
        if (!ids.has(space.id)) continue;
        const address = urls.published ?? site.urls.published;
        await invocation.io.note(
          visible(
            `${space.title} (${space.id}) is published on the site ${site.title} (${site.id})${address === undefined ? '' : `: ${address}`}`,
          ),
        );
      }
    }
  }
}
