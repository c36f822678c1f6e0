import { describe, expect, test } from 'vitest';
import { readDescription } from '../../src/openapi/index.ts';

type Content = Record<string, unknown>;

const ok = { 200: { description: 'Fine' } };
const info = { title: 'Pets', version: '1' };
const in2 = (more: Content): Content => ({ swagger: '2.0', info, paths: {}, ...more });
const in30 = (more: Content): Content => ({ openapi: '3.0.3', info, paths: {}, ...more });
const in31 = (more: Content): Content => ({ openapi: '3.1.0', info, paths: {}, ...more });
const in32 = (more: Content): Content => ({ openapi: '3.2.0', info, paths: {}, ...more });
const get = (operation: Content, path = '/a') => ({ paths: { [path]: { get: { responses: ok, ...operation } } } });
const post = (operation: Content) => ({ paths: { '/a': { post: { responses: ok, ...operation } } } });
const schemas = (A: unknown) => ({ components: { schemas: { A } } });

const body = (name: string) => ({ name, in: 'body', schema: {} });
const upload = { name: 'photo', in: 'formData', type: 'file' };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const oauth = {
  type: 'oauth2',
  flows: { implicit: { authorizationUrl: 'https://a.test', scopes: { read: 'Read' } } },
};

/** What is wrong, the rule that says so, and the JSON Pointer to its place. */
const wrong: [what: string, description: Content, finding: string][] = [
  [
    'a style beside content',
    in31(get({ parameters: [{ name: 'a', in: 'query', style: 'form', content: { 'text/plain': {} } }] })),
    'error docsctl/parameter-fields /paths/~1a/get/parameters/0/style',
  ],
  [
    'allowReserved of a header',
    in31(get({ parameters: [{ name: 'a', in: 'header', allowReserved: true, schema: {} }] })),
    'error docsctl/parameter-fields /paths/~1a/get/parameters/0/allowReserved',
  ],
  [
    'a schema of a whole query',
    in32(get({ parameters: [{ name: 'a', in: 'querystring', schema: {}, content: { 'text/plain': {} } }] })),
    'error docsctl/parameter-fields /paths/~1a/get/parameters/0/schema',
  ],
  [
    'a header whose name no header can have',
    in32(get({ parameters: [{ name: 'a[b]', in: 'header', schema: {} }] })),
    'error docsctl/parameter-fields /paths/~1a/get/parameters/0/name',
  ],
  [
    'two ways to encode parts',
    in32(
      post({ requestBody: { content: { 'multipart/mixed': { itemEncoding: { encoding: {}, itemEncoding: {} } } } } }),
    ),
    'error docsctl/nested-encoding /paths/~1a/post/requestBody/content/multipart~1mixed/itemEncoding/itemEncoding',
  ],
  [
    'two kinds of XML nodes',
    in32(schemas({ type: 'string', xml: { nodeType: 'attribute', attribute: true } })),
    'error docsctl/xml-node-type /components/schemas/A/xml/attribute',
  ],
  [
    'allowReserved of a response header',
    in31({ components: { headers: { A: { schema: {}, allowReserved: true } } } }),
    'error struct /components/headers/A/allowReserved',
  ],
  [
    'several bodies',
    in2(post({ parameters: [body('a'), body('b')] })),
    'error docsctl/one-body /paths/~1a/post/parameters/1',
  ],
  [
    'a body and a form',
    in2(post({ consumes: ['multipart/form-data'], parameters: [body('a'), upload] })),
    'error docsctl/one-body /paths/~1a/post/parameters/0',
  ],
  [
    'a body of the path item and one of the operation',
    in2({ paths: { '/a': { parameters: [body('a')], post: { responses: ok, parameters: [body('b')] } } } }),
    'error docsctl/one-body /paths/~1a/post/parameters/0',
  ],
  [
    'an array without items in 2.0',
    in2(get({ parameters: [{ name: 'a', in: 'query', type: 'array' }] })),
    'error docsctl/array-items /paths/~1a/get/parameters/0/type',
  ],
  [
    'a schema of an array without items in 2.0',
    in2({ definitions: { A: { type: 'array' } } }),
    'error docsctl/array-items /definitions/A/type',
  ],
  [
    'a file without a form type',
    in2(post({ parameters: [upload] })),
    'error docsctl/file-parameter /paths/~1a/post/parameters/0',
  ],
  [
    'a file outside of a form',
    in2(post({ parameters: [{ ...upload, in: 'query' }] })),
    'error docsctl/file-parameter /paths/~1a/post/parameters/0',
  ],
  [
    'a body that is a file',
    in2(post({ parameters: [{ ...body('a'), schema: { type: 'file' } }] })),
    'error docsctl/file-parameter /paths/~1a/post/parameters/0',
  ],
  [
    'a header several times',
    in2(
      get({
        parameters: [{ name: 'a', in: 'header', type: 'array', items: { type: 'string' }, collectionFormat: 'multi' }],
      }),
    ),
    'error docsctl/multi-parameter /paths/~1a/get/parameters/0/collectionFormat',
  ],
  [
    'a name twice in a path',
    in2({ paths: { '/{a}/{a}': {} } }),
    'error docsctl/path-parameters-unique /paths/~1{a}~1{a}',
  ],
  [
    'a status that HTTP does not have',
    in30(get({ responses: { 888: { description: '' } } })),
    'error docsctl/status-code /paths/~1a/get/responses/888',
  ],
  [
    'both example and examples',
    in30(get({ parameters: [{ name: 'a', in: 'query', schema: {}, example: 1, examples: {} }] })),
    'error docsctl/example-or-examples /paths/~1a/get/parameters/0/example',
  ],
  [
    'a server variable with nothing to choose from',
    in31({ servers: [{ url: 'https://{a}.test', variables: { a: { default: 'a', enum: [] } } }] }),
    'error no-server-variables-empty-enum /servers',
  ],
  [
    'paths that differ in names only',
    in30({ paths: { '/a/{x}': { get: { responses: ok, parameters: [{ ...id, name: 'x' }] } }, '/a/{y}': {} } }),
    'error no-identical-paths /paths/~1a~1{y}',
  ],
  [
    'a path parameter without a place in the path',
    in30(get({ parameters: [id] })),
    'error path-parameters-defined /paths/~1a/get/parameters/0',
  ],
  [
    'a place in the path without a parameter',
    in30(get({}, '/a/{id}')),
    'error path-parameters-defined /paths/~1a~1{id}/get',
  ],
  [
    'a path parameter that is not required',
    in30(get({ parameters: [{ ...id, required: false }] }, '/{id}')),
    'error docsctl/path-parameter-required /paths/~1{id}/get/parameters/0/required',
  ],
  [
    'a required property that is not defined',
    in30(schemas({ type: 'object', required: ['a'], properties: {} })),
    'warning no-required-schema-properties-undefined /components/schemas/A/required/0',
  ],
  [
    'a name of a component',
    in30({ components: { schemas: { 'a b': {} } } }),
    'error spec-components-invalid-map-name /components/schemas/a b',
  ],
  ['a query in a path', in30({ paths: { '/a?b=1': {} } }), 'error path-not-include-query /paths/~1a?b=1'],
  [
    'a server variable that is not defined',
    in30({ servers: [{ url: 'https://{host}.test' }] }),
    'error no-undefined-server-variable /servers/0/url',
  ],
  [
    'a scope that is not defined',
    in30({ ...get({ security: [{ oauth: ['write'] }] }), components: { securitySchemes: { oauth } } }),
    'error security-scopes-defined /paths/~1a/get/security/0/oauth/0',
  ],
  [
    'a security scheme that is not defined',
    in30(get({ security: [{ nothing: [] }] })),
    'error docsctl/security-scheme-defined /paths/~1a/get/security/0/nothing',
  ],
  ['a tag twice', in30({ tags: [{ name: 'a' }, { name: 'a' }] }), 'error no-duplicated-tag-names /tags/1'],
  [
    'nullable in 3.1',
    in31(schemas({ type: 'string', nullable: true })),
    'warning docsctl/no-nullable /components/schemas/A/nullable',
  ],
  [
    'an example that does not fit',
    in30(schemas({ type: 'string', example: 1 })),
    'warning no-invalid-schema-examples /components/schemas/A/example',
  ],
  [
    'a default that does not fit',
    in30(schemas({ type: 'object', properties: { a: { type: 'integer', default: 'x' } } })),
    'warning docsctl/valid-defaults /components/schemas/A/properties/a/default',
  ],
  [
    'an example of a body that does not fit',
    in30(
      post({ requestBody: { content: { 'application/json': { schema: { type: 'array', items: {} }, example: 1 } } } }),
    ),
    'warning no-invalid-media-type-examples /paths/~1a/post/requestBody/content/application~1json/example',
  ],
  [
    'an operationId twice',
    in30({ paths: { '/a': { get: { operationId: 'a', responses: ok }, put: { operationId: 'a', responses: ok } } } }),
    'error operation-operationId-unique /paths/~1a/put/operationId',
  ],
  [
    'a reference below an extension',
    in30({ 'x-a': { b: [{ c: { $ref: '#/nothing' } }] } }),
    'error no-unresolved-refs /x-a/b/0/c/$ref',
  ],
  [
    'a reference in a path item',
    in30({ paths: { '/a': { $ref: '#/nothing' } } }),
    'error no-unresolved-refs /paths/~1a/$ref',
  ],
  [
    'a reference as an operation',
    in30({ paths: { '/a': { get: { $ref: '#/nothing' } } } }),
    'error no-unresolved-refs /paths/~1a/get/$ref',
  ],
  [
    'a reference in an example',
    in30(post({ requestBody: { content: { 'application/json': { examples: { a: { $ref: '#/nothing' } } } } } })),
    'error no-unresolved-refs /paths/~1a/post/requestBody/content/application~1json/examples/a/$ref',
  ],
  [
    'a reference in a callback',
    in30(post({ callbacks: { a: { '{$url}': { $ref: '#/nothing' } } } })),
    'error no-unresolved-refs /paths/~1a/post/callbacks/a/{$url}/$ref',
  ],
  [
    'a reference as a link',
    in30(get({ responses: { 200: { description: '', links: { a: { $ref: '#/nothing' } } } } })),
    'error no-unresolved-refs /paths/~1a/get/responses/200/links/a/$ref',
  ],
  ['a wrong keyword in 3.2', in32(schemas({ type: 'strnig' })), 'error struct /components/schemas/A/type'],
];

