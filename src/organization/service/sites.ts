import type { SiteSection } from '../../contract/site-sections.ts';
import type { SiteSpace } from '../../contract/site-spaces.ts';
import type { z } from 'zod/mini';
import { withNamesForIds } from '../files/site-references.ts';
import { AdaptiveSchema, Looks, type SectionEntry, type SiteFile, type SiteSpaceEntry } from '../files/schemas.ts';
import { knownMembers } from '../../contract/unknown-keys.ts';
import { isObject } from '../../shared/is-object.ts';
import type { WholeSite } from './read-service.ts';
import type { Naming } from './reading.ts';

type Structure = WholeSite['structure'];
type Section = z.output<ReturnType<typeof SiteSection>>;
type SpaceInSite = z.output<ReturnType<typeof SiteSpace>>;

/** sites/<name>.yaml */
export function siteFile(naming: Naming, { site, structure, customization, schema, links }: WholeSite): SiteFile {
  const oldestFirst = links.toReversed();
  const name = naming.names.nameOf('sites', site.id);
  for (const [index, { id }] of oldestFirst.entries()) naming.otherIds.set(`share link/${name}/${index}`, id);
  keepIds(naming, name, structure);
  return {
    title: site.title,
    type: site.type,
    visibility: site.visibility,
    basename: site.basename,
    published: site.published,
    proxy: site.proxy?.origin ?? null,
    adaptiveContent: site.adaptiveContent?.enabled ?? false,
    structure: structureEntries(naming, structure),
    shareLinks: oldestFirst.map(({ name: linkName, active }) => ({ name: linkName, active })),
    adaptiveSchema: schema && knownSettings(naming, `${name}: adaptiveSchema`, AdaptiveSchema(), schema.jsonSchema),
    customization: withNamesForIds(
      knownSettings(naming, `${name}: customization`, Looks(), customization),
      naming.names,
    ),
  };
}

/** Settings that the files can have. A newer service may have others. */
function knownSettings(
  { warnings }: Naming,
  what: string,
  schema: z.ZodMiniType,
  settings: unknown,
): Record<string, unknown> {
  const { value, unknown } = knownMembers(schema, settings);
  if (unknown.length > 0)
    warnings.push(
      `The site ${what} has settings that this docsctl does not know: ${unknown.join(', ')}. They are left out.`,
    );
  return isObject(value) ? value : {};
}

/** Keeps the ids of groups, sections and site spaces under the keys that a plan finds them by. */
function keepIds({ names, otherIds }: Naming, site: string, structure: Structure): void {
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

function structureEntries(naming: Naming, structure: Structure): SiteFile['structure'] {
  if (structure.type === 'siteSpaces') return structure.structure.map((entry) => siteSpaceEntry(naming, entry));
  return structure.structure.map((entry) =>
    entry.object === 'site-section-group'
      ? {
          group: entry.title,
          icon: entry.icon ?? null,
          sections: entry.sections.map((section) => sectionEntry(naming, section)),
        }
      : sectionEntry(naming, entry),
  );
}

function sectionEntry(naming: Naming, section: Section): SectionEntry {
  return {
    section: section.path,
    title: section.title,
    ...(section.default && { default: true }),
    icon: section.icon ?? null,
    description: section.description ?? null,
    condition: section.condition ?? null,
    spaces: section.siteSpaces.map((entry) => siteSpaceEntry(naming, entry)),
  };
}

function siteSpaceEntry(
  { names }: Naming,
  { space, path, default: isDefault, condition }: SpaceInSite,
): SiteSpaceEntry {
  return {
    space: names.find('spaces', space.id) ?? space.id,
    path,
    ...(isDefault && { default: true }),
    condition: condition ?? null,
  };
}
