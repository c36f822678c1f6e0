import { findDiagrams } from '../../site/diagrams.ts';
import type { Site, SiteVariant } from '../../site/model.ts';
import { siteAround, type SiteSection, type SiteSource } from '../../site/site-around.ts';
import { getFrom } from '../../shared/get-from.ts';
import type { PageRow } from '../../store/content.ts';
import type { SectionRow } from '../../store/site-sections.ts';
import type { SiteSpaceRow } from '../../store/site-spaces.ts';
import { spacesById } from '../../store/spaces.ts';
import type { Reference } from '../content/links/visible-references.ts';
import { type PublishedEntry, type PublishedOutline, publishedOutline } from './published-outline.ts';
import { pathAddress } from './published-text.ts';
import { addressOf, publishedContent, sectionAddress, settingsOf, type SiteVisit } from './published-visit.ts';
import type { Customization } from './site-customization.ts';
import { siteSpacesIn } from './site-parts.ts';
import { meets } from './visitors.ts';

/** Folder of the files of all sites, in the address of each site: no page has such a path. */
export const assetFolder = '~site/';
export const searchPath = '~search';

/** What of a site is shown around one page of it. */
export interface PageInSite {
  siteSpace: SiteSpaceRow;
  section: SectionRow | undefined;
  outline: PublishedOutline;
  page: PageRow | undefined;
}

type ShellVisit = Pick<SiteVisit, 'site' | 'root' | 'instance'>;

function shellOf({ site, root, instance: { base } }: ShellVisit, settings: Customization): SiteSource<PublishedEntry> {
  // Pictures of other hosts would show them who reads the site.
  const isOwn = (url: string) => url.startsWith('data:') || url.startsWith(`${base}/`);
  return {
    title: site.title,
    home: root,
    sections: [],
    variants: [],
    customization: { settings, pictureOf: (url) => (isOwn(url) ? url : undefined), meets: () => false },
    assets: { folder: root + assetFolder, diagrams: findDiagrams() },
  };
}

/** What a site shows to those who may not read it, too. */
export const siteShell = (visit: ShellVisit, settings: Customization): Promise<Site> =>
  siteAround(shellOf(visit, settings));

/** The site around a page. */
export async function publishedSiteAround(visit: SiteVisit, place: PageInSite): Promise<Site> {
  const { root, parts, visitor } = visit;
  const { siteSpace, section, outline, page } = place;
  const settings = settingsOf(visit, siteSpace);
  const shell = shellOf(visit, settings);
  const space = outline.contentsAt(root + addressOf(parts, siteSpace));
  const source: SiteSource<PublishedEntry> = {
    ...shell,
    space,
    sections: sectionsOf(visit, section),
    variants: await variantsOf(visit, siteSpace),
    customization: shell.customization && {
      ...shell.customization,
      addressOf: (target) => addressIn(visit, place, target),
      meets: (condition) => meets(visitor, condition),
    },
    search: { kind: 'service', href: root + searchPath, action: root + searchPath },
  };
  return siteAround(source, page && space.contents.find(page.page));
}

/** In their order, in which a group has the place of its first section. */
function sectionsOf({ parts, root }: SiteVisit, current: SectionRow | undefined): SiteSection[] {
  const groups = new Map<string | null, (typeof parts.groups)[number]>(parts.groups.map((row) => [row.id, row]));
  const positionOf = (row: SectionRow) => groups.get(row.section_group)?.position ?? row.position;
  return parts.sections
    .toSorted((a, b) => positionOf(a) - positionOf(b))
    .map((row) => {
      const group = groups.get(row.section_group);
      return {
        title: row.title,
        href: root + sectionAddress(parts, row),
        description: row.description ?? undefined,
        icon: row.icon ?? undefined,
        isCurrent: row.id === current?.id,
        group: group && { key: group.id, title: group.title, icon: group.icon ?? undefined },
      };
    });
}

async function variantsOf({ db, parts, root }: SiteVisit, current: SiteSpaceRow): Promise<SiteVariant[]> {
  const variants = siteSpacesIn(parts, current.section);
  if (variants.length < 2) return [];
  const spaces = await spacesById(
    db,
    variants.map((row) => row.space),
  );
  const titles = new Map(spaces.map((space) => [space.id, space.title]));
  return variants.map((row) => ({
    title: getFrom(titles, row.space),
    href: root + addressOf(parts, row),
    isCurrent: row.id === current.id,
  }));
}

/** Where a link of the settings leads. */
async function addressIn(visit: SiteVisit, place: PageInSite, to: Reference): Promise<string | undefined> {
  const { instance, parts, root } = visit;
  if (to.kind === 'file') return `${instance.base}/files/${to.file}`;
  if (to.kind !== 'space' && to.kind !== 'page' && to.kind !== 'anchor') return undefined;
  const current = place.siteSpace;
  const space = to.space ?? current.space;
  const row = space === current.space ? current : parts.siteSpaces.find((candidate) => candidate.space === space);
  if (!row) return undefined;
  const home = root + addressOf(parts, row);
  if (to.kind === 'space') return home;
  const anchor = to.kind === 'anchor' ? `#${encodeURIComponent(to.anchor)}` : '';
  if (to.page === undefined) return home + anchor;
  const outline =
    row === current ? place.outline : await publishedOutline(visit, (await publishedContent(visit, row)).snapshot);
  return outline.find(to.page) ? pathAddress(home, outline.pathOf(to.page)) + anchor : undefined;
}
