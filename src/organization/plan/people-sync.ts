import type { RoleName } from '../../contract/access.ts';
import { invites } from '../../contract/invites.ts';
import { members } from '../../contract/members.ts';
import { teams } from '../../contract/teams.ts';
import type { MemberRow, TeamFile } from '../files/schemas.ts';
import { type Change, changedFields, type FieldChange, type NewStep, type Step, step } from './change.ts';

/** Somebody as a directory has them. What is undefined stays as it is. */
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
  /** The titles of teams that are made, by name. */
  newTeams: ReadonlyMap<string, string>;
  /** The role of new members without one. */
  defaultRole: RoleName | null;
  /** Whether members whom the directory does not have are removed, and taken out of the teams that it names. */
  removesMissing: boolean;
  /** How many people one request is about. */
  maxPeople: number;
}

export interface SyncPlan {
  changes: Change[];
  steps: Step[];
  /** Members whom the directory does not have, and who are kept. */
  unnamed: Pick<Change, 'kind' | 'name'>[];
}

const file = 'the directory';

/** What it takes to give the people of a directory their roles and teams. There is one change for each person. */
export function planPeople(input: SyncInput): SyncPlan {
  return new PeoplePlan(input).made();
}

class PeoplePlan {
  readonly #input: SyncInput;
  readonly #changes: Change[] = [];
  readonly #steps: Step[] = [];
  readonly #unnamed: SyncPlan['unnamed'] = [];
  readonly #invited: { index: number; email: string; role: RoleName | null; sso: boolean }[] = [];
  /** The memberships that change, by team; null for those that end. */
  readonly #memberships = new Map<string, { index: number; email: string; role: 'member' | null }[]>();
  readonly #managed: ReadonlySet<string>;

  constructor(input: SyncInput) {
    this.#input = input;
    this.#managed = new Set(input.people.flatMap(({ teams: names = [] }) => names));
  }

  made(): SyncPlan {
    const { people, current } = this.#input;
    this.#addTeams();
    const present = new Map(current.map((row) => [row.email, row]));
    for (const person of people) {
      this.#person(person, present.get(person.email));
      present.delete(person.email);
    }
    for (const row of present.values()) this.#missing(row);
    this.#invite();
    this.#join();
    const steps = this.#steps.toSorted((one, other) => one.phase - other.phase);
    return { changes: this.#changes, steps, unnamed: this.#unnamed };
  }

  #addTeams(): void {
    const { orgId, newTeams } = this.#input;
    for (const [name, title] of newTeams) {
      const fields: FieldChange[] = [{ field: 'title', after: title }];
      const makes = { [`team/${name}`]: 'id' };
      this.#add({ kind: 'team', name, action: 'create', fields, file }, [
        step(teams.create, { orgId }, { body: { title }, makes, phase: 'teams' }),
      ]);
    }
  }

  #person(person: DirectoryPerson, before: MemberRow | undefined): void {
    const { orgId, defaultRole } = this.#input;
    const { email, sso } = person;
    const role = person.role === undefined ? (before ? before.role : defaultRole) : person.role;
    const own = changedFields(before && { role: before.role, sso: before.sso }, { role, sso });
    const joined = this.#teamChanges(person);
    const fields = [...own, ...joined];
    if (before && fields.length === 0) return;
    const params = { orgId, userId: this.#memberId(email) };
    const steps = before
      ? own.map(({ field }) =>
          field === 'role'
            ? step(members.edit, params, { body: { role }, phase: 'members' })
            : step(members.markSso, params, { phase: 'members' }),
        )
      : [];
    const index = this.#add({ kind: 'member', name: email, action: before ? 'update' : 'create', fields, file }, steps);
    if (!before) this.#invited.push({ index, email, role, sso: sso ?? false });
    for (const { field, after } of joined)
      this.#setMembership(field.slice('teams.'.length), { index, email, role: after === undefined ? null : 'member' });
  }

  /** Who is in a team already keeps the role there. */
  #teamChanges({ email, teams: names }: DirectoryPerson): FieldChange[] {
    if (names === undefined) return [];
    const roleIn = (name: string) => this.#input.teams.get(name)?.members?.[email];
    const joined = names.filter((name) => roleIn(name) === undefined);
    const left = this.#input.removesMissing
      ? [...this.#managed].filter((name) => !names.includes(name) && roleIn(name) !== undefined)
      : [];
    return [
      ...joined.map((name): FieldChange => ({ field: `teams.${name}`, after: 'member' })),
      ...left.map((name): FieldChange => ({ field: `teams.${name}`, before: roleIn(name) })),
    ].toSorted((one, other) => (one.field < other.field ? -1 : 1));
  }

  #missing({ email }: MemberRow): void {
    const { orgId, removesMissing } = this.#input;
    if (!removesMissing) return void this.#unnamed.push({ kind: 'member', name: email });
    const params = { orgId, userId: this.#memberId(email) };
    this.#add({ kind: 'member', name: email, action: 'delete', fields: [], file }, [
      step(members.remove, params, { phase: 'deleteMembers' }),
    ]);
  }

  #invite(): void {
    const { orgId } = this.#input;
    for (const [sso, people] of Map.groupBy(this.#invited, (person) => person.sso))
      for (const batch of this.#batches(people)) {
        const emails = batch.map(({ email, role }) => ({ email, role }));
        this.#addShared(step(invites.send, { orgId }, { body: { emails, sso }, phase: 'members' }), batch);
      }
  }

  #join(): void {
    const { orgId, teamIds } = this.#input;
    for (const [name, list] of this.#memberships) {
      const params = { orgId, teamId: teamIds.get(name) ?? `{team/${name}}` };
      for (const batch of this.#batches(list)) {
        const joined = batch.filter(({ role }) => role !== null);
        const left = batch.filter(({ role }) => role === null).map(({ email }) => this.#memberId(email));
        const memberships = Object.fromEntries(
          joined.map(({ email }) => [this.#memberId(email), { role: 'member' as const }]),
        );
        const body = { ...(joined.length > 0 && { memberships }), ...(left.length > 0 && { remove: left }) };
        this.#addShared(step(teams.updateMembers, params, { body, phase: 'teamMembers' }), batch);
      }
    }
  }

  #batches<Item>(items: readonly Item[]): Item[][] {
    const { maxPeople } = this.#input;
    return Array.from({ length: Math.ceil(items.length / maxPeople) }, (_, index) =>
      items.slice(index * maxPeople, (index + 1) * maxPeople),
    );
  }

  #setMembership(team: string, membership: { index: number; email: string; role: 'member' | null }): void {
    const list = this.#memberships.get(team) ?? [];
    this.#memberships.set(team, list);
    list.push(membership);
  }

  #add(change: Change, steps: readonly NewStep[]): number {
    const index = this.#changes.push(change) - 1;
    for (const each of steps) this.#steps.push({ ...each, changes: [index] });
    return index;
  }

  #addShared(shared: NewStep, people: readonly { index: number }[]): void {
    this.#steps.push({ ...shared, changes: people.map(({ index }) => index) });
  }

  #memberId(email: string): string {
    return this.#input.memberIds.get(email) ?? `{member/${email}}`;
  }
}
