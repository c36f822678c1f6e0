import type { Client } from '../../client/client.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { printRequests } from '../../cli/command/dry-run.ts';
import { createProgress } from '../../cli/output/index.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import type { RoleName } from '../../contract/access.ts';
import { invites } from '../../contract/invites.ts';
import type { Result } from './columns.ts';
import { findMembers } from './find-members.ts';
import { type RejectedPerson, keyOf, type People, type Person } from './people.ts';
import { printResults, printSummary } from './results.ts';

/** What counts for all who have no role or SSO setting in the file. */
export interface Choices {
  role?: RoleName | null | undefined;
  sso: boolean;
}

const batchSize = 100;

/**
 * Invites all who are not members yet and prints what became of each.
 *
 * @param command what to run to have the rest invited
 * @throws CommandError (status 8) where somebody was not invited
 */
export async function invite(
  invocation: Invocation,
  orgId: string,
  { people, rejected }: People,
  choices: Choices,
  command: string[],
): Promise<void> {
  const client = await invocation.client();
  const { fresh, repeated } = distinct(people);
  const members = await findMembers(client, orgId, fresh);
  const invitees = fresh
    .filter(({ email }) => !members.has(keyOf(email)))
    .map((person) => ({
      ...person,
      role: person.role === undefined ? choices.role : person.role,
      sso: person.sso ?? choices.sso,
    }));
  if (invocation.globals.dryRun) {
    await printBatches(invocation, orgId, invitees, rejected);
    return failOnRejected(rejected.length, people.length + rejected.length);
  }
  const results: Result[] = [
    ...rejected.map((person): Result => ({ ...person, outcome: 'refused' })),
    ...repeated.map(({ email, line }): Result => ({ email, ...lineOf(line), outcome: 'repeated' })),
    ...fresh.flatMap(({ email, line }): Result[] => {
      const member = members.get(keyOf(email));
      if (!member) return [];
      return [{ email, role: member.role, sso: member.sso, ...lineOf(line), outcome: 'member already' }];
    }),
  ];
  let failure: unknown;
  try {
    await sendAll(invocation, client, orgId, invitees, results);
  } catch (error) {
    failure = error;
    const done = new Set(results.map(({ email }) => keyOf(email)));
    for (const invitee of invitees)
      if (!done.has(keyOf(invitee.email))) results.push({ ...partsOf(invitee), outcome: 'not sent' });
  }
  await printResults(invocation, results, [...rejected, ...people]);
  await printSummary(invocation, results, command, failure);
  if (failure !== undefined) throw failure;
  failOnRejected(results.filter(({ outcome }) => outcome === 'refused').length, results.length);
}

async function printBatches(
  invocation: Invocation,
  orgId: string,
  invitees: Invitee[],
  rejected: RejectedPerson[],
): Promise<void> {
  for (const person of rejected) await invocation.io.note(rejectionText(person));
  await printRequests(
    invocation,
    batchesOf(invitees).map((batch) => ({ endpoint: invites.send, params: { orgId }, body: bodyOf(batch) })),
  );
}

const lineOf = (line: number | undefined) => (line === undefined ? {} : { line });
const partsOf = ({ email, role, sso, line }: Invitee) => ({ email, role, sso, ...lineOf(line) });
const rejectionText = ({ email, reason, line }: RejectedPerson) =>
  `${line === undefined ? '' : `line ${line}: `}${email === '' ? '' : `${email}: `}${reason}`;

function failOnRejected(failed: number, all: number): void {
  if (failed === 0) return;
  throw new CommandError(`${failed} of ${all} ${failed === 1 ? 'was' : 'were'} not invited.`, {
    exitCode: exit.someFailed,
  });
}

function distinct(people: Person[]): { fresh: Person[]; repeated: Person[] } {
  const seen = new Set<string>();
  const fresh: Person[] = [];
  const repeated: Person[] = [];
  for (const person of people) {
    (seen.has(keyOf(person.email)) ? repeated : fresh).push(person);
    seen.add(keyOf(person.email));
  }
  return { fresh, repeated };
}

type Invitee = Person & { sso: boolean };

/** Those with SSO and those without, in their order, as many together as the service takes. */
function batchesOf(people: Invitee[]): Invitee[][] {
  return [false, true].flatMap((sso) => {
    const same = people.filter((person) => person.sso === sso);
    return Array.from({ length: Math.ceil(same.length / batchSize) }, (_, index) =>
      same.slice(index * batchSize, (index + 1) * batchSize),
    );
  });
}

const bodyOf = (batch: Invitee[]) => ({
  emails: batch.map(({ email, role }) => (role === undefined ? email : { email, role })),
  // All of a batch have the same.
  sso: batch[0]?.sso ?? false,
});

async function sendAll(
  invocation: Invocation,
  client: Client,
  orgId: string,
  invitees: Invitee[],
  results: Result[],
): Promise<void> {
  const progress = createProgress('Inviting', { animated: invocation.io.canAnimate });
  try {
    let done = 0;
    for (const batch of batchesOf(invitees)) {
      results.push(
        ...(await sendBatch(client, orgId, batch).catch((error: unknown) => leftOpen(error, batch, results))),
      );
      done += batch.length;
      progress.count(done, invitees.length);
    }
  } finally {
    progress.stop();
  }
}

/** Nobody knows what became of a batch that was not answered. */
function leftOpen(error: unknown, batch: Invitee[], results: Result[]): never {
  if (!(error instanceof HttpError)) {
    for (const invitee of batch)
      results.push({ ...partsOf(invitee), outcome: 'not sent', reason: 'no answer; perhaps sent' });
  }
  throw error;
}

/** Sends one batch. Where the service refuses single addresses, the others are sent without them. */
async function sendBatch(client: Client, orgId: string, batch: Invitee[]): Promise<Result[]> {
  try {
    const { failedSSOEmails } = await client.call(invites.send, { params: { orgId }, body: bodyOf(batch) });
    const failed = new Set(failedSSOEmails.map(keyOf));
    return batch.map((invitee) =>
      failed.has(keyOf(invitee.email))
        ? { ...partsOf(invitee), outcome: 'refused', reason: 'no SSO for its domain' }
        : { ...partsOf(invitee), outcome: 'invited' },
    );
  } catch (error) {
    const reasons = reasonsByIndex(error, batch);
    if (reasons.size === 0) throw error;
    const refused = batch.flatMap((invitee, index): Result[] => {
      const reason = reasons.get(index);
      return reason === undefined ? [] : [{ ...partsOf(invitee), outcome: 'refused', reason }];
    });
    const rest = batch.filter((_, index) => !reasons.has(index));
    return rest.length === 0 ? refused : [...refused, ...(await sendBatch(client, orgId, rest))];
  }
}

/** What the service says about single addresses of a batch, by their place; nothing when something else is wrong too. */
function reasonsByIndex(error: unknown, batch: Invitee[]): Map<number, string> {
  const reasons = new Map<number, string>();
  if (!(error instanceof HttpError) || error.status !== 400) return reasons;
  for (const { path, message } of error.details ?? []) {
    const index = /^\/emails\/(\d+)(\/|$)/.exec(path)?.[1];
    if (index === undefined || Number(index) >= batch.length) return new Map();
    reasons.set(Number(index), message);
  }
  return reasons;
}
