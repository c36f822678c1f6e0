import type { AnswerOf } from '../../contract/endpoint.ts';
import { type SiteFeature, siteFeatures, sites } from '../../contract/sites.ts';
import { uniqueSlug } from '../../content/markdown/slug.ts';
import { isUniqueViolation } from '../../store/connection.ts';
import { makeDefaultSection } from '../../store/site-sections.ts';
import { makeDefaultSiteSpace } from '../../store/site-spaces.ts';
import * as store from '../../store/sites.ts';
import { createSpace } from '../../store/spaces.ts';
import type { OrgAt, Scope } from '../engine/context.ts';
import { Conflict, DomainError, Invalid } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { optional } from '../organizations/orgs.ts';
import { paged } from '../engine/paging.ts';
import { presentGroup } from './section-groups.ts';
import { ownAddress } from './site-address.ts';
import { type Customization, defaultCustomization, presentCustomization } from './site-customization.ts';
import {
  defaultSection,
  flatStructure,
  type Layout,
  nestedStructure,
  publishedAddress,
  readLayout,
  viewSite,
} from './site-layout.ts';
import { moveGroup, moveSection } from './site-order.ts';
import { presentSection } from './site-sections.ts';
import { addSpace, moveSiteSpace, pathFrom, presentSiteSpace, siteSpaceFor, spaceFor } from './site-spaces.ts';

type Site = AnswerOf<typeof sites.view>;

/** Types by the plan they reach (open parts, 1.2). */
const ranks: Record<string, number> = {
  basic: 0,
  'legacy-basic': 0,
  premium: 1,
  'legacy-premium': 1,
  ultimate: 2,
  sponsored: 2,
};

/** The premium features in use; one above the site's type is frozen. */
function featuresOf(row: store.SiteRow, outline: store.Outline): Site['features'] {
  const used: [SiteFeature, boolean][] = [
    ['sites-custom-subdirectory', row.proxy !== null],
    ['sites-multivariant-site', outline.variants > 1],
    ['sites-pdf-export', (JSON.parse(row.customization) as Customization).pdf.enabled],
    ['sites-sections', outline.sections > 0],
    ['sites-visitor-authentication', row.visibility === 'visitor-auth'],
    ['sites-adaptive-content', row.adaptive_content === 1],
  ];
  return used
    .filter(([, inUse]) => inUse)
    .map(([id]) => {
      const plan = planOf(id);
      return { id, plan, frozen: ranks[row.type]! < ranks[plan]! };
    });
}

function planOf(id: SiteFeature) {
  const plans = Object.keys(siteFeatures) as (keyof typeof siteFeatures)[];
  return plans.find((plan) => siteFeatures[plan].some((name) => `sites-${name}` === id))!;
}

type Presenting = Pick<Scope, 'db' | 'base'> & { at: { org: Pick<OrgAt, 'id' | 'hostname'> } };

export async function presentSites(
  { db, base, at: { org } }: Presenting,
  rows: store.SiteRow[],
  shareKey?: string,
): Promise<Site[]> {
  const outlines = await store.outlinesOf(
    db,
    rows.map((row) => row.id),
  );
  return Promise.all(
    rows.map(async (row) => {
      const outline = outlines.get(row.id)!;
      return {
        object: 'site' as const,
        id: row.id,
        type: row.type as Site['type'],
        title: row.title,
        ...optional('hostname', row.hostname),
        basename: row.basename,
        ...(row.proxy === null ? {} : { proxy: { origin: row.proxy, target: ownAddress(base, org, row) } }),
        visibility: row.visibility as Site['visibility'],
        published: row.published === 1,
        siteSpaces: outline.siteSpaces,
        createdAt: row.created_at,
        adaptiveContent: { enabled: row.adaptive_content === 1 },
        ...(row.ads === null ? {} : { ads: JSON.parse(row.ads) as Site['ads'] }),
        features: featuresOf(row, outline),
        urls: {
          location: `${base}/v1/orgs/${org.id}/sites/${row.id}`,
          app: `${base}/o/${org.id}/sites/${row.id}`,
          ...optional('published', await publishedAddress({ db, base }, org, row, shareKey)),
        },
      };
    }),
  );
}

const presentSite = async (scope: Presenting, row: store.SiteRow, shareKey?: string): Promise<Site> =>
  (await presentSites(scope, [row], shareKey))[0]!;

const maxSpaceTitle = 50;

/** Sets what is shown first: the section, then the site space in the section that is default by then. */
function defaultsFor(layout: Layout, { defaultSiteSection, defaultSiteSpace }: Record<string, unknown>) {
  const section =
    defaultSiteSection === undefined
      ? defaultSection(layout)
      : layout.sections.find((candidate) => candidate.id === defaultSiteSection);
  if (defaultSiteSection !== undefined && !section) {
    throw new Invalid('/defaultSiteSection', 'names no section of this site');
  }
  const siteSpace =
    defaultSiteSpace === undefined
      ? undefined
      : siteSpaceFor(layout, section?.id ?? null, defaultSiteSpace as string, '/defaultSiteSpace');
  return { section: defaultSiteSection === undefined ? undefined : section, siteSpace };
}

