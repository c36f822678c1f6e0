import fc from '../support/property.ts';
import { describe, expect, test } from 'vitest';
import { type Change, changeText, compareDescriptions, isNotCompared } from '../../src/openapi/index.ts';
import { breakingChanges } from './breaking-changes.ts';
import { reversed } from './reverse-keys.ts';
import { runs } from '../support/long-form.ts';

const formatChange = (change: Change) => `${changeText(change)} (${change.rule})`;

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
const withBody = (schema: unknown, more: Fields = {}) =>
  withOperation({ requestBody: { content: { 'application/json': { schema } } } }, more);
const answering = (schema: unknown, more: Fields = {}) =>
  withOperation({ responses: { 200: { description: 'Fine', content: { 'application/json': { schema } } } } }, more);
const object = (properties: Fields, ...required: string[]) => ({ type: 'object', properties, required });
const schemas = (named: Fields) => ({ components: { schemas: named } });

const string = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };

describe('finds breaking changes', () => {
  test('and what cannot be compared, which may hold one', () => {
    const dangling = withBody({ $ref: '#/components/schemas/Missing' });

    expect(breakingChanges(dangling, withBody(string)).map(({ rule }) => rule)).toContain('not-compared');
    expect(breakingChanges(withBody(string), dangling).map(({ rule }) => rule)).toContain('not-compared');
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

    expect(changes.map(formatChange)).toEqual([
      'POST /pets: request body /value: type was number, is now integer (request-type-narrowed)',
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
      withOperation(operation, components('object')),
    );

    expect(changes.map(({ rule }) => rule)).toEqual([
      'request-type-changed',
      'request-type-changed',
      'response-type-changed',
    ]);
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
    const changes = breakingChanges(before, after).filter((change) => !isNotCompared(change));

    expect(changes.map(formatChange)).toEqual([]);
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

      for (const same of [structuredClone(document), reversed(document)]) {
        const changes = compareDescriptions({ document }, { document: same });
        expect(changes.filter(({ rule }) => !rule.endsWith('not-compared'))).toEqual([]);
      }
    }),
    { numRuns: runs(60, 500), seed: 1 },
  );
});

test('entangled alternatives are given up at some point, and that is reported', () => {
  const count = 25;
  const entangled = (type: string) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        const others = Array.from({ length: count }, (_each, other) => other).filter((other) => other !== index);
        const variants = others.map((other) => ({
          allOf: [
            { $ref: `#/components/schemas/S${other}` },
            object({ [`p${other}`]: { type }, next: { $ref: `#/components/schemas/S${(index + other) % count}` } }),
          ],
        }));
        return [`S${index}`, { oneOf: variants }];
      }),
    );
  const document = (type: string) => withBody({ $ref: '#/components/schemas/S0' }, schemas(entangled(type)));

  const changes = compareDescriptions({ document: document('string') }, { document: document('integer') });

  expect(changes.map(({ rule }) => rule)).toContain('request-schema-not-compared');
});

/** The same change written in three ways, and with two of them mixed. */
const forms = {
  'a list of types': (...types: string[]) => ({ type: types }),
  oneOf: (...types: string[]) => ({ oneOf: types.map((type) => ({ type })) }),
  anyOf: (...types: string[]) => ({ anyOf: types.map((type) => ({ type })) }),
};

describe('one more type is a breaking change of a response, and one less of a request', () => {
  const pairs = Object.keys(forms).flatMap((before) => Object.keys(forms).map((after) => [before, after] as const));

  test.each(pairs)('with %s before and %s after', (before, after) => {
    const [old, now] = [forms[before as keyof typeof forms], forms[after as keyof typeof forms]];
    const breaks = (one: unknown, other: unknown) => breakingChanges(one, other).length > 0;
    const narrow = (form: typeof old) => object({ v: form('string', 'boolean') });
    const wide = (form: typeof old) => object({ v: form('string', 'boolean', 'integer') });

    expect({
      'request widened': breaks(withBody(narrow(old)), withBody(wide(now))),
      'request narrowed': breaks(withBody(wide(old)), withBody(narrow(now))),
      'response widened': breaks(answering(narrow(old)), answering(wide(now))),
      'response narrowed': breaks(answering(wide(old)), answering(narrow(now))),
    }).toEqual({
      'request widened': false,
      'request narrowed': true,
      'response widened': true,
      'response narrowed': false,
    });
  });
});
