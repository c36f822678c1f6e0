import { changeGroup, type GroupRow } from '../../store/section-groups.ts';
import type { Item } from '../../store/siblings.ts';
import { changeSection, sectionOrder, type SectionRow } from '../../store/site-sections.ts';
import type { Db } from '../../store/store.ts';
import { invalidNeighbour, neighboursApart, positionsAt } from '../content/spaces/positions.ts';
import type { SiteParts } from './site-parts.ts';

/**
 * Sections and groups of a site share one order, in which a group is an entry. Its sections usually follow it directly, as
 * its run, but a section can be moved anywhere without leaving its group.
 */
type Entry = Item & ({ table: 'site_section'; group: string | null } | { table: 'site_section_group' });

const sectionEntry = (row: SectionRow): Entry => ({ table: 'site_section', id: row.id, group: row.section_group });
const groupEntry = (row: Pick<GroupRow, 'id'>): Entry => ({ table: 'site_section_group', id: row.id });

export interface SiteNeighbour {
  type: 'site-section' | 'site-section-group';
  id: string;
}

/** The neighbours of a new place. */
export interface SiteNeighbours {
  before?: SiteNeighbour | undefined;
  after?: SiteNeighbour | undefined;
}

function entriesOf({ sections, groups }: SiteParts): Entry[] {
  return [
    ...sections.map((row) => ({ entry: sectionEntry(row), position: row.position })),
    ...groups.map((row) => ({ entry: groupEntry(row), position: row.position })),
  ]
    .toSorted((a, b) => a.position - b.position)
    .map(({ entry }) => entry);
}

/** @throws Invalid for neighbours that are not in the site, or not next to each other */
export async function moveSection(
  db: Db,
  parts: SiteParts,
  row: SectionRow,
  neighbours: SiteNeighbours = {},
): Promise<void> {
  const section = sectionEntry(row);
  await move(db, row.site, parts, { moved: [section], section, neighbours });
}

/** Moves a group; all its sections come directly after it. @throws Invalid as `moveSection` does */
export async function moveGroup(
  db: Db,
  parts: SiteParts,
  row: GroupRow,
  neighbours: SiteNeighbours = {},
): Promise<void> {
  const sections = entriesOf(parts).filter((entry) => isIn(entry, row.id));
  await move(db, row.site, parts, { moved: [groupEntry(row), ...sections], section: undefined, neighbours });
}

/** Adds a section to a group, after the run of the group. */
export async function addToGroup(db: Db, parts: SiteParts, group: GroupRow, section: SectionRow): Promise<void> {
  if (section.section_group === group.id) return;
  const moved = [sectionEntry(section)];
  const rest = without(entriesOf(parts), moved);
  await place(db, group.site, rest, moved, endOfRun(rest, group.id));
  await changeSection(db, section.id, { section_group: group.id });
}

/** Places a new group where the first of its sections was, with its sections after it in the given order. */
export async function insertGroupSections(
  db: Db,
  parts: SiteParts,
  group: GroupRow,
  sections: SectionRow[],
): Promise<void> {
  if (sections.length === 0) return;
  const moved = [groupEntry(group), ...sections.map(sectionEntry)];
  const entries = entriesOf(parts);
  const rest = without(entries, moved);
  const first = entries.findIndex((entry) => sections.some((row) => row.id === entry.id));
  const index = entries.slice(0, first).filter((entry) => rest.includes(entry)).length;
  await place(db, group.site, rest, moved, afterRun(rest, index));
  for (const row of sections) await changeSection(db, row.id, { section_group: group.id });
}

/** Removes a section from its group. A section of the run comes directly after it; others stay where they are. */
export async function removeFromGroup(db: Db, parts: SiteParts, row: SectionRow, group: string): Promise<void> {
  const entries = entriesOf(parts);
  const section = sectionEntry(row);
  const index = entries.findIndex((entry) => entry.id === row.id);
  const groupIndex = entries.findIndex((entry) => entry.id === group);
  if (groupIndex < index && index < endOfRun(entries, group)) {
    const rest = without(entries, [section]);
    await place(db, row.site, rest, [section], endOfRun(rest, group));
  }
  await changeSection(db, row.id, { section_group: null });
}