export const handlers = implement(sites, {
  list: (context) =>
    paged(context.page, {
      rows: (after, limit) => store.listSites(context.db, context.at.org.id, context.query, after, limit),
      keyTypes: ['string', 'string'],
      key: (row) => [row.created_at, row.id],
      count: () => store.countSites(context.db, context.at.org.id, context.query),
      present: (rows) => presentSites(context, rows),
    }),

  async create(context) {
    const {
      db,
      at: { org },
      body: { type, title = 'Untitled site', visibility = 'public', spaces = [] },
      caller,
      now,
    } = context;
    const shown = [];
    for (const [at, id] of typeof spaces === 'string' ? [] : spaces.entries()) {
      shown.push(await spaceFor(db, org, caller, { id, path: `/spaces/${at}` }));
    }
    const basename = pathFrom(title, 'site');
    const row = await store.insertSite(db, {
      organization: org.id,
      type,
      title,
      basename: uniqueSlug(basename, await store.basenamesLike(db, org.id, basename)),
      visibility,
      customization: JSON.stringify(defaultCustomization),
      now,
    });
    if (typeof spaces === 'string') {
      const made = await createSpace(db, {
        organization: org.id,
        parent: null,
        title: [...title].slice(0, maxSpaceTitle).join(''),
        emoji: '📄',
        editMode: 'live',
        author: caller.id,
        now,
      });
      if (spaces === 'sample')
        await (await import('../content/changes/sample-content.ts')).writeSample(context, org, made);
      shown.push(made);
    }
    for (const space of shown) await addSpace(db, row.id, null, space);
    return presentSite(context, row);
  },

  view: (context) => presentSite(context, context.at.site, context.query.shareKey),

  async edit(context) {
    const {
      db,
      at: { org, site },
      body,
    } = context;
    const { title, visibility, basename, adaptiveContent, proxy } = body;
    const { section, siteSpace } = defaultsFor(await readLayout(db, site.id), body);
    const row = await store
      .changeSite(db, site.id, {
        ...optional('title', title),
        ...optional('visibility', visibility),
        ...optional('basename', basename),
        ...optional('adaptive_content', adaptiveContent && Number(adaptiveContent.enabled)),
        ...(proxy === undefined ? {} : { proxy }),
      })
      .catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error;
        throw new Conflict(
          'already-exists',
          `The basename ${JSON.stringify(basename)} is taken by another site of ${org.title}. Choose another one.`,
        );
      });
    if (section) await makeDefaultSection(db, site.id, section.id);
    if (siteSpace) await makeDefaultSiteSpace(db, siteSpace);
    return presentSite(context, row);
  },

  async delete({ db, at: { site } }) {
    await store.deleteSite(db, site.id);
  },

  async publish(context) {
    const {
      db,
      at: { site },
    } = context;
    if ((await store.outlinesOf(db, [site.id])).get(site.id)!.siteSpaces === 0) {
      throw new Conflict(
        'invalid-state',
        'This site has no site spaces, so there is nothing to publish. Add a space to it first.',
      );
    }
    return presentSite(context, await store.changeSite(db, site.id, { published: 1 }));
  },

  unpublish: async (context) =>
    presentSite(context, await store.changeSite(context.db, context.at.site.id, { published: 0 })),

  async published(context) {
    const {
      at: { site },
      query: { shareKey },
    } = context;
    if (site.published === 0) throw new DomainError('not-found', 'This site is not published. Publish it first.');
    return {
      object: 'published-content-site' as const,
      site: await presentSite(context, site, shareKey),
      structure: await flatStructure(await viewSite(context, shareKey)),
      customizations: {
        site: presentCustomization(site),
        siteSpaces: JSON.parse(site.site_space_customizations) as Record<string, Customization>,
      },
      scripts: [],
    };
  },

  structure: async (context) => nestedStructure(await viewSite(context, context.query.shareKey)),

  async sort(context) {
    const {
      db,
      at: { site },
      body: { item, position },
    } = context;
    const layout = await readLayout(db, site.id);
    const among = <T extends { id: string }>(rows: T[]): T => {
      const row = rows.find((candidate) => candidate.id === item.id);
      if (row) return row;
      throw new Invalid('/item/id', `names no ${item.type} of this site`);
    };
    if (item.type === 'site-space') {
      const beside = (which: 'before' | 'after') => {
        const pointer = position[which];
        if (pointer && pointer.type !== 'site-space') {
          throw new Invalid(`/position/${which}`, 'must name a site space, as what is moved is one');
        }
        return pointer?.id;
      };
      await moveSiteSpace(db, among(layout.siteSpaces), { before: beside('before'), after: beside('after') });
      return presentSiteSpace(await viewSite(context), item.id);
    }
    for (const which of ['before', 'after'] as const) {
      if (position[which]?.type === 'site-space') {
        throw new Invalid(`/position/${which}`, 'must name a section or a section group, not a site space');
      }
    }
    const beside = position as Parameters<typeof moveSection>[3];
    if (item.type === 'site-section') {
      await moveSection(db, layout, among(layout.sections), beside);
      return presentSection(await viewSite(context), item.id);
    }
    await moveGroup(db, layout, among(layout.groups), beside);
    return presentGroup(await viewSite(context), item.id);
  },
});
