import type { AnswerOf, BodyOf } from '../../contract/endpoint.ts';
import { type SiteFeature, siteFeatures, sitePlans, sites } from '../../contract/sites.ts';
import { pathFrom, uniqueSlug } from '../../content/markdown/slug.ts';
import { getFrom } from '../../shared/get-from.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import { jsonText, parseJson } from '../../store/json.ts';
import { makeDefaultSection } from '../../store/site-sections.ts';
import { makeDefaultSiteSpace } from '../../store/site-spaces.ts';
import * as store from '../../store/sites.ts';
import { createSpace } from '../../store/spaces.ts';
import type { Row } from '../../store/tables.ts';
import type { Context, LoadedOrg, Scope } from '../engine/context.ts';
import { Conflict, DomainError, Invalid } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { paged } from '../engine/paging.ts';
import { writeUnique } from '../engine/write-unique.ts';
import { instanceAddress } from './site-address.ts';
import { defaultCustomization, presentCustomization } from './site-customization.ts';
import { defaultSection, type SiteParts, publishedAddress, readSiteParts } from './site-parts.ts';
import { moveGroup, moveSection, type SiteNeighbour } from './site-order.ts';
import { addSpace, moveSiteSpace, siteSpaceFor, visibleSpace } from './site-spaces.ts';
import {
  flatStructure,
  nestedStructure,
  presentGroup,
  presentSection,
  presentSiteSpace,
  viewSite,
} from './site-view.ts';

type Site = AnswerOf<typeof sites.view>;

/** The rank of the plan of each type. */
const planRanks: Record<Site['type'], number> = {
  basic: 0,
  'legacy-basic': 0,
  premium: 1,
  'legacy-premium': 1,
  ultimate: 2,
  sponsored: 2,
};

/** The premium features in use. A feature of a higher plan than the site's type is frozen. */
function featuresOf(row: store.SiteRow, outline: store.Outline): Site['features'] {
  const features: [SiteFeature, isInUse: boolean][] = [
    ['sites-custom-subdirectory', row.proxy !== null],
    ['sites-multivariant-site', outline.variants > 1],
    ['sites-pdf-export', parseJson(row.customization).pdf.enabled],
    ['sites-sections', outline.sections > 0],
    ['sites-visitor-authentication', row.visibility === 'visitor-auth'],
    ['sites-adaptive-content', row.adaptive_content === 1],
  ];
  return features
    .filter(([, isInUse]) => isInUse)
    .map(([id]) => {
      const plan = planOf(id);
      return { id, plan, frozen: planRanks[row.type] < planRanks[plan] };
    });
}

function planOf(id: SiteFeature): Site['type'] {
  const plan = sitePlans.find((candidate) => siteFeatures[candidate].some((name) => `sites-${name}` === id));
  if (plan === undefined) throw new Error(`The feature ${id} belongs to no plan.`);
  return plan;
}

type Presenting = Pick<Scope, 'db' | 'base'> & { objects: { org: Pick<LoadedOrg, 'id' | 'hostname'> } };

export async function presentSites(presenting: Presenting, rows: store.SiteRow[]): Promise<Site[]> {
  const outlines = await store.outlinesOf(
    presenting.db,
    rows.map((row) => row.id),
  );
  return Promise.all(rows.map((row) => presentWith(presenting, row, getFrom(outlines, row.id))));
}

async function presentSite(presenting: Presenting, row: store.SiteRow, shareKey?: string): Promise<Site> {
  const outlines = await store.outlinesOf(presenting.db, [row.id]);
  return presentWith(presenting, row, getFrom(outlines, row.id), shareKey);
}

