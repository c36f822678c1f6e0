import { day, type Demo } from './calls.ts';

export async function addSites({ call, org }: Demo) {
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
