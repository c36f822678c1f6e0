import type { Client } from '../../client/client.ts';
import type { SharedFlags } from '../command/command.ts';
import type { Session } from '../settings/session.ts';
import type { Names } from './names.ts';
import { explicitOrganization, type ScopeContext, scopeInUse } from './scope-in-use.ts';

/** The client of a run, which takes names of objects, and the names themselves. Loaded on first use. */
export function namedRequests(
  session: Session,
  flags: SharedFlags,
): { client(): Promise<Client>; names(): Promise<Names> } {
  const scopes: ScopeContext = { session, flags, lookup: async () => (await (names ??= openNames())).lookup() };
  let client: Promise<Client> | undefined;
  let names: Promise<Names> | undefined;
  const openNames = async () => {
    const { Names } = await import('./names.ts');
    return new Names({
      client: await session.client(),
      setting: async (name) => (await scopeInUse(scopes, name)).setting?.value,
      organization: () => explicitOrganization(scopes),
    });
  };
  const openClient = async () => {
    const { namingClient } = await import('./naming-client.ts');
    return namingClient(await session.client(), await (names ??= openNames()));
  };
  return { client: () => (client ??= openClient()), names: () => (names ??= openNames()) };
}
