import type { Client } from '../client/client.ts';
import { exit } from '../cli/exit.ts';
import { CommandError, UsageError } from '../cli/failure.ts';
import { fileText, type Invocation, outputOptions, scopeOf } from '../cli/invocation.ts';
import { createListOutput, createProgress } from '../cli/output/index.ts';
import { commandLine } from '../cli/repeat.ts';
import { printRequests } from '../cli/run.ts';
import type { RoleName } from '../contract/access.ts';
import type { ItemOf } from '../contract/endpoint.ts';
import { invites } from '../contract/invites.ts';
import { members } from '../contract/members.ts';
import { addressesIn, type Fault, isAddress, keyOf, type People, type Person, readPeople } from './invites-people.ts';
import { roleOf } from './roles.ts';

type Member = ItemOf<typeof members.list>;

/** What became of somebody. */
interface Result {
  email: string;
  role?: RoleName | null | undefined;
  sso?: boolean;
  outcome: 'invited' | 'member already' | 'repeated' | 'refused' | 'not sent';
  reason?: string;
  line?: number;
}

/** What is said for all who have nothing of their own. */
export interface Choices {
  role?: RoleName | null | undefined;
  sso: boolean;
}

const batchSize = 100;
const concurrency = 8;

export async function send(invocation: Invocation): Promise<void> {
  const { args, flags, io } = invocation;
  const given = (args.email as string[] | undefined) ?? [];
  if (given.length > 0 && flags.from !== undefined)
    throw new UsageError('Give addresses or --from, not both.', 'Put the addresses into the file.');
  if (given.length === 0 && flags.from === undefined) {
    if (!io.interactive) {
      throw new UsageError(
        'There is nobody to invite.',
        'Name addresses, or a CSV file with --from. In a terminal this command asks for everything.',
      );
    }
    const { inviteByWizard } = await import('./invites-wizard.ts');
    return inviteByWizard(invocation);
  }
  const people = flags.from === undefined ? peopleOf(given) : readPeople(fileText(flags.from, '--from'), flags.from);
  const choices: Choices = { role: flags.role === undefined ? undefined : roleOf(flags.role), sso: flags.sso === true };
  await invite(invocation, await scopeOf(invocation, 'org'), people, choices, commandOf(invocation));
}

/** The command as it was given, to run it again. */
function commandOf({ args, flags, globals }: Invocation): string[] {
  return [
    'docsctl',
    'invites',
    'send',
    ...((args.email as string[] | undefined) ?? []),
    ...(flags.from === undefined ? [] : ['--from', flags.from]),
    ...(flags.role === undefined ? [] : ['--role', flags.role]),
    ...(flags.sso ? ['--sso'] : []),
    ...(flags.org === undefined ? [] : ['--org', flags.org]),
    ...(globals.profile === undefined ? [] : ['--profile', globals.profile]),
  ];
}

function peopleOf(words: string[]): People {
  const emails = words.flatMap(addressesIn);
  const faults = emails.filter((email) => !isAddress(email));
  if (emails.length === 1 && faults.length === 1) throw new UsageError(`"${emails[0]}" is not an e-mail address.`);
  return {
    people: emails.filter(isAddress).map((email) => ({ email })),
    faults: faults.map((email) => ({ email, reason: 'no e-mail address' })),
  };
}

/**
 * Invites all who are not there yet and prints what became of each.
 *
 * @param command what to run to have the rest invited
 * @throws CommandError (status 8) where somebody was not invited
 */
