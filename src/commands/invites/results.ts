import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions } from '../../cli/command/invocation.ts';
import { createListOutput } from '../../cli/output/index.ts';
import { shellCommand } from '../../cli/output/shell-quote.ts';
import { type Result, resultColumns } from './columns.ts';
import { keyOf } from './people.ts';

/** Prints what became of each, in the order in which they were given. */
export async function printResults(
  invocation: Invocation,
  results: Result[],
  people: readonly { email: string }[],
): Promise<void> {
  const places = new Map(people.map(({ email }, index) => [keyOf(email), index]));
  const place = ({ email, line }: Result) => line ?? places.get(keyOf(email)) ?? 0;
  const { io } = invocation;
  const output = createListOutput(outputOptions(invocation, { idKey: 'email' }), resultColumns, io.out);
  await output.page(results.toSorted((a, b) => place(a) - place(b)));
  await output.end();
}

/** The flags of a command that name organization and profile. */
const scopeFlagsIn = (command: string[]) =>
  command.filter((_, index) =>
    [command[index], command[index - 1]].some((word) => word === '--org' || word === '--profile'),
  );

/** Says how many there are of each outcome, and what to run next. */
export async function printSummary(
  { io }: Invocation,
  results: Result[],
  command: string[],
  failure: unknown,
): Promise<void> {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const counts = (['invited', 'member already', 'repeated', 'refused', 'not sent'] as const)
    .filter((outcome) => count(outcome) > 0)
    .map((outcome) => `${count(outcome)} ${outcome}`);
  await io.note(`${counts.join(', ')}.`);
  const withoutSso = results.filter(({ reason }) => reason === 'no SSO for its domain');
  if (withoutSso.length > 0) {
    await io.note(
      `With SSO only addresses of the organization's e-mail domains are invited. Add the domain with "docsctl orgs edit --email-domains", or invite them without SSO:\n  ${shellCommand(['docsctl', 'invites', 'send', ...withoutSso.map(({ email }) => email), '--no-sso', ...scopeFlagsIn(command)])}`,
    );
  }
  await io.note(
    failure === undefined
      ? `To repeat it (who is a member is left alone):\n  ${shellCommand(command)}`
      : `Run it again for the rest; who is a member by then is left alone:\n  ${shellCommand(command)}`,
  );
}
