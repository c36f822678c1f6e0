import type { RoleName } from '../../contract/access.ts';
import { fields as customFields } from '../../contract/custom-fields.ts';
import { invites } from '../../contract/invites.ts';
import { members } from '../../contract/members.ts';
import { orgs } from '../../contract/orgs.ts';
import { maxItems } from '../../contract/schema.ts';
import { sso } from '../../contract/sso.ts';
import { teams } from '../../contract/teams.ts';
import type { MemberRow, TeamFile } from '../files/schemas.ts';
import { kinds } from '../parts.ts';
import { bodyOf, changedFields, type FieldChange, isEmpty, type NewStep, step } from './change.ts';
import type { Draft } from './draft.ts';

const settings = ['title', 'hostname', 'defaultRole', 'logo', 'sso', 'ai', 'inviteLinks'];

/** organization.yaml, without its custom fields. */
export function planSettings(draft: Draft): void {
  const { desired, current, orgId } = draft.input;
  if (!desired.organization) return;
  const { customFields: _, ...after } = desired.organization;
  const fields = changedFields(current.organization ?? {}, after);
  if (fields.length === 0) return;
  const site = fields.find(({ field }) => field === 'defaultSite');
  const domains = bodyOf(fields, ['emailDomains']);
  const others = {
    ...bodyOf(fields, settings),
    ...(site && {
      defaultContent:
        typeof site.after === 'string' ? { type: 'site' as const, site: draft.idOf('sites', site.after) } : null,
    }),
  };
  draft.add({ kind: 'organization', name: after.title ?? '', action: 'update', fields }, [
    ...(isEmpty(domains) ? [] : [step(orgs.edit, { orgId }, { body: domains, phase: 'emailDomains' })]),
    ...(isEmpty(others) ? [] : [step(orgs.edit, { orgId }, { body: others, phase: 'settings' })]),
  ]);
}

export function planFields(draft: Draft): void {
  const { desired, orgId } = draft.input;
  const kind = 'custom field';
  draft.each(
    kinds[kind].objects,
    (name, field, before) => {
      const fields = changedFields(before, field);
      if (fields.length === 0) return;
      const params = { orgId, fieldName: name };
      if (!before) {
        const create = step(customFields.create, { orgId }, { body: field, phase: 'fields' });
        draft.add({ kind, name, fields, action: 'create' }, [create]);
      } else if (field.type === before.type) {
        const body = bodyOf(fields, ['title', 'description', 'placeholder', 'options']);
        draft.add({ kind, name, fields, action: 'update' }, [
          step(customFields.edit, params, { body, phase: 'fields' }),
        ]);
      } else {
        const at = ['customFields', desired.organization?.customFields?.indexOf(field) ?? 0, 'type'];
        draft.refuse('organization.yaml', at, `the type of a custom field cannot be changed; it is ${before.type}`);
      }
    },
    (name) => {
      draft.remove({ kind, name }, step(customFields.delete, { orgId, fieldName: name }, { phase: 'deleteFields' }));
    },
  );
}

/** People per request. */
const maxInvited = 100;

export function planMembers(draft: Draft): void {
  const invited: Invited[] = [];
  draft.each(
    kinds.member.objects,
    (email, row, before) => {
      if (before) return planMember(draft, row, before);
      const fields = changedFields(undefined, { role: row.role, sso: row.sso });
      invited.push({ ...row, index: draft.add({ kind: 'member', name: email, action: 'create', fields }, []) });
    },
    (email, { role }) => {
      const params = { orgId: draft.input.orgId, userId: draft.memberId(email) };
      draft.remove(
        { kind: 'member', name: email, fields: [{ field: 'role', before: role }] },
        step(members.remove, params, { phase: 'deleteMembers' }),
      );
    },
  );
  invite(draft, invited, maxInvited);
}

export interface Invited {
  email: string;
  role: RoleName | null;
  sso?: boolean | undefined;
  /** The index of the change. */
  index: number;
}

/** Invites people, with a request for at most `max` of them. */
export function invite(draft: Draft, invited: readonly Invited[], max: number): void {
  for (const [isSso, people] of Map.groupBy(invited, (person) => person.sso ?? false))
    for (const batch of batchesOf(people, max)) {
      const emails = batch.map(({ email, role }) => ({ email, role }));
      draft.steps.push({
        ...step(invites.send, { orgId: draft.input.orgId }, { body: { emails, sso: isSso }, phase: 'members' }),
        changes: batch.map(({ index }) => index),
      });
    }
}

export const batchesOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

