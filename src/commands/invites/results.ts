import type { Invocation } from '../../cli/command/command.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { keyOf } from '../../client/find-members.ts';
import { outcomeCounts } from '../shared/result-file.ts';
import type { Result } from './columns.ts';

/** The results in the order of the people in the input. */
export function inOrder(results: readonly Result[], people: readonly { name: string }[]): Result[] {
  const places = new Map(people.map(({ name }, index) => [keyOf(name), index]));
  const place = ({ email, line }: Result) => line ?? places.get(keyOf(email)) ?? 0;
  return results.toSorted((a, b) => place(a) - place(b));
}

/** The command that adds the domains of these people to the organization. */
function addDomains(people: readonly Result[], command: string[]): string {
  const domains = new Set(people.map(({ email }) => keyOf(email.slice(email.lastIndexOf('@') + 1))));
  return `\n  ${shellCommand(['docsctl', 'orgs', 'edit', ...[...domains].flatMap((domain) => ['--add-email-domain', domain]), ...scopeFlagsIn(command)])}`;
}

/** The flags of a command that select the organization and the profile. */
const scopeFlagsIn = (command: string[]) =>
  command.filter((_, index) =>
    [command[index], command[index - 1]].some((word) => word === '--org' || word === '--profile'),
  );

/** Prints the number of results of each outcome, and what to run next. */
export async function printSummary(
  { io }: Invocation,
  results: readonly Result[],
  command: string[],
  failure: unknown,
): Promise<void> {
  await io.note(outcomeCounts(results));
  const withoutSso = results.filter(({ reason }) => reason === 'no SSO for its domain');
  if (withoutSso.length > 0) {
    await io.note(
      `With SSO, only addresses in the organization's email domains are invited. To add domains: ${addDomains(withoutSso, command)}\nTo invite them without SSO:\n  ${shellCommand(['docsctl', 'invites', 'send', ...withoutSso.map(({ email }) => email), '--no-sso', ...scopeFlagsIn(command)])}`,
    );
  }
  if (results.some(({ outcome }) => outcome === 'not changed')) {
    await io.note('Members keep their role. To give them the requested role, add --update-roles.');
  }
  const purpose = failure === undefined ? 'To repeat it' : 'To continue, run it again';
  await io.note(`${purpose} (members are skipped):\n  ${shellCommand(command)}`);
}
