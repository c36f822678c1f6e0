import type { Client } from '../../client/client.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import { isAnswered, readBackClient } from '../../client/read-back.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { printRequests } from '../../cli/command/dry-run/dry-run.ts';
import { printList } from '../../cli/command/list.ts';
import { someFailed } from '../../cli/program/failure.ts';
import type { RoleName } from '../../contract/access.ts';
import { invites } from '../../contract/invites.ts';
import { members } from '../../contract/members.ts';
import { changeRoles, confirmAdministrators, confirmOwnChange, type RoleChange } from '../shared/change-roles.ts';
import { findMembersNamed, keyOf, type Member } from '../../client/find-members.ts';
import { distinctRows, type RejectedRow, rejectionText } from '../../people/people-file.ts';
import { type Outcome, outcomeCounts, ResultFile } from '../shared/result-file.ts';
import { wordOf } from '../../people/roles.ts';
import { type Result, resultColumns } from './columns.ts';
import type { People, Person } from './people.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';

/** What applies to people without a role or SSO setting of their own. */
export interface Choices {
  role?: RoleName | null | undefined;
  /** Undefined: new members do not sign in through SSO, and members keep their setting. */
  sso?: boolean | undefined;
  /** Whether existing members get the requested role. */
  updateRoles?: boolean | undefined;
  /** The file for the results. */
  result?: string | undefined;
}

const batchSize = 100;

/**
 * Invites people who are not members, and prints the result for each person.
 *
 * @param command the command that continues with the remaining people
 * @throws CommandError (status 8) if somebody was not invited, or a member differs from the request
 */
export async function invite(
  invocation: Invocation,
  orgId: string,
  people: People,
  choices: Choices,
  command: string[],
): Promise<void> {
  const client = await invocation.client();
  const plan = await planOf(client, orgId, people, choices);
  const { invitees, changes } = plan;
  const everyone = [...people.rejected, ...people.rows];
  if (invocation.globals.dryRun) {
    await printPlan(invocation, orgId, plan);
    return assertAllInvited(plan.results, everyone.length);
  }
  const administrators = [...invitees, ...changes].filter(({ role }) => role === 'admin').map(({ name }) => name);
  await confirmAdministrators(invocation, administrators);
  await confirmOwnChange(invocation, changes);
  const role = choices.role === undefined ? undefined : wordOf(choices.role);
  const file =
    choices.result === undefined ? undefined : new ResultFile(choices.result, { ...people, nameColumn: 'email', role });
  const save = async (all: Result[]) =>
    file?.write(inOrder(all, everyone).map(({ email, ...rest }) => ({ ...rest, name: email })));
  // Write the file before sending anything, so that an unusable path is reported in time.
  await save([...plan.results, ...unsent(plan, plan.results)]);
  const results = [...plan.results];
  let failure: unknown;
  try {
    await sendAll(invocation, client, orgId, invitees, results);
    results.push(...(await changeAll(invocation, client, orgId, changes)));
    invocation.signal.throwIfAborted();
    await addRoles(client, orgId, results);
  } catch (error) {
    failure = error;
    await readBack(invocation, client, orgId, results);
  }
  const left = unsent(plan, results);
  results.push(...left);
  const isOpen = results.some(({ outcome }) => outcome === 'unknown' || outcome === 'not sent');
  // The connection broke after the service had done everything.
  if (failure !== undefined && !isOpen && !isAnswered(failure) && !invocation.signal.aborted) failure = undefined;
  const ordered = inOrder(results, everyone);
  await save(ordered);
  await printList(invocation, ordered, { columns: resultColumns, idKey: 'email' });
  await printSummary(invocation, ordered, command, failure);
  if (failure !== undefined) throw failure;
  assertAllInvited(ordered, everyone.length);
}

interface Plan {
  invitees: Invitee[];
  changes: InviteeChange[];
  /** The results of people for whom nothing is sent. */
  results: Result[];
}

type Invitee = Person & { sso: boolean };
type InviteeChange = RoleChange & Pick<Person, 'line'>;

