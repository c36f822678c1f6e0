import { maxItems } from '../../contract/schema.ts';
import { teams } from '../../contract/teams.ts';
import { isObject } from '../../shared/is-object.ts';
import { type Inverse, type MadeChange, type Params, type Reader, type State, undoRequest } from './inverse.ts';

interface Membership {
  id: string;
  role: string;
}

/** The memberships of people, by the names that a request has for them: ids or addresses; null for those not in the team. */
async function membershipsOf({ client }: Reader, params: Params, names: readonly string[]): Promise<State> {
  const state: State = Object.fromEntries(names.map((name) => [name, null]));
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const teamParams = { orgId: params['orgId'] ?? '', teamId: params['teamId'] ?? '' };
  for await (const { organization, team } of client.items(teams.listMembers, { params: teamParams })) {
    const membership: Membership = { id: organization.id, role: team.role };
    for (const name of names)
      if (name === organization.id || name.toLowerCase() === organization.user.email?.toLowerCase())
        state[name] = membership;
    if (Object.values(state).filter((each) => each !== null).length === wanted.size) break;
  }
  return state;
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** Whom a change of a team names. */
function namesIn({ params, body }: Pick<MadeChange, 'params' | 'body'>): string[] {
  if (params['userId'] !== undefined) return [params['userId']];
  const roles = isObject(body['memberships']) ? Object.keys(body['memberships']) : [];
  return [...new Set([...textsIn(body['add']), ...roles, ...textsIn(body['remove'])])];
}

const isMembership = (value: unknown): value is Membership => isObject(value) && typeof value['id'] === 'string';

/** The memberships of a team are set back as they were. */
export const teamMembers: Inverse = {
  before: (reader, call) => membershipsOf(reader, call.params, namesIn(call)),
  now: (reader, change) => membershipsOf(reader, change.params, namesIn(change)),
  undo({ params, before = {}, after = {} }) {
    const { orgId = '', teamId = '' } = params;
    const roles: [string, { role: string }][] = [];
    const remove: string[] = [];
    for (const [name, membership] of Object.entries(before)) {
      if (JSON.stringify(membership) === JSON.stringify(after[name])) continue;
      if (isMembership(membership)) roles.push([membership.id, { role: membership.role }]);
      else remove.push(name);
    }
    const requests = [];
    for (let start = 0; start < Math.max(roles.length, remove.length); start += maxItems) {
      const some = roles.slice(start, start + maxItems);
      const others = remove.slice(start, start + maxItems);
      const body = {
        ...(some.length > 0 && { memberships: Object.fromEntries(some) }),
        ...(others.length > 0 && { remove: others }),
      };
      requests.push(undoRequest(teams.updateMembers, { orgId, teamId }, body));
    }
    return requests;
  },
};
