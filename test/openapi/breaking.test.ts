import fc from '../support/property.ts';
import { describe, expect, test } from 'vitest';
import { breakingChanges, formatChange } from '../../src/openapi/index.ts';
import { reversed } from './reverse-keys.ts';
import { runs } from '../support/long-form.ts';

type Fields = Record<string, unknown>;

const ok = { 200: { description: 'Fine' } };

function api(paths: Fields, more: Fields = {}): Fields {
  return { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths, ...more };
}

function withOperation(operation: Fields, more: Fields = {}): Fields {
  return api({ '/pets': { post: { responses: ok, ...operation } } }, more);
}

const withParameters = (...parameters: Fields[]) => withOperation({ parameters });
const limit = (fields: Fields) =>
  withParameters({ name: 'limit', in: 'query', schema: { type: 'integer' }, ...fields });
const inPath = (name: string, schema: Fields) => ({ name, in: 'path', required: true, schema });
const withBody = (schema: unknown, more: Fields = {}) =>
  withOperation({ requestBody: { content: { 'application/json': { schema } } } }, more);
const answering = (schema: unknown, more: Fields = {}) =>
  withOperation({ responses: { 200: { description: 'Fine', content: { 'application/json': { schema } } } } }, more);
const object = (properties: Fields, ...required: string[]) => ({ type: 'object', properties, required });
const schemas = (named: Fields) => ({ components: { schemas: named } });

const string = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };

