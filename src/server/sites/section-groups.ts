import { sectionGroups } from '../../contract/section-groups.ts';
import * as store from '../../store/section-groups.ts';
import type { SectionRow } from '../../store/site-sections.ts';
import { Invalid, NotFound } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { pagedArray } from '../engine/paging.ts';
import { type Layout, presentGroups, readLayout, type SiteView, viewSite } from './site-layout.ts';
import { gatherGroup, joinGroup, leaveGroup, moveGroup } from './site-order.ts';

export const presentGroup = async (view: SiteView, id: string) =>
  (
    await presentGroups(
      view,
      view.layout.groups.filter((row) => row.id === id),
    )
  )[0]!;

/** @throws Invalid at `path` for an id that names no section of the site */
function sectionFor({ sections }: Layout, id: string, path: string): SectionRow {
  const row = sections.find((section) => section.id === id);
  if (row) return row;
  throw new Invalid(path, 'names no section of this site');
}

export const handlers = implement(sectionGroups, {
  async list(context) {
    const view = await viewSite(context);
    return pagedArray(context.page, view.layout.groups, {
      keyTypes: ['number', 'string'],
      key: (row) => [row.position, row.id],
      present: (some) => presentGroups(view, some),
    });
  },

  async create(context) {
    const {
      db,
      at: { site },
      body: { title, icon, sections = [] },
    } = context;
    const before = await readLayout(db, site.id);
    const rows = sections.map((id, at) => sectionFor(before, id, `/sections/${at}`));
    const id = await store.insertGroup(db, { site: site.id, title, icon: icon ?? null });
    const layout = await readLayout(db, site.id);
    await gatherGroup(
      db,
      layout,
      layout.groups.find((group) => group.id === id)!,
      [...new Set(rows)],
    );
    return presentGroup(await viewSite(context), id);
  },

  async edit(context) {
    const {
      db,
      at: { sectionGroup },
      body: { title, icon },
    } = context;
    await store.changeGroup(db, sectionGroup.id, {
      ...(title === undefined ? {} : { title }),
      ...(icon === undefined ? {} : { icon }),
    });
    return presentGroup(await viewSite(context), sectionGroup.id);
  },

  async delete({ db, at: { sectionGroup } }) {
    await store.deleteGroup(db, sectionGroup.id);
  },

  async add(context) {
    const {
      db,
      at: { org, site, sectionGroup },
      body,
      base,
      reply,
    } = context;
    const layout = await readLayout(db, site.id);
    await joinGroup(db, layout, sectionGroup, [sectionFor(layout, body.sectionId, '/sectionId')]);
    reply.location = `${base}/v1/orgs/${org.id}/sites/${site.id}/section-groups/${sectionGroup.id}`;
    return presentGroup(await viewSite(context), sectionGroup.id);
  },

  async remove({ db, at: { site, sectionGroup, section } }) {
    if (section.section_group !== sectionGroup.id) throw new NotFound('section of this group', section.id);
    await leaveGroup(db, await readLayout(db, site.id), section);
  },

  async move(context) {
    const {
      db,
      at: { site, sectionGroup },
      body: { position },
    } = context;
    await moveGroup(db, await readLayout(db, site.id), sectionGroup, position);
    return presentGroup(await viewSite(context), sectionGroup.id);
  },
});
