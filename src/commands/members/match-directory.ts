import type { DirectoryPerson } from '../../organization/plan/people-sync.ts';
import type { Snapshot } from '../../organization/service/read-organization.ts';
import { nearest } from '../../shared/suggest.ts';
import type { Directory, DirectoryRow, RefusedRow } from './directory.ts';

export interface Matched {
  people: (DirectoryPerson & { line: number })[];
  refused: RefusedRow[];
  /** Titles of the teams to be made, by the name that the plan has for them. */
  newTeams: ReadonlyMap<string, string>;
}

/** Compares the rows of a directory with what the organization has, and refuses those that the service would. */
export function matchDirectory(
  { rows, refused }: Directory,
  { organization, names }: Snapshot,
  { createTeams }: { createTeams?: boolean | undefined },
): Matched {
  const members = new Map(organization.members?.map((row) => [row.email, row]));
  const domains = new Set(organization.organization?.emailDomains?.map((domain) => domain.toLowerCase()));
  const byTitle = namesByTitle(organization.teams ?? new Map(), names.ids.teams);
  const newTeams = new Map<string, string>();
  const titles = [...(organization.teams ?? [])].map(([, { title }]) => title);
  const result: Matched = { people: [], refused: [...refused], newTeams };
  for (const row of rows) {
    const reason =
      ssoReason(row, members.get(row.email)?.sso, domains) ?? teamReason(row, byTitle, titles, createTeams);
    if (reason !== undefined) {
      result.refused.push({ line: row.line, email: row.email, reason });
      continue;
    }
    const teamNames = row.teams?.map((team) => {
      const name = byTitle.get(team.toLowerCase()) ?? team.toLowerCase();
      if (!byTitle.has(team.toLowerCase()) && !newTeams.has(name)) newTeams.set(name, team);
      return name;
    });
    const { line, email, role, sso } = row;
    result.people.push({ line, email, role, sso, ...(teamNames && { teams: [...new Set(teamNames)] }) });
  }
  return result;
}

/** The names of teams by title in lower case, and by id. A title that two teams have names none. */
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

function ssoReason({ email, sso }: DirectoryRow, before: boolean | undefined, domains: ReadonlySet<string>) {
  if (sso === false && before === true) return 'the service cannot mark a member as signing in without SSO';
  if (sso !== true || before !== undefined) return undefined;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return domains.has(domain)
    ? undefined
    : `cannot be invited with SSO: ${domain} is not an email domain of the organization`;
}

function teamReason(
  { teams = [] }: DirectoryRow,
  byTitle: ReadonlyMap<string, string>,
  titles: readonly string[],
  createTeams = false,
): string | undefined {
  const unknown = createTeams ? undefined : teams.find((team) => !byTitle.has(team.toLowerCase()));
  if (unknown === undefined) return undefined;
  const near = nearest(unknown, titles);
  return `there is no team "${unknown}"${near === undefined ? '; use --create-teams to create it' : `; did you mean "${near}"?`}`;
}
