import { openapi } from '../contract/openapi.ts';
import { sectionGroups } from '../contract/section-groups.ts';
import { sites } from '../contract/sites.ts';
import { writeYaml } from '../organization/files/write-files.ts';
import { readDocuments, readSite, type Site, type Specification } from '../organization/service/read-service.ts';
import { undefinedIfMissing } from '../client/errors/http-error.ts';
import { readable, readEach, showProgress } from '../organization/service/read-service.ts';
import { type TwinSite, type TwinSpecification, writeSite, writeSpecification } from './twin/rows.ts';
import type { TwinReading } from './reading.ts';

export async function copySites(
  reading: TwinReading,
  list: readonly Site[],
  spaceIds: ReadonlySet<string>,
): Promise<void> {
  const { orgId, twin } = reading;
  await readEach(reading, 'sites', list, async (site) => {
    const whole = await readable(reading, 'site', () => readTwinSite(reading, site), undefined);
    if (whole) await twin.write((db) => writeSite(db, orgId, whole, spaceIds));
  });
}

/** A site with what exports leave out: settings of single site spaces, and groups without sections. */
async function readTwinSite(reading: TwinReading, site: Site): Promise<TwinSite> {
  const { client, orgId } = reading;
  const params = { orgId, siteId: site.id };
  const [whole, published] = await Promise.all([
    readSite(reading, site),
    site.published ? client.call(sites.published, { params }).catch(undefinedIfMissing) : undefined,
  ]);
  const emptyGroups =
    whole.structure.type === 'siteSpaces' ? await Array.fromAsync(client.items(sectionGroups.list, { params })) : [];
  return { ...whole, emptyGroups, siteSpaces: published?.customizations.siteSpaces ?? {} };
}

export async function copySpecifications(reading: TwinReading, list: readonly Specification[]): Promise<void> {
  const { orgId, twin } = reading;
  // One after the other, because a description may have 50 MB.
  for (const [index, spec] of list.entries()) {
    reading.signal.throwIfAborted();
    const version = await readable(reading, 'specification', () => readLatest(reading, spec), undefined);
    await twin.write((db) => writeSpecification(db, orgId, { spec, version }));
    showProgress(reading, 'specifications', index + 1, list.length);
  }
}

async function readLatest(reading: TwinReading, spec: Specification): Promise<TwinSpecification['version']> {
  const { client, orgId, leftOut } = reading;
  const { slug, lastVersion, processingState } = spec;
  if (processingState !== 'complete') leftOut.hide('sources of specifications that are not processed yet');
  if (lastVersion === undefined) return undefined;
  const params = { orgId, specSlug: slug };
  const { count = 1, items } = await client.call(openapi.versions, { params, query: { limit: 1 } });
  leftOut.hide('earlier versions of specifications', count - 1);
  const { id, createdAt } =
    items.find((version) => version.id === lastVersion) ??
    (await client.call(openapi.version, { params: { ...params, versionId: lastVersion } }));
  const [document, ...others] = (await readDocuments(reading, spec)) ?? [];
  leftOut.hide('further files of specifications', others.length);
  if (!document) return undefined;
  const [name, content] = document;
  return { id, createdAt, text: name.endsWith('.json') ? JSON.stringify(content) : writeYaml(content) };
}