interface EntryMove {
  moved: Entry[];
  /** Present if one section is moved. */
  section: Entry | undefined;
  neighbours: SiteNeighbours;
}

async function move(db: Db, site: string, parts: SiteParts, { moved, section, neighbours }: EntryMove): Promise<void> {
  const rest = without(entriesOf(parts), moved);
  const { before, after } = neighbours;
  const indexBefore = before && placeBefore(rest, findNeighbour(rest, moved, before, 'before'), section);
  const indexAfter = after && placeAfter(rest, findNeighbour(rest, moved, after, 'after'));
  if (indexBefore !== undefined && indexAfter !== undefined && !isSamePlace(rest, indexAfter, indexBefore, section))
    throw neighboursApart();
  await place(db, site, rest, moved, indexBefore ?? indexAfter ?? rest.length);
}

/** @returns its index in `rest` */
function findNeighbour(rest: Entry[], moved: Entry[], neighbour: SiteNeighbour, side: 'before' | 'after'): number {
  const table = neighbour.type === 'site-section' ? 'site_section' : 'site_section_group';
  const index = rest.findIndex((entry) => entry.table === table && entry.id === neighbour.id);
  if (index >= 0) return index;
  throw invalidNeighbour(
    side,
    neighbour.id,
    moved.some((entry) => entry.id === neighbour.id),
  );
}

// Before the first section of a group means before the group, except for a section of that group.
function placeBefore(rest: Entry[], index: number, section: Entry | undefined): number {
  const entry = rest[index];
  const previous = rest[index - 1];
  const isFirstOfGroup = previous?.table === 'site_section_group' && isIn(entry, previous.id);
  return isFirstOfGroup && !isIn(section, previous.id) ? index - 1 : index;
}

function placeAfter(rest: Entry[], index: number): number {
  const entry = rest[index];
  return entry?.table === 'site_section_group' ? endOfRun(rest, entry.id) : index + 1;
}

/** For a moved section, groups between two places do not count. */
function isSamePlace(rest: Entry[], a: number, b: number, section: Entry | undefined): boolean {
  const between = rest.slice(Math.min(a, b), Math.max(a, b));
  return between.every((entry) => section !== undefined && entry.table === 'site_section_group');
}

const isIn = (entry: Entry | undefined, group: string) => entry?.table === 'site_section' && entry.group === group;

const without = (entries: Entry[], removed: Entry[]) =>
  entries.filter((entry) => !removed.some(({ id }) => id === entry.id));

/** The index after a group and the sections of it that follow directly. */
function endOfRun(entries: Entry[], group: string): number {
  let index = entries.findIndex((entry) => entry.id === group) + 1;
  while (isIn(entries[index], group)) index++;
  return index;
}

/** The same index, or the one after the run that it is inside of. */
function afterRun(entries: Entry[], index: number): number {
  const next = entries[index];
  const previous = entries[index - 1];
  if (next?.table !== 'site_section' || next.group === null || !previous) return index;
  const isInsideRun = previous.id === next.group || isIn(previous, next.group);
  return isInsideRun ? Math.max(index, endOfRun(entries, next.group)) : index;
}

/** Writes positions that put the moved entries before the one that has this index in `rest`. */
async function place(db: Db, site: string, rest: Entry[], moved: Entry[], index: number): Promise<void> {
  const { positions } = await positionsAt(db, sectionOrder(site), moved, { before: rest[index] });
  for (const [order, { table, id }] of moved.entries()) {
    const change = { position: positions[order]! };
    await (table === 'site_section' ? changeSection(db, id, change) : changeGroup(db, id, change));
  }
}
