import type { RoleName } from '../../contract/access.ts';
import { members } from '../../contract/members.ts';
import { teams } from '../../contract/teams.ts';
import type { MemberRow, TeamFile } from '../files/schemas.ts';
import { noIds } from '../parts.ts';
import { type Change, changedFields, type FieldChange, type Step, step } from './change.ts';
import { Draft } from './draft.ts';
import { batchesOf, invite, type Invited, membershipStep } from './people.ts';

/** A person in a directory. The service keeps the value of undefined members. */
export interface DirectoryPerson {
  /** In lower case. */
  email: string;
  /** Null for a guest. */
  role?: RoleName | null | undefined;
  sso?: boolean | undefined;
  /** Names of teams. */
  teams?: readonly string[] | undefined;
}

interface SyncInput {
  orgId: string;
  people: readonly DirectoryPerson[];
  /** All members of the organization. */
  current: readonly MemberRow[];
  /** All teams by name. */
  teams: ReadonlyMap<string, TeamFile>;
  teamIds: ReadonlyMap<string, string>;
  memberIds: ReadonlyMap<string, string>;
  /** The titles of teams to create, by name. */
  newTeams: ReadonlyMap<string, string>;
  /** The role of new members without one. */
  defaultRole: RoleName | null;
  /** Whether members who are not in the directory are removed, and also leave the teams that it mentions. */
  removesMissing: boolean;
  /** People per request. */
  maxPeople: number;
}

export interface SyncPlan {
  changes: Change[];
  steps: Step[];
  /** Members who are not in the directory, and who are kept. */
  unnamed: Pick<Change, 'kind' | 'name'>[];
}

const file = 'the directory';

/** Plans the requests that give the people of a directory their roles and teams, with one change per person. */
export function planPeople(input: SyncInput): SyncPlan {
  const { orgId, people, current, memberIds, teamIds, removesMissing, maxPeople } = input;
  const draft = new Draft({ desired: {}, current: {}, orgId, ids: noIds(), memberIds, prune: removesMissing });
  for (const [name, title] of input.newTeams) {
    const makes = { [`team/${name}`]: 'id' };
    draft.add({ kind: 'team', name, action: 'create', fields: [{ field: 'title', after: title }], file }, [
      step(teams.create, { orgId }, { body: { title }, makes, phase: 'teams' }),
    ]);
  }
  const invited: Invited[] = [];
  const joining: Joining[] = [];
  const managed = new Set(removesMissing ? people.flatMap(({ teams: names = [] }) => names) : []);
  const missing = new Map(current.map((row) => [row.email, row]));
  for (const person of people) {
    planPerson(draft, input, person, { before: missing.get(person.email), managed, invited, joining });
    missing.delete(person.email);
  }
  if (removesMissing)
    for (const email of missing.keys())
      draft.add({ kind: 'member', name: email, action: 'delete', fields: [], file }, [
        step(members.remove, { orgId, userId: draft.memberId(email) }, { phase: 'deleteMembers' }),
      ]);
  invite(draft, invited, maxPeople);
  for (const [name, list] of Map.groupBy(joining, ({ team }) => team))
    for (const batch of batchesOf(list, maxPeople))
      draft.steps.push({
        ...membershipStep(draft, teamIds.get(name) ?? `{team/${name}}`, batch),
        changes: batch.map(({ index }) => index),
      });
  const { changes, steps } = draft.plan();
  const unnamed = removesMissing ? [] : [...missing.keys()].map((name) => ({ kind: 'member' as const, name }));
  return { changes, steps, unnamed };
}

/** A membership that changes; undefined after it ends. */
interface Joining {
  team: string;
  email: string;
  after: 'member' | undefined;
  /** The index of the change. */
  index: number;
}

interface PersonOptions {
  before: MemberRow | undefined;
  /** Teams that people leave if the directory does not list them there. */
  managed: ReadonlySet<string>;
  invited: Invited[];
  joining: Joining[];
}

function planPerson(
  draft: Draft,
  input: SyncInput,
  person: DirectoryPerson,
  { before, managed, invited, joining }: PersonOptions,
): void {
  const { orgId, defaultRole } = input;
  const { email, sso } = person;
  const role = person.role === undefined ? (before ? before.role : defaultRole) : person.role;
  const own = changedFields(before, { role, sso });
  const joined = teamChanges(input, person, managed);
  const fields = [...own, ...joined.map(({ team, ...change }): FieldChange => ({ field: `teams.${team}`, ...change }))];
  if (before && fields.length === 0) return;
  const params = { orgId, userId: draft.memberId(email) };
  const steps = (before ? own : []).map(({ field }) =>
    field === 'role'
      ? step(members.edit, params, { body: { role }, phase: 'members' })
      : step(members.markSso, params, { phase: 'members' }),
  );
  const index = draft.add({ kind: 'member', name: email, action: before ? 'update' : 'create', fields, file }, steps);
  if (!before) invited.push({ index, email, role, sso });
  for (const { team, after } of joined) joining.push({ team, email, after, index });
}

/** Members of a team keep their role in it. */
function teamChanges(
  { teams: current }: SyncInput,
  { email, teams: names }: DirectoryPerson,
  managed: ReadonlySet<string>,
): { team: string; before?: string; after: Joining['after'] }[] {
  if (names === undefined) return [];
  const roleIn = (name: string) => current.get(name)?.members?.[email];
  const joined = names.filter((name) => roleIn(name) === undefined);
  const left = [...managed].filter((name) => !names.includes(name) && roleIn(name) !== undefined);
  return [
    ...joined.map((team) => ({ team, after: 'member' as const })),
    ...left.map((team) => ({ team, before: roleIn(team), after: undefined })),
  ].toSorted((one, other) => (one.team < other.team ? -1 : 1));
}
