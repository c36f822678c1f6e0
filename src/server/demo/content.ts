import { day, type Demo } from './calls.ts';
import { apiGuides, type DemoPage, handbook, picture, playbook, quickStart, releaseNotes, textOf } from './texts.ts';

export async function addContent(demo: Demo) {
  const { call, org } = demo;
  await addSpace(demo, { id: 'handbook0001', emoji: '📘', title: 'Handbook', pages: handbook });
  await addSpace(demo, { id: 'quickstart01', emoji: '🚀', title: 'Getting started', pages: quickStart });
  await call('POST', `${org}/collections`, { ids: ['products0001'], body: { title: 'Products' } });
  await call('PATCH', '/v1/collections/products0001', { body: { description: 'One space for each product' } });
  await call('POST', `${org}/collections`, {
    ids: ['archive00001'],
    body: { title: 'Archive', parent: 'products0001' },
  });
  await call('POST', `${org}/collections`, { ids: ['internal0001'], body: { title: 'Internal' } });
  await addSpace(demo, {
    id: 'apiguides001',
    emoji: '🔌',
    title: 'API guides',
    parent: 'products0001',
    pages: apiGuides,
  });
  await addSpace(demo, {
    id: 'releasenotes',
    emoji: '📦',
    title: 'Release notes',
    parent: 'products0001',
    pages: releaseNotes,
  });
  await addSpace(demo, {
    id: 'playbook0001',
    emoji: '🛟',
    title: 'Support playbook',
    parent: 'internal0001',
    pages: playbook,
  });
  await addSpace(demo, { id: 'oldmanual001', emoji: '🗑️', title: 'Old manual', pages: [] });
  await call('DELETE', '/v1/spaces/oldmanual001', { ago: 2 * day });
  await call('POST', `${org}/link-invites`, {
    ids: ['invite000002'],
    body: { level: 'comment', space: 'handbook0001' },
    ago: 20 * day,
  });
}

interface NewSpace {
  id: string;
  emoji: string;
  title: string;
  parent?: string;
  pages: DemoPage[];
}

async function addSpace({ call, org }: Demo, { id, pages, ...body }: NewSpace) {
  await call('POST', `${org}/spaces`, { ids: [id], body });
  const placed = flat(pages);
  if (placed.length === 0) return;
  const files = id === 'handbook0001' ? [{ name: 'pump.png', id: 'pumpphoto001' }] : [];
  await call('POST', `/v1/spaces/${id}/content`, {
    ids: [...placed.map(({ page }) => page.id), ...files.map((file) => file.id)],
    ago: 25 * day,
    body: {
      changes: [
        ...placed.map(({ page, parent }) => ({
          operation: 'insert_page',
          title: page.title,
          document: { markdown: textOf(page) },
          ref: page.id,
          ...(page.emoji === undefined ? {} : { emoji: page.emoji }),
          ...(parent === undefined ? {} : { into: parent }),
        })),
        ...files.map(({ name }) => ({
          operation: 'insert_files',
          files: [{ name, base64: picture, contentType: 'image/png' }],
        })),
      ],
    },
  });
}

const flat = (pages: DemoPage[], parent?: string): { page: DemoPage; parent?: string }[] =>
  pages.flatMap((page) => [{ page, ...(parent === undefined ? {} : { parent }) }, ...flat(page.pages ?? [], page.id)]);
