import { sectionGroups } from '../../contract/section-groups.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import * as store from '../../store/section-groups.ts';
import type { SectionRow } from '../../store/site-sections.ts';
import { Invalid, NotFound } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { pagedArray } from '../engine/paging.ts';
import { getRow, type SiteParts, readSiteParts } from './site-parts.ts';
import { addToGroup, insertGroupSections, moveGroup, removeFromGroup } from './site-order.ts';
import { presentGroup, presentGroups, viewSite } from './site-view.ts';

/** @throws Invalid at `path` if the ID is not that of a section of the site */
function sectionFor({ sections }: SiteParts, id: string, path: string): SectionRow {
  const row = sections.find((section) => section.id === id);
  if (row) return row;
  throw new Invalid(path, 'is not a section of this site');
}

export const handlers = implement(sectionGroups, {
  async list(context) {
    const view = await viewSite(context);
    return pagedArray(context.page, view.parts.groups, {
      keyTypes: ['number', 'string'],
      key: (row) => [row.position, row.id],
      present: (rows) => presentGroups(view, rows),
    });
  },

  async create(context) {
    const { db, objects, body } = context;
    const { title, icon = null, sections = [] } = body;
    const partsBefore = await readSiteParts(db, objects.site.id);
    const rows = new Set(sections.map((id, index) => sectionFor(partsBefore, id, `/sections/${index}`)));
    const { id } = await store.insertGroup(db, { site: objects.site.id, title, icon });
    const parts = await readSiteParts(db, objects.site.id);
    await insertGroupSections(db, parts, getRow(parts.groups, id), [...rows]);
    return presentGroup(await viewSite(context), id);
  },

  async edit(context) {
    const { db, objects, body } = context;
    const { title, icon } = body;
    await store.changeGroup(db, objects.sectionGroup.id, withoutUndefined({ title, icon }));
    return presentGroup(await viewSite(context), objects.sectionGroup.id);
  },

  delete: ({ db, objects: { sectionGroup } }) => store.deleteGroup(db, sectionGroup.id),

  async add(context) {
    const { db, objects, body, base, reply } = context;
    const { org, site, sectionGroup } = objects;
    const parts = await readSiteParts(db, site.id);
    await addToGroup(db, parts, sectionGroup, sectionFor(parts, body.sectionId, '/sectionId'));
    reply.location = `${base}/v1/orgs/${org.id}/sites/${site.id}/section-groups/${sectionGroup.id}`;
    return presentGroup(await viewSite(context), sectionGroup.id);
  },

  async remove({ db, objects: { site, sectionGroup, section } }) {
    if (section.section_group !== sectionGroup.id) throw new NotFound('section of this group', section.id);
    await removeFromGroup(db, await readSiteParts(db, site.id), section, sectionGroup.id);
  },

  async move(context) {
    const { db, objects, body } = context;
    await moveGroup(db, await readSiteParts(db, objects.site.id), objects.sectionGroup, body.position);
    return presentGroup(await viewSite(context), objects.sectionGroup.id);
  },
});
