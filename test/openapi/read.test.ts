import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatFinding } from '../../src/cli/report/finding.ts';
import { slugOf, UnreadableFile } from '../../src/openapi/index.ts';
import { readErrors } from './read-errors.ts';
import { readInThread } from './read-in-thread.ts';
import { isLong } from '../support/long-form.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docsctl-openapi-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const minimal = 'openapi: 3.0.3\ninfo: { title: Pets, version: "1" }\npaths: {}\n';

describe('a file that cannot be read is named', () => {
  test('when it is not there', async () => {
    await expect(readErrors({ path: 'api/missing.yaml' }, folder)).rejects.toThrow(
      new UnreadableFile('api/missing.yaml', 'there is no such file'),
    );
  });

  test('when it is a folder', async () => {
    mkdirSync(join(folder, 'api'));

    await expect(readErrors({ path: 'api' }, folder)).rejects.toThrow('Cannot read api: it is a folder');
  });

  test('when it is larger than 50 MiB', async () => {
    writeFileSync(join(folder, 'large.yaml'), minimal);
    truncateSync(join(folder, 'large.yaml'), 50 * 1024 * 1024 + 1);

    await expect(readErrors({ path: 'large.yaml' }, folder)).rejects.toThrow(
      'Cannot read large.yaml: it is larger than 50 MiB',
    );
    await expect(readErrors({ text: ' '.repeat(50 * 1024 * 1024 + 1) })).rejects.toThrow('Cannot read -');
  });

  test('when it is no UTF-8', async () => {
    writeFileSync(join(folder, 'latin1.yaml'), Buffer.from('title: Caf\xe9', 'latin1'));

    await expect(readErrors({ path: 'latin1.yaml' }, folder)).rejects.toThrow('it is not UTF-8 text');
  });
});

const secret = 'hunter2';

test.each([
  ['an .env file', `PASSWORD=${secret}\n`],
  ['a .netrc file', `machine example.com\n  login me\n  password ${secret}\n`],
  ['broken YAML', `a: *${secret}\n`],
  ['a tag', `a: !<${secret}> 1\n`],
  ['keys that stand twice', `${secret}: 1\n${secret}: 2\n`],
  ['a version that is none', `openapi: ${secret}\n`],
  ['JSON with comments', `{ ${secret} }`],
  ['a list', `[${secret}`],
])('%s given by mistake is not repeated', async (_, text) => {
  writeFileSync(join(folder, 'mistake'), text);

  const { findings } = await readErrors({ path: 'mistake' }, folder);

  expect(findings).not.toEqual([]);
  expect(JSON.stringify(findings)).not.toContain(secret);
});

test('standard input is called -', async () => {
  const description = await readErrors({ text: '{"openapi": "3.0.3"}' });

  expect(description.source).toBe('-');
  expect(description.findings.map(formatFinding)).toContain(
    '-:1:1 error The field `info` must be present on this level (struct)',
  );
});

test('references of standard input are relative to the directory', async () => {
  writeFileSync(join(folder, 'pet.json'), '{"type": "string"}');

  const { document } = await readErrors(
    { text: `${minimal}components: { schemas: { Pet: { $ref: pet.json } } }` },
    folder,
  );

  expect(document).toMatchObject({ components: { schemas: { Pet: { type: 'string' } } } });
});

test('a byte order mark and Windows line ends do not change the reported places', async () => {
  const text = `\uFEFF${minimal}tags: 1\n`.replaceAll('\n', '\r\n');

  const { findings, title } = await readErrors({ text });

  expect(title).toBe('Pets');
  expect(findings.map(formatFinding)).toEqual([
    '-:4:7 error Expected type `TagList` (array) but got `integer` (struct)',
  ]);
});

test('values from aliases and merges have the place where they are written', async () => {
  const text = [
    'openapi: 3.0.3',
    'info: { title: Pets, version: "1" }',
    'paths: {}',
    'x-pet: &pet',
    '  type: thing',
    'components:',
    '  schemas:',
    '    Cat: { <<: *pet, title: Cat }',
    '    Dog: *pet',
  ].join('\n');

  const { findings } = await readErrors({ text });

  expect(findings.map(({ line, column }) => `${line}:${column}`)).toEqual(['5:9']);
});

test('names of properties that every object has can be used as keys', async () => {
  const text = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'constructor', version: '1' },
    paths: {
      '/a': { get: { operationId: 'toString', responses: { 200: { $ref: '#/components/responses/valueOf' } } } },
    },
    components: { schemas: { constructor: { type: 'object', properties: { hasOwnProperty: { type: 'string' } } } } },
  }).replace('"schemas":{', '"schemas":{"__proto__":{"type":"thing"},');

  const { findings } = await readErrors({ text });

  expect(findings.map(({ message }) => message)).toEqual([
    '"#/components/responses/valueOf" cannot be resolved',
    expect.stringContaining('`type` can be one of the following only'),
  ]);
  expect(({} as Record<string, unknown>).type).toBeUndefined();
});

