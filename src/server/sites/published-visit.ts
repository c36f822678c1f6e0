import { parseJson } from '../../store/json.ts';
import { findOrganization } from '../../store/lookups.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { SiteSpaceRow } from '../../store/site-spaces.ts';
import type { Db } from '../../store/store.ts';
import type { Caller, LoadedOrg } from '../engine/context.ts';
import type { Instance } from '../engine/instance.ts';
import { pathPart, siteAddress } from './site-address.ts';
import type { Customization } from '../../site/model.ts';
import { presentCustomization } from './site-customization.ts';
import { defaultSection, defaultSiteSpace, sectionPath, type SiteParts, siteSpacesIn } from './site-parts.ts';
import { meets, type Visitor } from './visitors.ts';

/** A request for a part of a published site. */
export interface SiteVisit {
  db: Db;
  instance: Instance;
  org: LoadedOrg;
  site: SiteRow;
  /** The parts that the visitor may see. */
  parts: SiteParts;
  visitor: Visitor;
  /** The relative address of the site from the requested page. */
  root: string;
  /** The key of a share link, which precedes the parts in addresses; "" if there is none. */
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

/** Returns the site space that a path leads to, and the rest of the path. */
export function readPath(parts: SiteParts, path: string[]) {
  const [first, ...afterFirst] = path;
  const namedSection = parts.sections.find((row) => row.path === first);
  const section = (namedSection ?? defaultSection(parts))?.id ?? null;
  const pathInSection = namedSection ? afterFirst : path;
  const [second, ...afterSecond] = pathInSection;
  const named = siteSpacesIn(parts, section).find((row) => row.path === second);
  const siteSpace = named ?? defaultSiteSpace(parts, section);
  return { siteSpace, pagePath: named ? afterSecond : pathInSection };
}

/** The relative address of a site space from its site. */
export function addressOf(parts: SiteParts, row: SiteSpaceRow): string {
  const isDefault = defaultSiteSpace(parts, row.section)?.id === row.id;
  return sectionPath(parts, row.section) + pathPart(isDefault ? null : row.path);
}

/** The absolute address of the site for the readers of a public site. */
export const absoluteAddress = ({ instance, org, site, key }: SiteVisit): string =>
  siteAddress(instance.base, org, site) + key;

/** The settings of the site, overridden by those of the site space. */
export function settingsOf({ site }: Pick<SiteVisit, 'site'>, siteSpace: SiteSpaceRow | undefined): Customization {
  const settings = presentCustomization(site);
  const overriding = siteSpace && parseJson(site.site_space_customizations)[siteSpace.id];
  return { ...settings, ...overriding, title: settings.title };
}

// Readers are not members, so they do not see what only members see.
const anonymous: Caller = { seq: 0, id: '', display_name: '', email: '', photo_url: null, created_at: '' };

export async function organizationOf(db: Db, site: SiteRow): Promise<LoadedOrg> {
  const org = await findOrganization(db, site.organization, anonymous.id);
  if (!org) throw new Error(`The site ${site.id} has no organization.`);
  return org;
}