const found = async (description: Content) =>
  (await readDescription({ text: JSON.stringify(description) })).findings.map(
    ({ level, rule, pointer }) => `${level} ${rule} ${pointer}`,
  );

test.each(wrong)('%s', async (_, description, finding) => {
  expect(await found(description)).toContain(finding);
});

/** What is right, although it looks doubtful. */
const right: [what: string, description: Content][] = [
  [
    'an operation that is a reference, with its parameters there',
    in30({
      paths: { '/a/{id}': { get: { $ref: '#/x-operations/get' } } },
      'x-operations': { get: { responses: ok, parameters: [id] } },
    }),
  ],
  [
    'an expression of a callback',
    in30(post({ callbacks: { a: { '{$request.body#/url}/{id}': { post: { responses: ok, parameters: [id] } } } } })),
  ],
  ['keywords of its own in a schema of 3.1', in31(schemas({ type: 'string', ours: 1 }))],
  ['schemas that are true or false in 3.1', in31(schemas({ allOf: [true], not: false, properties: { a: true } }))],
  [
    'a schema in another dialect',
    in31(schemas({ $schema: 'http://json-schema.org/draft-04/schema#', exclusiveMinimum: true, type: 'nothing' })),
  ],
  [
    'schemas in another dialect of the document',
    in31({ jsonSchemaDialect: 'https://a.test/dialect', ...schemas({ type: 'nothing', properties: 1 }) }),
  ],
  ['an extension of any kind', in30({ 'x-logo': 1, info: { ...info, 'x-a': [{ type: 1 }] }, 'x-tagGroups': 'none' })],
  ['references that lead in a circle', in30(schemas({ properties: { a: { $ref: '#/components/schemas/A' } } }))],
  [
    'a device flow of 3.2',
    in32({
      components: {
        securitySchemes: {
          a: {
            type: 'oauth2',
            flows: {
              deviceAuthorization: {
                deviceAuthorizationUrl: 'https://a.test',
                tokenUrl: 'https://a.test',
                scopes: { a: 'A' },
              },
            },
          },
        },
      },
    }),
  ],
  [
    'media types and encodings of 3.2',
    in32({
      components: {
        mediaTypes: { stream: { description: 'Pets', itemSchema: {}, encoding: { part: { style: 'form' } } } },
        requestBodies: { A: { content: { 'multipart/mixed': { itemEncoding: { prefixEncoding: [{}] } } } } },
        parameters: { A: { name: 'a', in: 'cookie', style: 'cookie', schema: {} } },
      },
    }),
  ],
  ['a file in a form', in2({ consumes: ['multipart/form-data'], ...post({ parameters: [upload] }) })],
];

