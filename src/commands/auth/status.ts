import { existsSync } from 'node:fs';
import type { Client } from '../../client/client.ts';
import { placeOfToken, readToken } from '../../cli/settings/credentials.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, failureOf } from '../../cli/program/failure.ts';
import { type Invocation, outputOptions } from '../../cli/command/invocation.ts';
import { createListOutput, createProgress } from '../../cli/output/index.ts';
import { profileNamed } from '../../cli/settings/profile.ts';
import { embeddedFile } from '../../cli/settings/session.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { members } from '../../contract/members.ts';
import { orgs } from '../../contract/orgs.ts';
import { users } from '../../contract/users.ts';

const patienceSeconds = 10;

type State = 'works' | 'refused' | 'unreachable' | 'no token' | 'missing' | 'failed';

interface Status {
  profile: string;
  current: boolean;
  url: string;
  /** Where the token lies: `keyring`, `file`, a variable, or that none is needed or there. */
  token: string;
  state: State;
  user?: AnswerOf<typeof users.current>;
  /** In the profile's organization; null for a guest, absent where it cannot be told. */
  role?: string | null;
  problem?: string;
}

/** What is to be asked: a profile, or what the environment says. */
interface Subject {
  profile: string;
  current: boolean;
  url: string;
  org?: string | undefined;
  place: string;
  token(): Promise<string | undefined>;
}

/** Shows all profiles. @throws CommandError where the one in use does not work */
export async function status(invocation: Invocation): Promise<void> {
  const { io, command, session, globals } = invocation;
  const hasAddress = isAddressGiven(invocation);
  const { name, refusal } = hasAddress ? {} : await session.profileStatus();
  const subjects = await subjectsOf(invocation, name);
  if (session.env.DOCSCTL_TOKEN && !hasAddress && globals.profile === undefined)
    await io.note('DOCSCTL_TOKEN is not used: it is sent only to DOCSCTL_URL or --url.');
  const progress = createProgress('Asking the services', { animated: io.canAnimate });
  const statuses = await Promise.all(subjects.map((subject) => ask(invocation, subject))).finally(() =>
    progress.stop(),
  );
  const output = createListOutput(outputOptions(invocation, { idKey: 'profile' }), command.output!.columns!, io.out);
  await output.page(statuses);
  await output.end();
  if (refusal) throw refusal;
  const inUse = statuses.find(({ current }) => current) ?? (statuses.length === 1 ? statuses[0] : undefined);
  if (inUse) failUnlessWorking(inUse);
}

/** Whether the address is not that of a profile. */
const isAddressGiven = ({ session: { env }, globals: { profile, url } }: Invocation) =>
  profile === undefined && Boolean(env.DOCSCTL_URL || (url !== undefined && env.DOCSCTL_TOKEN));

async function subjectsOf(invocation: Invocation, inUse: string | undefined): Promise<Subject[]> {
  const { session, globals } = invocation;
  const { profiles } = session.config;
  if (globals.profile !== undefined) profileNamed(profiles, globals.profile, '--profile');
  const known = Object.entries(profiles)
    .filter(([name]) => globals.profile === undefined || name === globals.profile)
    .map(([profile, { url, org }]): Subject => ({
      profile,
      current: profile === inUse,
      url,
      org,
      place: embeddedFile(url) === undefined ? (placeOfToken(profile) ?? 'none') : 'not needed',
      token: () => readToken(profile),
    }));
  if (isAddressGiven(invocation)) {
    const { value: url, source } = await session.address();
    known.unshift({
      profile: '(environment)',
      current: true,
      url,
      org: session.env.DOCSCTL_ORG || profiles[source]?.org,
      place: embeddedFile(url) === undefined ? (session.env.DOCSCTL_TOKEN ? 'DOCSCTL_TOKEN' : 'none') : 'not needed',
      token: async () => session.env.DOCSCTL_TOKEN?.trim(),
    });
  }
  // Says what is missing.
  if (known.length === 0) await session.address();
  return known;
}

async function ask({ session }: Invocation, subject: Subject): Promise<Status> {
  const { profile, current, url, place } = subject;
  const told = { profile, current, url, token: place };
  const file = embeddedFile(url);
  // Opening it would make it.
  if (file !== undefined && file !== ':memory:' && !existsSync(file))
    return { ...told, state: 'missing', problem: `There is no file ${file}.` };
  if (place === 'none') return { ...told, state: 'no token' };
  let client: Client | undefined;
  try {
    const token = file === undefined ? await subject.token() : undefined;
    client = await session.clientFor(url, token, { timeout: patienceSeconds, retries: 0 });
    const user = await client.call(users.current, {});
    return { ...told, state: 'works', user, ...(await roleOf(client, subject.org, user.id)) };
  } catch (error) {
    const { message } = failureOf(error);
    return { ...told, state: stateOf(error), problem: message };
  } finally {
    await client?.close();
  }
}

/** The role in the profile's organization, or in the only one there is. */
async function roleOf(client: Client, org: string | undefined, user: string): Promise<Pick<Status, 'role'>> {
  try {
    const orgId = org ?? (await onlyOrganization(client));
    if (orgId === undefined) return {};
    const { role } = await client.call(members.view, { params: { orgId, userId: user } });
    return { role };
  } catch {
    // Guests may not look members up, and the default may be gone: neither says anything about the token.
    return {};
  }
}

async function onlyOrganization(client: Client): Promise<string | undefined> {
  const { items, count } = await client.call(orgs.list, { query: { limit: 1 } });
  return count === 1 ? items[0]!.id : undefined;
}

function stateOf(error: unknown): State {
  const { exitCode } = failureOf(error);
  if (exitCode === exit.unauthenticated) return 'refused';
  return exitCode === exit.unreachable ? 'unreachable' : 'failed';
}

function failUnlessWorking({ state, profile, url, problem }: Status): void {
  if (state === 'works') return;
  const what = problem ?? `There is no token for ${url}.`;
  throw new CommandError(profile === '(environment)' ? what : `Profile "${profile}": ${what}`, {
    exitCode:
      state === 'unreachable'
        ? exit.unreachable
        : state === 'refused' || state === 'no token'
          ? exit.unauthenticated
          : exit.failed,
    hint:
      state === 'unreachable'
        ? 'Check the address and your connection.'
        : state === 'missing'
          ? 'Make it with "docsctl init", or delete the profile.'
          : `Sign in with "docsctl auth login${profile === '(environment)' ? '' : ` --profile ${profile}`}".`,
  });
}
