import { expect, test } from 'vitest';
import { blockDrawer } from '../../src/server/sites/published-specs.ts';

test('a page of a published site draws the operations of the specifications of its organization', async () => {
  const paths = { '/pumps': { get: { summary: 'List pumps', responses: {} } } };
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Pumps', version: '1' }, paths });
  const draw = await blockDrawer([{ slug: 'pumps', version: 'v1', text }]);
  const block = { kind: 'operation' as const, path: '/pumps', method: 'get', schemas: [], attributes: {} };

  expect(JSON.stringify(draw({ ...block, spec: 'pumps' }))).toContain('List pumps');
  expect(draw({ ...block, spec: 'valves' })).toBeUndefined();
  expect(draw({ ...block, spec: 'pumps', method: 'put' })).toBeUndefined();
});
