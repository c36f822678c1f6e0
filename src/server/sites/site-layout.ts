import type { ItemOf } from '../../contract/endpoint.ts';
import type { sectionGroups } from '../../contract/section-groups.ts';
import type { siteSections } from '../../contract/site-sections.ts';
import type { siteSpaces } from '../../contract/site-spaces.ts';
import { type GroupRow, listGroups } from '../../store/section-groups.ts';
import { opens } from '../../store/share-links.ts';
import { listSections, type SectionRow } from '../../store/site-sections.ts';
import type { SiteRow } from '../../store/sites.ts';
import { listSiteSpaces, type SiteSpaceRow } from '../../store/site-spaces.ts';
import { spacesById } from '../../store/spaces.ts';
import type { Db } from '../../store/store.ts';
import type { OrgAt, Scope } from '../engine/context.ts';
import { asking } from '../content/spaces/placement.ts';
import { levelsIn } from '../organizations/levels.ts';
import { optional } from '../organizations/orgs.ts';
import { part, siteAddress } from './site-address.ts';
import { presentSpaces } from '../content/spaces/spaces.ts';

type SiteSpace = ItemOf<typeof siteSpaces.list>;
type Section = ItemOf<typeof siteSections.list>;
type Group = ItemOf<typeof sectionGroups.list>;

/** What a site holds, each kind in the order of the site. Site spaces of deleted spaces are not there. */
export interface Layout {
  sections: SectionRow[];
  groups: GroupRow[];
  /** By section, then position. */
  siteSpaces: SiteSpaceRow[];
}

export async function readLayout(db: Db, site: string): Promise<Layout> {
  const sections = await listSections(db, site);
  const rank = new Map<string | null, number>(sections.map((section, at) => [section.id, at]));
  const siteSpaces = await listSiteSpaces(db, site);
  // Sorting is stable: within a section the order by position stays.
  siteSpaces.sort((a, b) => (rank.get(a.section) ?? -1) - (rank.get(b.section) ?? -1));
  return { sections, groups: await listGroups(db, site), siteSpaces };
}

// A default whose space is deleted is stood in for by the first that is shown.
const chosen = <T extends { is_default: number }>(rows: T[]): T | undefined =>
  rows.find((row) => row.is_default === 1) ?? rows[0];

export const defaultSection = ({ sections }: Pick<Layout, 'sections'>) => chosen(sections);
/** @param section null for the site spaces outside sections */
export const siteSpacesIn = ({ siteSpaces }: Pick<Layout, 'siteSpaces'>, section: string | null) =>
  siteSpaces.filter((row) => row.section === section);
export const defaultSiteSpace = (layout: Pick<Layout, 'siteSpaces'>, section: string | null) =>
  chosen(siteSpacesIn(layout, section));
export const sectionsIn = ({ sections }: Pick<Layout, 'sections'>, group: string) =>
  sections.filter((row) => row.section_group === group);

/** The address that published parts of a site hang below; undefined where the caller is told none. */
export async function publishedAddress(
  { db, base }: Pick<Scope, 'db' | 'base'>,
  org: Pick<OrgAt, 'id' | 'hostname'>,
  site: SiteRow,
  shareKey?: string,
): Promise<string | undefined> {
  if (site.published === 0) return undefined;
  const address = siteAddress(base, org, site);
  if (site.visibility !== 'share-link') return address;
  // A wrong key counts as none.
  return shareKey !== undefined && (await opens(db, site.id, shareKey)) ? address + part(shareKey) : undefined;
}

/** A site as one caller sees it: all that its parts are presented with. */
export interface SiteView extends Pick<Scope, 'db' | 'base' | 'caller'> {
  org: OrgAt;
  site: SiteRow;
  layout: Layout;
  shareKey: string | undefined;
  address: string | undefined;
}

export async function viewSite(
  {
    db,
    base,
    caller,
    at: { org, site },
  }: Pick<Scope, 'db' | 'base' | 'caller'> & { at: { org: OrgAt; site: SiteRow } },
  shareKey?: string,
): Promise<SiteView> {
  const address = await publishedAddress({ db, base }, org, site, shareKey);
  return { db, base, caller, org, site, layout: await readLayout(db, site.id), shareKey, address };
}

