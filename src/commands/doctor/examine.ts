import type { Invocation } from '../../cli/command/command.ts';
import { scopeSetting, withProgress } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import type { ScopeInUse } from '../../cli/naming/scope-in-use.ts';
import { CommandError, exit, failureOf } from '../../cli/program/failure.ts';
import { placeOfToken } from '../../cli/settings/credentials.ts';
import type { Session, Setting } from '../../cli/settings/session.ts';
import { embeddedFile } from '../../cli/settings/database-folder.ts';
import type { Client } from '../../client/client.ts';
import { members } from '../../contract/members.ts';
import { orgs } from '../../contract/orgs.ts';
import { sites } from '../../contract/sites.ts';
import { spaces } from '../../contract/spaces.ts';
import { users } from '../../contract/users.ts';
import { version } from '../../shared/version.ts';
import { isUnencrypted } from '../shared/profile-address.ts';
import { checkAddress, checkEnvironment, checkFiles, withSource } from './check-settings.ts';
import { Report, debugHint } from './report.ts';

/** Runs all checks and prints the findings. @throws CommandError if a check failed */
export async function examine(invocation: Invocation): Promise<void> {
  const { command, io } = invocation;
  const report = new Report();
  await withProgress(io, 'Checking', () => runChecks(report, invocation));
  await printList(invocation, report.findings, command.output, { contractPaths: ['hint'] });
  const failures = report.findings.filter(({ state }) => state === 'fail');
  const [firstFailure] = failures;
  for (const finding of report.findings) {
    if (finding.hint !== undefined && finding !== firstFailure)
      await io.note(`hint: ${finding.check}: ${finding.hint}`);
  }
  if (report.exitCode === undefined) return;
  throw new CommandError(failures.map(({ check, detail }) => `${check}: ${detail}`).join('\n'), {
    exitCode: report.exitCode,
    hint: firstFailure?.hint,
  });
}

/** Runs the checks in order, until one fails that the next ones depend on. */
async function runChecks(report: Report, invocation: Invocation): Promise<void> {
  const { session } = invocation;
  report.ok('docsctl', `${version} on Node.js ${process.versions.node}, ${process.platform}`);
  checkEnvironment(report, session);
  if (!(await checkFiles(report, session))) return;
  const address = await checkAddress(report, invocation);
  if (!address) return;
  const client = await checkService(report, session, address);
  if (!client) return;
  try {
    const userId = await checkUser(report, client);
    if (userId !== undefined) await checkContext(report, invocation, client, userId);
  } finally {
    await client.close();
  }
}

const timeoutSeconds = 10;

/** @returns a client, if the service responds and accepts the token */
async function checkService(report: Report, session: Session, address: Setting): Promise<Client | undefined> {
  const token = await tokenFor(report, session, address);
  if (!token) return undefined;
  let client: Client | undefined;
  try {
    client = await session.clientFor(address.value, token.value?.value, { timeout: timeoutSeconds, retries: 0 });
    await client.call(users.current, {});
  } catch (error) {
    await client?.close();
    reportFailure(report, session, { address, token: token.value, error });
    return undefined;
  }
  reportAnswer(report, address);
  report.ok('token', token.value ? `accepted, from ${placeOf(token.value, session)}` : 'not needed');
  return client;
}

/** The token to send, if one is needed. @returns undefined after reporting a failure */
async function tokenFor(
  report: Report,
  session: Session,
  { value: url }: Setting,
): Promise<{ value: Setting | undefined } | undefined> {
  if (embeddedFile(url, session.env) !== undefined) return { value: undefined };
  return report.attempt('token', () => session.token({ ask: false }));
}

/** A service that refuses the token responds, so only the token has failed. */
function reportFailure(
  report: Report,
  session: Session,
  { address, token, error }: { address: Setting; token: Setting | undefined; error: unknown },
): void {
  const failure = failureOf(error);
  if (failure.status !== 401) {
    report.fail('service', failure);
    return;
  }
  reportAnswer(report, address);
  if (token)
    report.fail('token', {
      ...failure,
      exitCode: exit.unauthenticated,
      message: `${placeOf(token, session)}: ${failure.message}`,
    });
  else report.fail('token', failureOf(session.tokenMissing(address)));
}

function reportAnswer(report: Report, address: Setting): void {
  const detail = `${withSource(address)} responds`;
  if (isUnencrypted(address.value))
    report.warn('service', detail, 'The connection is not encrypted: others can read the token. Use https.');
  else report.ok('service', detail);
}

function placeOf({ origin, source }: Setting, { config }: Session): string {
  if (origin !== 'profile') return source;
  const hasCommand = config.profiles[source]?.['token-command'] !== undefined;
  return `the ${hasCommand ? 'token-command' : (placeOfToken(source) ?? 'file')} (profile ${source})`;
}

/** @returns the ID of the user that the token belongs to */
async function checkUser(report: Report, client: Client): Promise<string | undefined> {
  const user = await report.attempt('user', () => client.call(users.current, {}));
  if (!user) return undefined;
  const { displayName, email, id } = user.value;
  report.ok('user', `${displayName}${email === undefined ? '' : ` <${email}>`}, ${id}`);
  return id;
}

/** Checks the default organization, the role in it, and the default space and site. */
async function checkContext(report: Report, invocation: Invocation, client: Client, userId: string): Promise<void> {
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