test('thousands of schemas that refer to each other are walked through', async () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 5000 }, (_, index) => [
      `S${index}`,
      { properties: { next: { $ref: `#/components/schemas/S${index + 1}` }, one: { type: 'string' } } },
    ]),
  );
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Chain', version: '1' },
    components: { schemas: { ...schemas, S5000: { type: 'thing' } } },
  });

  const { findings } = await readInThread({ text });

  expect(findings.filter(({ level }) => level === 'error')).toMatchObject([
    { rule: 'struct', pointer: '/components/schemas/S5000/type' },
  ]);
});

test('a long row of references to references is an error and no overflow', async () => {
  const schemas = Object.fromEntries(
    Array.from({ length: isLong ? 20_000 : 12_000 }, (_, index) => [
      `S${index}`,
      { $ref: `#/components/schemas/S${index + 1}` },
    ]),
  );
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Row', version: '1' }, components: { schemas } });

  const { findings } = await readErrors({ text });

  expect(new Set(findings.map(({ level, rule }) => `${level} ${rule}`))).toEqual(new Set(['error no-unresolved-refs']));
});

test('JSON that is nested too deeply is an error with its place', async () => {
  const text = `{"openapi": "3.0.3", "x-deep": ${'['.repeat(1000)}${']'.repeat(1000)}}`;

  const { findings } = await readErrors({ text });

  expect(findings).toMatchObject([{ rule: 'syntax', line: 1, column: 287 }]);
});

if (isLong)
  test('more values and findings than a function call can have arguments are processed', async () => {
    const tags = Array.from({ length: 200_000 }, () => ({ name: 'pets' }));
    const large = await readErrors({ text: JSON.stringify({ openapi: '3.0.3', info: {}, paths: {}, tags }) });
    const twice = await readErrors({ text: `${minimal}${'x-a: 1\n'.repeat(200_000)}` });

    // Title and version are missing, and every tag but the first is there already.
    expect(large.findings).toHaveLength(200_001);
    expect(twice.findings).toHaveLength(199_999);
  });

test('2.0 accepts files, lists of types, and fractions as limits', async () => {
  const text = JSON.stringify({
    swagger: '2.0',
    info: { title: 'Photos', version: '1' },
    paths: {
      '/photo': {
        get: {
          parameters: [{ name: 'scale', in: 'query', type: 'number', minimum: 0.5 }],
          responses: { 200: { description: 'Photo', schema: { type: 'file' } } },
        },
      },
    },
    definitions: { Size: { type: ['number', 'string'] } },
  });

  expect((await readErrors({ text })).findings).toEqual([]);
});

test('several megabytes are read without errors', async () => {
  const schema = (index: number) => ({
    type: 'object',
    description: 'A thing like others. '.repeat(10),
    properties: Object.fromEntries(
      Array.from({ length: 10 }, (_, field) => [
        `field${field}`,
        { $ref: `#/components/schemas/S${(index + field) % 2000}` },
      ]),
    ),
  });
  const operation = (index: number) => ({
    operationId: `get${index}`,
    responses: {
      200: {
        description: 'Fine',
        content: { 'application/json': { schema: { $ref: `#/components/schemas/S${index}` } } },
      },
    },
  });
  const each = <T>(make: (index: number) => T) => Array.from({ length: 2000 }, (_, index) => make(index));
  const text = JSON.stringify(
    {
      openapi: '3.0.3',
      info: { title: 'Large', version: '1' },
      paths: Object.fromEntries(each((index) => [`/things${index}`, { get: operation(index) }])),
      components: { schemas: Object.fromEntries(each((index) => [`S${index}`, schema(index)])) },
    },
    null,
    2,
  );

  const description = await readInThread({ text });

  expect(text.length).toBeGreaterThan(3e6);
  expect(description.title).toBe('Large');
  expect(description.findings.filter(({ level }) => level === 'error')).toEqual([]);
  expect(description.text).toBe(text);
});

test.each([
  ['Swagger Petstore - OpenAPI 3.0', 'swagger-petstore-openapi-3-0'],
  ['  Café & Crème: l’API  ', 'cafe-creme-lapi'],
  ['Straße', 'stra-e'],
  ['日本', ''],
  [`${'a'.repeat(99)} b`, 'a'.repeat(99)],
])('the slug of %j is %j', (title, slug) => {
  expect(slugOf(title)).toBe(slug);
});
