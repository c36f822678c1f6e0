import { stringify } from 'csv-stringify/sync';
import type { Organization } from '../organization.ts';
import { schemaPath, type SchemaName } from './json-schemas.ts';
import { levelsCsv, levelsFile } from './levels.ts';
import { memberColumns } from './member-columns.ts';
import type { MemberRow } from './schemas.ts';
import { writeYaml } from './yaml.ts';

/** The files of an organization, by path from its folder. Pages and files of spaces are written by a pull. */
export function filesOf(organization: Organization): Map<string, string> {
  const files = new Map<string, string>();
  const yaml = (path: string, schema: SchemaName, value: unknown) => {
    if (value !== undefined) files.set(path, withSchema(path, schema, writeYaml(value)));
  };
  yaml('organization.yaml', 'organization', organization.organization);
  if (organization.members) files.set('members.csv', membersCsv(organization.members));
  for (const [name, team] of organization.teams ?? []) yaml(`teams/${name}.yaml`, 'team', team);
  for (const [name, provider] of organization.sso ?? []) yaml(`sso/${name}.yaml`, 'sso-provider', provider);
  yaml('collections.yaml', 'collections', organization.collections);
  for (const [name, space] of organization.spaces ?? []) yaml(`spaces/${name}/space.yaml`, 'space', space);
  for (const [name, site] of organization.sites ?? []) yaml(`sites/${name}.yaml`, 'site', site);
  for (const [slug, text] of organization.openapi ?? []) files.set(`openapi/${slug}.yaml`, text);
  yaml('translations.yaml', 'translations', organization.translations);
  yaml('invite-links.yaml', 'invite-links', organization.inviteLinks);
  if (organization.levels) files.set(levelsFile, levelsCsv(organization.levels));
  return files;
}

/** Editors read the first line, and complete and check the file. */
function withSchema(path: string, schema: SchemaName, text: string): string {
  const up = '../'.repeat(path.split('/').length - 1) || './';
  return `# yaml-language-server: $schema=${up}${schemaPath(schema)}\n${text}`;
}

/** A row for each member. A role is a word, as `members list --role` takes it. */
function membersCsv(members: readonly MemberRow[]): string {
  const rows = members.map(({ email, role, sso = false, teams = [] }) => [
    email,
    role ?? 'guest',
    String(sso),
    teams.join(' '),
  ]);
  return stringify([[...memberColumns], ...rows], { record_delimiter: '\n' });
}
