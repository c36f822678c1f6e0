import type { Invocation } from '../../cli/command/command.ts';
import { onlyOrganization, print, requireOrganization, scopeSetting } from '../../cli/command/invocation.ts';
import { runDerived } from '../../cli/command/run.ts';
import { failureOf } from '../../cli/program/failure.ts';
import { callerIn } from '../../client/caller.ts';
import type { Client } from '../../client/client.ts';
import { users } from '../../contract/users.ts';
import { valueAt } from '../../shared/value-at.ts';

/** Prints the user, the service, and the role and the permissions in the organization. */
export async function runWhoami(invocation: Invocation): Promise<void> {
  const { globals, session } = invocation;
  // Scripts read the ID.
  if (globals.dryRun || globals.output === 'id') {
    await requireOrganization(invocation);
    return runDerived(invocation);
  }
  const client = await invocation.client();
  const user = await client.call(users.current, {});
  const { value: url, origin, source } = await session.address();
  const caller = {
    ...user,
    ...(await membershipOf(invocation, client, user.id)),
    ...(origin === 'profile' && { profile: source }),
    url,
  };
  const columns = invocation.command.output?.columns?.filter(({ key }) => valueAt(caller, key) !== undefined);
  await print(invocation, caller, columns);
}

/** The role in the organization. The user is known without it, so an error is only a remark. */
async function membershipOf(invocation: Invocation, client: Client, userId: string) {
  const { setting } = await scopeSetting(invocation, 'org');
  const isExplicit = setting?.origin === 'flag' || setting?.origin === 'environment';
  try {
    const orgId = setting?.value ?? (await onlyOrganization(client));
    if (orgId === undefined) return {};
    const { role, disabled, ...others } = await callerIn(client, orgId, userId);
    return { ...others, role: role ?? 'guest', ...(disabled && { disabled }) };
  } catch (error) {
    if (invocation.signal.aborted || isExplicit) throw error;
    await invocation.io.note(`The role in the organization cannot be read: ${failureOf(error).message}`);
    return {};
  }
}
