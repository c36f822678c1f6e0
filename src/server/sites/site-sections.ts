import { siteSections } from '../../contract/site-sections.ts';
import { uniqueSlug } from '../../content/markdown/slug.ts';
import { isUniqueViolation } from '../../store/connection.ts';
import * as store from '../../store/site-sections.ts';
import { gatherSiteSpaces, makeDefaultSiteSpace } from '../../store/site-spaces.ts';
import { getSpace } from '../../store/spaces.ts';
import type { Db } from '../../store/store.ts';
import { Conflict } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { pagedArray } from '../engine/paging.ts';
import { defaultSiteSpace, type Layout, presentSections, readLayout, type SiteView, viewSite } from './site-layout.ts';
import { moveSection } from './site-order.ts';
import { addSpace, pathFrom, siteSpaceFor, spaceFor } from './site-spaces.ts';

const longestTitle = 64;
const shortestTitle = 2;

/** A space's title as a section's. */
function titleFrom(title: string): string {
  const letters = [...title];
  return letters.length < shortestTitle ? 'Section' : letters.slice(0, longestTitle).join('');
}

async function addSection(db: Db, site: string, title: string, icon: string | null): Promise<store.SectionRow> {
  const taken = new Set((await store.listSections(db, site)).map((section) => section.path));
  return store.insertSection(db, { site, title, icon, path: uniqueSlug(pathFrom(title, 'section'), taken) });
}

/** The site spaces outside sections go into a section of their own, titled like the default one of them. */
async function gather(db: Db, site: string, layout: Layout): Promise<void> {
  const first = defaultSiteSpace(layout, null);
  if (layout.sections.length > 0 || !first) return;
  const section = await addSection(db, site, titleFrom((await getSpace(db, first.space)).title), null);
  await gatherSiteSpaces(db, site, section.id);
}

export const presentSection = async (view: SiteView, id: string) =>
  (
    await presentSections(
      view,
      view.layout.sections.filter((row) => row.id === id),
    )
  )[0]!;

export const handlers = implement(siteSections, {
  async list(context) {
    const view = await viewSite(context, context.query.shareKey);
    return pagedArray(context.page, view.layout.sections, {
      keyTypes: ['number', 'string'],
      key: (row) => [row.position, row.id],
      present: (some) => presentSections(view, some),
    });
  },

  async add(context) {
    const {
      db,
      at: { org, site },
      body,
      caller,
    } = context;
    const space = await spaceFor(db, org, caller, { id: body.spaceId, path: '/spaceId' });
    await gather(db, site.id, await readLayout(db, site.id));
    const section = await addSection(db, site.id, body.title ?? titleFrom(space.title), body.icon ?? null);
    // Site spaces of deleted spaces may be all that is left outside sections: they come back in this one.
    await gatherSiteSpaces(db, site.id, section.id);
    await addSpace(db, site.id, section.id, space);
    return presentSection(await viewSite(context), section.id);
  },

  async edit(context) {
    const {
      db,
      at: { site, section },
      body: { defaultSiteSpace: first, ...change },
    } = context;
    const row =
      first === undefined
        ? undefined
        : siteSpaceFor(await readLayout(db, site.id), section.id, first, '/defaultSiteSpace');
    try {
      await store.changeSection(db, section.id, given(change));
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new Conflict(
        'already-exists',
        `The path ${JSON.stringify(change.path)} is taken by another section of this site. Choose another path.`,
      );
    }
    if (row) await makeDefaultSiteSpace(db, row);
    return presentSection(await viewSite(context), section.id);
  },

  async remove({ db, at: { section } }) {
    await store.deleteSection(db, section.id);
  },

  async move(context) {
    const {
      db,
      at: { site, section },
      body: { position },
    } = context;
    const beside = (pointer: { siteSection: string } | undefined) =>
      pointer && { type: 'site-section' as const, id: pointer.siteSection };
    await moveSection(db, await readLayout(db, site.id), section, {
      before: beside(position?.before),
      after: beside(position?.after),
    });
    return presentSection(await viewSite(context), section.id);
  },
});

/** The members that were sent. */
const given = <T extends object>(members: T): Partial<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
