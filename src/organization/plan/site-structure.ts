import { type Path, sectionsIn, type Structure } from '../files/references.ts';
import type { SectionEntry, SiteSpaceEntry } from '../files/schemas.ts';
import { copyCounter, spaceKey } from '../site-keys.ts';
import type { FieldChange, NewStep } from './change.ts';
import type { Draft } from './draft.ts';

interface FlatGroup {
  title: string;
  icon: string | null | undefined;
}

export interface FlatSection extends Omit<SectionEntry, 'spaces'> {
  /** Title of the group it is in. */
  group: string | null;
}

export interface FlatSpace extends SiteSpaceEntry {
  /** Path of the section it is in; "" in a site without sections. */
  section: string;
  /** How many earlier entries of the section contain the same space. */
  copy?: number;
}

/** The structure of a site as flat lists. */
export interface FlatStructure {
  groups: FlatGroup[];
  sections: FlatSection[];
  spaces: FlatSpace[];
  /** Groups and sections outside of groups: `group/<title>`, `section/<path>`. */
  order: string[];
}

export function flatStructure(structure: Structure): FlatStructure {
  const flat: FlatStructure = { groups: [], sections: [], spaces: [], order: [] };
  const copyOf = copyCounter();
  const addSpace = (space: SiteSpaceEntry, section: string) =>
    flat.spaces.push({ ...space, section, copy: copyOf(`${section}/${space.space}`) });
  const addSection = ({ spaces, ...section }: SectionEntry, group: string | null) => {
    flat.sections.push({ ...section, group });
    for (const space of spaces) addSpace(space, section.section);
  };
  for (const entry of structure) {
    if ('group' in entry) {
      flat.groups.push({ title: entry.group, icon: entry.icon });
      flat.order.push(`group/${entry.group}`);
      for (const section of entry.sections) addSection(section, entry.group);
    } else if ('section' in entry) {
      flat.order.push(`section/${entry.section}`);
      addSection(entry, null);
    } else addSpace(entry, '');
  }
  return flat;
}

export const spacesIn = ({ spaces }: FlatStructure, section: string): FlatSpace[] =>
  spaces.filter((space) => space.section === section);

/** A section in the text of a plan. */
export const sectionText = ({ title, section }: FlatSection): string => `section "${title ?? section}"`;

/** The plan of one site under construction. */
export interface SitePlan {
  draft: Draft;
  name: string;
  file: string;
  params: { orgId: string; siteId: string };
  fields: FieldChange[];
  steps: NewStep[];
}

/** IDs of the parts of a site, or placeholders if the plan creates them. */
export class StructureIds {
  readonly #plan: SitePlan;
  /** Keys of site spaces that were moved into a section, by their keys in that section. */
  readonly #gathered = new Map<string, string>();

  constructor(plan: SitePlan) {
    this.#plan = plan;
  }

  section(path: string): string {
    return this.#plan.draft.otherId(`section/${this.#plan.name}/${path}`);
  }

  group(title: string): string {
    return this.#plan.draft.otherId(`group/${this.#plan.name}/${title}`);
  }

  space(space: Pick<FlatSpace, 'section' | 'space' | 'copy'>): string {
    return this.spaceWithKey(spaceKey(space));
  }

  spaceWithKey(key: string): string {
    return this.#plan.draft.otherId(`site space/${this.#plan.name}/${this.#gathered.get(key) ?? key}`);
  }

  /** Records that a site space outside sections moves into a section and keeps its ID. */
  gather(space: FlatSpace, section: string): FlatSpace {
    const gathered = { ...space, section };
    this.#gathered.set(spaceKey(gathered), spaceKey(space));
    return gathered;
  }

  /** Placeholders without braces. */
  made(kind: 'section' | 'group' | 'site space', key: string): string {
    return `${kind}/${this.#plan.name}/${key}`;
  }
}

interface Placed {
  at: Path;
  path?: string | undefined;
  isDefault?: boolean | undefined;
}

/** Reports structures that no site can have. @returns whether there are problems */
export function refuseStructure({ draft, file }: SitePlan, structure: Structure): boolean {
  const count = draft.problems.length;
  const refuse = (at: Path, message: string) => draft.refuse(file, ['structure', ...at], message);
  const sections = [...sectionsIn(structure)];
  const lists = sections.map(({ entry, at }) => placed(entry.spaces, [...at, 'spaces']));
  if (sections.length === 0) {
    const group = structure.findIndex((entry) => 'group' in entry);
    if (group >= 0)
      refuse([group], 'only sites with sections can have groups: add a section to the group, or remove it');
    lists.push(placed(structure.filter((entry): entry is SiteSpaceEntry => 'space' in entry)));
  }
  for (const list of lists) {
    refuseTwice(
      list,
      ({ path }) => path,
      (at, path) => refuse([...at, 'path'], `the path "${path}" is used twice in the same place`),
    );
    refuseTwice(list, oneDefault, (at) =>
      refuse([...at, 'default'], 'only one space in the same place can be the default'),
    );
  }
  refuseTwice(
    sections.map(({ entry, at }) => ({ at, isDefault: entry.default })),
    oneDefault,
    (at) => refuse([...at, 'default'], 'only one section can be the default'),
  );
  return draft.problems.length > count;
}

const oneDefault = ({ isDefault }: Placed) => (isDefault ? 'default' : undefined);

const placed = (spaces: readonly SiteSpaceEntry[], at: Path = []): Placed[] =>
  spaces.map(({ path, default: isDefault }, index) => ({ at: [...at, index], path, isDefault }));

function refuseTwice(
  list: readonly Placed[],
  keyOf: (item: Placed) => string | undefined,
  refuse: (at: Path, key: string) => void,
): void {
  const seen = new Set<string>();
  for (const item of list) {
    const key = keyOf(item);
    if (key === undefined) continue;
    if (seen.has(key)) refuse(item.at, key);
    seen.add(key);
  }
}
