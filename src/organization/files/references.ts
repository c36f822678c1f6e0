import { counted } from '../../shared/counted.ts';
import { nearest } from '../../shared/suggest.ts';
import { collectionsIn, files, type Organization, pathOf } from '../parts.ts';
import type { FileProblem, Places } from './problems.ts';
import type { SectionEntry, SiteFile, SiteSpaceEntry } from './schemas.ts';

export type Path = readonly PropertyKey[];

/** A reference to an object. */
interface Mention {
  kind: 'team' | 'member' | 'space' | 'collection' | 'site' | 'custom field';
  name: string;
  file: string;
  at?: Path;
  line?: number;
}

/** The parts in which each of these objects has its own file. */
const fileParts: Partial<Record<Mention['kind'], 'teams' | 'sites' | 'spaces'>> = {
  team: 'teams',
  site: 'sites',
  space: 'spaces',
};

/**
 * Checks that the files of an organization agree: every object that one file mentions is in another, and no name is used
 * twice. References to parts that are not managed are not checked, because only the service has those objects.
 */
export function checkReferences(organization: Organization, places: Places): FileProblem[] {
  const names = namesIn(organization);
  const problems = [...mentionsIn(organization, places)].flatMap(({ kind, name, ...place }): FileProblem[] => {
    const part = fileParts[kind];
    // A file with other problems exists all the same.
    const present = names[kind];
    if (!present || present.has(name) || (part && places.hasFile(pathOf(part, name)))) return [];
    if (kind === 'member' && places.memberLines.has(name)) return [];
    const near = nearest(name, [...present]);
    const hint = near === undefined ? '' : `; did you mean "${near}"?`;
    return [places.problem(place, `there is no ${kind} "${name}" in the files${hint}`)];
  });
  return [
    ...problems,
    ...orderProblems(organization, places),
    ...doubles(organization, places),
    ...teamProblems(organization, places),
  ];
}

function namesIn(organization: Organization): Partial<Record<Mention['kind'], Set<string>>> {
  const { members, teams, spaces, sites, collections } = organization;
  const fields = organization.organization?.customFields;
  return {
    ...(members && { member: new Set(members.map(({ email }) => email)) }),
    ...(teams && { team: new Set(teams.keys()) }),
    ...(spaces && { space: new Set(spaces.keys()) }),
    ...(sites && { site: new Set(sites.keys()) }),
    ...(collections && {
      collection: new Set([...collectionsIn(collections.collections)].map(({ node }) => node.name)),
    }),
    ...(fields && { 'custom field': new Set(fields.map(({ name }) => name)) }),
  };
}

function* mentionsIn(organization: Organization, { memberLines }: Places): Generator<Mention> {
  const site = organization.organization?.defaultSite;
  if (site != null) yield { kind: 'site', name: site, file: 'organization.yaml', at: ['defaultSite'] };
  for (const [team, { members = {} }] of organization.teams ?? [])
    for (const email of Object.keys(members))
      yield { kind: 'member', name: email.toLowerCase(), file: `teams/${team}.yaml`, at: ['members', email] };
  for (const { email, teams = [] } of organization.members ?? [])
    for (const name of teams) yield { kind: 'team', name, file: files.members.file, line: memberLines.get(email) ?? 1 };
  for (const [provider, { defaultTeam }] of organization.sso ?? [])
    if (defaultTeam != null)
      yield { kind: 'team', name: defaultTeam, file: `sso/${provider}.yaml`, at: ['defaultTeam'] };
  for (const [space, { collection, customFields = {} }] of organization.spaces ?? []) {
    const file = `spaces/${space}/space.yaml`;
    if (collection != null) yield { kind: 'collection', name: collection, file, at: ['collection'] };
    for (const name of Object.keys(customFields))
      yield { kind: 'custom field', name, file, at: ['customFields', name] };
  }
  for (const [name, { structure = [] }] of organization.sites ?? [])
    for (const { entry, at } of spacesIn(structure))
      yield { kind: 'space', name: entry.space, file: `sites/${name}.yaml`, at: ['structure', ...at, 'space'] };
  for (const [index, link] of (organization['invite-links']?.links ?? []).entries()) {
    const place = { file: 'invite-links.yaml', at: ['links', index] };
    if ('space' in link) yield { kind: 'space', name: link.space, ...place };
    if ('collection' in link) yield { kind: 'collection', name: link.collection, ...place };
  }
}

export type Structure = NonNullable<SiteFile['structure']>;

/** The sections of a site, with the path to each in its structure. */
export function* sectionsIn(structure: Structure, path: Path = []): Generator<{ entry: SectionEntry; at: Path }> {
  for (const [index, entry] of structure.entries()) {
    const at = [...path, index];
    if ('group' in entry) yield* sectionsIn(entry.sections, [...at, 'sections']);
    else if ('section' in entry) yield { entry, at };
  }
}