export async function presentSiteSpaces(view: SiteView, rows: SiteSpaceRow[]): Promise<SiteSpace[]> {
  const { db, base, org, caller, layout, shareKey } = view;
  const levels = await levelsIn(db, asking(org, caller.id));
  const spaces = await spacesById(db, [...new Set(rows.map((row) => row.space))]);
  const presented = await presentSpaces(
    { db, base, shareKey },
    spaces.map((row) => ({ ...row, level: levels('space', row) })),
  );
  const byId = new Map(presented.map((space) => [space.id, space]));
  const advanced = (JSON.parse(view.site.customization) as { advancedCustomization: { enabled: boolean } })
    .advancedCustomization.enabled;
  const defaults = new Map<string | null, string>();
  const isDefault = (row: SiteSpaceRow) => {
    if (!defaults.has(row.section)) defaults.set(row.section, defaultSiteSpace(layout, row.section)!.id);
    return defaults.get(row.section) === row.id;
  };
  return rows.map((row) => {
    const space = byId.get(row.space)!;
    return {
      object: 'site-space',
      id: row.id,
      path: row.path,
      ...optional('section', row.section),
      space,
      title: space.title,
      default: isDefault(row),
      ...optional('condition', row.condition),
      hasAdvancedCustomizationFeature: advanced,
      urls: below(view, sectionPath(layout, row.section) + part(isDefault(row) ? null : row.path)),
    };
  });
}

const below = ({ address }: SiteView, path: string) => optional('published', address && address + path);

/** What the address of a section adds to that of its site; nothing for the default one. */
export function sectionPath(layout: Layout, id: string | null): string {
  const section = layout.sections.find((row) => row.id === id);
  return section === undefined || section.id === defaultSection(layout)?.id ? '' : part(section.path);
}

export async function presentSections(view: SiteView, rows: SectionRow[]): Promise<Section[]> {
  const { layout } = view;
  const wanted = new Set<string | null>(rows.map((row) => row.id));
  const held = await presentSiteSpaces(
    view,
    layout.siteSpaces.filter((row) => wanted.has(row.section)),
  );
  return rows.map((row) => ({
    object: 'site-section',
    id: row.id,
    title: row.title,
    ...optional('description', row.description),
    default: row.id === defaultSection(layout)?.id,
    path: row.path,
    ...optional('condition', row.condition),
    ...optional('sectionGroup', row.section_group),
    siteSpaces: held.filter((siteSpace) => siteSpace.section === row.id),
    urls: below(view, sectionPath(layout, row.id)),
    ...optional('icon', row.icon),
  }));
}

export async function presentGroups(view: SiteView, rows: GroupRow[]): Promise<Group[]> {
  const wanted = new Set<string | null>(rows.map((row) => row.id));
  const held = await presentSections(
    view,
    view.layout.sections.filter((row) => wanted.has(row.section_group)),
  );
  return rows.map((row) => ({
    object: 'site-section-group',
    id: row.id,
    title: row.title,
    sections: held.filter((section) => section.sectionGroup === row.id),
    ...optional('icon', row.icon),
  }));
}

/** The site's structure as a published site has it: sections flat, or the site spaces of a site without sections. */
export async function flatStructure(view: SiteView) {
  const { layout } = view;
  return layout.sections.length > 0
    ? { type: 'sections' as const, structure: await presentSections(view, layout.sections) }
    : { type: 'siteSpaces' as const, structure: await presentSiteSpaces(view, layout.siteSpaces) };
}

/** The same with section groups as items of their own, their sections inside. */
export async function nestedStructure(view: SiteView) {
  const { groups, sections } = view.layout;
  if (sections.length === 0) return flatStructure(view);
  const presented = [
    ...(await presentGroups(view, groups)),
    ...(await presentSections(
      view,
      sections.filter((row) => row.section_group === null),
    )),
  ];
  const position = new Map([...groups, ...sections].map((row) => [row.id, row.position]));
  return {
    type: 'sections' as const,
    structure: presented.toSorted((a, b) => position.get(a.id)! - position.get(b.id)!),
  };
}