describe('breaks', () => {
  test.each<[change: string, before: Fields, after: Fields]>([
    [
      '/pets: path: was removed (path-removed)', //
      withOperation({}),
      api({ '/cats': {} }),
    ],
    [
      'POST /pets: operation: was removed (method-removed)',
      withOperation({}),
      api({ '/pets': { get: { responses: ok } } }),
    ],
    [
      'POST /pets: security: credentials are now required (security-changed)',
      withOperation({}),
      withOperation({ security: [{ key: [] }] }),
    ],
    [
      'POST /pets: security: oauth2 and oauth2 with read is no longer sufficient (security-changed)',
      withOperation({ security: [{ o: ['read'] }] }, { components: { securitySchemes: { o: { type: 'oauth2' } } } }),
      withOperation(
        { security: [{ o: ['read', 'write'] }] },
        { components: { securitySchemes: { o: { type: 'oauth2' } } } },
      ),
    ],
    [
      'POST /pets: query parameter limit: is new and required (parameter-added-required)',
      withOperation({}),
      limit({ required: true }),
    ],
    [
      'POST /pets: query parameter limit: is now required (parameter-required)',
      limit({}),
      limit({ required: true }), //
    ],
    [
      'POST /pets: query parameter limit: is now written as form, was form, exploded (parameter-style-changed)',
      limit({ schema: { type: 'array' } }),
      limit({ schema: { type: 'array' }, explode: false }),
    ],
    [
      'POST /pets: query parameter limit: accepted string, now accepts only integer (type-narrowed)',
      limit({ schema: string }),
      limit({}),
    ],
    [
      'GET /pets/{id}: path parameter pet: accepted string, now accepts only integer (type-narrowed)',
      api({ '/pets/{id}': { get: { parameters: [inPath('id', string)], responses: ok } } }),
      api({ '/pets/{pet}': { get: { parameters: [inPath('pet', integer)], responses: ok } } }),
    ],
    [
      'POST /pets: request body: is no longer accepted (request-body-removed)',
      withBody(string),
      withOperation({}), //
    ],
    [
      'POST /pets: request body: is now required (request-body-required)',
      withOperation({ requestBody: { content: { 'text/plain': {} } } }),
      withOperation({ requestBody: { content: { 'text/plain': {} }, required: true } }),
    ],
    [
      'POST /pets: request body: text/plain is no longer accepted (request-media-type-removed)',
      withOperation({ requestBody: { content: { 'text/plain': {} } } }),
      withBody({}),
    ],
    [
      'POST /pets: request body /name: is no longer accepted (property-removed)',
      withBody({ ...object({ name: string }), additionalProperties: false }),
      withBody({ ...object({}), additionalProperties: false }),
    ],
    [
      'POST /pets: request body: other properties are no longer accepted (property-removed)',
      withBody(object({ name: string })),
      withBody({ ...object({ name: string }), additionalProperties: false }),
    ],
    [
      'POST /pets: request body /owner/name: is now required (property-required)',
      withBody(object({ owner: object({ name: string }) })),
      withBody(object({ owner: object({ name: string }, 'name') })),
    ],
    [
      'POST /pets: request body /tag: is new and required (property-required)',
      withBody(object({})),
      withBody(object({ tag: string }, 'tag')),
    ],
    [
      'POST /pets: request body /*: accepted number, now accepts only integer (type-narrowed)',
      withBody({ type: 'array', items: number }),
      withBody({ type: 'array', items: integer }),
    ],
    [
      'POST /pets: request body: null is no longer accepted (type-narrowed)',
      withBody({ type: ['string', 'null'] }),
      withBody(string),
    ],
    [
      'POST /pets: request body: accepted string, now accepts only "a", "b" (type-narrowed)',
      withBody(string),
      withBody({ type: 'string', enum: ['a', 'b'] }),
    ],
    [
      'POST /pets: request body: Cat is no longer accepted (type-narrowed)',
      withBody(
        { oneOf: [{ $ref: '#/components/schemas/Dog' }, { $ref: '#/components/schemas/Cat' }] },
        schemas({ Dog: string, Cat: number }),
      ),
      withBody({ oneOf: [{ $ref: '#/components/schemas/Dog' }, { type: 'boolean' }] }, schemas({ Dog: string })),
    ],
    [
      'POST /pets: request body /lives: is now required (property-required)',
      withBody(
        { oneOf: [{ $ref: '#/components/schemas/Dog' }, { $ref: '#/components/schemas/Cat' }] },
        schemas({ Dog: string, Cat: object({ lives: number }) }),
      ),
      withBody(
        { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] },
        schemas({ Dog: string, Cat: object({ lives: number }, 'lives') }),
      ),
    ],
    [
      'POST /pets: request body: "b" is no longer accepted (enum-value-removed)',
      withBody({ enum: ['a', 'b'] }),
      withBody({ enum: ['a'] }),
    ],
    [
      'POST /pets: request body: maxLength is now 5, was 10 (constraint-tightened)',
      withBody({ type: 'string', maxLength: 10 }),
      withBody({ type: 'string', maxLength: 5 }),
    ],
    [
      'POST /pets: request body: minimum is now 1 (exclusive), was 1 (constraint-tightened)',
      withBody({ type: 'number', minimum: 1 }),
      withBody({ type: 'number', exclusiveMinimum: 1 }),
    ],
    [
      'POST /pets: request body: pattern is now ^a (constraint-tightened)',
      withBody(string),
      withBody({ type: 'string', pattern: '^a' }),
    ],
    [
      'POST /pets: request body: format is now int32, was int64 (constraint-tightened)',
      withBody({ type: 'integer', format: 'int64' }),
      withBody({ type: 'integer', format: 'int32' }),
    ],
    [
      'POST /pets: response 200: was removed (response-removed)',
      withOperation({}),
      withOperation({ responses: { 201: { description: 'Made' } } }),
    ],
    [
      'POST /pets: response default: was removed (response-removed)',
      withOperation({ responses: { default: { description: 'Fine' } } }),
      withOperation({ responses: { 400: { description: 'Bad' } } }),
    ],
    [
      'POST /pets: response 200: application/json is no longer returned (response-media-type-removed)',
      answering(string),
      withOperation({}),
    ],
    [
      'POST /pets: response 200 header x-rate: was removed (response-header-removed)',
      withOperation({ responses: { 200: { description: '', headers: { 'X-Rate': { schema: integer } } } } }),
      withOperation({}),
    ],
    [
      'POST /pets: response 200 /name: was removed (response-property-removed)',
      answering(object({ name: string }, 'name')),
      answering(object({})),
    ],
    [
      'POST /pets: response 200 /name: is no longer always present (response-property-optional)',
      answering(object({ name: string }, 'name')),
      answering(object({ name: string })),
    ],
    [
      'POST /pets: response 200 /id: was integer, may now be number (response-type-changed)',
      answering(object({ id: integer })),
      answering(object({ id: number })),
    ],
    [
      'POST /pets: response 200: may now be null (response-type-changed)',
      answering(string),
      answering({ type: ['string', 'null'] }),
    ],
    [
      'POST /pets: response 200: was one of "a", may now be string (response-type-changed)',
      answering({ type: 'string', enum: ['a'] }),
      answering(string),
    ],
    [
      'POST /pets: response 200: may now be "b" (response-enum-value-added)',
      answering({ enum: ['a'] }),
      answering({ enum: ['a', 'b'] }),
    ],
    [
      'POST /pets: response 200: maxItems is now unlimited, was 10 (response-constraint-loosened)',
      answering({ type: 'array', maxItems: 10 }),
      answering({ type: 'array' }),
    ],
    [
      'POST /pets: response 200: may now be Cat (response-type-changed)',
      answering({ anyOf: [{ $ref: '#/components/schemas/Dog' }, number] }, schemas({ Dog: object({}) })),
      answering(
        { anyOf: [{ $ref: '#/components/schemas/Dog' }, number, { $ref: '#/components/schemas/Cat' }] },
        schemas({ Dog: object({}), Cat: { type: 'array' } }),
      ),
    ],
  ])('%s', (change, before, after) => {
    expect(breakingChanges(before, after).map(formatChange)).toEqual([change]);
  });

  test('through references, also deep and circular ones, and reports each schema once', () => {
    const tree = (value: unknown) =>
      schemas({
        Tree: object({ value: { $ref: '#/components/schemas/Value' }, left: { $ref: '#/components/schemas/Tree' } }),
        Value: { $ref: '#/components/schemas/Inner' },
        Inner: value,
      });
    const body = { $ref: '#/components/schemas/Tree' };

    const changes = breakingChanges(withBody(body, tree(number)), withBody(body, tree(integer)));

    expect(changes).toEqual([
      {
        path: '/pets',
        method: 'post',
        location: 'request body /value',
        rule: 'type-narrowed',
        message: 'accepted number, now accepts only integer',
      },
    ]);
  });

  test('in parameters, bodies and responses that are components', () => {
    const components = (type: string) => ({
      components: {
        parameters: { Limit: { name: 'limit', in: 'query', schema: { type } } },
        requestBodies: { Pet: { content: { 'application/json': { schema: { type } } } } },
        responses: { Pet: { description: '', content: { 'application/json': { schema: { type } } } } },
      },
    });
    const operation = {
      parameters: [{ $ref: '#/components/parameters/Limit' }],
      requestBody: { $ref: '#/components/requestBodies/Pet' },
      responses: { 200: { $ref: '#/components/responses/Pet' } },
    };

    const changes = breakingChanges(
      withOperation(operation, components('number')),
      withOperation(operation, components('string')),
    );

    expect(changes.map(({ rule }) => rule)).toEqual(['type-narrowed', 'type-narrowed', 'response-type-changed']);
  });
});

