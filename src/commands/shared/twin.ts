import { join } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { dataDir } from '../../cli/settings/paths.ts';
import { orgs } from '../../contract/orgs.ts';
import { type MadeTwin, makeTwin, type TwinOptions } from '../../rehearsal/make-twin.ts';
import { scopeOf } from '../../cli/command/invocation.ts';
import { withContentPort } from './download.ts';
import type { CopySource } from './run-on-copy.ts';

export const twinProfile = 'twin';

export const twinDatabase = (env: Record<string, string | undefined>): string => join(dataDir(env), 'twin.db');

/** Copies an organization to a new database, and prints what is missing from the copy. */
export async function copyOrganization(
  invocation: Invocation<{}, {}>,
  options: Pick<TwinOptions, 'organization' | 'file'>,
): Promise<MadeTwin> {
  const { io, session } = invocation;
  const url = (await session.address()).value;
  const made = await withContentPort(invocation, 'Reading the organization', (port) =>
    makeTwin(port, { ...options, url }),
  );
  const { refused, hidden } = made.leftOut;
  for (const [what, count] of refused) await io.note(`Not readable, and not in the twin: ${what} (${count}).`);
  const texts = [...hidden].map(([what, count]) => `${what} (${count})`);
  await io.note(`Not in a twin: ${[...texts, 'passwords, tokens, secrets and sent emails'].join('; ')}.`);
  return made;
}

/** The organization with this ID or title. */
export const organizationOf = async (invocation: Invocation<{}, {}>, orgId: string) =>
  (await invocation.client()).call(orgs.view, { params: { orgId } });

/** The organization in use, as the source of a copy. */
export async function organizationSource(invocation: Invocation<{}, {}>, orgId?: string): Promise<CopySource> {
  const organization = await organizationOf(invocation, orgId ?? (await scopeOf(invocation, 'org')));
  const copyTo = async (file: string) => {
    const { leftOut } = await copyOrganization(invocation, { organization, file });
    return Object.fromEntries(leftOut.refused);
  };
  return { orgId: organization.id, copyTo };
}
