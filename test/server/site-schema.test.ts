import { expect, test } from 'vitest';
import { testInstance } from '../support/instance.ts';
import { rejection } from '../support/reject.ts';
import { makeSite } from '../support/sites.ts';

const schema = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
});
const description = 'What it is';

test('there is no schema before it is set; then it is stored, and can be replaced', async () => {
  const service = await testInstance();
  const { call, clock } = service;
  const { path } = await makeSite(service);
  expect(rejection(await call('GET', `${path}/adaptive-schema`))).toEqual([404, 'not-found']);
  const jsonSchema = schema(
    {
      plan: { type: 'string', enum: ['free', 'team'], description },
      beta: { type: 'boolean', description },
      seats: { type: 'number', description },
      tags: { type: 'array', items: { type: 'string', enum: ['a'] }, description },
      company: { ...schema({ size: { ...schema({}), description } }), description },
      unsigned: { ...schema({ language: { type: 'string', description } }), description },
    },
    { $schema: 'http://json-schema.org/draft-07/schema#' },
  );

  const set = await call('PUT', `${path}/adaptive-schema`, { jsonSchema });

  expect([set.status, set.body]).toEqual([
    200,
    { object: 'site-adaptive-schema', jsonSchema, updatedAt: '2026-03-01T08:00:00.000Z' },
  ]);
  expect((await call('GET', `${path}/adaptive-schema`)).body).toEqual(set.body);
  clock.advance(1000);
  const again = await call('PUT', `${path}/adaptive-schema`, { jsonSchema: schema({}) });
  expect(again.body).toMatchObject({ jsonSchema: schema({}), updatedAt: '2026-03-01T08:00:01.000Z' });
});

test.each([
  [{}, '/jsonSchema/type required', '/jsonSchema/properties required', '/jsonSchema/additionalProperties required'],
  [schema({}, { type: 'array' }), '/jsonSchema/type enum'],
  [schema({}, { additionalProperties: true }), '/jsonSchema/additionalProperties enum'],
  [schema({}, { $schema: 'https://json-schema.org/draft/2020-12/schema' }), '/jsonSchema/$schema enum'],
  [schema({ a: { type: 'string' } }), '/jsonSchema/properties/a/description required'],
  [schema({ a: { type: 'integer', description } }), '/jsonSchema/properties/a/type enum'],
  [schema({ a: { description } }), '/jsonSchema/properties/a/type required'],
  [schema({ 'a/b': true }), '/jsonSchema/properties/a~1b type'],
  [schema({ a: { type: 'string', enum: [1], description } }), '/jsonSchema/properties/a/enum/0 type'],
  [schema({ a: { type: 'array', description } }), '/jsonSchema/properties/a/items required'],
  [
    schema({ a: { type: 'array', items: { type: 'object' }, description } }),
    '/jsonSchema/properties/a/items/type enum',
  ],
  [
    schema({ a: { ...schema({ b: { type: 'null', description } }), description } }),
    '/jsonSchema/properties/a/properties/b/type enum',
  ],
  [
    schema({ a: { type: 'object', properties: {}, description } }),
    '/jsonSchema/properties/a/additionalProperties required',
  ],
  [schema({ unsigned: { type: 'string', description } }), '/jsonSchema/properties/unsigned/type enum'],
])('%j is refused', async (jsonSchema, ...faults) => {
  const service = await testInstance();
  const { path } = await makeSite(service);

  expect(rejection(await service.call('PUT', `${path}/adaptive-schema`, { jsonSchema }))).toEqual([
    400,
    'validation',
    ...faults,
  ]);
});
