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

/** A site as one caller sees it, with everything that presenting its parts needs. */
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

export async function presentSiteSpaces(view: SiteView, rows: SiteSpaceRow[]): Promise<SiteSpace[]> {
  const { parts, site } = view;
  const spaces = await spacesOf(view, rows);
  const { advancedCustomization } = parseJson(site.customization);
  const defaultIds = defaultSiteSpaceIds(parts);
  return rows.map((row) => {
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
  });
}

export async function presentSections(view: SiteView, rows: SectionRow[]): Promise<Section[]> {
  const { parts } = view;
  const ids = new Set<string | null>(rows.map((row) => row.id));
  const siteSpaces = parts.siteSpaces.filter((row) => ids.has(row.section));
  const presented = Map.groupBy(await presentSiteSpaces(view, siteSpaces), ({ section }) => section);
  return rows.map((row) => ({
    object: 'site-section',
    id: row.id,
    title: row.title,
    description: row.description ?? undefined,
    default: row.id === defaultSection(parts)?.id,
    path: row.path,
    condition: row.condition ?? undefined,
    sectionGroup: row.section_group ?? undefined,
    siteSpaces: presented.get(row.id) ?? [],
    urls: publishedUrl(view, sectionPath(parts, row.id)),
    icon: row.icon ?? undefined,
  }));
}

export async function presentGroups(view: SiteView, rows: GroupRow[]): Promise<Group[]> {
  const ids = new Set<string | null>(rows.map((row) => row.id));
  const sections = view.parts.sections.filter((row) => ids.has(row.section_group));
  const presented = Map.groupBy(await presentSections(view, sections), ({ sectionGroup }) => sectionGroup);
  return rows.map((row) => ({
    object: 'site-section-group',
    id: row.id,
    title: row.title,
    sections: presented.get(row.id) ?? [],
    icon: row.icon ?? undefined,
  }));
}

/** Presents one row, which must exist. */
const presentOne =
  <Row extends { id: string }, Part>(
    rowsOf: (parts: SiteParts) => readonly Row[],
    presentAll: (view: SiteView, rows: Row[]) => Promise<Part[]>,
  ) =>
  async (view: SiteView, id: string): Promise<Part> =>
    (await presentAll(view, [getRow(rowsOf(view.parts), id)]))[0]!;

export const presentSiteSpace = presentOne(({ siteSpaces }) => siteSpaces, presentSiteSpaces);
export const presentSection = presentOne(({ sections }) => sections, presentSections);
export const presentGroup = presentOne(({ groups }) => groups, presentGroups);

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
