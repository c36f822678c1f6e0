import { type GroupRow, listGroups } from '../../store/section-groups.ts';
import { opens } from '../../store/share-links.ts';
import { listSections, type SectionRow } from '../../store/site-sections.ts';
import type { SiteRow } from '../../store/sites.ts';
import { listSiteSpaces, type SiteSpaceRow } from '../../store/site-spaces.ts';
import type { Db } from '../../store/store.ts';
import type { LoadedOrg, Scope } from '../engine/context.ts';
import { pathPart, siteAddress } from './site-address.ts';

/** The parts of a site, each kind in order. Site spaces of deleted spaces are excluded. */
export interface SiteParts {
  sections: SectionRow[];
  groups: GroupRow[];
  /** By section, then position. */
  siteSpaces: SiteSpaceRow[];
}

export async function readSiteParts(db: Db, site: string): Promise<SiteParts> {
  const sections = await listSections(db, site);
  const rank = new Map<string | null, number>(sections.map((section, index) => [section.id, index]));
  const siteSpaces = await listSiteSpaces(db, site);
  // Sorting is stable, so site spaces of a section stay sorted by position.
  siteSpaces.sort((a, b) => (rank.get(a.section) ?? -1) - (rank.get(b.section) ?? -1));
  return { sections, groups: await listGroups(db, site), siteSpaces };
}

// If the space of the default was deleted, the first of the others is the default.
const defaultOf = <T extends { is_default: number }>(rows: T[]): T | undefined =>
  rows.find((row) => row.is_default === 1) ?? rows[0];

export const defaultSection = ({ sections }: Pick<SiteParts, 'sections'>) => defaultOf(sections);

/** @param section null for site spaces outside sections */
export const siteSpacesIn = ({ siteSpaces }: Pick<SiteParts, 'siteSpaces'>, section: string | null) =>
  siteSpaces.filter((row) => row.section === section);

export const defaultSiteSpace = (parts: Pick<SiteParts, 'siteSpaces'>, section: string | null) =>
  defaultOf(siteSpacesIn(parts, section));

/** The default of each section, and the one outside sections. */
export const defaultSiteSpaceIds = ({ siteSpaces }: Pick<SiteParts, 'siteSpaces'>): Set<string | undefined> =>
  new Set([...Map.groupBy(siteSpaces, (row) => row.section).values()].map((rows) => defaultOf(rows)?.id));

/** A row that must exist. */
export function getRow<T extends { id: string }>(rows: readonly T[], id: string): T {
  const row = rows.find((candidate) => candidate.id === id);
  if (!row) throw new Error(`The site has no part ${id}.`);
  return row;
}

/** The part of a section in addresses; "" for the default section. */
export function sectionPath(parts: SiteParts, id: string | null): string {
  const section = parts.sections.find((row) => row.id === id);
  return section === undefined || section.id === defaultSection(parts)?.id ? '' : pathPart(section.path);
}

/** The address above the published parts of a site; undefined if the caller may not see it. */
export async function publishedAddress(
  { db, base }: Pick<Scope, 'db' | 'base'>,
  org: Pick<LoadedOrg, 'id' | 'hostname'>,
  site: SiteRow,
  shareKey?: string,
): Promise<string | undefined> {
  if (site.published === 0) return undefined;
  const address = siteAddress(base, org, site);
  if (site.visibility !== 'share-link') return address;
  // A wrong key is treated like none.
  return shareKey !== undefined && (await opens(db, site.id, shareKey)) ? address + pathPart(shareKey) : undefined;
}
