import type { GroupEntry, SectionEntry, SiteFile, SiteSpaceEntry } from '../files/schemas.ts';

export interface FlatGroup {
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
}

/** The structure of a site with all its entries side by side. */
export interface FlatStructure {
  hasSections: boolean;
  groups: FlatGroup[];
  sections: FlatSection[];
  spaces: FlatSpace[];
  /** Groups and sections outside of groups: `group/<title>`, `section/<path>`. */
  order: string[];
}

type Structure = NonNullable<SiteFile['structure']>;

export function flatStructure(structure: Structure): FlatStructure {
  const flat: FlatStructure = { hasSections: false, groups: [], sections: [], spaces: [], order: [] };
  const addSection = ({ spaces, ...section }: SectionEntry, group: string | null) => {
    flat.hasSections = true;
    flat.sections.push({ ...section, group });
    for (const space of spaces) flat.spaces.push({ ...space, section: section.section });
  };
  for (const entry of structure) {
    if (isGroup(entry)) {
      flat.hasSections = true;
      flat.groups.push({ title: entry.group, icon: entry.icon });
      flat.order.push(`group/${entry.group}`);
      for (const section of entry.sections) addSection(section, entry.group);
    } else if (isSection(entry)) {
      flat.order.push(`section/${entry.section}`);
      addSection(entry, null);
    } else flat.spaces.push({ ...entry, section: '' });
  }
  return flat;
}

type Entry = Structure[number];
const isGroup = (entry: Entry): entry is GroupEntry => 'group' in entry;
const isSection = (entry: Entry): entry is SectionEntry => 'section' in entry;

/** The key of a space in its site: a section has a space once. */
export const spaceKey = ({ section, space }: Pick<FlatSpace, 'section' | 'space'>): string => `${section}/${space}`;

export const spacesIn = ({ spaces }: FlatStructure, section: string): FlatSpace[] =>
  spaces.filter((space) => space.section === section);

/** A section as people read it. */
export const sectionText = ({ title, section }: FlatSection): string => `section "${title ?? section}"`;
