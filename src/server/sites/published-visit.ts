import { parseJson } from '../../store/json.ts';
import { findOrganization, findSpace } from '../../store/lookups.ts';
import type { SectionRow } from '../../store/site-sections.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { SiteSpaceRow } from '../../store/site-spaces.ts';
import type { Db } from '../../store/store.ts';
import { type Content, mainContent } from '../content/find-content.ts';
import type { Caller, LoadedOrg } from '../engine/context.ts';
import type { Instance } from '../engine/instance.ts';
import { pathPart, siteAddress } from './site-address.ts';
import { type Customization, presentCustomization } from './site-customization.ts';
import { defaultSection, defaultSiteSpace, sectionPath, type SiteParts, siteSpacesIn } from './site-parts.ts';
import { meets, type Visitor } from './visitors.ts';

/** One request for something of a published site. */
export interface SiteVisit {
  db: Db;
  instance: Instance;
  org: LoadedOrg;
  site: SiteRow;
  /** Those that the visitor may see. */
  parts: SiteParts;
  visitor: Visitor;
  /** Relative address of the site from the requested page. */
  root: string;
  /** What the address has after the site before its parts: the key of a share link. */
  key: string;
}

/** The parts whose conditions the visitor meets. */
export function partsFor(visitor: Visitor, { sections, groups, siteSpaces }: SiteParts): SiteParts {
  const visibleSections = sections.filter(({ condition }) => meets(visitor, condition));
  const ids = new Set<string | null>([null, ...visibleSections.map(({ id }) => id)]);
  return {
    sections: visibleSections,
    groups,
    siteSpaces: siteSpaces.filter(({ section, condition }) => ids.has(section) && meets(visitor, condition)),
  };
}

/** @returns `pagePath`: what is left of the path after the section and the site space */
export function readPath(parts: SiteParts, path: string[]) {
  const [first, ...afterFirst] = path;
  const namedSection = parts.sections.find((row) => row.path === first);
  const section = namedSection ?? defaultSection(parts);
  const pathInSection = namedSection ? afterFirst : path;
  const [second, ...afterSecond] = pathInSection;
  const namedSiteSpace = siteSpacesIn(parts, section?.id ?? null).find((row) => row.path === second);
  const siteSpace = namedSiteSpace ?? defaultSiteSpace(parts, section?.id ?? null);
  return { section, siteSpace, pagePath: namedSiteSpace ? afterSecond : pathInSection };
}

/** Relative address of a site space from its site. */
export function addressOf(parts: SiteParts, row: SiteSpaceRow): string {
  const isDefault = defaultSiteSpace(parts, row.section)?.id === row.id;
  return sectionPath(parts, row.section) + pathPart(isDefault ? null : row.path);
}

/** Relative address of a section from its site. */
export const sectionAddress = (parts: SiteParts, { id }: SectionRow): string => sectionPath(parts, id);

/** Absolute address of the site, as readers of a public site have it. */
export const absoluteAddress = ({ instance, org, site, key }: SiteVisit): string =>
  siteAddress(instance.base, org, site) + key;

/** The settings of the site, with those of the site space over them. */
export function settingsOf({ site }: Pick<SiteVisit, 'site'>, siteSpace: SiteSpaceRow | undefined): Customization {
  const overriding = siteSpace && parseJson(site.site_space_customizations)[siteSpace.id];
  return { ...presentCustomization(site), ...overriding, title: presentCustomization(site).title };
}

// Readers are not members: they do not see what only members see.
const anonymous: Caller = { seq: 0, id: '', display_name: '', email: '', photo_url: null, created_at: '' };

export async function organizationOf(db: Db, site: SiteRow): Promise<LoadedOrg> {
  const org = await findOrganization(db, site.organization, anonymous.id);
  if (!org) throw new Error(`The site ${site.id} has no organization.`);
  return org;
}

export async function publishedContent(
  { db, instance, org, site }: SiteVisit,
  { space: id }: Pick<SiteSpaceRow, 'space'>,
): Promise<Content> {
  const space = await findSpace(db, id);
  if (!space) throw new Error(`The site ${site.id} has no space ${id}.`);
  return mainContent({ db, base: instance.base, objects: { org, space: { ...space, level: 'read' } } });
}