async function presentWith(
  { db, base, objects: { org } }: Presenting,
  row: store.SiteRow,
  outline: store.Outline,
  shareKey?: string,
): Promise<Site> {
  return {
    object: 'site',
    id: row.id,
    type: row.type,
    title: row.title,
    hostname: row.hostname ?? undefined,
    basename: row.basename,
    proxy: row.proxy === null ? undefined : { origin: row.proxy, target: instanceAddress(base, org, row) },
    visibility: row.visibility,
    published: row.published === 1,
    siteSpaces: outline.siteSpaces,
    createdAt: row.created_at,
    adaptiveContent: { enabled: row.adaptive_content === 1 },
    ads: row.ads === null ? undefined : parseJson(row.ads),
    features: featuresOf(row, outline),
    urls: {
      location: `${base}/v1/orgs/${org.id}/sites/${row.id}`,
      app: `${base}/o/${org.id}/sites/${row.id}`,
      published: await publishedAddress({ db, base }, org, row, shareKey),
    },
  };
}

const maxSpaceTitleLength = 50;

/** The space of a site that is created without one. */
async function createFirstSpace(
  context: Pick<Context, 'db' | 'base' | 'caller' | 'now' | 'texts'>,
  org: LoadedOrg,
  { title, isSample }: { title: string; isSample: boolean },
): Promise<Row<'space'>> {
  const { db, caller, now } = context;
  const space = await createSpace(db, {
    organization: org.id,
    parent: null,
    title: [...title].slice(0, maxSpaceTitleLength).join(''),
    emoji: '📄',
    editMode: 'live',
    author: caller.id,
    now,
  });
  if (isSample) {
    const { writeSampleContent } = await import('../content/changes/sample-content.ts');
    await writeSampleContent(context, org, space);
  }
  return space;
}

/**
 * The new default section, and the new default site space: of that section, or of the present default section.
 *
 * @throws Invalid for one that does not exist there
 */
function newDefaults(parts: SiteParts, { defaultSiteSection, defaultSiteSpace }: BodyOf<typeof sites.edit>) {
  const newSection =
    defaultSiteSection === undefined
      ? undefined
      : parts.sections.find((candidate) => candidate.id === defaultSiteSection);
  if (defaultSiteSection !== undefined && !newSection)
    throw new Invalid('/defaultSiteSection', 'is not a section of this site');
  const section = newSection ?? defaultSection(parts);
  const newSiteSpace =
    defaultSiteSpace === undefined
      ? undefined
      : siteSpaceFor(parts, section?.id ?? null, defaultSiteSpace, '/defaultSiteSpace');
  return { newSection, newSiteSpace };
}

type Sort = BodyOf<typeof sites.sort>;

/** @throws Invalid for an id that is not of this kind of part */
function partFor<T extends { id: string }>(rows: T[], { type, id }: Sort['item']): T {
  const row = rows.find((candidate) => candidate.id === id);
  if (row) return row;
  throw new Invalid('/item/id', `is not a ${type} of this site`);
}

/** @throws Invalid for a neighbour that is not a site space */
function siteSpaceNeighbour({ position }: Sort, side: 'before' | 'after'): string | undefined {
  const pointer = position[side];
  if (pointer && pointer.type !== 'site-space')
    throw new Invalid(`/position/${side}`, 'must be a site space, because a site space is moved');
  return pointer?.id;
}

/** @throws Invalid for a neighbour that is a site space */
function sectionNeighbour({ position }: Sort, side: 'before' | 'after'): SiteNeighbour | undefined {
  const pointer = position[side];
  if (pointer?.type === 'site-space')
    throw new Invalid(`/position/${side}`, 'must be a section or a section group, not a site space');
  return pointer && { type: pointer.type, id: pointer.id };
}

