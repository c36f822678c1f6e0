import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  exampleOf,
  fixedVariables,
  originsOf,
  readOperation,
  readSchema,
  Reference,
  requestOf,
  samplesOf,
  schemaMarkdown,
  securitySchemes,
} from '../../src/openapi/reference/index.ts';

const reference = (document: Record<string, unknown>) =>
  new Reference({ document: { openapi: '3.1.0', info: { title: 'Pumps', version: '1' }, paths: {}, ...document } });

const schemas = (all: Record<string, unknown>) => reference({ components: { schemas: all } });

test('operations stand below their tags in the order of the description, webhooks and others last', () => {
  const operation = { responses: {} };
  const { groups, operations } = reference({
    tags: [{ name: 'Valves' }, { name: 'Pumps', 'x-displayName': 'All pumps' }, { name: 'Unused' }],
    paths: {
      '/a': { get: { ...operation, tags: ['Pumps', 'Valves'], operationId: 'listAll' }, post: operation },
      '/b': { get: { ...operation, tags: ['New'] }, put: { ...operation, 'x-internal': true } },
    },
    webhooks: { stopped: { post: operation } },
  });

  expect(groups.map(({ title }) => title)).toEqual(['Valves', 'All pumps', 'Other operations', 'New', 'Webhooks']);
  expect(operations.map(({ anchor, title }) => [anchor, title])).toEqual([
    ['listall', 'List all'],
    ['post-a', 'POST /a'],
    ['get-b', 'GET /b'],
    ['post-stopped', 'stopped'],
  ]);
});

test('a schema is told in words, with what allOf adds to it', () => {
  const all = schemas({
    Base: { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } },
    Pump: {
      allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { rate: { type: 'integer' } }, required: ['rate'] }],
      description: 'A pump.',
      deprecated: true,
    },
  });
  const view = readSchema(all, { $ref: '#/components/schemas/Pump' });

  expect(view).toMatchObject({ name: 'Pump', type: ['object'], description: 'A pump.', marks: ['deprecated'] });
  expect(view.properties.map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ['id', true],
    ['rate', true],
  ]);
});

test.each([
  [{ type: 'string', minLength: 1, maxLength: 8, nullable: true }, 'string or null', '1 to 8 characters'],
  [{ type: ['integer', 'null'], exclusiveMinimum: 0 }, 'integer or null', 'greater than 0'],
  [{ type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 5 }, 'integer', 'greater than 0; at most 5'],
  [{ type: 'array', items: { type: 'string' }, uniqueItems: true }, 'array of string', 'no two items are the same'],
  [{ enum: [1, 2] }, 'number', ''],
  [{ type: 'object', additionalProperties: false }, 'object', 'no other fields'],
  [true, 'any', ''],
  [false, 'nothing', ''],
])('%j is %s', (schema, type, constraints) => {
  const view = readSchema(schemas({}), schema);

  expect(view.type.join('')).toBe(type);
  expect(view.constraints.join('; ')).toBe(constraints);
});

test('references to nothing and schemas within themselves end', () => {
  const all = schemas({
    Tree: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Tree' }, none: { $ref: '#/x' } } },
    Loop: { $ref: '#/components/schemas/Loop' },
    Own: { allOf: [{ $ref: '#/components/schemas/Own' }], type: 'object' },
  });

  expect(exampleOf(all, { $ref: '#/components/schemas/Tree' }, 'request')).toEqual({ inner: {}, none: null });
  expect(readSchema(all, { $ref: '#/x' }).problem).toBe('#/x cannot be resolved.');
  expect(readSchema(all, { $ref: '#/components/schemas/Loop' }).problem).toContain('leads back to itself');
  expect(readSchema(all, { $ref: '#/components/schemas/Own' }).type).toEqual(['object']);
});

test('an example has what the other side must not send left out, and keeps to limits', () => {
  const all = schemas({});
  const schema = {
    type: 'object',
    properties: {
      id: { type: 'string', readOnly: true },
      secret: { type: 'string', writeOnly: true },
      size: { type: 'integer', minimum: 4 },
      color: { enum: ['red'] },
      kind: { oneOf: [{ type: 'null' }, { type: 'boolean' }] },
      __proto__: undefined,
    },
  };

  expect(exampleOf(all, schema, 'request')).toMatchObject({ secret: 'text', size: 4, color: 'red', kind: true });
  expect(exampleOf(all, schema, 'request')).not.toHaveProperty('id');
  expect(exampleOf(all, schema, 'response')).not.toHaveProperty('secret');
});