test.each(right)('no error: %s', async (_, description) => {
  expect((await found(description)).filter((finding) => finding.startsWith('error'))).toEqual([]);
});

describe('where the structure is wrong, rules that rely on it do not end the check', () => {
  const values = [null, 1, 'text', [], [null], {}, { $ref: 1 }, { a: null }];
  const places: [string, (value: unknown) => Content][] = [
    ['paths', (paths) => in30({ paths })],
    ['a path item', (item) => in30({ paths: { '/a': item } })],
    ['an operation', (operation) => in30({ paths: { '/a': { get: operation } } })],
    ['parameters', (parameters) => in30(get({ parameters }))],
    ['a response', (response) => in30(get({ responses: { 200: response } }))],
    ['content', (content) => in30(post({ requestBody: { content } }))],
    ['a schema', (schema) => in31(schemas(schema))],
    ['properties', (properties) => in30(schemas({ properties, required: properties, enum: properties }))],
    ['components', (components) => in30({ components })],
    ['security', (security) => in30({ security, ...get({ security }) })],
    ['servers', (servers) => in30({ servers })],
    ['tags', (tags) => in30({ tags })],
    ['parameters of 2.0', (parameters) => in2({ ...get({ parameters }), definitions: parameters })],
  ];

  test.each(places)('%s', async (_, describedBy) => {
    for (const value of values) {
      const findings = await found(describedBy(value));
      expect(findings.filter((finding) => finding.includes('not-checked'))).toEqual([]);
    }
  });
});
