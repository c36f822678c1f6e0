import type { Call, Invocation } from '../../cli/command/command.ts';
import { visible } from '../../cli/output/index.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
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
  const { orgId = '' } = first.params;
  const client = await invocation.client();
  const people = new Set(calls.map(({ params }) => params['userId'] ?? ''));
  const candidates =
    people.size > maxPeople ? await allTeams(client, orgId) : await teamsOwnedBy(client, orgId, people);
  refuseOwnerless(await ownerlessWithout(client, orgId, candidates, people));
};

/** Refuses to remove the last owners of a team from it. */
export const keepTeamOwners = async (invocation: Invocation, calls: readonly Call[]): Promise<void> => {
  const [first] = calls;
  if (!first || invocation.values.allowOwnerless) return;
  const { orgId = '', teamId = '' } = first.params;
  const client = await invocation.client();
  const team = await client.call(teams.view, { params: { orgId, teamId } }).catch(undefinedIfMissing);
  const people = new Set(calls.map(({ params }) => params['userId'] ?? ''));
  if (team) refuseOwnerless(await ownerlessWithout(client, orgId, [team], people));
};

/** @throws CommandError if there are such teams */
export function refuseOwnerless(ownerless: readonly Team[], hint = ownerHint): void {
  if (ownerless.length === 0) return;
  const named = ownerless.slice(0, maxNamed).map(({ id, title }) => `${visible(title)} (${id})`);
  const more = ownerless.length > maxNamed ? ` and ${ownerless.length - maxNamed} more` : '';
  throw new CommandError(
    `${ownerless.length === 1 ? 'A team' : `${ownerless.length} teams`} would have no owner: ${named.join(', ')}${more}. Nothing was sent.`,
    { exitCode: exit.refused, hint },
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

/** The teams whose owners are all among these people. */
async function ownerlessWithout(
  client: Client,
  orgId: string,
  candidates: readonly Team[],
  people: ReadonlySet<string>,
): Promise<Team[]> {
  const ownerless: Team[] = [];
  const check = async (team: Team) => {
    let leaves = false;
    for await (const { organization, team: place } of client.items(teams.listMembers, {
      params: { orgId, teamId: team.id },
    })) {
      if (place.role !== 'owner') continue;
      if (!people.has(organization.id)) return;
      leaves = true;
    }
    if (leaves) ownerless.push(team);
  };
  await eachOf(candidates, check, concurrency);
  return ownerless;
}
