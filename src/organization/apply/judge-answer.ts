import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { Io } from '../../cli/program/io.ts';
import type { Invocation } from '../../cli/command/command.ts';
import type { AnswerOf, BodyOf } from '../../contract/endpoint.ts';
import { invites } from '../../contract/invites.ts';
import { openapi } from '../../contract/openapi.ts';
import type { Unfulfilled } from './apply.ts';
import type { Step } from '../plan/change.ts';
import { keyOf, findMembers } from '../../commands/shared/find-members.ts';
import { wordOf } from '../../commands/shared/roles.ts';
import { secondsToWait, untilProcessed } from '../../commands/openapi/processing.ts';

/** What the service did not do although it answered with success. */
export async function judgeAnswer(
  invocation: Invocation<{}, {}>,
  { endpoint, params, body }: Pick<Step, 'endpoint' | 'params' | 'body'>,
  answer: unknown,
): Promise<Unfulfilled> {
  if (endpoint === invites.send.name) {
    const invited = invites.send.definition.response().parse(answer);
    return notInvited(invocation, params['orgId'] ?? '', invites.send.definition.body().parse(body), invited);
  }
  if (endpoint === openapi.put.name) {
    const { orgId = '', specSlug = '' } = params;
    // The progress of the whole run is shown.
    const io = new Io({ ...invocation.globals, quiet: true }, invocation.session.env, invocation.io);
    try {
      await untilProcessed({ ...invocation, io }, { orgId, specSlug }, secondsToWait(true));
    } catch (error) {
      if (error instanceof CommandError) return new Map([[specSlug, error]]);
      throw error;
    }
  }
  return new Map();
}

async function notInvited(
  { client }: Invocation<{}, {}>,
  orgId: string,
  { emails, role, sso }: BodyOf<typeof invites.send>,
  { invited, failedSSOEmails }: AnswerOf<typeof invites.send>,
): Promise<Unfulfilled> {
  const withoutSso = new Set(failedSSOEmails.map(keyOf));
  const failures: Unfulfilled = new Map([...withoutSso].map((email) => [email, noSso(email)]));
  if (invited + withoutSso.size === emails.length) return failures;
  // Somebody became a member in the meantime, and keeps the role of then.
  const people = emails
    .map((item) => (typeof item === 'string' ? { email: item, role } : item))
    .filter(({ email }) => !withoutSso.has(keyOf(email)));
  const members = await findMembers(await client(), orgId, people);
  for (const { email, role: wanted } of people) {
    const member = members.get(keyOf(email));
    if (!member) failures.set(keyOf(email), refused(`${email} was not invited; the service gives no reason.`));
    else if (member.sso !== sso || (wanted !== undefined && member.role !== wanted))
      failures.set(
        keyOf(email),
        refused(
          `${email} became a member in the meantime, with the role ${wordOf(member.role)} and ${member.sso ? 'with' : 'without'} SSO, and was not changed.`,
        ),
      );
  }
  return failures;
}

const refused = (message: string, hint?: string) =>
  new CommandError(message, { exitCode: exit.refused, ...(hint !== undefined && { hint }) });

function noSso(email: string): CommandError {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return refused(
    `${email} was not invited: ${domain} is not an email domain of the organization, and only those sign in with SSO.`,
    `Add ${domain} to emailDomains in organization.yaml or with "docsctl orgs edit --add-email-domain", or invite without SSO.`,
  );
}
