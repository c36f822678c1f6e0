import type { Call, Invocation } from '../../cli/command/command.ts';
import { visible } from '../../cli/output/index.ts';
import { refused } from '../../cli/program/failure.ts';
import type { Client } from '../../client/client.ts';
import { undefinedIfMissing } from '../../client/errors/http-error.ts';
import { members } from '../../contract/members.ts';
import { teams } from '../../contract/teams.ts';
import { eachOf } from '../../shared/each-of.ts';

interface Team {
  id: string;
  title: string;
}

const concurrency = 8;
/** From this number of people on, the members of all teams are read instead of the teams of each person. */
const maxPeople = 20;
const maxNamed = 5;

/** Refuses to remove people from the organization who are the last owners of teams. */
export const keepOwners = async (invocation: Invocation, calls: readonly Call[]): Promise<void> => {
  const [first] = calls;
  if (!first || invocation.values.allowOwnerless) return;
  const client = await invocation.client();
  const prepared = await preparedCalls(invocation, calls);
  const { orgId = '' } = prepared[0]?.params ?? {};
  const people = new Set(prepared.map(({ params }) => params['userId'] ?? ''));
  const candidates =
    people.size > maxPeople ? await allTeams(client, orgId) : await teamsOwnedBy(client, orgId, people);
  refuseOwnerless(await ownerlessAfter(client, orgId, candidates, { lost: people }));
};

/** People whom a request makes owners of a team, and people whom it removes or makes members, by ID or address. */
export interface OwnerChange {
  lost: Iterable<string>;
  gained?: Iterable<string>;
}

/** Refuses to leave teams without owners. @param changeOf what a request with IDs changes */
export const keepTeamOwners = async (
  invocation: Invocation,
  calls: readonly Call[],
  changeOf: (call: Pick<Call, 'params' | 'body'>) => OwnerChange,
): Promise<void> => {
  if (invocation.values.allowOwnerless) return;
  const client = await invocation.client();
  const changes = new Map<string, { lost: Set<string>; gained: Set<string>; params: Call['params'] }>();
  for (const { params, body } of await preparedCalls(invocation, calls)) {
    const { lost, gained = [] } = changeOf({ params, body });
    const key = params['teamId'] ?? '';
    const change = changes.get(key) ?? { lost: new Set(), gained: new Set(), params };
    changes.set(key, change);
    for (const person of lost) change.lost.add(person.toLowerCase());
    for (const person of gained) change.gained.add(person.toLowerCase());
  }
  const ownerless: Team[] = [];
  for (const [teamId, { lost, gained, params }] of changes) {
    const { orgId = '' } = params;
    if (lost.size === 0 || [...gained].some((person) => !lost.has(person))) continue;
    const team = await client.call(teams.view, { params: { orgId, teamId } }).catch(undefinedIfMissing);
    if (team) ownerless.push(...(await ownerlessAfter(client, orgId, [team], { lost })));
  }
  refuseOwnerless(ownerless);
};

/** The calls with IDs: a single object has the name that the user wrote until it is sent. */
async function preparedCalls(invocation: Invocation, calls: readonly Call[]): Promise<Call[]> {
  const names = await invocation.names();
  return Promise.all(
    calls.map(async (call) => {
      const { params, body } = call;
      return { ...call, ...(await names.prepare(call.endpoint, { params, body })) };
    }),
  );
}

/** @throws CommandError if there are such teams */
export function refuseOwnerless(ownerless: readonly Team[], hint = ownerHint): void {
  if (ownerless.length === 0) return;
  const named = ownerless.slice(0, maxNamed).map(({ id, title }) => `${visible(title)} (${id})`);
  const more = ownerless.length > maxNamed ? ` and ${ownerless.length - maxNamed} more` : '';
  throw refused(
    `${ownerless.length === 1 ? 'A team' : `${ownerless.length} teams`} would have no owner: ${named.join(', ')}${more}. Nothing was sent.`,
    hint,
  );
}

const ownerHint =
  'Make somebody else an owner ("docsctl teams members set <team> <user> --role owner"), or use --allow-ownerless.';

const allTeams = (client: Client, orgId: string): Promise<Team[]> =>
  Array.fromAsync(client.items(teams.list, { params: { orgId } }), ({ id, title }) => ({ id, title }));

async function teamsOwnedBy(client: Client, orgId: string, people: ReadonlySet<string>): Promise<Team[]> {
  const owned = new Map<string, Team>();
  const read = async (userId: string) => {
    try {
      for await (const { team, member } of client.items(members.teams, { params: { orgId, userId } }))
        if (member.role === 'owner') owned.set(team.id, team);
    } catch (error) {
      // The command itself reports people who are not members.
      undefinedIfMissing(error);
    }
  };
  await eachOf([...people], read, concurrency);
  return [...owned.values()];
}

/** The teams that have owners, all of whom lose this role. */
async function ownerlessAfter(
  client: Client,
  orgId: string,
  candidates: readonly Team[],
  { lost }: { lost: ReadonlySet<string> },
): Promise<Team[]> {
  const ownerless: Team[] = [];
  const check = async (team: Team) => {
    let leaves = false;
    for await (const { organization, team: place } of client.items(teams.listMembers, {
      params: { orgId, teamId: team.id },
    })) {
      if (place.role !== 'owner') continue;
      const { id, user } = organization;
      if (![id, id.toLowerCase(), user.email?.toLowerCase() ?? ''].some((name) => lost.has(name))) return;
      leaves = true;
    }
    if (leaves) ownerless.push(team);
  };
  await eachOf(candidates, check, concurrency);
  return ownerless;
}