test('an example of alternatives has the value of the discriminator that selects its schema', () => {
  const kind = { type: 'string' };
  const text = () => ({ type: 'object', properties: { kind, size: { type: 'integer' } } });
  const oneOf = [{ $ref: '#/components/schemas/Note' }, { $ref: '#/components/schemas/Photo' }];
  const all = schemas({
    Note: text(),
    Photo: text(),
    Fixed: { type: 'object', properties: { kind: { const: 'f' } } },
    Base: { type: 'object', properties: { kind }, discriminator: { propertyName: 'kind' } },
    Derived: { allOf: [{ $ref: '#/components/schemas/Base' }], properties: { size: { type: 'integer' } } },
    Stated: { type: 'object', properties: { kind }, example: { kind: 's' } },
  });
  const example = (schema: object) => exampleOf(all, schema, 'request');
  const mapping = { note: '#/components/schemas/Note', photo: 'Photo' };

  expect(example({ oneOf, discriminator: { propertyName: 'kind', mapping } })).toEqual({ kind: 'note', size: 1 });
  expect(example({ oneOf: oneOf.toReversed(), discriminator: { propertyName: 'kind', mapping } })).toMatchObject({
    kind: 'photo',
  });
  expect(example({ oneOf, discriminator: { propertyName: 'kind' } })).toMatchObject({ kind: 'Note' });
  for (const [name, expected] of [
    ['Fixed', 'f'],
    ['Stated', 's'],
  ]) {
    const choice = { anyOf: [{ $ref: `#/components/schemas/${name}` }], discriminator: { propertyName: 'kind' } };
    expect(example(choice)).toEqual({ kind: expected });
  }
  expect(example({ $ref: '#/components/schemas/Derived' })).toEqual({ kind: 'Derived', size: 1 });
});

test('Swagger 2 is read in the form of OpenAPI 3', () => {
  const swagger = new Reference({
    document: {
      swagger: '2.0',
      info: { title: 'Old', version: '1' },
      host: 'api.example',
      basePath: '/v1',
      schemes: ['https'],
      securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      security: [{ key: [] }],
      definitions: { Pump: { type: 'object', properties: { name: { type: 'string' } } } },
      paths: {
        '/pumps/{id}': {
          parameters: [{ in: 'path', name: 'id', type: 'integer', required: true }],
          post: {
            parameters: [{ in: 'body', name: 'pump', schema: { $ref: '#/definitions/Pump' } }],
            responses: { 200: { description: 'Done', schema: { $ref: '#/definitions/Pump' } } },
          },
        },
      },
    },
  });
  const [operation] = swagger.operations;
  const view = readOperation(swagger, operation!);

  expect(requestOf(operation!, view)).toEqual({
    method: 'POST',
    url: 'https://api.example/v1/pumps/1',
    headers: [
      ['X-Key', 'YOUR_API_KEY'],
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json'],
    ],
    body: { kind: 'json', value: { name: 'text' } },
  });
  expect(view.responses[0]?.contents[0]?.schema).toEqual({ $ref: '#/definitions/Pump' });
  expect(securitySchemes(swagger)[0]?.kind).toBe('API key in a header');
});

interface Received {
  method: string;
  url: string;
  header: string;
  body: string;
}

let received: Received[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { method = '', url = '', headers } = request;
  received.push({ method, url, header: String(headers['x-odd'] ?? ''), body: Buffer.concat(chunks).toString() });
  response.end('ok');
});
let address = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const listening = server.address();
  if (typeof listening === 'object' && listening) address = `http://127.0.0.1:${listening.port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const run = promisify(execFile);
const languages = {
  curl: (code: string) => run('sh', ['-c', code]),
  JavaScript: (code: string) => run(process.execPath, ['--input-type=module', '-e', code]),
  Python: (code: string) => run('python3', ['-c', code]),
  Go: (code: string) => runFile('sample.go', code, (file) => run('go', ['run', file])),
  PHP: (code: string) => runFile('sample.php', code, (file) => run('php', [file])),
  Ruby: (code: string) => run('ruby', ['-e', code]),
  Java: (code: string) => runFile('Sample.java', code, (file) => run('java', [file])),
};

async function runFile(name: string, code: string, runIt: (file: string) => Promise<unknown>) {
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-sample-'));
  try {
    await writeFile(join(folder, name), code);
    return await runIt(join(folder, name));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What shells and languages give a meaning to. */
const odd = String.raw`it's "$HOME" \n \ ${'`id`'} %41 {a} ünï 🚀`;