/** The spaces of a site, with the path to each in its structure. */
function* spacesIn(structure: Structure): Generator<{ entry: SiteSpaceEntry; at: Path }> {
  for (const [index, entry] of structure.entries()) if ('space' in entry) yield { entry, at: [index] };
  for (const { entry, at } of sectionsIn(structure))
    for (const [index, space] of entry.spaces.entries()) yield { entry: space, at: [...at, 'spaces', index] };
}

/** An order may only contain what is directly in its collection. */
function orderProblems({ collections, spaces }: Organization, places: Places): FileProblem[] {
  if (!collections) return [];
  const file = 'collections.yaml';
  const all = [...collectionsIn(collections.collections)];
  const parents = new Map(all.map(({ node, parent }) => [node.name, parent]));
  for (const [name, { collection }] of spaces ?? []) if (collection !== undefined) parents.set(name, collection);
  const levels = [
    { name: null, order: collections.order, at: [] as Path },
    ...all.map(({ node, at }) => ({ name: node.name, order: node.order, at })),
  ];
  return levels.flatMap(({ name, order = [], at }) =>
    order.flatMap((entry, index) => {
      const parent = parents.get(entry);
      // A file with other problems, or without a place, exists all the same.
      if (parent === name || (parent === undefined && (!spaces || places.hasFile(pathOf('spaces', entry))))) return [];
      const where = name === null ? 'at the top level' : `in ${name}`;
      const message =
        parent === undefined
          ? `there is no space or collection "${entry}" in the files`
          : `"${entry}" is not ${where}; according to its own file, it is ${parent === null ? 'at the top level' : `in ${parent}`}`;
      return [places.problem({ file, at: [...at, 'order', index] }, message)];
    }),
  );
}

/** Objects with a name that must be unique and is not. */
function doubles(
  { collections, spaces, sites, organization, translations }: Organization,
  places: Places,
): FileProblem[] {
  const named: { what: string; name: string; file: string; at: Path }[] = [
    ...(organization?.customFields ?? []).map(({ name }, index) => ({
      what: 'custom field',
      name,
      file: 'organization.yaml',
      at: ['customFields', index],
    })),
    ...[...collectionsIn(collections?.collections)].map(({ node, at }) => ({
      what: 'space or collection',
      name: node.name,
      file: 'collections.yaml',
      at: [...at, 'name'],
    })),
    ...(translations?.translations ?? []).map(({ title }, index) => ({
      what: 'translation',
      name: title,
      file: 'translations.yaml',
      at: ['translations', index],
    })),
    ...[...(sites ?? [])].flatMap(([site, { structure = [] }]) =>
      [...sectionsIn(structure)].map(({ entry, at }) => ({
        what: `section of ${site}`,
        name: entry.section,
        file: `sites/${site}.yaml`,
        at: ['structure', ...at, 'section'],
      })),
    ),
  ];
  const seen = new Map([...(spaces ?? [])].map(([name]) => [`space or collection ${name}`, `spaces/${name}/`]));
  return named.flatMap(({ what, name, file, at }) => {
    const key = `${what} ${name}`;
    const before = seen.get(key);
    const problem = places.problem({ file, at }, `there is already a ${what} "${name}": see ${before}`);
    seen.set(key, before ?? `line ${places.problem({ file, at }, '').line ?? '?'}`);
    return before === undefined ? [] : [problem];
  });
}

/** The column `teams` of members.csv is generated, and must match the files of the teams. All rows give one problem. */
function teamProblems({ members = [], teams }: Organization, places: Places): FileProblem[] {
  if (!teams) return [];
  const other = members.flatMap(({ email, teams: listed }) => {
    if (!listed) return [];
    const actual = [...teams].flatMap(([name, { members: roles }]) =>
      Object.keys(roles ?? {}).some((each) => each.toLowerCase() === email) ? [name] : [],
    );
    const extra = listed.find((name) => teams.has(name) && !actual.includes(name));
    if (extra !== undefined) return [{ email, text: `has "${extra}" for ${email}, unlike teams/${extra}.yaml` }];
    const absent = actual.find((name) => !listed.includes(name));
    return absent === undefined ? [] : [{ email, text: `lacks "${absent}" for ${email}, unlike teams/${absent}.yaml` }];
  });
  const [first] = other;
  if (!first) return [];
  const place = { file: files.members.file, line: places.memberLines.get(first.email) ?? 1 };
  const count =
    other.length === 1
      ? ''
      : `, and ${counted(other.length - 1, 'other row')} differ${other.length === 2 ? 's' : ''}, too`;
  return [
    places.problem(
      place,
      `the column "teams" ${first.text}${count}; teams/*.yaml decide who is in a team: correct them, and remove the column, which is optional`,
    ),
  ];
}
