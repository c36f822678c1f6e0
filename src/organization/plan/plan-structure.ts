import { spaceKey } from '../site-keys.ts';
import { sectionGroups } from '../../contract/section-groups.ts';
import { siteSections } from '../../contract/site-sections.ts';
import { siteSpaces } from '../../contract/site-spaces.ts';
import { sites } from '../../contract/sites.ts';
import { longestIncreasingSubsequence } from '../../shared/longest-increasing-subsequence.ts';
import type { Structure } from '../files/references.ts';
import { changedFields, step } from './change.ts';
import {
  type FlatSection,
  type FlatSpace,
  type FlatStructure,
  flatStructure,
  refuseStructure,
  sectionText,
  type SitePlan,
  spacesIn,
  StructureIds,
} from './site-structure.ts';

const phase = 'structure';

/** Groups, sections and spaces of a site. Removals come last, because a section must always have a space. */
export function planStructure(plan: SitePlan, desired: Structure, current: Structure): void {
  const ids = new StructureIds(plan);
  const files = flatStructure(desired);
  if (refuseStructure(plan, desired)) return;
  const { after, before } = sameKind(plan, files, flatStructure(current), ids);
  planSections(plan, after, before, ids);
  planSpaces(plan, after, before, ids);
  planGroups(plan, after, before, ids);
  planOrder(plan, after, before, ids);
  planDefaults(plan, after, before, ids);
  planRemovals(plan, after, before, ids);
}

/** Adds or removes sections as a whole if only one side has them. */
function sameKind(plan: SitePlan, after: FlatStructure, before: FlatStructure, ids: StructureIds) {
  const hasSections = after.sections.length > 0;
  const [space] = before.spaces;
  if (hasSections === before.sections.length > 0 || !space) return { after, before };
  if (hasSections) return { after, before: withFirstSections(plan, { after, before, space, ids }) };
  return after.spaces.length > 0 ? withoutSections(plan, after, before, ids) : { after, before };
}

const sectionSettings = ['title', 'icon', 'description', 'condition'] as const;

function planSections(plan: SitePlan, after: FlatStructure, before: FlatStructure, ids: StructureIds): void {
  const present = new Map(before.sections.map((section) => [section.section, section]));
  for (const section of after.sections) {
    const path = section.section;
    const old = present.get(path);
    const fields = changedFields(old, pick(section, sectionSettings));
    const params = { ...plan.params, siteSectionId: ids.section(path) };
    const body = Object.fromEntries(fields.map(({ field, after: value }) => [field, value]));
    if (!old) {
      const { title = path, icon = null } = section;
      plan.fields.push({ field: `structure.${path}`, after: sectionText(section) });
      // The service creates a section with its first space.
      for (const space of spacesIn(after, path).slice(0, 1))
        plan.steps.push(
          step(siteSections.add, plan.params, {
            body: { spaceId: plan.draft.idOf('spaces', space.space), title: title.slice(0, 64), icon },
            makes: {
              [ids.made('section', path)]: 'id',
              [ids.made('site space', spaceKey(space))]: 'siteSpaces.0.id',
            },
            phase,
          }),
        );
      plan.steps.push(step(siteSections.edit, params, { body: { ...body, path }, phase }));
    } else if (fields.length > 0) {
      plan.fields.push(...fields.map((change) => ({ ...change, field: `structure.${path}.${change.field}` })));
      plan.steps.push(step(siteSections.edit, params, { body, phase }));
    }
  }
}

const pick = <Item extends object, Key extends keyof Item>(item: Item, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, item[key]]));

function planSpaces(plan: SitePlan, after: FlatStructure, before: FlatStructure, ids: StructureIds): void {
  const present = new Map(before.spaces.map((space) => [spaceKey(space), space]));
  const oldSections = new Set(before.sections.map(({ section }) => section));
  const paths = new Map(before.spaces.map((space) => [space, space.path]));
  // Existing spaces get their paths first, so that the paths that the service chooses for new ones cannot collide with them.
  for (const entry of after.spaces) {
    const old = present.get(spaceKey(entry));
    if (old) planSpaceSettings(plan, entry, { old, after, paths, ids });
  }
  const made = new Set<string>();
  for (const entry of after.spaces) {
    const key = spaceKey(entry);
    const isWithSection = entry.section !== '' && !oldSections.has(entry.section) && !made.has(entry.section);
    made.add(entry.section);
    if (present.has(key)) continue;
    plan.fields.push({ field: place(entry), after: entry.space });
    const body = {
      spaceId: plan.draft.idOf('spaces', entry.space),
      ...(entry.section !== '' && { sectionId: ids.section(entry.section) }),
    };
    const makes = { [ids.made('site space', key)]: 'id' };
    // A new section is created with its first space.
    if (!isWithSection) plan.steps.push(step(siteSpaces.add, plan.params, { body, makes, phase }));
    planSpaceSettings(plan, entry, { old: undefined, after, paths, ids });
  }
}