const sampleTags = {
  curl: 'curl',
  JavaScript: [],
  Python: 'python-requests',
  Go: 'go',
  PHP: 'php',
  Ruby: 'ruby',
  Java: 'java',
};

for (const title of ['curl', 'JavaScript', 'Python', 'Go', 'PHP', 'Ruby', 'Java'] as const) {
  test(`a sample in ${title} sends exactly what it says`, { tags: sampleTags[title] }, async () => {
    const body = { [odd]: [odd, 1, true, null, { inner: [] }], line: 'a\nb\u2028c' };
    const ascii = String.raw`it's "$HOME" \ ${'`id`'} {a}`;
    const requests = [
      { kind: 'json' as const, value: body },
      { kind: 'text' as const, value: odd },
      { kind: 'form' as const, fields: [{ name: odd, value: odd, isFile: false }] },
    ];
    received = [];
    for (const [index, sent] of requests.entries()) {
      const samples = samplesOf({
        method: 'PUT',
        url: `${address}/a{b}?q=${encodeURIComponent(odd)}`,
        headers: [
          ['X-Odd', ascii],
          ['Content-Type', index === 2 ? 'application/x-www-form-urlencoded' : 'application/json'],
        ],
        body: sent,
      });
      await languages[title](samples.find((sample) => sample.title === title)!.code);
    }

    expect(received.map(({ method, header }) => [method, header])).toEqual(requests.map(() => ['PUT', ascii]));
    expect(received.map(({ url }) => new URL(url, address).searchParams.get('q'))).toEqual(requests.map(() => odd));
    expect(JSON.parse(received[0]!.body)).toEqual(body);
    expect(received[1]!.body).toBe(odd);
    expect([...new URLSearchParams(received[2]!.body)]).toEqual([[odd, odd]]);
  });
}

for (const title of ['Go', 'Java'] as const) {
  test(`a sample in ${title} sends several files of any bytes`, { tags: sampleTags[title] }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docsctl-samples-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const files = ['one', 'two'].map((name) => ({ name, value: join(folder, name), isFile: true }));
    for (const { value } of files) await writeFile(value, Buffer.from('ff00fe', 'hex'));
    received = [];
    const fields = [...files, { name: 'note', value: 'x', isFile: false }];
    const samples = samplesOf({ method: 'POST', url: `${address}/`, headers: [], body: { kind: 'form', fields } });
    await languages[title](samples.find((sample) => sample.title === title)!.code);

    expect(received[0]?.body.match(/name="\w+"/g)).toEqual(['name="one"', 'name="two"', 'name="note"']);
  });
}

test('as Markdown, a schema within itself has its fields once, and no text is cut within its signs', () => {
  const long = `${'word '.repeat(119)}[a link](https://pumps.example/)`;
  const pumps = schemas({
    Pump: {
      type: 'object',
      properties: {
        parent: { $ref: '#/components/schemas/Pump', description: long },
        drive: { oneOf: [{ title: 'Electric' }, { title: 'Diesel' }] },
      },
    },
  });

  const markdown = schemaMarkdown(pumps, pumps.schemas.get('Pump')!);

  expect(markdown).toContain('| `drive` | one of | One of: Electric, Diesel. |');
  expect(markdown).toContain(`| \`parent\` | Pump | ${'word '.repeat(119)}… |`);
  expect(markdown).not.toContain('parent.parent');
});

test.each([
  ['https://a.example/v1', {}, ['https://a.example'], []],
  ['https://{r}.a.example/{v}', { r: ['eu', 'us'], v: [] }, ['https://eu.a.example', 'https://us.a.example'], []],
  ['https://{tenant}.a.example', { tenant: [] }, ['https://*.a.example'], []],
  ['https://a.example:{port}/', { port: [] }, ['https://a.example:*'], []],
  ['https://{all}.example', { all: [] }, ['https://x.example'], ['all']],
  ['https://{host}/v1', { host: [] }, ['https://x'], ['host']],
  ['{url}/v1', { url: [] }, [], ['url']],
  ['/v1', {}, [], []],
  ['https://{r}.a.example', { r: ["x; script-src 'unsafe-inline' "] }, [], []],
])('a policy for the server %s names %j', (url, variables, origins, fixed) => {
  const all = Object.entries(variables).map(([name, values]) => ({ name, value: 'x', values, description: undefined }));
  const server = { url, filled: url, description: undefined, variables: all };
  expect(originsOf(server)).toEqual(origins);
  expect([...fixedVariables(server)]).toEqual(fixed);
});