export const handlers = implement(sites, {
  list: (context) =>
    paged(context.page, {
      rows: (after, limit) => store.listSites(context.db, context.objects.org.id, context.query, after, limit),
      keyTypes: ['string', 'string'],
      key: (row) => [row.created_at, row.id],
      count: () => store.countSites(context.db, context.objects.org.id, context.query),
      present: (rows) => presentSites(context, rows),
    }),

  async create(context) {
    const { db, objects, body, now } = context;
    const { type, title = 'Untitled site', visibility = 'public', spaces = [] } = body;
    const { org } = objects;
    const shownSpaces = [];
    for (const [index, id] of Array.isArray(spaces) ? spaces.entries() : []) {
      shownSpaces.push(await visibleSpace(context, id, `/spaces/${index}`));
    }
    const basename = pathFrom(title, 'site');
    const row = await store.insertSite(db, {
      organization: org.id,
      type,
      title,
      basename: uniqueSlug(basename, await store.basenamesLike(db, org.id, basename)),
      visibility,
      customization: jsonText(defaultCustomization),
      created_at: now,
    });
    if (!Array.isArray(spaces))
      shownSpaces.push(await createFirstSpace(context, org, { title, isSample: spaces === 'sample' }));
    for (const space of shownSpaces) await addSpace(db, row.id, null, space);
    return presentSite(context, row);
  },

  view: (context) => presentSite(context, context.objects.site, context.query.shareKey),

  async edit(context) {
    const { db, objects, body } = context;
    const { title, visibility, basename, adaptiveContent, proxy } = body;
    const { newSection, newSiteSpace } = newDefaults(await readSiteParts(db, objects.site.id), body);
    const change = withoutUndefined({
      title,
      visibility,
      basename,
      adaptive_content: adaptiveContent && Number(adaptiveContent.enabled),
      proxy,
    });
    const row = await writeUnique(
      `Another site of ${objects.org.title} has the basename ${JSON.stringify(basename)} already. Choose another one.`,
      () => store.changeSite(db, objects.site.id, change),
    );
    if (newSection) await makeDefaultSection(db, objects.site.id, newSection.id);
    if (newSiteSpace) await makeDefaultSiteSpace(db, newSiteSpace);
    return presentSite(context, row);
  },

  delete: ({ db, objects: { site } }) => store.deleteSite(db, site.id),

  async publish(context) {
    const { db, objects } = context;
    const { id } = objects.site;
    if (getFrom(await store.outlinesOf(db, [id]), id).siteSpaces === 0) {
      throw new Conflict(
        'invalid-state',
        'This site has no site spaces, so it cannot be published. Add a space to it first.',
      );
    }
    return presentSite(context, await store.changeSite(db, id, { published: 1 }));
  },

  unpublish: async (context) =>
    presentSite(context, await store.changeSite(context.db, context.objects.site.id, { published: 0 })),

  async published(context) {
    const { objects, query } = context;
    const { site } = objects;
    if (site.published === 0) throw new DomainError('not-found', 'This site is not published. Publish it first.');
    return {
      object: 'published-content-site' as const,
      site: await presentSite(context, site, query.shareKey),
      structure: await flatStructure(await viewSite(context, query.shareKey)),
      customizations: { site: presentCustomization(site), siteSpaces: parseJson(site.site_space_customizations) },
      scripts: [],
    };
  },

  structure: async (context) => nestedStructure(await viewSite(context, context.query.shareKey)),

  async sort(context) {
    const { db, objects, body } = context;
    const { item } = body;
    const parts = await readSiteParts(db, objects.site.id);
    if (item.type === 'site-space') {
      const row = partFor(parts.siteSpaces, item);
      const neighbours = { before: siteSpaceNeighbour(body, 'before'), after: siteSpaceNeighbour(body, 'after') };
      await moveSiteSpace(db, row, neighbours);
      return presentSiteSpace(await viewSite(context), item.id);
    }
    const neighbours = { before: sectionNeighbour(body, 'before'), after: sectionNeighbour(body, 'after') };
    if (item.type === 'site-section') {
      await moveSection(db, parts, partFor(parts.sections, item), neighbours);
      return presentSection(await viewSite(context), item.id);
    }
    await moveGroup(db, parts, partFor(parts.groups, item), neighbours);
    return presentGroup(await viewSite(context), item.id);
  },
});