export async function invite(
  invocation: Invocation,
  orgId: string,
  { people, faults }: People,
  choices: Choices,
  command: string[],
): Promise<void> {
  const client = await invocation.client();
  const { fresh, repeated } = distinct(people);
  const known = await findMembers(client, orgId, fresh);
  const wanted = fresh
    .filter(({ email }) => !known.has(keyOf(email)))
    .map((person) => ({
      ...person,
      role: person.role === undefined ? choices.role : person.role,
      sso: person.sso ?? choices.sso,
    }));
  const results: Result[] = [
    ...faults.map((fault) => ({ ...fault, outcome: 'refused' as const })),
    ...repeated.map(({ email, line }) => ({ email, ...lineOf(line), outcome: 'repeated' as const })),
    ...fresh.flatMap(({ email, line }) => {
      const member = known.get(keyOf(email));
      return member
        ? [{ email, role: member.role, sso: member.sso, ...lineOf(line), outcome: 'member already' as const }]
        : [];
    }),
  ];
  if (invocation.globals.dryRun) {
    for (const fault of faults) await invocation.io.note(faultText(fault));
    await printRequests(
      invocation,
      batchesOf(wanted).map((batch) => ({
        endpoint: invites.send,
        params: { orgId },
        query: {},
        body: bodyOf(batch),
      })),
    );
    return failOnFaults(faults.length, people.length + faults.length);
  }
  let failure: unknown;
  try {
    await sendAll(invocation, client, orgId, wanted, results);
  } catch (error) {
    failure = error;
    const done = new Set(results.map(({ email }) => keyOf(email)));
    for (const { email, role, sso, line } of wanted)
      if (!done.has(keyOf(email))) results.push({ email, role, sso, ...lineOf(line), outcome: 'not sent' });
  }
  await printResults(invocation, results, [...faults, ...people]);
  await explain(invocation, results, command, failure);
  if (failure !== undefined) throw failure;
  failOnFaults(results.filter(({ outcome }) => outcome === 'refused').length, results.length);
}

const lineOf = (line: number | undefined) => (line === undefined ? {} : { line });
const faultText = ({ email, reason, line }: Fault) =>
  `${line === undefined ? '' : `line ${line}: `}${email === '' ? '' : `${email}: `}${reason}`;