describe('does not break', () => {
  test.each<[what: string, before: Fields, after: Fields]>([
    [
      'another name for a parameter in a path',
      api({
        '/pets/{id}/{x}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: string }],
          get: { responses: ok },
        },
      }),
      api({
        '/pets/{pet}/{y}': {
          get: { parameters: [{ name: 'pet', in: 'path', required: true, schema: string }], responses: ok },
        },
      }),
    ],
    ['a new path and method', withOperation({}), api({ '/pets': { post: { responses: ok }, get: {} }, '/cats': {} })],
    ['a new parameter', withOperation({}), limit({})],
    ['a parameter that is no longer required', limit({ required: true }), limit({})],
    [
      'a default that is said',
      limit({ schema: { type: 'array' } }),
      limit({ schema: { type: 'array' }, style: 'form' }),
    ],
    [
      'a header in other letters',
      withParameters({ name: 'X-A', in: 'header', required: true, schema: string }),
      withParameters({ name: 'x-a', in: 'header', required: true, schema: string }),
    ],
    ['a new property', withBody(object({})), withBody(object({ name: string }))],
    ['a new property in a response', answering(object({})), answering(object({ name: string }, 'name'))],
    [
      'a required property that is only read',
      withBody(object({})),
      withBody(object({ id: { ...string, readOnly: true } }, 'id')),
    ],
    ['a wider type', withBody(integer), withBody(number)],
    ['a narrower type in a response', answering(number), answering(integer)],
    ['a new value', withBody({ enum: ['a'] }), withBody({ enum: ['a', 'b'] })],
    ['one value less in a response', answering({ enum: ['a', 'b'] }), answering({ enum: ['a'] })],
    ['a looser limit', withBody({ ...string, maxLength: 5 }), withBody({ ...string, maxLength: 6 })],
    ['a limit that says nothing', withBody(string), withBody({ ...string, minLength: 0 })],
    ['a wider format', withBody({ ...integer, format: 'int32' }), withBody({ ...integer, format: 'int64' })],
    ['an error that was removed', withOperation({ responses: { ...ok, 404: { description: '' } } }), withOperation({})],
    [
      'a response among others of its class',
      withOperation({}),
      withOperation({ responses: { '2XX': { description: '' } } }),
    ],
    ['another alternative', withBody({ oneOf: [string] }), withBody({ oneOf: [number, string] })],
    [
      'an alternative to what was alone',
      withBody(object({ a: string })),
      withBody({ anyOf: [string, object({ a: string })] }),
    ],
    ['one alternative less in a response', answering({ oneOf: [string, number] }), answering(string)],
    [
      'credentials that are no longer needed',
      withOperation({ security: [{ key: [] }] }),
      withOperation({ security: [{}, { key: [] }] }),
    ],
    [
      'another name for the same credentials',
      withOperation(
        { security: [{ a: [] }] },
        { components: { securitySchemes: { a: { type: 'http', scheme: 'basic' } } } },
      ),
      withOperation(
        { security: [{ b: [] }] },
        { components: { securitySchemes: { b: { type: 'http', scheme: 'basic' } } } },
      ),
    ],
    [
      'a reference for what stood there',
      withBody(object({ a: string })),
      withBody({ $ref: '#/components/schemas/A' }, schemas({ A: object({ a: string }) })),
    ],
    [
      'allOf for what stood there, and the other way round',
      withBody(object({ a: string, b: number }, 'a')),
      withBody(
        { allOf: [object({ a: string }, 'a'), { $ref: '#/components/schemas/B' }] },
        schemas({ B: object({ b: number }) }),
      ),
    ],
    ['null said in the way of 3.0', withBody({ ...string, nullable: true }), withBody({ type: ['string', 'null'] })],
    ['null as an alternative', withBody({ type: ['string', 'null'] }), withBody({ oneOf: [string, { type: 'null' }] })],
    [
      'a limit said in the way of 3.0',
      withBody({ ...number, minimum: 1, exclusiveMinimum: true }),
      withBody({ ...number, exclusiveMinimum: 1 }),
    ],
    ['const for a single value', withBody({ enum: ['a'] }), withBody({ const: 'a' })],
    [
      'parameters of a media type',
      withBody(string),
      withOperation({ requestBody: { content: { 'application/json; charset=utf-8': { schema: string } } } }),
    ],
    [
      'what refers to an address',
      withBody({ $ref: 'https://example.com/a' }),
      withBody({ $ref: 'https://example.com/b' }),
    ],
    [
      'a schema that is only itself',
      withBody(
        { $ref: '#/components/schemas/A' },
        schemas({ A: { allOf: [{ $ref: '#/components/schemas/A' }], oneOf: [{ $ref: '#/components/schemas/A' }] } }),
      ),
      withBody({}),
    ],
    [
      'Swagger 2 becoming OpenAPI 3',
      {
        swagger: '2.0',
        consumes: ['application/json'],
        produces: ['application/json'],
        paths: {
          '/pets': {
            post: {
              parameters: [
                { name: 'ids', in: 'query', type: 'array', items: string, collectionFormat: 'multi' },
                { name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
              ],
              responses: { 200: { description: '', schema: { $ref: '#/definitions/Pet' } } },
            },
          },
          '/photos': {
            post: {
              consumes: ['multipart/form-data'],
              parameters: [{ name: 'file', in: 'formData', type: 'file', required: true }],
              responses: ok,
            },
          },
        },
        definitions: { Pet: object({ name: string }, 'name') },
      },
      api(
        {
          '/pets': {
            post: {
              parameters: [{ name: 'ids', in: 'query', schema: { type: 'array', items: string } }],
              requestBody: {
                required: true,
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
              },
              responses: {
                200: {
                  description: '',
                  content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
                },
              },
            },
          },
          '/photos': {
            post: {
              requestBody: {
                required: true,
                content: {
                  'multipart/form-data': { schema: object({ file: { type: 'string', format: 'binary' } }, 'file') },
                },
              },
              responses: ok,
            },
          },
        },
        schemas({ Pet: object({ name: string }, 'name') }),
      ),
    ],
  ])('%s', (_, before, after) => {
    expect(breakingChanges(before, after).map(formatChange)).toEqual([]);
  });

  test('values that are not documents', () => {
    for (const value of [
      undefined,
      null,
      1,
      'x',
      [],
      { paths: [] },
      { paths: { '/a': { get: 1, post: { responses: [] } } } },
    ]) {
      expect(breakingChanges(value, value)).toEqual([]);
    }
  });
});

