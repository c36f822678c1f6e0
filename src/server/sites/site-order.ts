import { changeGroup, type GroupRow } from '../../store/section-groups.ts';
import type { Item } from '../../store/siblings.ts';
import { changeSection, sectionOrder, type SectionRow } from '../../store/site-sections.ts';
import type { Db } from '../../store/store.ts';
import { Invalid } from '../engine/errors.ts';
import { landing } from '../content/spaces/positions.ts';
import type { Layout } from './site-layout.ts';

/**
 * The one order that the sections and groups of a site share. A group stands in it by itself; its sections usually
 * follow it directly, as its run, but a section may be moved anywhere without leaving its group.
 */
type Entry = Item & ({ table: 'site_section'; group: string | null } | { table: 'site_section_group' });

const sectionEntry = (row: SectionRow): Entry => ({ table: 'site_section', id: row.id, group: row.section_group });
const groupEntry = (row: Pick<GroupRow, 'id'>): Entry => ({ table: 'site_section_group', id: row.id });

/** A place beside a section or a group, by id. */
export interface Beside {
  before?: { type: 'site-section' | 'site-section-group'; id: string } | undefined;
  after?: { type: 'site-section' | 'site-section-group'; id: string } | undefined;
}

function entriesOf({ sections, groups }: Layout): Entry[] {
  return [
    ...sections.map((row) => ({ entry: sectionEntry(row), position: row.position })),
    ...groups.map((row) => ({ entry: groupEntry(row), position: row.position })),
  ]
    .toSorted((a, b) => a.position - b.position)
    .map(({ entry }) => entry);
}

/** @throws Invalid for neighbours that are not there, or that do not agree */
export async function moveSection(db: Db, layout: Layout, row: SectionRow, position: Beside = {}): Promise<void> {
  await move(db, row.site, entriesOf(layout), [sectionEntry(row)], position);
}

/** Moves a group with its sections, which gather behind it. @throws Invalid as `moveSection` does */
export async function moveGroup(db: Db, layout: Layout, row: GroupRow, position: Beside = {}): Promise<void> {
  const entries = entriesOf(layout);
  const members = entries.filter((entry) => isIn(entry, row.id));
  await move(db, row.site, entries, [groupEntry(row), ...members], position);
}

/** Puts sections into a group, behind those it has. What stands between others of its run stays a run. */
export async function joinGroup(db: Db, layout: Layout, group: GroupRow, sections: SectionRow[]): Promise<void> {
  const joining = sections.filter((row) => row.section_group !== group.id);
  const entries = entriesOf(layout);
  const moved = joining.map(sectionEntry);
  const rest = without(entries, moved);
  const at = endOfRun(rest, group.id);
  await put(db, group.site, rest, moved, at);
  for (const row of joining) await changeSection(db, row.id, { section_group: group.id });
}

/** Places a new group where the first of its sections stood, and gathers them behind it in the sequence given. */
export async function gatherGroup(db: Db, layout: Layout, group: GroupRow, sections: SectionRow[]): Promise<void> {
  if (sections.length === 0) return;
  const moved = [groupEntry(group), ...sections.map(sectionEntry)];
  const entries = entriesOf(layout);
  const rest = without(entries, moved);
  const first = entries.findIndex((entry) => sections.some((row) => row.id === entry.id));
  const at = entries.slice(0, first).filter((entry) => rest.includes(entry)).length;
  await put(db, group.site, rest, moved, behindRun(rest, at));
  for (const row of sections) await changeSection(db, row.id, { section_group: group.id });
}

/** Takes a section out of its group: it stands directly behind the group then, unless it stood apart from it. */
export async function leaveGroup(db: Db, layout: Layout, row: SectionRow): Promise<void> {
  const entries = entriesOf(layout);
  const at = entries.findIndex((entry) => entry.id === row.id);
  const start = entries.findIndex((entry) => entry.id === row.section_group);
  if (start < at && at < endOfRun(entries, row.section_group!)) {
    const rest = without(entries, [sectionEntry(row)]);
    await put(db, row.site, rest, [sectionEntry(row)], endOfRun(rest, row.section_group!));
  }
  await changeSection(db, row.id, { section_group: null });
}

async function move(db: Db, site: string, entries: Entry[], moved: Entry[], { before, after }: Beside): Promise<void> {
  const rest = without(entries, moved);
  const section = moved[0]!.table === 'site_section' ? moved[0]! : undefined;
  const high = before && placeBefore(rest, find(rest, moved, before, 'before'), section);
  const low = after && placeAfter(rest, find(rest, moved, after, 'after'));
  if (high !== undefined && low !== undefined && !agree(rest, low, high, section)) {
    throw new Invalid(
      '/position',
      'names neighbours that do not stand side by side; give one of them only',
      'conflict',
    );
  }
  await put(db, site, rest, moved, high ?? low ?? rest.length);
}

function find(rest: Entry[], moved: Entry[], { type, id }: NonNullable<Beside['before']>, which: string): number {
  const table = type === 'site-section' ? 'site_section' : 'site_section_group';
  const at = rest.findIndex((entry) => entry.table === table && entry.id === id);
  if (at >= 0) return at;
  throw new Invalid(
    `/position/${which}`,
    moved.some((entry) => entry.id === id)
      ? 'names what is moved; name a neighbour of it'
      : 'names nothing that stands where this moves to',
  );
}

// Before the first section of a group is before the group, but for a section of that group.
function placeBefore(rest: Entry[], at: number, section: Entry | undefined): number {
  const entry = rest[at]!;
  const previous = rest[at - 1];
  const leads = previous?.table === 'site_section_group' && isIn(entry, previous.id);
  return leads && !(section && isIn(section, previous.id)) ? at - 1 : at;
}

const placeAfter = (rest: Entry[], at: number): number =>
  rest[at]!.table === 'site_section_group' ? endOfRun(rest, rest[at]!.id) : at + 1;

/** Beside sections, a section does not see the groups that stand between. */
function agree(rest: Entry[], low: number, high: number, section: Entry | undefined): boolean {
  const between = rest.slice(Math.min(low, high), Math.max(low, high));
  return between.every((entry) => section !== undefined && entry.table === 'site_section_group');
}

const isIn = (entry: Entry, group: string) => entry.table === 'site_section' && entry.group === group;
const without = (entries: Entry[], some: Entry[]) => entries.filter((entry) => !some.some(({ id }) => id === entry.id));

/** Index behind a group and the sections of it that follow it directly. */
function endOfRun(entries: Entry[], group: string): number {
  let at = entries.findIndex((entry) => entry.id === group) + 1;
  while (at < entries.length && isIn(entries[at]!, group)) at++;
  return at;
}

/** The same index, or that behind the run it falls into. */
function behindRun(entries: Entry[], at: number): number {
  const next = entries[at];
  const previous = entries[at - 1];
  if (next?.table !== 'site_section' || next.group === null || !previous) return at;
  const inRun = previous.id === next.group || isIn(previous, next.group);
  return inRun ? Math.max(at, endOfRun(entries, next.group)) : at;
}

/** Writes the entries' positions, so that they stand before the one that is at the index now. */
async function put(db: Db, site: string, rest: Entry[], moved: Entry[], at: number): Promise<void> {
  if (moved.length === 0) return;
  const next = rest[at];
  const { positions } = await landing(db, sectionOrder(site), moved, next ? { before: next } : {});
  for (const [index, { table, id }] of moved.entries()) {
    const change = { position: positions[index]! };
    await (table === 'site_section' ? changeSection(db, id, change) : changeGroup(db, id, change));
  }
}
