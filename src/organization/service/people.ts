import type { AnswerOf } from '../../contract/endpoint.ts';
import type { orgs } from '../../contract/orgs.ts';
import type { MemberRow, OrganizationFile, ProviderFile, TeamFile } from '../files/schemas.ts';
import type { Field, Member, Provider, Team, TeamMember } from './read-service.ts';
import { compareTexts, type Naming, sortedByName } from './reading.ts';

/** organization.yaml */
export function organizationFile(
  { names, warnings }: Naming,
  org: AnswerOf<typeof orgs.view>,
  customFields: readonly Field[],
): OrganizationFile {
  const site = org.defaultContent?.site;
  const defaultSite = site === undefined ? null : (names.find('sites', site) ?? null);
  if (site !== undefined && defaultSite === null) warnings.push(`The default site ${site} is not there.`);
  return {
    title: org.title,
    hostname: org.hostname,
    emailDomains: org.emailDomains,
    defaultRole: org.defaultRole ?? null,
    defaultSite,
    logo: org.urls.logo ?? null,
    sso: org.sso ?? false,
    ai: org.ai ?? false,
    inviteLinks: org.inviteLinks,
    customFields: customFields.toSorted((one, other) => compareTexts(one.name, other.name)).map(fieldEntry),
  };
}

const fieldEntry = ({ name, type, title, description, placeholder, options }: Field) => ({
  name,
  type,
  title,
  description,
  placeholder,
  options,
});

/** The address that a member has in the files: the id stands for one that the service does not tell. */
export const addressOf = ({ id, user }: Pick<Member, 'id' | 'user'>): string => user.email?.toLowerCase() ?? id;

/** All members, with the teams of each by name. @param memberships addresses by team */
export function memberRows(
  { memberIds }: Naming,
  list: readonly Member[],
  memberships: ReadonlyMap<string, TeamFile>,
): MemberRow[] {
  const teamsOf = new Map<string, string[]>();
  for (const [team, { members: roles = {} }] of memberships)
    for (const email of Object.keys(roles)) teamsOf.set(email, [...(teamsOf.get(email) ?? []), team]);
  return list
    .map((member) => {
      const email = addressOf(member);
      memberIds.set(email, member.id);
      return { email, role: member.role, sso: member.sso, teams: teamsOf.get(email) ?? [] };
    })
    .toSorted((one, other) => compareTexts(one.email, other.email));
}

/** teams/*.yaml */
export function teamFiles(
  { names, memberIds }: Naming,
  list: readonly { team: Team; members: readonly TeamMember[] }[],
): Map<string, TeamFile> {
  const files = list.map(({ team: { id, title }, members }) => {
    const roles = members.map(({ organization, team }) => {
      memberIds.set(addressOf(organization), organization.id);
      return [addressOf(organization), team.role] as const;
    });
    const sorted = Object.fromEntries(roles.toSorted(([one], [other]) => compareTexts(one, other)));
    return [names.nameOf('teams', id), { title, members: sorted }] as const;
  });
  return sortedByName(files);
}

/** sso/*.yaml */
export function providerFiles({ names, warnings }: Naming, list: readonly Provider[]): Map<string, ProviderFile> {
  return sortedByName(
    list.map(({ id, label, entityID, ssoURL, certificate, defaultTeam, defaultRole }) => {
      const team = defaultTeam && names.find('teams', defaultTeam.id);
      if (defaultTeam && team === undefined)
        warnings.push(`The default team of the SSO provider "${label}" is not there.`);
      return [
        names.nameOf('sso', id),
        { label, entityID, ssoURL, certificate, defaultTeam: team ?? null, defaultRole },
      ] as const;
    }),
  );
}
