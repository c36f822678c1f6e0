import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatFinding } from '../../src/cli/report/finding.ts';
import { parseDescription } from '../../src/openapi/index.ts';
import { readErrors } from './read-errors.ts';

const zoo = join(import.meta.dirname, 'zoo');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docsctl-openapi-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function readFiles(files: Record<string, unknown>) {
  for (const [name, value] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return readErrors({ path: Object.keys(files)[0]! }, folder);
}

const head = { openapi: '3.1.0', info: { title: 'Pets', version: '1' } };

test('files in folders, in circles and in both syntaxes become one document', async () => {
  const description = await readErrors({ path: 'openapi.yaml' }, zoo);

  expect(description.findings.map(formatFinding)).toEqual([
    'openapi.yaml:19:26 error "http://127.0.0.1/errors.yaml#/Default" is left as it is: nothing is downloaded (not-checked)',
  ]);
  expect(description.text).toBe(readFileSync(join(zoo, 'folded.yaml'), 'utf8'));
  expect(parseDescription(description.text).document).toEqual(description.document);
});

test('a folded document is valid, and folding it again changes nothing', async () => {
  const { text } = await readErrors({ path: 'openapi.yaml' }, zoo);

  const again = await readErrors({ text }, zoo);

  expect(again.findings.map(({ rule }) => rule)).toEqual(['not-checked']);
  expect(again.text).toBe(text);
});

test('the same files give the same text, wherever they are read from', async () => {
  const texts = await Promise.all([
    readErrors({ path: 'openapi.yaml' }, zoo),
    readErrors({ path: 'zoo/openapi.yaml' }, import.meta.dirname),
    readErrors({ text: readFileSync(join(zoo, 'openapi.yaml'), 'utf8') }, zoo),
  ]);

  // Standard input has no name by which it could refer to itself.
  expect(texts[1].text).toBe(texts[0].text);
  expect(texts[2].findings.map(({ rule }) => rule)).toEqual(['not-checked']);
});

test('JSON stays JSON', async () => {
  const { text } = await readFiles({
    'whole.json': { ...head, components: { schemas: { Pet: { $ref: 'pet.yaml' } } } },
    'pet.yaml': 'type: object',
  });

  expect(JSON.parse(text)).toEqual({ ...head, components: { schemas: { Pet: { type: 'object' } } } });
  expect(text).toMatch(/^\{\n {2}"openapi"/);
});

test('a document without references to files is sent as it was read, comments and all', async () => {
  const text = '# ours\nopenapi: 3.0.3\ninfo: {title: Pets,   version: "1"}\npaths: {}\n';

  expect((await readErrors({ text })).text).toBe(text);
});

test('components may stand in a file of their own', async () => {
  const { document, findings } = await readFiles({
    'split.json': {
      ...head,
      paths: { '/pets': { get: { responses: { 200: { $ref: 'components.json#/responses/Pets' } } } } },
      components: { $ref: 'components.json' },
    },
    'components.json': {
      schemas: { Pet: { $ref: 'pet.json' }, Cat: { $ref: '#/schemas/Pet' } },
      responses: { Pets: { description: 'All', content: { 'text/plain': { schema: { $ref: '#/schemas/Pet' } } } } },
    },
    'pet.json': { type: 'string' },
  });

  expect(findings).toEqual([]);
  expect(document).toEqual({
    ...head,
    paths: { '/pets': { get: { responses: { 200: { $ref: '#/components/responses/Pets' } } } } },
    components: {
      schemas: { Pet: { type: 'string' }, Cat: { $ref: '#/components/schemas/Pet' } },
      responses: {
        Pets: { description: 'All', content: { 'text/plain': { schema: { $ref: '#/components/schemas/Pet' } } } },
      },
    },
  });
});

test('in 2.0, schemas go to the definitions', async () => {
  const { document } = await readFiles({
    'swagger.json': {
      swagger: '2.0',
      info: head.info,
      paths: { '/': { get: { responses: { 200: { description: '', schema: { $ref: 'tree node.json#/a~1b' } } } } } },
    },
    'tree node.json': { 'a/b': { properties: { next: { $ref: '#/a~1b' } } } },
  });

  expect(document).toMatchObject({
    paths: { '/': { get: { responses: { 200: { schema: { $ref: '#/definitions/a_b' } } } } } },
    definitions: { a_b: { properties: { next: { $ref: '#/definitions/a_b' } } } },
  });
});

test('fields beside a reference stay', async () => {
  const { document } = await readFiles({
    'beside.json': {
      ...head,
      paths: { '/a': { $ref: 'item.json', summary: 'Ours' } },
      components: { schemas: { Pet: { $ref: 'pet.json', description: 'Ours' } } },
    },
    'item.json': { summary: 'Theirs', get: {} },
    'pet.json': { description: 'Theirs' },
  });

  expect(document).toMatchObject({
    paths: { '/a': { summary: 'Ours', get: {} } },
    components: {
      schemas: { Pet: { $ref: '#/components/schemas/pet', description: 'Ours' }, pet: { description: 'Theirs' } },
    },
  });
});

test('a schema can be referred to by its own $id or $anchor', async () => {
  const { document, findings } = await readFiles({
    'anchors.json': {
      ...head,
      components: {
        schemas: {
          Pet: { $anchor: 'pet', properties: { mother: { $ref: '#pet' }, tag: { $ref: 'tags.json#tag' } } },
          Cat: { $id: 'https://example.com/cat', properties: { kitten: { $ref: 'https://example.com/cat' } } },
        },
      },
    },
    'tags.json': { tags: { $anchor: 'tag', type: 'string' } },
  });

  expect(findings).toEqual([]);
  expect(document).toMatchObject({
    components: {
      schemas: { Pet: { properties: { mother: { $ref: '#pet' }, tag: { $ref: '#/components/schemas/tags' } } } },
    },
  });
});

test('a value that only looks like a reference is not changed', async () => {
  const example = { $ref: 'nothing.json', deep: { $ref: 'nothing.json' } };
  const { text, findings } = await readFiles({
    'looks.json': {
      ...head,
      'x-ours': { $ref: 'nothing.json' },
      components: { schemas: { Pet: { example, default: example, enum: [example], const: example } } },
    },
  });

  expect(findings.map(formatFinding)).toEqual([
    'looks.json:1:75 error "nothing.json" leads to nothing.json: there is no such file (no-unresolved-refs)',
    'looks.json:1:141 warning "nothing.json" leads to nothing.json: there is no such file: it is left as it is (no-unresolved-refs)',
  ]);
  expect(JSON.parse(text)).toMatchObject({
    'x-ours': { $ref: 'nothing.json' },
    components: { schemas: { Pet: { example } } },
  });
});

test('a document from an address refers to its neighbours by their whole addresses', async () => {
  const text = [
    'openapi: 3.0.3',
    'info: { title: Pets, version: "1" }',
    'paths: { /a: { $ref: paths/a.yaml#/a }, /b: { $ref: "#/paths/~1a" } }',
  ].join('\n');

  const description = await readErrors({ url: 'https://example.com/api/openapi.yaml', text });

  expect(description.source).toBe('https://example.com/api/openapi.yaml');
  expect(description.document).toMatchObject({
    paths: { '/a': { $ref: 'https://example.com/api/paths/a.yaml#/a' }, '/b': { $ref: '#/paths/~1a' } },
  });
  expect(description.findings.map(formatFinding)).toEqual([
    'https://example.com/api/openapi.yaml:3:22 error "paths/a.yaml#/a" is left as it is: nothing is downloaded (not-checked)',
  ]);
});

test('a document from an address reads no local file', async () => {
  const text = `{"openapi":"3.0.3","info":{"title":"","version":""},"paths":{"/a":{"$ref":"file://${zoo}/paths/pet.yaml"}}}`;

  const { findings, text: sent } = await readErrors({ url: 'https://example.com/openapi.json', text });

  expect(findings).toMatchObject([{ level: 'error', rule: 'no-unresolved-refs' }]);
  expect(sent).not.toContain('responses');
});

test('references at any depth of the value of an example are folded in', async () => {
  const examples = {
    direct: { value: { $ref: 'data.json' } },
    deep: { value: { pets: [{ $ref: 'data.json' }, { $ref: 'gone.json' }] } },
  };

  const { text, findings } = await readFiles({
    'examples.json': { ...head, paths: {}, components: { examples } },
    'data.json': { name: 'Rex' },
  });

  expect(JSON.parse(text).components.examples).toEqual({
    direct: { value: { name: 'Rex' } },
    deep: { value: { pets: [{ name: 'Rex' }, { $ref: 'gone.json' }] } },
  });
  // It may be a value that only looks like a reference.
  expect(findings.map(({ level, rule }) => `${level} ${rule}`)).toEqual(['warning no-unresolved-refs']);
});
