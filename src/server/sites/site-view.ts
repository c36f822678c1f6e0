import type { ItemOf } from '../../contract/endpoint.ts';
import type { sectionGroups } from '../../contract/section-groups.ts';
import type { siteSections } from '../../contract/site-sections.ts';
import type { siteSpaces } from '../../contract/site-spaces.ts';
import { getFrom } from '../../shared/get-from.ts';
import { parseJson } from '../../store/json.ts';
import type { GroupRow } from '../../store/section-groups.ts';
import type { SectionRow } from '../../store/site-sections.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { SiteSpaceRow } from '../../store/site-spaces.ts';
import { spacesById } from '../../store/spaces.ts';
import { presentSpaces } from '../content/spaces/spaces.ts';
import type { LoadedOrg, Scope } from '../engine/context.ts';
import { withLevels } from '../organizations/levels.ts';
import { viewerIn } from '../organizations/viewer.ts';
import { pathPart } from './site-address.ts';
import {
  defaultSection,
  defaultSiteSpaceIds,
  getRow,
  type SiteParts,
  publishedAddress,
  readSiteParts,
  sectionPath,
} from './site-parts.ts';

type SiteSpace = ItemOf<typeof siteSpaces.list>;
type Section = ItemOf<typeof siteSections.list>;
type Group = ItemOf<typeof sectionGroups.list>;

/** A site as one caller sees it: all that its parts are presented with. */
export interface SiteView extends Pick<Scope, 'db' | 'base' | 'caller'> {
  org: LoadedOrg;
  site: SiteRow;
  parts: SiteParts;
  shareKey: string | undefined;
  address: string | undefined;
}

type SiteScope = Pick<Scope, 'db' | 'base' | 'caller'> & { objects: { org: LoadedOrg; site: SiteRow } };

export async function viewSite(scope: SiteScope, shareKey?: string): Promise<SiteView> {
  const { db, base, caller, objects } = scope;
  const { org, site } = objects;
  const address = await publishedAddress({ db, base }, org, site, shareKey);
  return { db, base, caller, org, site, parts: await readSiteParts(db, site.id), shareKey, address };
}

const publishedUrl = ({ address }: SiteView, path: string) => ({
  published: address === undefined ? undefined : address + path,
});

async function spacesOf({ db, base, org, caller, shareKey }: SiteView, rows: SiteSpaceRow[]) {
  const spaces = await spacesById(db, [...new Set(rows.map((row) => row.space))]);
  const presented = await presentSpaces(
    { db, base, shareKey },
    await withLevels(db, viewerIn(org, caller.id), 'space', spaces),
  );
  return new Map(presented.map((space) => [space.id, space]));
}

/** Loads what these site spaces are presented with. */
async function siteSpacePresenter(view: SiteView, rows: SiteSpaceRow[]) {
  const { parts, site } = view;
  const spaces = await spacesOf(view, rows);
  const { advancedCustomization } = parseJson(site.customization);
  const defaultIds = defaultSiteSpaceIds(parts);
  return (row: SiteSpaceRow): SiteSpace => {
    const space = getFrom(spaces, row.space);
    const isDefault = defaultIds.has(row.id);
    return {
      object: 'site-space',
      id: row.id,
      path: row.path,
      section: row.section ?? undefined,
      space,
      title: space.title,
      default: isDefault,
      condition: row.condition ?? undefined,
      hasAdvancedCustomizationFeature: advancedCustomization.enabled,
      urls: publishedUrl(view, sectionPath(parts, row.section) + pathPart(isDefault ? null : row.path)),
    };
  };
}

export const presentSiteSpaces = async (view: SiteView, rows: SiteSpaceRow[]): Promise<SiteSpace[]> =>
  rows.map(await siteSpacePresenter(view, rows));

export async function presentSiteSpace(view: SiteView, id: string): Promise<SiteSpace> {
  const row = getRow(view.parts.siteSpaces, id);
  return (await siteSpacePresenter(view, [row]))(row);
}

async function sectionPresenter(view: SiteView, rows: SectionRow[]) {
  const { parts } = view;
  const ids = new Set<string | null>(rows.map((row) => row.id));
  const presentedSpaces = await presentSiteSpaces(
    view,
    parts.siteSpaces.filter((row) => ids.has(row.section)),
  );
  return (row: SectionRow): Section => ({
    object: 'site-section',
    id: row.id,
    title: row.title,
    description: row.description ?? undefined,
    default: row.id === defaultSection(parts)?.id,
    path: row.path,
    condition: row.condition ?? undefined,
    sectionGroup: row.section_group ?? undefined,
    siteSpaces: presentedSpaces.filter((siteSpace) => siteSpace.section === row.id),
    urls: publishedUrl(view, sectionPath(parts, row.id)),
    icon: row.icon ?? undefined,
  });
}

export const presentSections = async (view: SiteView, rows: SectionRow[]): Promise<Section[]> =>
  rows.map(await sectionPresenter(view, rows));

export async function presentSection(view: SiteView, id: string): Promise<Section> {
  const row = getRow(view.parts.sections, id);
  return (await sectionPresenter(view, [row]))(row);
}

async function groupPresenter(view: SiteView, rows: GroupRow[]) {
  const ids = new Set<string | null>(rows.map((row) => row.id));
  const presentedSections = await presentSections(
    view,
    view.parts.sections.filter((row) => ids.has(row.section_group)),
  );
  return (row: GroupRow): Group => ({
    object: 'site-section-group',
    id: row.id,
    title: row.title,
    sections: presentedSections.filter((section) => section.sectionGroup === row.id),
    icon: row.icon ?? undefined,
  });
}

export const presentGroups = async (view: SiteView, rows: GroupRow[]): Promise<Group[]> =>
  rows.map(await groupPresenter(view, rows));

export async function presentGroup(view: SiteView, id: string): Promise<Group> {
  const row = getRow(view.parts.groups, id);
  return (await groupPresenter(view, [row]))(row);
}

/** The structure of a published site: its sections without groups, or the site spaces of a site without sections. */
export async function flatStructure(view: SiteView) {
  const { parts } = view;
  return parts.sections.length > 0
    ? { type: 'sections' as const, structure: await presentSections(view, parts.sections) }
    : { type: 'siteSpaces' as const, structure: await presentSiteSpaces(view, parts.siteSpaces) };
}

/** The same with section groups as items, which contain their sections. */
export async function nestedStructure(view: SiteView) {
  const { groups, sections } = view.parts;
  if (sections.length === 0) return flatStructure(view);
  const ungrouped = sections.filter((row) => row.section_group === null);
  const presented = [...(await presentGroups(view, groups)), ...(await presentSections(view, ungrouped))];
  const positions = new Map([...groups, ...sections].map((row) => [row.id, row.position]));
  return {
    type: 'sections' as const,
    structure: presented.toSorted((a, b) => getFrom(positions, a.id) - getFrom(positions, b.id)),
  };
}
