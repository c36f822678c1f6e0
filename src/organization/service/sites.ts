import { HttpError } from '../../client/errors/http-error.ts';
import type { AnswerOf, ItemOf } from '../../contract/endpoint.ts';
import { reasons } from '../../contract/errors.ts';
import { shareLinks } from '../../contract/share-links.ts';
import { siteCustomization } from '../../contract/site-customization.ts';
import { siteSchema } from '../../contract/site-schema.ts';
import type { SiteSection } from '../../contract/site-sections.ts';
import type { SiteSpace } from '../../contract/site-spaces.ts';
import { sites } from '../../contract/sites.ts';
import type { z } from 'zod/mini';
import { withNamesForIds } from '../files/site-references.ts';
import { AdaptiveSchema, Looks, type SectionEntry, type SiteFile, type SiteSpaceEntry } from '../files/schemas.ts';
import { knownMembers } from '../../contract/unknown-keys.ts';
import { isObject } from '../../shared/is-object.ts';
import { type Reading, readEach, sortedByName } from './reading.ts';

export type Site = ItemOf<typeof sites.list>;
type Structure = AnswerOf<typeof sites.structure>;
type Section = z.output<ReturnType<typeof SiteSection>>;
type SpaceInSite = z.output<ReturnType<typeof SiteSpace>>;

/** sites/*.yaml */
export async function readSites(reading: Reading, list: readonly Site[]): Promise<Map<string, SiteFile>> {
  const files = await readEach(
    reading,
    'sites',
    list,
    async (site) => [reading.names.nameOf('sites', site.id), await readSite(reading, site)] as const,
  );
  return sortedByName(files);
}

async function readSite(reading: Reading, site: Site): Promise<SiteFile> {
  const { client, orgId } = reading;
  const params = { orgId, siteId: site.id };
  const [structure, customization, adaptiveSchema, links] = await Promise.all([
    client.call(sites.structure, { params }),
    client.call(siteCustomization.view, { params }),
    client.call(siteSchema.view, { params }).catch(undefinedIfMissing),
    Array.fromAsync(client.items(shareLinks.list, { params })),
  ]);
  const oldestFirst = links.toReversed();
  const name = reading.names.nameOf('sites', site.id);
  for (const [index, { id }] of oldestFirst.entries()) reading.otherIds.set(`share link/${name}/${index}`, id);
  keepIds(reading, name, structure);
  return {
    title: site.title,
    type: site.type,
    visibility: site.visibility,
    basename: site.basename,
    published: site.published,
    proxy: site.proxy?.origin ?? null,
    adaptiveContent: site.adaptiveContent?.enabled ?? false,
    structure: structureEntries(reading, structure),
    shareLinks: oldestFirst.map(({ name: linkName, active }) => ({ name: linkName, active })),
    adaptiveSchema:
      adaptiveSchema && knownSettings(reading, `${name}: adaptiveSchema`, AdaptiveSchema(), adaptiveSchema.jsonSchema),
    customization: withNamesForIds(
      knownSettings(reading, `${name}: customization`, Looks(), customization),
      reading.names,
    ),
  };
}

/** Settings that the files can have. A newer service may have others. */
function knownSettings(
  { warn }: Reading,
  what: string,
  schema: z.ZodMiniType,
  settings: unknown,
): Record<string, unknown> {
  const { value, unknown } = knownMembers(schema, settings);
  if (unknown.length > 0)
    warn(`The site ${what} has settings that this docsctl does not know: ${unknown.join(', ')}. They are left out.`);
  return isObject(value) ? value : {};
}

// A site has no schema before the first one is set.
function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof HttpError && error.status === reasons['not-found']) return undefined;
  throw error;
}

/** Keeps the ids of groups, sections and site spaces under the keys that a plan finds them by. */
function keepIds({ names, otherIds }: Reading, site: string, structure: Structure): void {
  const keepSpaces = (section: string, list: readonly SpaceInSite[]) => {
    for (const { id, space } of list)
      otherIds.set(`site space/${site}/${section}/${names.find('spaces', space.id) ?? space.id}`, id);
  };
  const keepSection = ({ id, path, siteSpaces }: Section) => {
    otherIds.set(`section/${site}/${path}`, id);
    keepSpaces(path, siteSpaces);
  };
  if (structure.type === 'siteSpaces') return keepSpaces('', structure.structure);
  for (const entry of structure.structure) {
    if (entry.object === 'site-section') keepSection(entry);
    else {
      otherIds.set(`group/${site}/${entry.title}`, entry.id);
      entry.sections.forEach(keepSection);
    }
  }
}

function structureEntries(reading: Reading, structure: Structure): SiteFile['structure'] {
  if (structure.type === 'siteSpaces') return structure.structure.map((entry) => siteSpaceEntry(reading, entry));
  return structure.structure.map((entry) =>
    entry.object === 'site-section-group'
      ? {
          group: entry.title,
          icon: entry.icon ?? null,
          sections: entry.sections.map((section) => sectionEntry(reading, section)),
        }
      : sectionEntry(reading, entry),
  );
}

function sectionEntry(reading: Reading, section: Section): SectionEntry {
  return {
    section: section.path,
    title: section.title,
    ...(section.default && { default: true }),
    icon: section.icon ?? null,
    description: section.description ?? null,
    condition: section.condition ?? null,
    spaces: section.siteSpaces.map((entry) => siteSpaceEntry(reading, entry)),
  };
}

function siteSpaceEntry(
  { names }: Reading,
  { space, path, default: isDefault, condition }: SpaceInSite,
): SiteSpaceEntry {
  return {
    space: names.find('spaces', space.id) ?? space.id,
    path,
    ...(isDefault && { default: true }),
    condition: condition ?? null,
  };
}
