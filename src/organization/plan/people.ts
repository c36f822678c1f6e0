import { fields as customFields } from '../../contract/custom-fields.ts';
import { invites } from '../../contract/invites.ts';
import { members } from '../../contract/members.ts';
import { orgs } from '../../contract/orgs.ts';
import { maxItems } from '../../contract/schema.ts';
import { sso } from '../../contract/sso.ts';
import { teams } from '../../contract/teams.ts';
import type { MemberRow, TeamFile } from '../files/schemas.ts';
import { bodyOf, changedFields, type FieldChange, type NewStep, step } from './change.ts';
import type { Draft } from './draft.ts';

const settings = ['title', 'hostname', 'defaultRole', 'logo', 'sso', 'ai', 'inviteLinks'];

/** organization.yaml, without its custom fields. */
export function planSettings(draft: Draft): void {
  const { desired, current, orgId } = draft.input;
  if (!desired.organization) return;
  const { customFields: _, ...wanted } = desired.organization;
  const fields = changedFields({ ...current.organization }, wanted);
  if (fields.length === 0) return;
  const site = fields.find(({ field }) => field === 'defaultSite');
  const defaultContent =
    site === undefined
      ? {}
      : {
          defaultContent:
            typeof site.after === 'string' ? { type: 'site' as const, site: draft.idOf('sites', site.after) } : null,
        };
  const domains = bodyOf(fields, ['emailDomains']);
  const others = { ...bodyOf(fields, settings), ...defaultContent };
  const isSet = (body: object) => Object.keys(body).length > 0;
  draft.add({ kind: 'organization', name: wanted.title ?? '', action: 'update', fields, file: 'organization.yaml' }, [
    ...(isSet(domains) ? [step(orgs.edit, { orgId }, { body: domains, phase: 'emailDomains' })] : []),
    ...(isSet(others) ? [step(orgs.edit, { orgId }, { body: others, phase: 'settings' })] : []),
  ]);
}

export function planFields(draft: Draft): void {
  const { desired, current, orgId } = draft.input;
  const wanted = desired.organization?.customFields;
  if (!wanted) return;
  const file = 'organization.yaml';
  const present = new Map((current.organization?.customFields ?? []).map((field) => [field.name, field]));
  for (const [index, field] of wanted.entries()) {
    const before = present.get(field.name);
    present.delete(field.name);
    const fields = changedFields(before, field);
    if (fields.length === 0) continue;
    const base = { kind: 'custom field', name: field.name, fields, file } as const;
    if (!before) {
      draft.add({ ...base, action: 'create' }, [
        step(customFields.create, { orgId }, { body: field, phase: 'fields' }),
      ]);
    } else if (field.type !== before.type) {
      draft.refuse(
        file,
        ['customFields', index, 'type'],
        `the type of a custom field cannot be changed; it is ${before.type}`,
      );
    } else {
      const body = bodyOf(fields, ['title', 'description', 'placeholder', 'options']);
      const params = { orgId, fieldName: field.name };
      draft.add({ ...base, action: 'update' }, [step(customFields.edit, params, { body, phase: 'fields' })]);
    }
  }
  for (const name of present.keys())
    draft.remove(
      { kind: 'custom field', name, file },
      step(customFields.delete, { orgId, fieldName: name }, { phase: 'deleteFields' }),
    );
}

/** People of one request. */
const maxInvited = 100;

export function planMembers(draft: Draft): void {
  const { desired, current, orgId } = draft.input;
  if (!desired.members) return;
  const file = 'members.csv';
  const present = new Map((current.members ?? []).map((row) => [row.email, row]));
  const invited: { row: MemberRow; index: number }[] = [];
  for (const { teams: _, ...row } of desired.members) {
    const before = present.get(row.email);
    present.delete(row.email);
    if (!before) {
      const fields = changedFields(undefined, { role: row.role, sso: row.sso });
      draft.add({ kind: 'member', name: row.email, action: 'create', fields, file }, []);
      invited.push({ row, index: draft.changes.length - 1 });
      continue;
    }
    planMember(draft, row, before);
  }
  for (const [isSso, rows] of Map.groupBy(invited, ({ row }) => row.sso ?? false)) {
    for (let start = 0; start < rows.length; start += maxInvited) {
      const batch = rows.slice(start, start + maxInvited);
      const emails = batch.map(({ row: { email, role } }) => ({ email, role }));
      draft.steps.push({
        ...step(invites.send, { orgId }, { body: { emails, sso: isSso }, phase: 'members' }),
        changes: batch.map(({ index }) => index),
      });
    }
  }
  for (const [email, { role }] of present)
    draft.remove(
      { kind: 'member', name: email, file, fields: [{ field: 'role', before: role }] },
      step(members.remove, { orgId, userId: draft.memberId(email) }, { phase: 'deleteMembers' }),
    );
}