interface SpaceOptions {
  /** The current space. */
  old: FlatSpace | undefined;
  after: FlatStructure;
  /** Paths of the current spaces after the steps planned so far. */
  paths: Map<FlatSpace, string | undefined>;
  ids: StructureIds;
}

function planSpaceSettings(plan: SitePlan, entry: FlatSpace, { old, after, paths, ids }: SpaceOptions): void {
  const fields = changedFields(old, pick(entry, ['path', 'condition']));
  if (fields.length === 0) return;
  if (old) plan.fields.push(...fields.map((change) => ({ ...change, field: `${place(entry)}.${change.field}` })));
  const { section, path } = entry;
  const holder = [...paths].find(
    ([space, held]) => path !== undefined && held === path && space.section === section && space !== old,
  )?.[0];
  if (holder) {
    const wanted = after.spaces.find((each) => spaceKey(each) === spaceKey(holder));
    if (wanted && wanted.path === undefined)
      return plan.draft.refuse(
        plan.file,
        ['structure'],
        `${entry.space} cannot have the path "${path}", which ${holder.space} has: set another path there`,
      );
    // A later step sets its final path or removes it.
    const body = { path: `docsctl-${path?.slice(0, 80)}` };
    plan.steps.push(step(siteSpaces.edit, { ...plan.params, siteSpaceId: ids.space(holder) }, { body, phase }));
  }
  if (old && path !== undefined) paths.set(old, path);
  const body = Object.fromEntries(fields.map(({ field, after: value }) => [field, value]));
  plan.steps.push(step(siteSpaces.edit, { ...plan.params, siteSpaceId: ids.space(entry) }, { body, phase }));
}

const place = ({ section, space, copy = 0 }: FlatSpace) =>
  `structure${section === '' ? '' : `.${section}`}.${space}${copy === 0 ? '' : ` (${copy + 1})`}`;

function planGroups(plan: SitePlan, after: FlatStructure, before: FlatStructure, ids: StructureIds): void {
  const present = new Map(before.groups.map((group) => [group.title, group]));
  const groupOf = new Map(before.sections.map(({ section, group }) => [section, group]));
  for (const { title, icon } of after.groups) {
    const old = present.get(title);
    const params = { ...plan.params, siteSectionGroupId: ids.group(title) };
    if (!old) {
      plan.fields.push({ field: `structure.${title}`, after: 'section group' });
      const makes = { [ids.made('group', title)]: 'id' };
      plan.steps.push(step(sectionGroups.create, plan.params, { body: { title, icon: icon ?? null }, makes, phase }));
    } else if (icon !== undefined && (old.icon ?? null) !== icon) {
      plan.fields.push({ field: `structure.${title}.icon`, before: old.icon, after: icon });
      plan.steps.push(step(sectionGroups.edit, params, { body: { icon }, phase }));
    }
  }
  for (const { section, group } of after.sections) {
    const old = groupOf.get(section) ?? null;
    if (old === group) continue;
    plan.fields.push({ field: `structure.${section}.group`, before: old, after: group });
    const siteSectionId = ids.section(section);
    if (group !== null) {
      const params = { ...plan.params, siteSectionGroupId: ids.group(group) };
      plan.steps.push(step(sectionGroups.add, params, { body: { sectionId: siteSectionId }, phase }));
    }
    if (group === null && old !== null) {
      const params = { ...plan.params, siteSectionGroupId: ids.group(old), siteSectionId };
      plan.steps.push(step(sectionGroups.remove, params, { phase }));
    }
  }
}

interface Pointer {
  type: 'site-space' | 'site-section' | 'site-section-group';
  id: string;
}

