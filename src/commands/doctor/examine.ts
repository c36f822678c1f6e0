import type { Invocation } from '../../cli/command/command.ts';
import { withProgress } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { CommandError, exit, failureOf } from '../../cli/program/failure.ts';
import { placeOfToken } from '../../cli/settings/credentials.ts';
import { type Session, type Setting, embeddedFile } from '../../cli/settings/session.ts';
import type { Client } from '../../client/client.ts';
import { users } from '../../contract/users.ts';
import { version } from '../../shared/version.ts';
import { isUnencrypted } from '../shared/profile-address.ts';
import { checkContext } from './check-context.ts';
import { checkAddress, checkEnvironment, checkFiles, withSource } from './check-settings.ts';
import { Report } from './report.ts';

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
  report.ok('token', token.value ? `accepted, from ${placeOf(token.value)}` : 'not needed');
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
      message: `${placeOf(token)}: ${failure.message}`,
    });
  else report.fail('token', failureOf(session.tokenMissing(address)));
}

function reportAnswer(report: Report, address: Setting): void {
  const detail = `${withSource(address)} responds`;
  if (isUnencrypted(address.value))
    report.warn('service', detail, 'The connection is not encrypted: others can read the token. Use https.');
  else report.ok('service', detail);
}

const placeOf = ({ origin, source }: Setting) =>
  origin === 'profile' ? `the ${placeOfToken(source) ?? 'file'} (profile ${source})` : source;

/** @returns the ID of the user that the token belongs to */
async function checkUser(report: Report, client: Client): Promise<string | undefined> {
  const user = await report.attempt('user', () => client.call(users.current, {}));
  if (!user) return undefined;
  const { displayName, email, id } = user.value;
  report.ok('user', `${displayName}${email === undefined ? '' : ` <${email}>`}, ${id}`);
  return id;
}
