import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions } from '../../cli/command/invocation.ts';
import { createListOutput } from '../../cli/output/index.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { keyOf } from '../../client/find-members.ts';
import { outcomes, type Result, resultColumns } from './columns.ts';

/** The results in the order in which the people were given. */
export function inOrder(results: readonly Result[], people: readonly { email: string }[]): Result[] {
  const places = new Map(people.map(({ email }, index) => [keyOf(email), index]));
  const place = ({ email, line }: Result) => line ?? places.get(keyOf(email)) ?? 0;
  return results.toSorted((a, b) => place(a) - place(b));
}

/** Prints what became of each. */
export async function printResults(invocation: Invocation, results: readonly Result[]): Promise<void> {
  const { io } = invocation;
  const output = createListOutput(outputOptions(invocation, { idKey: 'email' }), resultColumns, io.out);
  await output.page([...results]);
  await output.end();
}

/** The command that adds the domains of these people to the organization. */
function addDomains(people: readonly Result[], command: string[]): string {
  const domains = new Set(people.map(({ email }) => keyOf(email.slice(email.lastIndexOf('@') + 1))));
  return `\n  ${shellCommand(['docsctl', 'orgs', 'edit', ...[...domains].flatMap((domain) => ['--add-email-domain', domain]), ...scopeFlagsIn(command)])}`;
}

/** The flags of a command that name organization and profile. */
const scopeFlagsIn = (command: string[]) =>
  command.filter((_, index) =>
    [command[index], command[index - 1]].some((word) => word === '--org' || word === '--profile'),
  );

/** Says how many there are of each outcome, and what to run next. */
export async function printSummary(
  { io }: Invocation,
  results: readonly Result[],
  command: string[],
  failure: unknown,
): Promise<void> {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const counts = outcomes.filter((outcome) => count(outcome) > 0).map((outcome) => `${count(outcome)} ${outcome}`);
  await io.note(`${counts.join(', ')}.`);
  const withoutSso = results.filter(({ reason }) => reason === 'no SSO for its domain');
  if (withoutSso.length > 0) {
    await io.note(
      `With SSO, only addresses in the organization's email domains are invited. To add domains: ${addDomains(withoutSso, command)}\nTo invite them without SSO:\n  ${shellCommand(['docsctl', 'invites', 'send', ...withoutSso.map(({ email }) => email), '--no-sso', ...scopeFlagsIn(command)])}`,
    );
  }
  if (results.some(({ outcome }) => outcome === 'not changed')) {
    await io.note('Members keep their role. To give them the requested role, add --update-roles.');
  }
  await io.note(
    failure === undefined
      ? `To repeat it (members are skipped):\n  ${shellCommand(command)}`
      : `To continue, run it again (members are skipped):\n  ${shellCommand(command)}`,
  );
}
