import { languageCodes } from '../../contract/translations.ts';
import { setIdSource } from '../../store/ids.ts';
import type { Instance } from '../engine/instance.ts';
import { type Demo, day, memberId, openDemo } from './calls.ts';
import { addChangeRequests } from './change-requests.ts';
import { addContent } from './content.ts';
import { addPeople } from './people.ts';
import { certificate, specs } from './texts.ts';

/**
 * Fills an instance with the same objects and ids each time, so that examples can name them. Times are relative to now.
 * Most of it is created by ordinary requests; the members are inserted.
 *
 * @param members how many there are; fewer in tests, in which some commands send a request for each
 */
export async function seedDemo(instance: Instance, members = 2500): Promise<void> {
  // A crash may lose an unfinished demo, so its commits need not wait for the disk.
  await instance.store.bulk(() => seed(instance, members));
}

async function seed(instance: Instance, members: number): Promise<void> {
  try {
    const demo = await openDemo(instance);
    await addPeople(demo, members);
    await addOrganization(demo);
    await addContent(demo);
    await addChangeRequests(demo);
    await addSites(demo);
    await addSettings(demo);
  } finally {
    setIdSource(undefined);
  }
}

/** Teams with their ids. */
const teams: [id: string, title: string][] = [
  ['writers00001', 'Writers'],
  ['support00001', 'Support'],
  ['platform0001', 'Platform'],
  ['devrel000001', 'Developer relations'],
  ['design000001', 'Design'],
];

async function addOrganization({ call, org }: Demo) {
  await call('PATCH', org, { body: { title: 'Lumen Docs', hostname: 'lumen', emailDomains: ['lumen.example'] } });
  for (const [number, [id, title]] of teams.entries()) {
    const people = Array.from({ length: 12 }, (_, place) => memberId(number * 12 + place + 1));
    const ago = day * (200 - number);
    await call('PUT', `${org}/teams`, { ids: [id], body: { title, members: people }, ago });
    await call('PUT', `${org}/teams/${id}/members/${people[0]}`, { body: { role: 'owner' }, ago });
  }
  await call('POST', `${org}/link-invites`, { ids: ['invite000001'], body: { role: 'read' } });
  await call('POST', `${org}/saml`, {
    ids: ['lumenid00001'],
    body: {
      label: 'Lumen ID',
      ssoURL: 'https://id.lumen.example/saml/sso',
      entityID: 'https://id.lumen.example/saml/metadata',
      certificate,
      defaultTeam: 'support00001',
      defaultRole: 'read',
    },
  });
}

async function addSites({ call, org }: Demo) {
  const site = `${org}/sites/lumensite001`;
  await call('POST', `${org}/sites`, {
    ids: ['lumensite001', 'sitespace001'],
    body: { title: 'Lumen documentation', type: 'ultimate', spaces: ['handbook0001'] },
  });
  await call('POST', `${site}/sections`, {
    ids: ['guides000001', 'reference001', 'sitespace002'],
    body: { spaceId: 'apiguides001', title: 'Reference', icon: 'plug' },
  });
  await call('PATCH', `${site}/sections/guides000001`, {
    body: { title: 'Guides', path: 'guides', icon: 'book-open' },
  });
  await call('POST', `${site}/sections`, {
    ids: ['starthere001', 'sitespace003'],
    body: { spaceId: 'quickstart01', title: 'Start here', icon: 'rocket' },
  });
  await call('POST', `${site}/section-groups`, {
    ids: ['learngroup01'],
    body: { title: 'Learn', icon: 'graduation-cap', sections: ['guides000001', 'starthere001'] },
  });
  await call('POST', `${site}/site-spaces`, {
    ids: ['sitespace004'],
    body: { spaceId: 'releasenotes', sectionId: 'reference001' },
  });
  await call('PUT', `${site}/adaptive-schema`, {
    body: {
      jsonSchema: {
        type: 'object',
        properties: {
          plan: { type: 'string', enum: ['free', 'team'], description: 'Plan the visitor pays for' },
          beta: { type: 'boolean', description: 'Takes part in the beta' },
        },
        additionalProperties: false,
      },
    },
  });
  await call('POST', `${site}/publish`, { ago: 10 * day });
  await call('POST', `${org}/sites`, {
    ids: ['intranet0001', 'sitespace005', 'sitespace006'],
    body: { title: 'Support intranet', visibility: 'share-link', spaces: ['playbook0001', 'releasenotes'] },
    ago: 15 * day,
  });
  await call('POST', `${org}/sites/intranet0001/share-links`, {
    ids: ['sharelink001', 'lumenpartner', 'previewkey01'],
    body: { name: 'Partners' },
    ago: 14 * day,
  });
}

async function addSettings(demo: Demo) {
  const { call, org } = demo;
  for (const field of [
    { name: 'audience', title: 'Audience', type: 'select:multi', options: ['operators', 'fitters', 'partners'] },
    { name: 'owner', title: 'Owner', type: 'text', description: 'Who answers questions' },
    { name: 'reviewed', title: 'Reviewed', type: 'boolean' },
  ]) {
    await call('POST', `${org}/custom-fields`, {
      ids: [`field${field.name}`.padEnd(12, '0').slice(0, 12)],
      body: field,
    });
  }
  await call('PATCH', '/v1/spaces/handbook0001/custom-fields', {
    body: { values: { audience: { value: ['fitters'] }, owner: { value: 'Ada Almeida' } } },
  });
  await call('POST', `${org}/translations`, {
    ids: ['translate001'],
    body: { title: 'Handbook languages', languages: languageCodes.slice(0, 3) },
  });
  await addSpecification(demo);
}

/** Inserts a processed specification: to process it would take longer than the rest of the demo. */
async function addSpecification({ organization, instance, timeOf }: Demo) {
  await instance.store.write(async (db) => {
    const versions = specs.map((text, i) => ({
      id: `pumpsv00000${i + 1}`,
      spec: 'pumpsspec001',
      text,
      created_at: timeOf(day * (12 - 6 * i)),
    }));
    const [first, last] = [versions.at(0), versions.at(-1)];
    if (!first || !last) throw new Error('The demo has no specifications.');
    await db
      .insertInto('openapi_spec')
      .values({
        id: 'pumpsspec001',
        organization,
        slug: 'pumps',
        source_url: null,
        source_text: null,
        processing_state: 'complete',
        last_version: last.id,
        last_processed_at: last.created_at,
        last_process_error_code: null,
        created_at: first.created_at,
        updated_at: last.created_at,
      })
      .execute();
    await db.insertInto('openapi_version').values(versions).execute();
  });
}
