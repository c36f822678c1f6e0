import { siteSections } from '../../contract/site-sections.ts';
import { pathFrom, uniqueSlug } from '../../content/markdown/slug.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import * as store from '../../store/site-sections.ts';
import { gatherSiteSpaces, makeDefaultSiteSpace } from '../../store/site-spaces.ts';
import { getSpace } from '../../store/spaces.ts';
import type { Db } from '../../store/store.ts';
import { implement } from '../engine/implement.ts';
import { pagedArray } from '../engine/paging.ts';
import { writeUnique } from '../engine/write-unique.ts';
import { defaultSiteSpace, type SiteParts, readSiteParts } from './site-parts.ts';
import { moveSection, type SiteNeighbour } from './site-order.ts';
import { addSpace, siteSpaceFor, visibleSpace } from './site-spaces.ts';
import { presentSection, presentSections, viewSite } from './site-view.ts';

const maxTitleLength = 64;
const minTitleLength = 2;

/** The title of a space as one that a section may have. */
function sectionTitleFrom(title: string): string {
  const characters = [...title];
  return characters.length < minTitleLength ? 'Section' : characters.slice(0, maxTitleLength).join('');
}

async function addSection(db: Db, site: string, title: string, icon: string | null): Promise<store.SectionRow> {
  const taken = new Set((await store.listSections(db, site)).map((section) => section.path));
  return store.insertSection(db, { site, title, icon, path: uniqueSlug(pathFrom(title, 'section'), taken) });
}

/** Moves the site spaces outside sections into a first section, with the title of the default one of them. */
async function addFirstSection(db: Db, site: string, parts: SiteParts): Promise<void> {
  const siteSpace = defaultSiteSpace(parts, null);
  if (parts.sections.length > 0 || !siteSpace) return;
  const { title } = await getSpace(db, siteSpace.space);
  const section = await addSection(db, site, sectionTitleFrom(title), null);
  await gatherSiteSpaces(db, site, section.id);
}

const neighbour = (pointer: { siteSection: string } | undefined): SiteNeighbour | undefined =>
  pointer && { type: 'site-section', id: pointer.siteSection };

export const handlers = implement(siteSections, {
  async list(context) {
    const view = await viewSite(context, context.query.shareKey);
    return pagedArray(context.page, view.parts.sections, {
      keyTypes: ['number', 'string'],
      key: (row) => [row.position, row.id],
      present: (rows) => presentSections(view, rows),
    });
  },

  async add(context) {
    const { db, objects, body } = context;
    const space = await visibleSpace(context, body.spaceId, '/spaceId');
    await addFirstSection(db, objects.site.id, await readSiteParts(db, objects.site.id));
    const section = await addSection(
      db,
      objects.site.id,
      body.title ?? sectionTitleFrom(space.title),
      body.icon ?? null,
    );
    // Only site spaces of deleted spaces can still be outside sections. A restored space appears in this section.
    await gatherSiteSpaces(db, objects.site.id, section.id);
    await addSpace(db, objects.site.id, section.id, space);
    return presentSection(await viewSite(context), section.id);
  },

  async edit(context) {
    const { db, objects, body } = context;
    const { site, section } = objects;
    const { defaultSiteSpace: defaultId, ...change } = body;
    const newDefault =
      defaultId === undefined
        ? undefined
        : siteSpaceFor(await readSiteParts(db, site.id), section.id, defaultId, '/defaultSiteSpace');
    await writeUnique(
      `Another section of this site has the path ${JSON.stringify(change.path)} already. Choose another path.`,
      () => store.changeSection(db, section.id, withoutUndefined(change)),
    );
    if (newDefault) await makeDefaultSiteSpace(db, newDefault);
    return presentSection(await viewSite(context), section.id);
  },

  async remove({ db, objects: { section } }) {
    await store.deleteSection(db, section.id);
  },

  async move(context) {
    const { db, objects, body } = context;
    const { site, section } = objects;
    const { before, after } = body.position ?? {};
    const neighbours = { before: neighbour(before), after: neighbour(after) };
    await moveSection(db, await readSiteParts(db, site.id), section, neighbours);
    return presentSection(await viewSite(context), section.id);
  },
});
