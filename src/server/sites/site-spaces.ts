import { siteSpaces } from '../../contract/site-spaces.ts';
import { pathFrom, uniqueSlug } from '../../content/markdown/slug.ts';
import { getFrom } from '../../shared/get-from.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import { findSpace } from '../../store/lookups.ts';
import * as store from '../../store/site-spaces.ts';
import type { Db } from '../../store/store.ts';
import type { Row } from '../../store/tables.ts';
import { positionAt } from '../content/spaces/positions.ts';
import type { LoadedOrg, Scope } from '../engine/context.ts';
import { Conflict, Invalid } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { pagedArray } from '../engine/paging.ts';
import { writeUnique } from '../engine/write-unique.ts';
import { levelOn } from '../organizations/levels.ts';
import { viewerIn } from '../organizations/viewer.ts';
import { defaultSection, defaultSiteSpace, type SiteParts, readSiteParts, siteSpacesIn } from './site-parts.ts';
import { presentSiteSpace, presentSiteSpaces, viewSite } from './site-view.ts';

/** @throws Invalid at `path` for an id that is not of a space in the organization that the caller can see */
export async function visibleSpace(
  { db, caller, objects: { org } }: Pick<Scope, 'db' | 'caller'> & { objects: { org: LoadedOrg } },
  id: string,
  path: string,
): Promise<Row<'space'>> {
  const space = await findSpace(db, id);
  if (space?.organization === org.id && space.deleted_at === null) {
    const level = await levelOn(db, viewerIn(org, caller.id), 'space', space);
    if (level !== null) return space;
  }
  throw new Invalid(path, 'is not a space of this organization that you can see');
}

/** Adds a space to a section, or outside sections, with a path from its title. */
export async function addSpace(
  db: Db,
  site: string,
  section: string | null,
  space: Pick<Row<'space'>, 'id' | 'title'>,
): Promise<store.SiteSpaceRow> {
  const path = uniqueSlug(pathFrom(space.title, 'space'), await store.siteSpacePaths(db, site, section));
  return store.insertSiteSpace(db, { site, section, space: space.id, path });
}

/**
 * @param neighbours ids of site spaces
 * @throws Invalid for a neighbour that is not in the same section
 */
export async function moveSiteSpace(
  db: Db,
  row: store.SiteSpaceRow,
  neighbours: { before?: string | undefined; after?: string | undefined },
): Promise<void> {
  const itemOf = (id: string) => ({ table: 'site_space' as const, id });
  const before = neighbours.before === undefined ? undefined : itemOf(neighbours.before);
  const after = neighbours.after === undefined ? undefined : itemOf(neighbours.after);
  const order = store.siteSpaceOrder(row.site, row.section);
  const { position } = await positionAt(db, order, itemOf(row.id), { before, after });
  await store.changeSiteSpace(db, row.id, { position });
}

/** @throws Invalid at `path` for an id that is not of a site space in that section */
export function siteSpaceFor(parts: SiteParts, section: string | null, id: string, path: string): store.SiteSpaceRow {
  const row = siteSpacesIn(parts, section).find((candidate) => candidate.id === id);
  if (row) return row;
  throw new Invalid(
    path,
    section === null ? 'is not a site space outside sections of this site' : 'is not a site space of that section',
  );
}

/** Gives the site space of a deleted space another path. It gets its place in the site back if the space is restored. */
async function freePath(db: Db, place: Pick<store.SiteSpaceRow, 'site' | 'section' | 'path'>): Promise<void> {
  const hidden = await store.findHiddenSiteSpace(db, place);
  if (!hidden) return;
  const path = uniqueSlug(place.path, await store.siteSpacePaths(db, place.site, place.section));
  await store.changeSiteSpace(db, hidden.id, { path });
}

/** The site space that the site opens with. */
const openingSiteSpace = (parts: SiteParts) => defaultSiteSpace(parts, defaultSection(parts)?.id ?? null);

export const handlers = implement(siteSpaces, {
  async list(context) {
    const { query, page } = context;
    const view = await viewSite(context, query.shareKey);
    const { sections, siteSpaces: all } = view.parts;
    const openingId = openingSiteSpace(view.parts)?.id;
    const listed = query.default === undefined ? all : all.filter((row) => (row.id === openingId) === query.default);
    const sectionPositions = new Map(sections.map((section) => [section.id, section.position]));
    return pagedArray(page, listed, {
      keyTypes: ['number', 'string or null', 'number', 'string'],
      key: ({ section, position, id }) => [
        section === null ? -1 : getFrom(sectionPositions, section),
        section,
        position,
        id,
      ],
      present: (rows) => presentSiteSpaces(view, rows),
    });
  },

  async add(context) {
    const { db, objects, body } = context;
    const { site } = objects;
    const space = await visibleSpace(context, body.spaceId, '/spaceId');
    const parts = await readSiteParts(db, site.id);
    if (body.sectionId !== undefined && !parts.sections.some((section) => section.id === body.sectionId))
      throw new Invalid('/sectionId', 'is not a section of this site');
    const section = body.sectionId ?? defaultSection(parts)?.id ?? null;
    const row = await addSpace(db, site.id, section, space);
    return presentSiteSpace(await viewSite(context), row.id);
  },

  async edit(context) {
    const { db, objects, body } = context;
    const { path, condition } = body;
    if (path !== undefined) await freePath(db, { ...objects.siteSpace, path });
    await writeUnique(
      `Another site space in the same place has the path ${JSON.stringify(path)} already. Choose another path.`,
      () => store.changeSiteSpace(db, objects.siteSpace.id, withoutUndefined({ path, condition })),
    );
    return presentSiteSpace(await viewSite(context), objects.siteSpace.id);
  },

  async remove({ db, objects: { site, siteSpace } }) {
    const parts = await readSiteParts(db, site.id);
    if (siteSpace.section !== null && siteSpacesIn(parts, siteSpace.section).length === 1) {
      throw new Conflict(
        'invalid-state',
        `This is the only site space of its section (${siteSpace.section}). Remove the section instead, or add another space to it first.`,
      );
    }
    await store.deleteSiteSpace(db, siteSpace.id);
  },

  async move(context) {
    const { db, objects, body } = context;
    const { before, after } = body.position ?? {};
    await moveSiteSpace(db, objects.siteSpace, { before: before?.siteSpace, after: after?.siteSpace });
    return presentSiteSpace(await viewSite(context), objects.siteSpace.id);
  },
});
