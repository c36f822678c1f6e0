import { languageCodes } from '../../contract/translations.ts';
import { day, type Demo } from './calls.ts';
import { specs } from './texts.ts';

export async function addSettings(demo: Demo) {
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
