import type { DirectoryPerson } from '../../organization/plan/people-sync.ts';
import type { Snapshot } from '../../organization/service/read-organization.ts';
import { nearest } from '../../shared/suggest.ts';
import type { PeopleFile, PersonRow, RejectedRow } from '../shared/people-file.ts';

export interface Matched {
  people: (DirectoryPerson & { line: number })[];
  refused: RejectedRow[];
  /** Titles of the teams to create, by their names in the plan. */
  newTeams: ReadonlyMap<string, string>;
}

/** Matches the rows of a directory with the members and teams of an organization. Rejects rows that the service would refuse. */
export function matchDirectory(
  { rows, rejected }: PeopleFile,
  { organization, names }: Snapshot,
  { createTeams }: { createTeams?: boolean | undefined },
): Matched {
  const members = new Map(organization.members?.map((row) => [row.email, row]));
  const domains = new Set(organization.organization?.emailDomains?.map((domain) => domain.toLowerCase()));
  const byTitle = namesByTitle(organization.teams ?? new Map(), names.ids.teams);
  const newTeams = new Map<string, string>();
  const titles = [...(organization.teams ?? [])].map(([, { title }]) => title);
  const result: Matched = { people: [], refused: [...rejected], newTeams };
  const lines = new Map<string, number>();
  for (const { line, name, role, sso, teams } of rows) {
    const email = name.toLowerCase();
    const before = lines.get(email);
    if (before === undefined) lines.set(email, line);
    const reason =
      before === undefined
        ? (ssoReason(email, sso, members.get(email)?.sso, domains) ?? teamReason(teams, byTitle, titles, createTeams))
        : `is already in line ${before}`;
    if (reason !== undefined) {
      result.refused.push({ line, name, reason });
      continue;
    }
    const teamNames = teams?.map((team) => {
      const key = byTitle.get(team.toLowerCase()) ?? team.toLowerCase();
      if (!byTitle.has(team.toLowerCase()) && !newTeams.has(key)) newTeams.set(key, team);
      return key;
    });
    result.people.push({ line, email, role, sso, ...(teamNames && { teams: [...new Set(teamNames)] }) });
  }
  return result;
}

/** The names of teams by lower-case title and by ID. Titles that several teams have are left out. */
function namesByTitle(
  teams: ReadonlyMap<string, { title: string }>,
  ids: ReadonlyMap<string, string>,
): Map<string, string> {
  const names = new Map<string, string>();
  for (const [title, list] of Map.groupBy(teams, ([, team]) => team.title.toLowerCase()))
    if (list.length === 1 && list[0]) names.set(title, list[0][0]);
  for (const name of teams.keys()) {
    if (!names.has(name)) names.set(name, name);
    const id = ids.get(name);
    if (id !== undefined) names.set(id.toLowerCase(), name);
  }
  return names;
}

function ssoReason(
  email: string,
  sso: boolean | undefined,
  before: boolean | undefined,
  domains: ReadonlySet<string>,
): string | undefined {
  if (sso === false && before === true) return 'the service cannot mark a member as signing in without SSO';
  if (sso !== true || before !== undefined) return undefined;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return domains.has(domain)
    ? undefined
    : `cannot be invited with SSO: ${domain} is not an email domain of the organization`;
}

function teamReason(
  teams: PersonRow['teams'] = [],
  byTitle: ReadonlyMap<string, string>,
  titles: readonly string[],
  createTeams = false,
): string | undefined {
  const unknown = createTeams ? undefined : teams.find((team) => !byTitle.has(team.toLowerCase()));
  if (unknown === undefined) return undefined;
  const near = nearest(unknown, titles);
  return `there is no team "${unknown}"${near === undefined ? '; use --create-teams to create it' : `; did you mean "${near}"?`}`;
}