async function planOf(client: Client, orgId: string, { rows, rejected }: People, choices: Choices): Promise<Plan> {
  const distinct = distinctRows(rows, ({ name }) => keyOf(name));
  const results = [
    ...[...rejected, ...distinct.rejected].map((row) => resultOf(row, 'refused', row.reason)),
    ...distinct.repeated.map((row) => resultOf({ ...row, role: undefined }, 'repeated')),
  ];
  const plan: Plan = { invitees: [], changes: [], results };
  const memberByAddress = await findMembersNamed(
    client,
    orgId,
    distinct.rows.map(({ name }) => name),
  );
  for (const person of distinct.rows) {
    const { role = choices.role, sso = choices.sso } = person;
    const member = memberByAddress.get(keyOf(person.name));
    if (member) planMember(plan, member, { ...person, role, sso }, choices.updateRoles === true);
    else plan.invitees.push({ ...person, role, sso: sso ?? false });
  }
  return plan;
}

const resultOf = (
  { name, role, sso, line }: Partial<Person> & Pick<RejectedRow, 'name' | 'line'>,
  outcome: Outcome,
  reason?: string,
): Result => withoutUndefined({ email: name, role, sso, line, outcome, reason });

/** Existing members stay as they are, unless their role is to be updated. */
function planMember(plan: Plan, member: Member, { name, role, sso, line }: Person, updateRoles: boolean): void {
  const otherSso = sso !== undefined && sso !== member.sso;
  const otherRole = role !== undefined && role !== member.role;
  if (otherRole && updateRoles && !otherSso) {
    plan.changes.push({ name, member, role, line });
    return;
  }
  const reasons = [
    ...(otherRole ? [`is a member with the role ${wordOf(member.role)}, not ${wordOf(role)}`] : []),
    ...(otherSso ? [member.sso ? 'signs in through SSO' : 'does not sign in through SSO; see "members mark-sso"'] : []),
  ];
  const current = { name, role: member.role, sso: member.sso, line };
  plan.results.push(
    reasons.length > 0 ? resultOf(current, 'not changed', reasons.join('; ')) : resultOf(current, 'member already'),
  );
}

/** Results for the people who have none when the command ends early. */
function unsent({ invitees, changes }: Plan, results: readonly Result[]): Result[] {
  const done = new Set(results.map(({ email }) => keyOf(email)));
  const members = changes.map(({ name, member, line }) => ({ name, role: member.role, sso: member.sso, line }));
  return [...invitees, ...members]
    .filter(({ name }) => !done.has(keyOf(name)))
    .map((person) => resultOf(person, 'not sent'));
}

async function changeAll(
  invocation: Invocation,
  client: Client,
  orgId: string,
  changes: InviteeChange[],
): Promise<Result[]> {
  if (changes.length === 0) return [];
  const outcomes = await changeRoles(invocation, client, orgId, changes);
  const lines = new Map(changes.map(({ name, line }) => [name, line]));
  return outcomes.map(({ change: { name, member, role }, state, reason }) => {
    const person = { name, sso: member.sso, line: lines.get(name) };
    if (state === 'changed') return resultOf({ ...person, role }, 'changed', `had the role ${wordOf(member.role)}`);
    return resultOf({ ...person, role: member.role }, state === 'failed' ? 'refused' : 'unknown', reason);
  });
}

/** Adds the role that the organization gave to people who were invited without one. */
async function addRoles(client: Client, orgId: string, results: Result[]): Promise<void> {
  const without = results.filter(({ outcome, role }) => outcome === 'invited' && role === undefined);
  const memberByAddress = await findMembersNamed(
    client,
    orgId,
    without.map(({ email }) => email),
  );
  for (const result of without) {
    const member = memberByAddress.get(keyOf(result.email));
    if (member) result.role = member.role;
  }
}

async function printPlan(invocation: Invocation, orgId: string, { invitees, changes, results }: Plan): Promise<void> {
  for (const { email, reason, line } of results)
    if (reason !== undefined) await invocation.io.note(rejectionText({ name: email, reason, line }));
  await printRequests(invocation, [
    ...batchesOf(invitees).map((batch) => ({ endpoint: invites.send, params: { orgId }, body: bodyOf(batch) })),
    ...changes.map(({ member, role }) => ({
      endpoint: members.edit,
      params: { orgId, userId: member.id },
      body: { role },
    })),
  ]);
}

