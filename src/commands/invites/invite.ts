import type { Client } from '../../client/client.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { printRequests } from '../../cli/command/dry-run/dry-run.ts';
import { createProgress } from '../../cli/output/index.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import type { RoleName } from '../../contract/access.ts';
import { invites } from '../../contract/invites.ts';
import { members } from '../../contract/members.ts';
import { changeRoles, confirmAdministrators, confirmOwnChange, type RoleChange } from '../shared/change-roles.ts';
import { findMembers, keyOf, type Member } from '../../client/find-members.ts';
import { ResultFile } from '../shared/result-file.ts';
import { wordOf } from '../shared/roles.ts';
import type { Result } from './columns.ts';
import type { RejectedPerson, People, Person } from './people.ts';
import { inOrder, printResults, printSummary } from './results.ts';

/** What counts for all who have no role or SSO setting in the file. */
export interface Choices {
  role?: RoleName | null | undefined;
  /** Undefined: without SSO, and members who have it keep it. */
  sso?: boolean | undefined;
  /** Whether members get the role that is asked for. */
  updateRoles?: boolean | undefined;
  /** The file for the results. */
  result?: string | undefined;
}

const batchSize = 100;

/**
 * Invites all who are not members yet and prints what became of each.
 *
 * @param command what to run to have the rest invited
 * @throws CommandError (status 8) where somebody was not invited, or a member is not what a row asks for
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
  const all = people.people.length + people.rejected.length;
  if (invocation.globals.dryRun) {
    await printPlan(invocation, orgId, plan);
    return failOnUndone(plan.results, all);
  }
  const administrators = [...invitees, ...changes.map(({ name, role }) => ({ email: name, role }))]
    .filter(({ role }) => role === 'admin')
    .map(({ email }) => email);
  await confirmAdministrators(invocation, administrators);
  await confirmOwnChange(invocation, changes);
  const given = [...people.rejected, ...people.people];
  const file =
    choices.result === undefined
      ? undefined
      : new ResultFile(choices.result, {
          ...people,
          nameColumn: 'email',
          role: choices.role === undefined ? undefined : wordOf(choices.role),
        });
  const save = async (results: Result[]) => file?.write(inOrder(results, given).map(rowOf));
  // The file is written before anything is sent: a name that cannot be written is found now.
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
  }
  results.push(...unsent(plan, results));
  const ordered = inOrder(results, given);
  await save(ordered);
  await printResults(invocation, ordered);
  await printSummary(invocation, ordered, command, failure);
  if (failure !== undefined) throw failure;
  failOnUndone(ordered, all);
}

const rowOf = ({ email, ...rest }: Result) => ({ ...rest, name: email });

/** What is done with whom. */
interface Plan {
  invitees: Invitee[];
  changes: InviteeChange[];
  /** Of those with whom nothing is done. */
  results: Result[];
}

type InviteeChange = RoleChange & { line?: number | undefined };

async function planOf(client: Client, orgId: string, { people, rejected }: People, choices: Choices): Promise<Plan> {
  const { fresh, results } = distinct(people);
  const memberByAddress = await findMembers(client, orgId, fresh);
  const plan: Plan = {
    invitees: [],
    changes: [],
    results: [...rejected.map((person): Result => ({ ...person, outcome: 'refused' })), ...results],
  };
  for (const person of fresh) {
    const role = person.role === undefined ? choices.role : person.role;
    const sso = person.sso ?? choices.sso;
    const member = memberByAddress.get(keyOf(person.email));
    if (member) planMember(plan, member, { ...person, role, sso }, choices.updateRoles === true);
    else plan.invitees.push({ ...person, role, sso: sso ?? false });
  }
  return plan;
}