function planMember(draft: Draft, row: MemberRow, before: MemberRow): void {
  const { email, role } = row;
  const fields = changedFields(before, { role, sso: row.sso });
  if (fields.length === 0) return;
  const params = { orgId: draft.input.orgId, userId: draft.memberId(email) };
  const steps = fields.flatMap(({ field, after }) => {
    if (field === 'role') return [step(members.edit, params, { body: { role }, phase: 'members' })];
    if (after === true) return [step(members.markSso, params, { phase: 'members' })];
    const { places } = draft.input;
    const place = { file: 'members.csv', line: places.memberLines.get(email) };
    draft.problems.push(places.problem(place, 'the service cannot mark a member as signing in without SSO'));
    return [];
  });
  draft.add({ kind: 'member', name: email, action: 'update', fields }, steps);
}

export function planTeams(draft: Draft): void {
  const { orgId } = draft.input;
  draft.each(
    kinds.team.objects,
    (name, team, before) => planTeam(draft, name, team, before),
    (name) => {
      const params = { orgId, teamId: draft.idOf('teams', name) };
      draft.remove({ kind: 'team', name }, step(teams.delete, params, { phase: 'deleteTeams' }));
    },
  );
}

function planTeam(draft: Draft, name: string, { title, members: after }: TeamFile, before: TeamFile | undefined): void {
  const { orgId } = draft.input;
  const roles = changedRoles(before?.members ?? {}, after);
  const titles = changedFields(before && { title: before.title }, { title });
  if (titles.length + roles.length === 0) return;
  const teamId = draft.idOf('teams', name);
  const steps: NewStep[] = [];
  if (!before)
    steps.push(step(teams.create, { orgId }, { body: { title }, makes: { [`team/${name}`]: 'id' }, phase: 'teams' }));
  else if (titles.length > 0) steps.push(step(teams.edit, { orgId, teamId }, { body: { title }, phase: 'teams' }));
  for (const batch of batchesOf(roles, maxItems)) steps.push(membershipStep(draft, teamId, batch));
  const fields = [
    ...titles,
    ...roles.map(({ email, ...change }): FieldChange => ({ field: `members.${email}`, ...change })),
  ];
  draft.add({ kind: 'team', name, fields, action: before ? 'update' : 'create' }, steps);
}

interface RoleChange {
  email: string;
  /** Undefined for people who are not in the team. */
  before?: string | undefined;
  after?: 'owner' | 'member' | undefined;
}

function changedRoles(before: Record<string, string>, after: TeamFile['members']): RoleChange[] {
  if (!after) return [];
  const desired = new Map(Object.entries(after).map(([email, role]) => [email.toLowerCase(), role]));
  const emails = [...new Set([...Object.keys(before), ...desired.keys()])].toSorted();
  return emails
    .map((email) => ({ email, before: before[email], after: desired.get(email) }))
    .filter((role) => role.before !== role.after);
}

/** The request that sets and removes memberships of a team. */
export function membershipStep(draft: Draft, teamId: string, roles: readonly RoleChange[]): NewStep {
  const memberships = roles.flatMap(({ email, after: role }) =>
    role === undefined ? [] : [[draft.memberId(email), { role }] as const],
  );
  const remove = roles.flatMap(({ email, after }) => (after === undefined ? [draft.memberId(email)] : []));
  const body = {
    ...(memberships.length > 0 && { memberships: Object.fromEntries(memberships) }),
    ...(remove.length > 0 && { remove }),
  };
  return step(teams.updateMembers, { orgId: draft.input.orgId, teamId }, { body, phase: 'teamMembers' });
}

export function planProviders(draft: Draft): void {
  const { orgId } = draft.input;
  draft.each(
    kinds['SSO provider'].objects,
    (name, provider, before) => {
      const fields = changedFields(before, provider);
      if (fields.length === 0) return;
      if (before?.defaultTeam != null && provider.defaultTeam === null)
        draft.refuse(`sso/${name}.yaml`, ['defaultTeam'], 'the service cannot remove the default team');
      const { defaultTeam: team, label, ...others } = provider;
      const changed = new Set(fields.map(({ field }) => field));
      const body = {
        ...Object.fromEntries(Object.entries(others).filter(([field]) => !before || changed.has(field))),
        label,
        ...(typeof team === 'string' && changed.has('defaultTeam') && { defaultTeam: draft.idOf('teams', team) }),
      };
      const params = { orgId, samlProviderId: draft.idOf('sso', name) };
      draft.add({ kind: 'SSO provider', name, action: before ? 'update' : 'create', fields }, [
        before
          ? step(sso.editProvider, params, { body, phase: 'providers' })
          : step(sso.createProvider, { orgId }, { body, makes: { [`provider/${name}`]: 'id' }, phase: 'providers' }),
      ]);
    },
    (name) => {
      const params = { orgId, samlProviderId: draft.idOf('sso', name) };
      draft.remove({ kind: 'SSO provider', name }, step(sso.deleteProvider, params, { phase: 'deleteProviders' }));
    },
  );
}
