import type { Client } from '../../client/client.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { scopeSetting } from '../../cli/command/invocation.ts';
import { failureOf } from '../../cli/program/failure.ts';
import type { ScopeInUse } from '../../cli/naming/scope-in-use.ts';
import { members } from '../../contract/members.ts';
import { orgs } from '../../contract/orgs.ts';
import { sites } from '../../contract/sites.ts';
import { spaces } from '../../contract/spaces.ts';
import { withSource } from './check-settings.ts';
import { debugHint, type Report } from './report.ts';

/** Checks the default organization, the role in it, and the default space and site. */
export async function checkContext(
  report: Report,
  invocation: Invocation,
  client: Client,
  userId: string,
): Promise<void> {
  const { setting } = await scopeSetting(invocation, 'org');
  const orgId = setting?.value ?? (await findOrganization(report, client));
  if (orgId === undefined) return;
  if (!(await checkOrganization(report, client, orgId, setting?.source ?? 'the only one'))) return;
  await checkRole(report, client, { orgId, userId });
  await checkDefault(report, 'space', await scopeSetting(invocation, 'space'), (spaceId) =>
    client.call(spaces.view, { params: { spaceId } }),
  );
  await checkDefault(report, 'site', await scopeSetting(invocation, 'site'), (siteId) =>
    client.call(sites.view, { params: { orgId, siteId } }),
  );
}

/** The caller's organization, if there is only one. */
async function findOrganization(report: Report, client: Client): Promise<string | undefined> {
  const list = await report.attempt('organization', () => client.call(orgs.list, { query: { limit: 1 } }));
  if (!list) return undefined;
  const { items, count } = list.value;
  if (count === 1) return items[0]?.id;
  if (count === 0)
    report.warn(
      'organization',
      'you belong to no organization',
      'Ask for an invite, or create one with "docsctl orgs create".',
    );
  else
    report.warn(
      'organization',
      `none is set, and you belong to ${count}`,
      'Set one with "docsctl config set org <id>"; "docsctl orgs list" shows them.',
    );
  return undefined;
}

/** @returns whether the caller can see the organization */
async function checkOrganization(report: Report, client: Client, orgId: string, source: string): Promise<boolean> {
  const organization = await report.attempt(
    'organization',
    () => client.call(orgs.view, { params: { orgId } }),
    'Set another one with "docsctl config set org <id>"; "docsctl orgs list" shows the ones that you can see.',
  );
  if (!organization) return false;
  const { title, id, blocked } = organization.value;
  const detail = `${title}, ${id} (${source})`;
  if (blocked) report.warn('organization', detail, 'The organization is blocked: nothing in it can be changed.');
  else report.ok('organization', detail);
  return true;
}

async function checkRole(report: Report, client: Client, params: { orgId: string; userId: string }): Promise<void> {
  try {
    const { role, disabled } = await client.call(members.view, { params });
    if (disabled) report.warn('role', role ?? 'guest', 'Your membership is disabled: ask an administrator.');
    else report.ok('role', role ?? 'guest');
  } catch (error) {
    // Guests get 403 for every member, themselves included.
    const { status, message } = failureOf(error);
    if (status === 403) report.ok('role', 'guest: you see only what was shared with you');
    else report.warn('role', message, debugHint);
  }
}

/** A missing default is only a warning, because the service works without it. */
async function checkDefault(
  report: Report,
  check: 'space' | 'site',
  { setting, unused }: ScopeInUse,
  view: (id: string) => Promise<{ title: string }>,
): Promise<void> {
  if (unused)
    report.warn(
      check,
      `${withSource(unused.setting)}: not in the organization ${withSource(unused.organization)}, so it is not used`,
      `Pass --${check}, or set another one with "docsctl config set ${check} <id>".`,
    );
  if (!setting) return;
  try {
    const { title } = await view(setting.value);
    report.ok(check, `${title}, ${withSource(setting)}`);
  } catch (error) {
    const { message } = failureOf(error);
    report.warn(
      check,
      `${withSource(setting)}: ${message}`,
      `Set another one with "docsctl config set ${check} <id>".`,
    );
  }
}