/** Somebody who is a member already stays as they are, unless the role is to be changed. */
function planMember(plan: Plan, member: Member, { email, role, sso, line }: Person, updateRoles: boolean): void {
  const result = { email, role: member.role, sso: member.sso, ...lineOf(line) };
  const otherSso = sso !== undefined && sso !== member.sso;
  const otherRole = role !== undefined && role !== member.role;
  if (otherRole && updateRoles && !otherSso) {
    plan.changes.push({ name: email, member, role, line });
    return;
  }
  const reasons = [
    ...(otherRole ? [`is a member with the role ${wordOf(member.role)}, not ${wordOf(role)}`] : []),
    ...(otherSso ? [member.sso ? 'signs in through SSO' : 'does not sign in through SSO; see "members mark-sso"'] : []),
  ];
  plan.results.push(
    reasons.length > 0
      ? { ...result, outcome: 'not changed', reason: reasons.join('; ') }
      : { ...result, outcome: 'member already' },
  );
}

/** Those of whom nothing is known when the command ends early. */
function unsent({ invitees, changes }: Plan, results: readonly Result[]): Result[] {
  const done = new Set(results.map(({ email }) => keyOf(email)));
  const rest: Result[] = [
    ...invitees.map((invitee): Result => ({ ...partsOf(invitee), outcome: 'not sent' })),
    ...changes.map(({ name, member, line }): Result => ({
      email: name,
      role: member.role,
      sso: member.sso,
      ...lineOf(line),
      outcome: 'not sent',
    })),
  ];
  return rest.filter(({ email }) => !done.has(keyOf(email)));
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
  return outcomes.map(({ change: { name, member, role }, reason, unknown }): Result => {
    const base = { email: name, sso: member.sso, ...lineOf(lines.get(name)) };
    if (reason === undefined)
      return { ...base, role, outcome: 'changed', reason: `had the role ${wordOf(member.role)}` };
    return { ...base, role: member.role, outcome: unknown ? 'not sent' : 'refused', reason };
  });
}

/** The role that people without one of their own received. */
async function addRoles(client: Client, orgId: string, results: Result[]): Promise<void> {
  const without = results.filter(({ outcome, role }) => outcome === 'invited' && role === undefined);
  const found = await findMembers(client, orgId, without);
  for (const result of without) {
    const member = found.get(keyOf(result.email));
    if (member) result.role = member.role;
  }
}

async function printPlan(invocation: Invocation, orgId: string, { invitees, changes, results }: Plan): Promise<void> {
  for (const result of results)
    if (result.reason !== undefined) await invocation.io.note(rejectionText({ ...result, reason: result.reason }));
  await printRequests(invocation, [
    ...batchesOf(invitees).map((batch) => ({ endpoint: invites.send, params: { orgId }, body: bodyOf(batch) })),
    ...changes.map(({ member, role }) => ({
      endpoint: members.edit,
      params: { orgId, userId: member.id },
      body: { role },
    })),
  ]);
}

const lineOf = (line: number | undefined) => (line === undefined ? {} : { line });
const partsOf = ({ email, role, sso, line }: Invitee) => ({ email, role, sso, ...lineOf(line) });
const rejectionText = ({ email, reason, line }: RejectedPerson) =>
  `${line === undefined ? '' : `line ${line}: `}${email === '' ? '' : `${email}: `}${reason}`;

/** @throws CommandError where somebody was not invited, or is not what a row asks for */
function failOnUndone(results: readonly Result[], all: number): void {
  const refused = results.filter(({ outcome }) => outcome === 'refused').length;
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
  throw new CommandError(`${parts.join('; ')}.`, { exitCode: exit.someFailed });
}

/** Each address once. Who is named again is reported; with another role, as a mistake. */
function distinct(people: Person[]): { fresh: Person[]; results: Result[] } {
  const first = new Map<string, Person>();
  const fresh: Person[] = [];
  const results: Result[] = [];
  for (const person of people) {
    const { email, role, line } = person;
    const before = first.get(keyOf(email));
    if (!before) {
      first.set(keyOf(email), person);
      fresh.push(person);
    } else if (role === undefined || role === before.role)
      results.push({ email, ...lineOf(line), outcome: 'repeated' });
    else {
      const where = before.line === undefined ? 'before' : `in line ${before.line}`;
      results.push({ email, role, ...lineOf(line), outcome: 'refused', reason: `is named ${where} with another role` });
    }
  }
  return { fresh, results };
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
      results.push({ ...partsOf(invitee), outcome: 'not sent', reason: 'no response; may have been sent' });
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