/** The order of groups and sections, of the sections of each group, and of the spaces of each section. */
function planOrder(plan: SitePlan, after: FlatStructure, before: FlatStructure, ids: StructureIds): void {
  const pointer = (key: string): Pointer =>
    key.startsWith('group/')
      ? { type: 'site-section-group', id: ids.group(key.slice('group/'.length)) }
      : { type: 'site-section', id: ids.section(key.slice('section/'.length)) };
  const known = new Set([
    ...before.sections.map(({ section }) => `section/${section}`),
    ...before.groups.map(({ title }) => `group/${title}`),
  ]);
  // New objects are at the end: sections first, then groups. A section that leaves its group is moved in any case.
  const made = after.order.filter((key) => !known.has(key)).toSorted((one, other) => rank(one) - rank(other));
  const nameOf = (key: string) => key.replace(/^(?:group|section)\//, '');
  planLevel(plan, 'structure', after.order, [...before.order, ...made], { pointer, nameOf });
  for (const { title } of after.groups) {
    const inGroup = ({ sections }: FlatStructure) =>
      sections.filter(({ group }) => group === title).map(({ section }) => `section/${section}`);
    planLevel(plan, `structure.${title}`, inGroup(after), withAdded(inGroup(before), inGroup(after)), {
      pointer,
      nameOf,
    });
  }
  for (const section of new Set(after.spaces.map((space) => space.section))) {
    const inSection = ({ spaces }: FlatStructure) => spaces.filter((space) => space.section === section).map(spaceKey);
    const inOrder = withAdded(inSection(before), inSection(after));
    planLevel(plan, `structure.${section}`, inSection(after), inOrder, {
      pointer: (key) => ({ type: 'site-space', id: ids.spaceWithKey(key) }),
      nameOf: (key) => key.slice(section.length + 1).replace(/\/(\d+)$/, ' ($1)'),
    });
  }
}

const rank = (key: string) => (key.startsWith('section/') ? 0 : 1);
const withAdded = (before: readonly string[], after: readonly string[]) => [...new Set([...before, ...after])];

/** Translates the keys of items. */
interface Keys {
  pointer(key: string): Pointer;
  nameOf(key: string): string;
}

function planLevel(
  plan: SitePlan,
  field: string,
  after: readonly string[],
  before: readonly string[],
  { pointer, nameOf }: Keys,
): void {
  const places = new Map(before.map((key, index) => [key, index]));
  const known = after.flatMap((key) => {
    const at = places.get(key);
    return at === undefined ? [] : [{ key, at }];
  });
  const staying = new Set(longestIncreasingSubsequence(known, ({ at }) => at).map(({ key }) => key));
  for (const [index, key] of after.entries()) {
    if (staying.has(key)) continue;
    const previous = after[index - 1];
    // The next one may have to move, too.
    const next = after.find((each) => staying.has(each));
    const position =
      previous !== undefined
        ? { after: pointer(previous) }
        : next !== undefined
          ? { before: pointer(next) }
          : undefined;
    if (!position) continue;
    if (places.has(key))
      plan.fields.push({
        field: `${field}.order`,
        after: `${nameOf(key)} ${previous === undefined ? 'first' : `after ${nameOf(previous)}`}`,
      });
    plan.steps.push(step(sites.sort, plan.params, { body: { item: pointer(key), position }, phase }));
  }
}

function planDefaults(plan: SitePlan, after: FlatStructure, before: FlatStructure, ids: StructureIds): void {
  const section = after.sections.find((each) => each.default);
  const oldSection = before.sections.find((each) => each.default);
  if (section && section.section !== oldSection?.section) {
    plan.fields.push({ field: 'structure.default', before: oldSection?.section, after: section.section });
    const body = { defaultSiteSection: ids.section(section.section) };
    plan.steps.push(step(sites.edit, plan.params, { body, phase }));
  }
  for (const space of after.spaces.filter((each) => each.default)) {
    const old = before.spaces.find((each) => each.default && each.section === space.section);
    if (old && spaceKey(old) === spaceKey(space)) continue;
    const isFirst = after.spaces.find((each) => each.section === space.section) === space;
    // The first space of a new section is its default.
    if (!old && isFirst) continue;
    plan.fields.push({ field: `${place(space)}.default`, before: false, after: true });
    const body = { defaultSiteSpace: ids.space(space) };
    plan.steps.push(
      space.section === ''
        ? step(sites.edit, plan.params, { body, phase })
        : step(siteSections.edit, { ...plan.params, siteSectionId: ids.section(space.section) }, { body, phase }),
    );
  }
}

function planRemovals(plan: SitePlan, after: FlatStructure, before: FlatStructure, ids: StructureIds): void {
  const sections = new Set(after.sections.map(({ section }) => section));
  const spaces = new Set(after.spaces.map(spaceKey));
  for (const space of before.spaces) {
    if (spaces.has(spaceKey(space)) || (before.sections.length > 0 && !sections.has(space.section))) continue;
    plan.fields.push({ field: place(space), before: space.space });
    plan.steps.push(step(siteSpaces.remove, { ...plan.params, siteSpaceId: ids.space(space) }, { phase }));
  }
  for (const section of before.sections) {
    if (sections.has(section.section)) continue;
    // The section without a path is not in the files. It contains the removed spaces.
    if (section.section !== '')
      plan.fields.push({ field: `structure.${section.section}`, before: sectionText(section) });
    const params = { ...plan.params, siteSectionId: ids.section(section.section) };
    plan.steps.push(step(siteSections.remove, params, { phase }));
  }
  const groups = new Set(after.groups.map(({ title }) => title));
  for (const { title } of before.groups) {
    if (groups.has(title)) continue;
    plan.fields.push({ field: `structure.${title}`, before: 'section group' });
    const params = { ...plan.params, siteSectionGroupId: ids.group(title) };
    plan.steps.push(step(sectionGroups.delete, params, { phase }));
  }
}

/** The path of a section that is not in the files. Actual paths are never empty. */
const unnamed = '';

interface FirstSectionOptions {
  after: FlatStructure;
  before: FlatStructure;
  /** A space that the site has now. */
  space: FlatSpace;
  ids: StructureIds;
}

/**
 * Adds the first section of a site. The service creates two: the requested one, and before it one with all current site
 * spaces, which keep their IDs. The latter becomes the section of the files that has most of these spaces.
 *
 * @returns the structure after these steps
 */
function withFirstSections(plan: SitePlan, { after, before, space: present, ids }: FirstSectionOptions): FlatStructure {
  const target = sectionOfMost(after, before);
  const first = after.sections.find((section) => section !== target);
  const [space = present] = first ? spacesIn(after, first.section) : [];
  const made = first?.section ?? unnamed;
  const gathered = target?.section ?? unnamed;
  // If the files have no other section, this one is removed at the end.
  const title = (first?.title ?? first?.section ?? 'Section').slice(0, 64);
  const firstParams = { ...plan.params, siteSectionId: ids.section(made) };
  const spaceOfFirst = { ...space, section: made, copy: 0 };
  plan.steps.push(
    step(siteSections.add, plan.params, {
      body: { spaceId: plan.draft.idOf('spaces', space.space), title, icon: first?.icon ?? null },
      makes: {
        [ids.made('section', made)]: 'id',
        [ids.made('site space', spaceKey(spaceOfFirst))]: 'siteSpaces.0.id',
      },
      phase,
    }),
    // A path that the service chooses must not collide with those of the files.
    step(siteSections.edit, firstParams, { body: { path: `docsctl-${made.slice(0, 80)}` }, phase }),
    // The response does not contain the ID of the section before it.
    step(sites.structure, plan.params, { makes: { [ids.made('section', gathered)]: 'structure.0.id' }, phase }),
  );
  if (target)
    plan.steps.push(
      step(
        siteSections.edit,
        { ...plan.params, siteSectionId: ids.section(gathered) },
        { body: { path: gathered }, phase },
      ),
    );
  if (first) {
    plan.fields.push({ field: `structure.${made}`, after: sectionText(first) });
    plan.steps.push(step(siteSections.edit, firstParams, { body: { path: made }, phase }));
  }
  if (target) plan.fields.push({ field: `structure.${gathered}`, after: sectionText(target) });
  else for (const { space: name } of before.spaces) plan.fields.push({ field: `structure.${name}`, before: name });
  return {
    groups: [],
    sections: [
      { section: gathered, group: null, default: true },
      { section: made, group: null, ...(first && { title, icon: first.icon ?? null }) },
    ],
    spaces: [
      ...before.spaces.map((each) => ids.gather(each, gathered)),
      { space: space.space, section: made, default: true },
    ],
    order: [`section/${gathered}`, `section/${made}`],
  };
}

/** The section of the files that has most of the spaces that are now outside sections. */
function sectionOfMost(after: FlatStructure, before: FlatStructure): FlatSection | undefined {
  const present = new Set(before.spaces.map(({ space }) => space));
  const counts = after.sections.map((section) => ({
    section,
    count: spacesIn(after, section.section).filter(({ space }) => present.has(space)).length,
  }));
  const most = counts.toSorted((one, other) => other.count - one.count)[0];
  return most && most.count > 0 ? most.section : undefined;
}

/**
 * Removes all sections of a site. The service deletes their site spaces, and accepts no spaces outside sections before that.
 * The spaces are therefore added again, with their previous settings unless the files have others.
 *
 * @returns the desired structure, and the structure after these steps
 */
function withoutSections(
  plan: SitePlan,
  after: FlatStructure,
  before: FlatStructure,
  ids: StructureIds,
): { after: FlatStructure; before: FlatStructure } {
  plan.fields.push({ field: 'structure', before: 'sections', after: 'spaces without sections' });
  for (const { section } of before.sections) {
    const params = { ...plan.params, siteSectionId: ids.section(section) };
    plan.steps.push(step(siteSections.remove, params, { phase }));
  }
  for (const { title } of before.groups) {
    const params = { ...plan.params, siteSectionGroupId: ids.group(title) };
    plan.steps.push(step(sectionGroups.delete, params, { phase }));
  }
  const taken = new Set(after.spaces.map(({ path }) => path));
  const spaces = after.spaces.map((entry) => {
    const old = before.spaces.find(({ space }) => space === entry.space);
    const { path = old?.path, condition = old?.condition } = entry;
    // Spaces in different sections may have had the same path.
    const isFree = entry.path !== undefined || !taken.has(path);
    taken.add(path);
    return { ...entry, condition, ...(isFree && { path }) };
  });
  return { after: { ...after, spaces }, before: flatStructure([]) };
}
