import { execa } from 'execa';
import { root } from '../support/cli.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type InProcessHome, test } from '../support/in-process.ts';

let server: Server;
let origin: string;
const asked: string[] = [];
/** What the server has, by path. */
const remote: Record<string, unknown> = {
  '/schemas/pet.json': {
    type: 'object',
    properties: { mother: { $ref: '#' }, owner: { $ref: 'owner.yaml#/Owner' }, name: { $ref: '#/definitions/Name' } },
    definitions: { Name: { type: 'string' } },
  },
  '/schemas/owner.yaml': 'Owner: { type: object, properties: { pets: { type: array, items: { $ref: pet.json } } } }',
};

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'anonymous'}`);
    const content = remote[request.url ?? ''];
    response.statusCode = content === undefined ? 404 : 200;
    response.end(typeof content === 'string' ? content : JSON.stringify(content ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => void server.close());

const head = { openapi: '3.1.0', info: { title: 'Pets', version: '1' } };
const parts = {
  'paths.yaml': [
    'pets:',
    '  get: { $ref: operations.yaml#/list }',
    '  post:',
    '    requestBody: { content: { application/json: { schema: { $ref: models.json#/$defs/Tree } } } }',
    '    responses: { 200: { $ref: "#/shared/Fine" } }',
    "    callbacks: { done: { '{$request.body#/url}': { $ref: '#/pets' } } }",
    'shared: { Fine: { description: Fine, links: { self: { $ref: links.yaml#/Self } } } }',
  ].join('\n'),
  'operations.yaml': [
    'list:',
    '  operationId: list',
    '  parameters: [{ $ref: models.json#/parameters/Limit }]',
    '  responses:',
    '    200:',
    '      description: Fine',
    '      content:',
    '        application/json:',
    '          schema: { $ref: models.json#/$defs/Tree }',
    '          examples: { one: { $ref: examples.yaml#/one } }',
  ].join('\n'),
  'links.yaml': 'Self: { operationId: list }',
  'examples.yaml': 'one: { value: { children: [] } }',
  'models.json': JSON.stringify({
    $defs: { Tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/Tree' } } } } },
    parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer' } } },
  }),
};

async function writeAll(home: InProcessHome, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(home.dir, name)), { recursive: true });
    await writeFile(join(home.dir, name), text);
  }
}

/** What Redocly itself finds in a text, by the rules of the specification. */
/** What Redocly finds, in a process of its own: docsctl changes types of Redocly that tests in this one share. */
async function readByRedocly(text: string): Promise<string[]> {
  const script = `
    import { createConfig, lintFromString } from '@redocly/openapi-core';
    import { text } from 'node:stream/consumers';
    const config = await createConfig({ extends: ['spec'] });
    const source = await text(process.stdin);
    const problems = await lintFromString({ source, absoluteRef: '/nowhere/openapi.json', config });
    console.log(JSON.stringify(problems.map(({ ruleId, message }) => ruleId + ': ' + message)));`;
  const { stdout } = await execa(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    input: text,
  });
  return JSON.parse(stdout) as string[];
}

const bodyOf = (stdout: string): string => JSON.parse(stdout).body.source.text;
const referencesIn = (text: string) =>
  [...text.matchAll(/"\$ref": "([^"]*)"/g)]
    .map(([, reference]) => reference ?? '')
    .filter((each) => !each.startsWith('#/'));

test('references below extensions, as operations, in callbacks, links, examples, circles and at addresses become one document that others read', async ({
  docsctl,
  home,
}) => {
  await writeAll(home, {
    ...parts,
    'openapi.json': JSON.stringify({
      ...head,
      paths: { '/pets': { $ref: 'paths.yaml#/pets' } },
      'x-models': { tree: { $ref: 'models.json#/$defs/Tree' }, list: [{ deep: { $ref: 'examples.yaml#/one' } }] },
      components: { schemas: { Pet: { $ref: `${origin}/schemas/pet.json` } } },
    }),
  });

  const publish = ['openapi', 'publish', 'openapi.json', '--slug', 'pets', '--dry-run', '-o', 'json'];
  const host = ['--ref-host', '127.0.0.1'];
  const run = await docsctl(...publish, ...host);
  const text = bodyOf(run.stdout);
  await writeFile(join(home.dir, 'bundled.json'), text);
  const again = await docsctl('openapi', 'publish', 'bundled.json', '--slug', 'pets', '--dry-run', '-o', 'json');

  expect(run.exitCode).toBe(0);
  expect(await readByRedocly(text)).toEqual([]);
  expect(referencesIn(text)).toEqual([]);
  expect(bodyOf(again.stdout)).toBe(text);
  const document = JSON.parse(text);
  expect(document['x-models'].list[0].deep).toEqual({ value: { children: [] } });
  expect(document.components.schemas.Pet.properties.mother).toEqual({ $ref: '#/components/schemas/Pet' });
  expect(document.components.schemas.Owner.properties.pets.items).toEqual({ $ref: '#/components/schemas/Pet' });
  expect(asked.every((each) => each.endsWith('anonymous'))).toBe(true);
});

test('a document in a private network is not downloaded without consent, and that is no silent success', async ({
  docsctl,
  home,
}) => {
  const before = asked.length;
  const schemas = { Pet: { $ref: `${origin}/schemas/pet.json` } };
  await writeAll(home, { 'openapi.json': JSON.stringify({ ...head, components: { schemas } }, null, 2) });

  const run = await docsctl('openapi', 'validate', 'openapi.json');

  expect(run.exitCode).toBe(9);
  expect(run.stdout).toMatch(
    /^openapi\.json:\d+:\d+ error "http:.*" cannot be downloaded: it is in a private network; --ref-host allows its host \(not-checked\)$/m,
  );
  expect(asked).toHaveLength(before);
});

test('what is dangling is named with its file and line, in all documents', async ({ docsctl, home }) => {
  await writeAll(home, {
    'openapi.json': JSON.stringify(
      {
        ...head,
        paths: { '/a': { $ref: 'paths.yaml#/nothing' }, '/b': { get: { $ref: 'operations.yaml#/list' } } },
        'x-a': { b: [{ $ref: 'models.json#/nothing' }] },
        components: { schemas: { Pet: { $ref: `${origin}/schemas/nothing.json` } } },
      },
      null,
      2,
    ),
    'paths.yaml': 'a: {}',
    'operations.yaml': 'list:\n  responses:\n    200:\n      $ref: "#/nothing"\n',
    'models.json': '{}',
  });

  const run = await docsctl('openapi', 'validate', 'openapi.json', '--ref-host', '127.0.0.1');

  const errors = run.stdout.split('\n').filter((line) => line.includes(' error '));
  expect(errors).toEqual([
    expect.stringMatching(
      /^openapi\.json:9:15 error "paths\.yaml#\/nothing" cannot be resolved \(no-unresolved-refs\)$/,
    ),
    expect.stringMatching(/^openapi\.json:20:17 error "models\.json#\/nothing" cannot be resolved/),
    expect.stringMatching(
      /^openapi\.json:27:17 error "http:.*" cannot be downloaded: the server responded with 404 \(not-checked\)$/,
    ),
    expect.stringMatching(/^operations\.yaml:4:13 error "#\/nothing" cannot be resolved/),
  ]);
});

test('a description from an address is bundled with what its relative references name', async ({ docsctl }) => {
  remote['/api/openapi.yaml'] =
    'openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: { /pets: { $ref: paths/pets.yaml } }\n';
  remote['/api/paths/pets.yaml'] =
    'get: { responses: { 200: { description: Fine, content: { application/json: { schema: { $ref: ../../schemas/pet.json } } } } } }';
  const source = `${origin}/api/openapi.yaml`;

  const run = await docsctl('openapi', 'publish', source, '--slug', 'pets', '--dry-run', '-o', 'json');

  expect(run.exitCode).toBe(0);
  const { source: sent } = JSON.parse(run.stdout).body;
  expect(await readByRedocly(sent.text)).toEqual([]);
  expect(sent.text).toContain('#/components/schemas/pet');
});
