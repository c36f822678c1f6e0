import { siteSpaces } from '../../contract/site-spaces.ts';
import { uniqueSlug } from '../../content/markdown/slug.ts';
import { isUniqueViolation } from '../../store/connection.ts';
import { findSpace } from '../../store/lookups.ts';
import * as store from '../../store/site-spaces.ts';
import type { Db } from '../../store/store.ts';
import type { Row } from '../../store/tables.ts';
import type { Caller, OrgAt } from '../engine/context.ts';
import { asking } from '../content/spaces/placement.ts';
import { Conflict, Invalid } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { levelOn } from '../organizations/levels.ts';
import { pagedArray } from '../engine/paging.ts';
import { landing } from '../content/spaces/positions.ts';
import {
  defaultSection,
  defaultSiteSpace,
  type Layout,
  presentSiteSpaces,
  readLayout,
  siteSpacesIn,
  type SiteView,
  viewSite,
} from './site-layout.ts';

/** A path from a title: lower case, all but letters and digits a dash. */
export function pathFrom(title: string, fallback: string): string {
  const path = title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return path || fallback;
}

/** @throws Invalid at `path` for an id that names no space the caller can see in the organization */
export async function spaceFor(
  db: Db,
  org: OrgAt,
  caller: Caller,
  { id, path }: { id: string; path: string },
): Promise<Row<'space'>> {
  const space = await findSpace(db, id);
  const seen =
    space?.organization === org.id &&
    space.deleted_at === null &&
    (await levelOn(db, asking(org, caller.id), 'space', space)) !== null;
  if (!seen) throw new Invalid(path, 'names no space of this organization that you can see');
  return space!;
}

/** Adds a space to a section, or outside sections, under a path made of its title. */
export async function addSpace(
  db: Db,
  site: string,
  section: string | null,
  space: Pick<Row<'space'>, 'id' | 'title'>,
): Promise<store.SiteSpaceRow> {
  const path = uniqueSlug(pathFrom(space.title, 'space'), await store.siteSpacePaths(db, site, section));
  return store.insertSiteSpace(db, { site, section, space: space.id, path });
}

/** @throws Invalid for a position that is not in the site space's own section */
export async function moveSiteSpace(
  db: Db,
  row: store.SiteSpaceRow,
  { before, after }: { before?: string | undefined; after?: string | undefined } = {},
): Promise<void> {
  const item = (id: string) => ({ table: 'site_space' as const, id });
  const { positions } = await landing(db, store.siteSpaceOrder(row.site, row.section), [item(row.id)], {
    ...(before === undefined ? {} : { before: item(before) }),
    ...(after === undefined ? {} : { after: item(after) }),
  });
  await store.changeSiteSpace(db, row.id, { position: positions[0]! });
}

/** @throws Invalid at `path` for an id that names no site space of that section */
export function siteSpaceFor(layout: Layout, section: string | null, id: string, path: string): store.SiteSpaceRow {
  const row = siteSpacesIn(layout, section).find((candidate) => candidate.id === id);
  if (row) return row;
  throw new Invalid(
    path,
    section === null ? 'names no site space outside sections here' : 'names no site space of that section',
  );
}

export const presentSiteSpace = async (view: SiteView, id: string) =>
  (
    await presentSiteSpaces(
      view,
      view.layout.siteSpaces.filter((row) => row.id === id),
    )
  )[0]!;

/** The site space that opens first: of the default section, where there are sections. */
const firstOf = (layout: Layout) => defaultSiteSpace(layout, defaultSection(layout)?.id ?? null);

export const handlers = implement(siteSpaces, {
  async list(context) {
    const { query, page } = context;
    const view = await viewSite(context, query.shareKey);
    const { sections, siteSpaces: all } = view.layout;
    const first = firstOf(view.layout)?.id;
    const rows = query.default === undefined ? all : all.filter((row) => (row.id === first) === query.default);
    const place = new Map(sections.map((section) => [section.id, section.position]));
    return pagedArray(page, rows, {
      keyTypes: ['number', 'string or null', 'number', 'string'],
      key: (row) => [row.section === null ? -1 : place.get(row.section)!, row.section, row.position, row.id],
      present: (some) => presentSiteSpaces(view, some),
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
    const layout = await readLayout(db, site.id);
    if (body.sectionId !== undefined && !layout.sections.some((section) => section.id === body.sectionId)) {
      throw new Invalid('/sectionId', 'names no section of this site');
    }
    const section = body.sectionId ?? defaultSection(layout)?.id ?? null;
    const row = await addSpace(db, site.id, section, space);
    return presentSiteSpace(await viewSite(context), row.id);
  },

  async edit(context) {
    const {
      db,
      at: { siteSpace },
      body: { path, condition },
    } = context;
    try {
      await store.changeSiteSpace(db, siteSpace.id, {
        ...(path === undefined ? {} : { path }),
        ...(condition === undefined ? {} : { condition }),
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new Conflict(
        'already-exists',
        `The path ${JSON.stringify(path)} is taken by another site space beside this one. Choose another path.`,
      );
    }
    return presentSiteSpace(await viewSite(context), siteSpace.id);
  },

  async remove({ db, at: { site, siteSpace } }) {
    const layout = await readLayout(db, site.id);
    if (siteSpace.section !== null && siteSpacesIn(layout, siteSpace.section).length === 1) {
      throw new Conflict(
        'invalid-state',
        'This is the only site space of its section. Remove the section instead, or add another space to it first.',
      );
    }
    await store.deleteSiteSpace(db, siteSpace.id);
  },

  async move(context) {
    const {
      db,
      at: { siteSpace },
      body: { position },
    } = context;
    await moveSiteSpace(db, siteSpace, {
      before: position?.before?.siteSpace,
      after: position?.after?.siteSpace,
    });
    return presentSiteSpace(await viewSite(context), siteSpace.id);
  },
});
