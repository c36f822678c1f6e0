import { openapi } from '../contract/openapi.ts';
import { sectionGroups } from '../contract/section-groups.ts';
import { shareLinks } from '../contract/share-links.ts';
import { siteCustomization } from '../contract/site-customization.ts';
import { siteSchema } from '../contract/site-schema.ts';
import { sites } from '../contract/sites.ts';
import { translations } from '../contract/translations.ts';
import type { ItemOf } from '../contract/endpoint.ts';
import { writeYaml } from '../organization/files/yaml.ts';
import { readEach } from '../organization/service/reading.ts';
import {
  type WholeSite,
  type WholeSpecification,
  writeSite,
  writeSpecification,
  writeTranslations,
} from './twin/publishing.ts';
import { isMissing, readable, type TwinReading } from './reading.ts';

type Site = ItemOf<typeof sites.list>;
type Specification = ItemOf<typeof openapi.list>;

/** @returns how many sites there are */
export async function copySites(reading: TwinReading, hasSpace: (id: string) => boolean): Promise<number> {
  const { client, orgId, twin } = reading;
  const all = () => Array.fromAsync(client.items(sites.list, { params: { orgId } }));
  const list = await readable(reading, 'list of sites', all, []);
  await readEach(reading, 'sites', list, async (site) => {
    const whole = await readable<WholeSite | undefined>(reading, 'site', () => readSite(reading, site), undefined);
    if (whole) await twin.write((db) => writeSite(db, orgId, whole, hasSpace));
  });
  return list.length;
}

async function readSite({ client, orgId }: TwinReading, site: Site): Promise<WholeSite> {
  const params = { orgId, siteId: site.id };
  const [structure, customization, schema, links, published] = await Promise.all([
    client.call(sites.structure, { params }),
    client.call(siteCustomization.view, { params }),
    client.call(siteSchema.view, { params }).catch(undefinedIfMissing),
    Array.fromAsync(client.items(shareLinks.list, { params })),
    site.published ? client.call(sites.published, { params }).catch(undefinedIfMissing) : undefined,
  ]);
  const emptyGroups =
    structure.type === 'siteSpaces' ? await Array.fromAsync(client.items(sectionGroups.list, { params })) : [];
  const siteSpaces = published?.customizations.siteSpaces ?? {};
  return { site, structure, emptyGroups, customization, siteSpaces, schema, links };
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

export async function copySpecifications(reading: TwinReading): Promise<void> {
  const { client, orgId, twin } = reading;
  const all = () => Array.fromAsync(client.items(openapi.list, { params: { orgId } }));
  const list = await readable(reading, 'list of specifications', all, []);
  // One after the other: a description can have 50 MB.
  for (const [index, spec] of list.entries()) {
    reading.signal.throwIfAborted();
    const version = await readable(reading, 'specification', () => readLatest(reading, spec), undefined);
    await twin.write((db) => writeSpecification(db, orgId, { spec, version }));
    reading.progress('specifications', index + 1, list.length);
  }
}

async function readLatest(
  { client, orgId, leftOut }: TwinReading,
  { slug, lastVersion, processingState }: Specification,
): Promise<WholeSpecification['version']> {
  if (processingState !== 'complete') leftOut.hide('sources of specifications that are not processed yet');
  if (lastVersion === undefined) return undefined;
  const params = { orgId, specSlug: slug };
  const { count = 1 } = await client.call(openapi.versions, { params, query: { limit: 1 } });
  leftOut.hide('earlier versions of specifications', count - 1);
  const at = { params: { ...params, versionId: lastVersion } };
  const { id, createdAt } = await client.call(openapi.version, at);
  const { filesystem } = await client.call(openapi.versionContent, at);
  const [document, ...others] = Object.entries(filesystem);
  leftOut.hide('further files of specifications', others.length);
  if (!document) return undefined;
  const [name, content] = document;
  return { id, createdAt, text: name.endsWith('.json') ? JSON.stringify(content) : writeYaml(content) };
}

export async function copyTranslations(reading: TwinReading): Promise<void> {
  const { client, orgId, twin } = reading;
  const all = () => Array.fromAsync(client.items(translations.list, { params: { orgId } }));
  const list = await readable(reading, 'list of translations', all, []);
  await twin.write((db) => writeTranslations(db, orgId, list));
}
