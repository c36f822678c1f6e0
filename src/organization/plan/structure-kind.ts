import { sectionGroups } from '../../contract/section-groups.ts';
import { siteSections } from '../../contract/site-sections.ts';
import { sites } from '../../contract/sites.ts';
import { step } from './change.ts';
import type { SitePlan } from './site-plan.ts';
import {
  type FlatSection,
  type FlatStructure,
  flatStructure,
  sectionText,
  spaceKey,
  spacesIn,
} from './site-structure.ts';
import type { StructureIds } from './structure-ids.ts';

const phase = 'structure';

/** Stands for a section of which the files say nothing: no path of a section is empty. */
const unnamed = '';

/**
 * Gives a site its first section. The service makes two of it: the one that is asked for, and one before it with all site
 * spaces so far, which keep their ids there. That one becomes the section of the files that has most of these spaces.
 *
 * @returns what the site has then
 */
export function withFirstSections(
  plan: SitePlan,
  after: FlatStructure,
  before: FlatStructure,
  ids: StructureIds,
): FlatStructure {
  const present = new Set(before.spaces.map(({ space }) => space));
  const shared = (section: FlatSection) =>
    spacesIn(after, section.section).filter(({ space }) => present.has(space)).length;
  const counts = after.sections.map((section) => ({ section, count: shared(section) }));
  const most = counts.toSorted((one, other) => other.count - one.count)[0];
  const target = most && most.count > 0 ? most.section : undefined;
  const first = after.sections.find((section) => section !== target);
  const space = first ? spacesIn(after, first.section)[0] : before.spaces[0];
  if (!space) return before;
  const made = first?.section ?? unnamed;
  const gathered = target?.section ?? unnamed;
  // Where the files have no other section, this one is removed at the end.
  const title = (first?.title ?? first?.section ?? 'Section').slice(0, 64);
  const firstParams = { ...plan.params, siteSectionId: ids.section(made) };
  const spaceOfFirst = { ...space, section: made };
  plan.steps.push(
    step(siteSections.add, plan.params, {
      body: { spaceId: plan.draft.idOf('spaces', space.space), title, icon: first?.icon ?? null },
      makes: {
        [ids.made('section', made)]: 'id',
        [ids.made('site space', spaceKey(spaceOfFirst))]: 'siteSpaces.0.id',
      },
      phase,
    }),
    // Paths that the service chooses must not be in the way of those of the files.
    step(siteSections.edit, firstParams, { body: { path: `docsctl-${made.slice(0, 80)}` }, phase }),
    // The answer does not tell the id of the section before it.
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
    hasSections: true,
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

/**
 * Takes all sections from a site. The service deletes their site spaces with them, and takes no space outside sections
 * before: they are added anew, with the settings they had where the files say nothing else.
 *
 * @returns what the files say of the site, and what it has then
 */
export function withoutSections(
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
    // Two sections may have had the same path.
    const isFree = entry.path !== undefined || !taken.has(path);
    taken.add(path);
    return { ...entry, condition, ...(isFree && { path }) };
  });
  return { after: { ...after, spaces }, before: flatStructure([]) };
}