function failOnFaults(failed: number, all: number): void {
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

/** Who of these is a member already, by address. Looks each one up, or through all members, whichever takes fewer requests. */
export async function findMembers(
  client: Client,
  orgId: string,
  people: readonly { email: string }[],
): Promise<Map<string, Member>> {
  const found = new Map<string, Member>();
  const wanted = new Set(people.map(({ email }) => keyOf(email)));
  const take = (member: Member) => {
    const key = keyOf(member.user.email ?? '');
    if (wanted.has(key)) found.set(key, member);
    return wanted.has(key);
  };
  const params = { orgId };
  const { count } = await client.call(members.list, { params, query: { limit: 1 } });
  if (wanted.size > Math.ceil(count / 1000)) {
    for await (const member of client.items(members.list, { params })) take(member);
    return found;
  }
  const left = [...wanted];
  const look = async () => {
    for (let email = left.pop(); email !== undefined; email = left.pop()) {
      // An address may be part of others; the one that is meant ends the search.
      for await (const member of client.items(members.list, { params, query: { search: email } }))
        if (take(member) && found.has(email)) break;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, look));
  return found;
}

type Wanted = Person & { sso: boolean };

/** Those with SSO and those without, in their order, as many together as the service takes. */
function batchesOf(people: Wanted[]): Wanted[][] {
  return [false, true].flatMap((sso) => {
    const same = people.filter((person) => person.sso === sso);
    return Array.from({ length: Math.ceil(same.length / batchSize) }, (_, at) =>
      same.slice(at * batchSize, (at + 1) * batchSize),
    );
  });
}

const bodyOf = (batch: Wanted[]) => ({
  emails: batch.map(({ email, role }) => (role === undefined ? email : { email, role })),
  sso: batch[0]!.sso,
});

async function sendAll(
  invocation: Invocation,
  client: Client,
  orgId: string,
  wanted: Wanted[],
  results: Result[],
): Promise<void> {
  const progress = createProgress('Inviting', { lively: invocation.io.lively });
  try {
    let done = 0;
    for (const batch of batchesOf(wanted)) {
      results.push(
        ...(await sendBatch(client, orgId, batch).catch((error: unknown) => leftOpen(error, batch, results))),
      );
      done += batch.length;
      progress.count(done, wanted.length);
    }
  } finally {
    progress.stop();
  }
}

/** Nobody knows what became of a batch that was not answered. */
function leftOpen(error: unknown, batch: Wanted[], results: Result[]): never {
  if ((error as { status?: number }).status === undefined) {
    for (const { email, role, sso, line } of batch)
      results.push({
        email,
        role,
        sso,
        ...lineOf(line),
        outcome: 'not sent',
        reason: 'no answer; perhaps sent',
      });
  }
  throw error;
}

/** One batch. Addresses that the service finds fault with are told, and the others are sent without them. */
async function sendBatch(client: Client, orgId: string, batch: Wanted[]): Promise<Result[]> {
  try {
    const { failedSSOEmails } = await client.call(invites.send, { params: { orgId }, body: bodyOf(batch) });
    const failed = new Set(failedSSOEmails.map(keyOf));
    return batch.map(({ email, role, sso, line }) => ({
      email,
      role,
      sso,
      ...lineOf(line),
      ...(failed.has(keyOf(email))
        ? { outcome: 'refused' as const, reason: 'no SSO for its domain' }
        : { outcome: 'invited' as const }),
    }));
  } catch (error) {
    const faults = faultsOf(error, batch);
    if (faults.size === 0) throw error;
    const refused = batch.flatMap(({ email, role, sso, line }, at): Result[] => {
      const reason = faults.get(at);
      return reason === undefined ? [] : [{ email, role, sso, ...lineOf(line), outcome: 'refused', reason }];
    });
    const rest = batch.filter((_, at) => !faults.has(at));
    return rest.length === 0 ? refused : [...refused, ...(await sendBatch(client, orgId, rest))];
  }
}

/** What the service says about single addresses of a batch, by their place; nothing when something else is wrong too. */
function faultsOf(error: unknown, batch: Wanted[]): Map<number, string> {
  const { status, details = [] } = error as { status?: number; details?: { path: string; message: string }[] };
  const faults = new Map<number, string>();
  if (status !== 400) return faults;
  for (const { path, message } of details) {
    const at = /^\/emails\/(\d+)(\/|$)/.exec(path)?.[1];
    if (at === undefined || Number(at) >= batch.length) return new Map();
    faults.set(Number(at), message);
  }
  return faults;
}

/** In the order in which they were given. */
async function printResults(
  invocation: Invocation,
  results: Result[],
  given: readonly { email: string }[],
): Promise<void> {
  const places = new Map(given.map(({ email }, at) => [keyOf(email), at]));
  const place = ({ email, line }: Result) => line ?? places.get(keyOf(email)) ?? 0;
  const sorted = results.toSorted((a, b) => place(a) - place(b));
  const { io, command } = invocation;
  const output = createListOutput(outputOptions(invocation, { idKey: 'email' }), command.columns!, io.out);
  await output.page(sorted);
  await output.end();
}

/** The flags of a command that say where it works. */
const placeOf = (command: string[]) =>
  command.flatMap((word, at) => (['--org', '--profile'].includes(word) ? [word, command[at + 1]!] : []));

async function explain({ io }: Invocation, results: Result[], command: string[], failure: unknown): Promise<void> {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const told = (['invited', 'member already', 'repeated', 'refused', 'not sent'] as const)
    .filter((outcome) => count(outcome) > 0)
    .map((outcome) => `${count(outcome)} ${outcome}`);
  await io.note(`${told.join(', ')}.`);
  const withoutSso = results.filter(({ reason }) => reason === 'no SSO for its domain');
  if (withoutSso.length > 0) {
    await io.note(
      `With SSO only addresses of the organization's e-mail domains are invited. Add the domain with "docsctl orgs edit --email-domains", or invite them without SSO:\n  ${commandLine(['docsctl', 'invites', 'send', ...withoutSso.map(({ email }) => email), '--no-sso', ...placeOf(command)])}`,
    );
  }
  await io.note(
    failure === undefined
      ? `To repeat it (who is a member is left alone):\n  ${commandLine(command)}`
      : `Run it again for the rest; who is a member by then is left alone:\n  ${commandLine(command)}`,
  );
}