/** Schemas that refer to each other, to themselves and to nothing. */
const anySchemas = fc.letrec((tie) => ({
  reference: fc.constantFrom('A', 'B', 'C', 'Nothing').map((name) => ({ $ref: `#/components/schemas/${name}` })),
  plain: fc.record(
    {
      type: fc.constantFrom('string', 'integer', 'object', 'array', ['string', 'null'], ['object', 'array']),
      enum: fc.array(fc.constantFrom('a', 'b', null, 1), { minLength: 1 }),
      minimum: fc.nat(3),
      exclusiveMaximum: fc.oneof(fc.nat(3), fc.boolean()),
      nullable: fc.boolean(),
      readOnly: fc.boolean(),
      format: fc.constantFrom('int32', 'int64', 'date'),
      required: fc.subarray(['a', 'b', '__proto__']),
      properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('any')),
      additionalProperties: fc.oneof(fc.boolean(), tie('any')),
      items: tie('any'),
    },
    { requiredKeys: [] },
  ),
  composed: fc.dictionary(fc.constantFrom('allOf', 'oneOf', 'anyOf'), fc.array(tie('any'), { maxLength: 3 })),
  any: fc.oneof({ maxDepth: 3 }, tie('reference'), tie('plain'), tie('composed'), fc.boolean()),
}));

test('a document has no differences from itself, in any order of its keys', () => {
  const { any } = anySchemas;
  fc.assert(
    fc.property(any, any, any, any, any, (A, B, C, body, answer) => {
      const operation = {
        requestBody: { content: { 'application/json': { schema: body } } },
        responses: { 200: { description: '', content: { 'application/json': { schema: answer } } } },
      };
      const document = withOperation(operation, schemas({ A, B, C }));

      expect(breakingChanges(document, structuredClone(document))).toEqual([]);
      expect(breakingChanges(document, reversed(document))).toEqual([]);
    }),
    { numRuns: runs(60, 500), seed: 1 },
  );
});
