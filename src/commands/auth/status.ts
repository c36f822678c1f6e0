import { existsSync } from 'node:fs';
import type { Client } from '../../client/client.ts';
import { tokenInEnvironment, tokenVariable } from '../../cli/settings/token-sources.ts';
import { CommandError, failureOf, exit } from '../../cli/program/failure.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { onlyOrganization } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { withProgress } from '../../cli/command/invocation.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { profileNamed } from '../../cli/settings/config.ts';
import { embeddedFile } from '../../cli/settings/database-folder.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { members } from '../../contract/members.ts';
import { users } from '../../contract/users.ts';
import { tokenPlace } from '../shared/profile-address.ts';

const timeoutSeconds = 10;

/** The name of the service and token of the environment in the list of profiles. */
const environment = '(environment)';

type State = 'works' | 'refused' | 'unreachable' | 'no token' | 'token unreadable' | 'missing' | 'failed';

interface Status {
  profile: string;
  current: boolean;
  url: string;
  /** Where the token is stored: `keyring`, `file`, a variable, `not needed` or `none`. */
  token: string;
  state: State;
  user?: AnswerOf<typeof users.current>;
  /** The role in the profile's organization; null for a guest, undefined if unknown. */
  role?: string | null;
  problem?: string;
  /** The database on this machine that the address belongs to. */
  database?: string;
}

/** A profile to check, or the service and token of the environment. */
interface Subject {
  profile: string;
  current: boolean;
  url: string;
  org?: string | undefined;
  database?: string | undefined;
  place: string;
  token(): Promise<string | undefined>;
}

/** Lists all profiles. @throws CommandError if one does not work */
export async function status(invocation: Invocation): Promise<void> {
  const { io, session, globals } = invocation;
  const hasAddress = isAddressGiven(invocation);
  const { name, refusal } = hasAddress ? {} : await session.profileStatus();
  const subjects = await subjectsOf(invocation, name);
  const variable = tokenVariable(session.env);
  if (variable !== undefined && !hasAddress && globals.profile === undefined)
    await io.note(`${variable} is ignored, because it is sent only to DOCSCTL_URL or --url.`);
  const statuses = await withProgress(io, 'Checking the services', () =>
    Promise.all(subjects.map((subject) => check(invocation, subject))),
  );
  await printList(invocation, statuses);
  if (refusal) throw refusal;
  // With an address in the environment, no profile is in use.
  failUnlessWorking(hasAddress ? statuses.slice(0, 1) : statuses);
}

/** Whether the address comes from the environment or --url instead of a profile. */
const isAddressGiven = ({ session: { env }, globals: { profile, url } }: Invocation) =>
  profile === undefined && Boolean(env.DOCSCTL_URL || (url !== undefined && tokenVariable(env)));

async function subjectsOf(invocation: Invocation, inUse: string | undefined): Promise<Subject[]> {
  const { session, globals } = invocation;
  const { profiles } = session.config;
  if (globals.profile !== undefined) profileNamed(profiles, globals.profile, '--profile');
  const subjects = Object.entries(profiles)
    .filter(([name]) => globals.profile === undefined || name === globals.profile)
    .map(([profile, settings]): Subject => ({
      profile,
      current: profile === inUse,
      url: settings.url,
      org: settings.org,
      database: settings.database,
      place: tokenPlace(profile, settings),
      token: () => session.tokenOfProfile(profile),
    }));
  if (isAddressGiven(invocation)) {
    const { value: url, source } = await session.address();
    subjects.unshift({
      profile: environment,
      current: true,
      url,
      org: session.env.DOCSCTL_ORG || profiles[source]?.org,
      place: embeddedFile(url) === undefined ? (tokenVariable(session.env) ?? 'none') : 'not needed',
      token: async () => tokenInEnvironment(session.env),
    });
  }
  // Throws an error that explains how to get started.
  if (subjects.length === 0) await session.address();
  return subjects;
}

async function check({ session }: Invocation, subject: Subject): Promise<Status> {
  const { profile, current, url, place, database } = subject;
  const fields = { profile, current, url, token: place, ...(database !== undefined && { database }) };
  const file = embeddedFile(url);
  // Opening a missing file would create it.
  if (file !== undefined && file !== ':memory:' && !existsSync(file))
    return { ...fields, state: 'missing', problem: `There is no file ${file}.` };
  if (place === 'none') return { ...fields, state: 'no token', problem: `There is no token for ${url}.` };
  let client: Client | undefined;
  try {
    const token = file === undefined ? await subject.token() : undefined;
    client = await session.clientFor(url, token, { timeout: timeoutSeconds, retries: 0 });
    const user = await client.call(users.current, {});
    return { ...fields, state: 'works', user, ...(await roleOf(client, subject.org, user.id)) };
  } catch (error) {
    const { message } = failureOf(error);
    return { ...fields, state: stateOf(error), problem: message };
  } finally {
    await client?.close();
  }
}

/** The role in the profile's organization, or in the only organization of the user. */
async function roleOf(client: Client, org: string | undefined, user: string): Promise<Pick<Status, 'role'>> {
  try {
    const orgId = org ?? (await onlyOrganization(client));
    if (orgId === undefined) return {};
    const { role } = await client.call(members.view, { params: { orgId, userId: user } });
    return { role };
  } catch {
    // Guests get 403, and the default organization may no longer exist. The token works anyway.
    return {};
  }
}

function stateOf(error: unknown): State {
  const { exitCode, status } = failureOf(error);
  if (status === 401) return 'refused';
  // Nothing was sent: the token cannot be read from the keyring, or is not a valid header.
  if (exitCode === exit.unauthenticated) return 'token unreadable';
  return exitCode === exit.unreachable ? 'unreachable' : 'failed';
}

const exitCodes: Record<State, number> = {
  works: exit.done,
  refused: exit.unauthenticated,
  'no token': exit.unauthenticated,
  'token unreadable': exit.unauthenticated,
  unreachable: exit.unreachable,
  missing: exit.failed,
  failed: exit.failed,
};

/** @throws CommandError that lists the profiles that do not work, the current one first */
function failUnlessWorking(statuses: readonly Status[]): void {
  const broken = statuses
    .filter(({ state }) => state !== 'works')
    .toSorted((a, b) => Number(b.current) - Number(a.current));
  const [first] = broken;
  if (!first) return;
  const isDecisive = first.current || statuses.length === 1;
  throw new CommandError(broken.map(sentenceOn).join('\n'), {
    exitCode: isDecisive ? exitCodes[first.state] : exit.someFailed,
    hint: hintFor(first),
  });
}

const sentenceOn = ({ profile, problem = '' }: Status) =>
  profile === environment ? problem : `Profile "${profile}": ${problem}`;

function hintFor({ state, profile, url, database }: Status): string {
  const target = profile === environment ? '' : ` --profile ${profile}`;
  const file = database ?? embeddedFile(url);
  if (state === 'unreachable' && database !== undefined)
    return `Start it with: ${shellCommand(['docsctl', 'serve', '--db', database])}`;
  if (state === 'unreachable') return 'Check the address and your connection.';
  if (state === 'missing' && file !== undefined) {
    const init = shellCommand(['docsctl', 'init', '--db', file]) + target;
    return `Create it with "${init}", or delete the profile with "docsctl profiles delete".`;
  }
  return `Sign in with "docsctl auth login${target}".`;
}