function planMember(draft: Draft, row: MemberRow, before: MemberRow): void {
  const { orgId } = draft.input;
  const fields = changedFields({ role: before.role, sso: before.sso }, { role: row.role, sso: row.sso });
  if (fields.length === 0) return;
  const params = { orgId, userId: draft.memberId(row.email) };
  const steps = fields.flatMap(({ field, after }) => {
    if (field === 'role') return [step(members.edit, params, { body: { role: row.role }, phase: 'members' })];
    if (after === true) return [step(members.markSso, params, { phase: 'members' })];
    draft.refuseMember(row.email, 'the service cannot mark a member as signing in without SSO');
    return [];
  });
  draft.add({ kind: 'member', name: row.email, action: 'update', fields, file: 'members.csv' }, steps);
}

export function planTeams(draft: Draft): void {
  const { desired, current, orgId } = draft.input;
  if (!desired.teams) return;
  const present = new Map(current.teams);
  for (const [name, team] of desired.teams) {
    const before = present.get(name);
    present.delete(name);
    planTeam(draft, name, team, before);
  }
  for (const name of present.keys())
    draft.remove(
      { kind: 'team', name, file: `teams/${name}.yaml` },
      step(teams.delete, { orgId, teamId: draft.idOf('teams', name) }, { phase: 'deleteTeams' }),
    );
}

function planTeam(draft: Draft, name: string, team: TeamFile, before: TeamFile | undefined): void {
  const { orgId } = draft.input;
  const roles = changedRoles(before?.members ?? {}, team.members);
  const fields = [...changedFields(before && { title: before.title }, { title: team.title }), ...roles];
  if (fields.length === 0) return;
  const teamId = draft.idOf('teams', name);
  const base = { kind: 'team', name, fields, file: `teams/${name}.yaml` } as const;
  const body = { title: team.title };
  const steps: NewStep[] = [];
  if (!before) steps.push(step(teams.create, { orgId }, { body, makes: { [`team/${name}`]: 'id' }, phase: 'teams' }));
  else if (fields.some(({ field }) => field === 'title'))
    steps.push(step(teams.edit, { orgId, teamId }, { body, phase: 'teams' }));
  for (let start = 0; start < roles.length; start += maxItems) {
    const memberships = membershipBody(draft, roles.slice(start, start + maxItems));
    steps.push(step(teams.updateMembers, { orgId, teamId }, { body: memberships, phase: 'teamMembers' }));
  }
  draft.add({ ...base, action: before ? 'update' : 'create' }, steps);
}

/** The roles in a team that differ; undefined being no role. */
function changedRoles(before: Record<string, string>, after: Record<string, string> | undefined): FieldChange[] {
  if (!after) return [];
  const wanted = new Map(Object.entries(after).map(([email, role]) => [email.toLowerCase(), role]));
  const emails = [...new Set([...Object.keys(before), ...wanted.keys()])].toSorted();
  return emails.flatMap((email) => {
    const [old, role] = [before[email], wanted.get(email)];
    return old === role
      ? []
      : [
          {
            field: `members.${email}`,
            ...(old !== undefined && { before: old }),
            ...(role !== undefined && { after: role }),
          },
        ];
  });
}

function membershipBody(draft: Draft, roles: readonly FieldChange[]) {
  const emailOf = ({ field }: FieldChange) => field.slice('members.'.length);
  const set = roles.filter(({ after }) => after !== undefined);
  const remove = roles.filter(({ after }) => after === undefined).map((role) => draft.memberId(emailOf(role)));
  return {
    ...(set.length > 0 && {
      memberships: Object.fromEntries(
        set.map((role) => [
          draft.memberId(emailOf(role)),
          { role: role.after === 'owner' ? ('owner' as const) : ('member' as const) },
        ]),
      ),
    }),
    ...(remove.length > 0 && { remove }),
  };
}

export function planProviders(draft: Draft): void {
  const { desired, current, orgId } = draft.input;
  if (!desired.sso) return;
  const present = new Map(current.sso);
  for (const [name, provider] of desired.sso) {
    const before = present.get(name);
    present.delete(name);
    const fields = changedFields(before, provider);
    if (fields.length === 0) continue;
    const file = `sso/${name}.yaml`;
    const cleared = before?.defaultTeam != null && provider.defaultTeam === null;
    if (cleared) draft.refuse(file, ['defaultTeam'], 'the service cannot take the default team away');
    const { defaultTeam, label, ...others } = provider;
    const changed = new Set(fields.map(({ field }) => field));
    const settings = Object.fromEntries(Object.entries(others).filter(([field]) => !before || changed.has(field)));
    const team =
      typeof defaultTeam === 'string' && changed.has('defaultTeam') ? draft.idOf('teams', defaultTeam) : undefined;
    const body = { ...settings, label, ...(team !== undefined && { defaultTeam: team }) };
    const params = { orgId, samlProviderId: draft.idOf('sso', name) };
    draft.add({ kind: 'SSO provider', name, action: before ? 'update' : 'create', fields, file }, [
      before
        ? step(sso.editProvider, params, { body, phase: 'providers' })
        : step(sso.createProvider, { orgId }, { body, makes: { [`provider/${name}`]: 'id' }, phase: 'providers' }),
    ]);
  }
  for (const name of present.keys())
    draft.remove(
      { kind: 'SSO provider', name, file: `sso/${name}.yaml` },
      step(sso.deleteProvider, { orgId, samlProviderId: draft.idOf('sso', name) }, { phase: 'deleteProviders' }),
    );
}
