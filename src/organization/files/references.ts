import { nearest } from '../../shared/suggest.ts';
import type { Organization } from '../organization.ts';
import type { FileProblem, Places } from './problems.ts';
import type { CollectionNode, SiteFile } from './schemas.ts';

type Path = readonly PropertyKey[];

/** One mention of an object in a file. */
interface Mention {
  kind: 'team' | 'member' | 'space' | 'collection' | 'site' | 'custom field';
  name: string;
  file: string;
  at: Path;
  line?: number;
}

/**
 * Checks that the files of an organization agree with each other: what one mentions is in another, and nothing is there
 * twice. Objects of parts that are not managed are not checked here, as only the service knows them.
 */
export function checkReferences(organization: Organization, places: Places): FileProblem[] {
  const known = namesIn(organization);
  const problems = [...mentionsIn(organization, places)].flatMap(({ kind, name, file, at, line }) => {
    const names = known[kind];
    // A file with other problems is there all the same.
    if (!names || names.has(name) || places.hasFile(fileOf[kind](name))) return [];
    if (kind === 'member' && places.memberLines.has(name)) return [];
    const near = nearest(name, [...names]);
    const hint = near === undefined ? '' : `; did you mean "${near}"?`;
    return [places.problem(placeOf(file, at, line), `there is no ${kind} "${name}" in the files${hint}`)];
  });
  return [
    ...problems,
    ...orderProblems(organization, places),
    ...doubles(organization, places),
    ...teamProblems(organization, places),
  ];
}

const fileOf: Record<Mention['kind'], (name: string) => string> = {
  team: (name) => `teams/${name}.yaml`,
  site: (name) => `sites/${name}.yaml`,
  space: (name) => `spaces/${name}/space.yaml`,
  member: () => '',
  collection: () => '',
  'custom field': () => '',
};

const placeOf = (file: string, at: Path, line?: number) => (line === undefined ? { file, at } : { file, line });

/** All collections, with the path to each in collections.yaml. */
export function* collectionsIn(
  nodes: readonly CollectionNode[] = [],
  at: Path = [],
  parent: string | null = null,
): Generator<{ node: CollectionNode; at: Path; parent: string | null }> {
  for (const [index, node] of nodes.entries()) {
    const here = [...at, 'collections', index];
    yield { node, at: here, parent };
    yield* collectionsIn(node.collections, here, node.name);
  }
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
    for (const name of teams)
      yield { kind: 'team', name, file: 'members.csv', at: [], line: memberLines.get(email) ?? 1 };
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
    for (const { space, at } of spacesIn(structure))
      yield { kind: 'space', name: space, file: `sites/${name}.yaml`, at: ['structure', ...at, 'space'] };
  for (const [index, link] of (organization.inviteLinks?.links ?? []).entries()) {
    const place = { file: 'invite-links.yaml', at: ['links', index] };
    if ('space' in link) yield { kind: 'space', name: link.space, ...place };
    if ('collection' in link) yield { kind: 'collection', name: link.collection, ...place };
  }
}

type Structure = NonNullable<SiteFile['structure']>;

/** The spaces in the structure of a site, with the path to each. */
export function* spacesIn(structure: Structure, path: Path = []): Generator<{ space: string; at: Path }> {
  for (const [index, entry] of structure.entries()) {
    const at = [...path, index];
    if ('group' in entry) yield* spacesIn(entry.sections, [...at, 'sections']);
    else if ('section' in entry) yield* spacesIn(entry.spaces, [...at, 'spaces']);
    else yield { space: entry.space, at };
  }
}

/** An order must name what is directly in its collection. */
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
      if (parent === name || (parent === undefined && !spaces)) return [];
      const where = name === null ? 'at the top level' : `in ${name}`;
      const message =
        parent === undefined
          ? `there is no space or collection "${entry}" in the files`
          : `"${entry}" is not ${where}, but ${parent === null ? 'at the top level' : `in ${parent}`}: its own file says so`;
      return [places.problem({ file, at: [...at, 'order', index] }, message)];
    }),
  );
}

/** Objects that have the same name where names must differ. */
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
      sectionsIn(structure).map(({ section, at }) => ({
        what: `section of ${site}`,
        name: section,
        file: `sites/${site}.yaml`,
        at: ['structure', ...at, 'section'],
      })),
    ),
  ];
  const seen = new Map([...(spaces ?? [])].map(([name]) => [`space or collection ${name}`, `spaces/${name}/`]));
  return named.flatMap(({ what, name, file, at }) => {
    const key = `${what} ${name}`;
    const before = seen.get(key);
    const problem = places.problem({ file, at }, `${what} "${name}" is there twice: see ${before}`);
    seen.set(key, before ?? `line ${places.problem({ file, at }, '').line ?? '?'}`);
    return before === undefined ? [] : [problem];
  });
}

function sectionsIn(structure: Structure, path: Path = []): { section: string; at: Path }[] {
  return structure.flatMap((entry, index) => {
    if ('group' in entry) return sectionsIn(entry.sections, [...path, index, 'sections']);
    return 'section' in entry ? [{ section: entry.section, at: [...path, index] }] : [];
  });
}

/** The column `teams` of members.csv is for reading, and must say what the teams' files say. */
function teamProblems({ members = [], teams }: Organization, places: Places): FileProblem[] {
  if (!teams) return [];
  return members.flatMap(({ email, teams: listed }) => {
    if (!listed) return [];
    const actual = [...teams].flatMap(([name, { members: roles }]) => (roles && email in roles ? [name] : []));
    const line = places.memberLines.get(email) ?? 1;
    const message = (name: string, is: string, isNot: string) =>
      `${email} is in the team "${name}" by ${is}, but not by ${isNot}; change that too, or remove the column "teams"`;
    const row = 'members.csv';
    return [
      ...listed
        .filter((name) => teams.has(name) && !actual.includes(name))
        .map((name) => places.problem({ file: row, line }, message(name, 'this row', `teams/${name}.yaml`))),
      ...actual
        .filter((name) => !listed.includes(name))
        .map((name) => places.problem({ file: row, line }, message(name, `teams/${name}.yaml`, 'this row'))),
    ];
  });
}