/** @throws CommandError if somebody was not invited, or a member differs from the request */
function assertAllInvited(results: readonly Result[], all: number): void {
  const refused = results.filter(({ outcome }) => outcome === 'refused' || outcome === 'unknown').length;
  const unchanged = results.filter(({ outcome }) => outcome === 'not changed').length;
  if (refused + unchanged === 0) return;
  const were = (count: number) => (count === 1 ? 'was' : 'were');
  const parts = [
    ...(refused > 0 ? [`${refused} of ${all} ${were(refused)} not invited`] : []),
    ...(unchanged > 0
      ? [
          `${unchanged} of ${all} ${unchanged === 1 ? 'is a member' : 'are members'} already, and ${were(unchanged)} not changed`,
        ]
      : []),
  ];
  throw someFailed(`${parts.join('; ')}.`);
}

/** Splits the people into requests. A request has one SSO setting and at most as many people as the service accepts. */
const batchesOf = (people: Invitee[]): Invitee[][] =>
  [...Map.groupBy(people, ({ sso }) => sso).values()].flatMap((same) =>
    Array.from({ length: Math.ceil(same.length / batchSize) }, (_, index) =>
      same.slice(index * batchSize, (index + 1) * batchSize),
    ),
  );

const bodyOf = (batch: Invitee[]) => ({
  emails: batch.map(({ name, role }) => (role === undefined ? name : { email: name, role })),
  sso: batch[0]?.sso ?? false,
});

async function sendAll(
  invocation: Invocation,
  client: Client,
  orgId: string,
  invitees: Invitee[],
  results: Result[],
): Promise<void> {
  const progress = invocation.io.progress('Inviting');
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

/** Without a response, the service may or may not have sent the invites. */
function leftOpen(error: unknown, batch: Invitee[], results: Result[]): never {
  if (!isAnswered(error)) {
    for (const invitee of batch) results.push(resultOf(invitee, 'unknown', 'no answer; may have been invited'));
  }
  throw error;
}

/** Asks the service which of the people without an answer it invited: these are members. */
async function readBack(invocation: Invocation, client: Client, orgId: string, results: Result[]): Promise<void> {
  const open = results.filter(({ outcome }) => outcome === 'unknown');
  const names = open.map(({ email }) => email);
  const current = await findMembersNamed(readBackClient(client, invocation.signal), orgId, names).catch(
    () => undefined,
  );
  if (!current) return;
  for (const result of open) {
    const member = current.get(keyOf(result.email));
    const { role, sso, line, email: name } = result;
    const isInvited = member !== undefined && (role === undefined || role === member.role);
    Object.assign(
      result,
      resultOf({ name, role: member?.role ?? role, sso, line }, isInvited ? 'invited' : 'not sent'),
    );
    if (isInvited || member === undefined) delete result.reason;
  }
}

/** Sends a batch. If the service refuses some addresses, sends the others again without them. */
async function sendBatch(client: Client, orgId: string, batch: Invitee[]): Promise<Result[]> {
  try {
    const { failedSSOEmails } = await client.call(invites.send, { params: { orgId }, body: bodyOf(batch) });
    const failed = new Set(failedSSOEmails.map(keyOf));
    return batch.map((invitee) =>
      failed.has(keyOf(invitee.name))
        ? resultOf(invitee, 'refused', 'no SSO for its domain')
        : resultOf(invitee, 'invited'),
    );
  } catch (error) {
    const reasons = reasonsByIndex(error, batch);
    if (reasons.size === 0) throw error;
    const refused = batch
      .map((invitee, index) => resultOf(invitee, 'refused', reasons.get(index)))
      .filter(({ reason }) => reason !== undefined);
    const rest = batch.filter((_, index) => !reasons.has(index));
    return rest.length === 0 ? refused : [...refused, ...(await sendBatch(client, orgId, rest))];
  }
}

/** The errors about single addresses, by index in the batch. Empty if the service reports any other error. */
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

/** The results in the order of the people in the input. */
function inOrder(results: readonly Result[], people: readonly { name: string }[]): Result[] {
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
async function printSummary(
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
  if (results.some(({ outcome }) => outcome === 'not changed'))
    await io.note('Members keep their role. To give them the requested role, add --update-roles.');
  const purpose = failure === undefined ? 'To repeat it' : 'To continue, run it again';
  await io.note(`${purpose} (members are skipped):\n  ${shellCommand(command)}`);
}
