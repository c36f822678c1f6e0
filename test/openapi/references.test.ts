import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatFinding } from '../../src/cli/report/finding.ts';
import { readErrors } from './read-errors.ts';

const secret = 'hunter2';
const schema = { type: 'string', description: secret };

let home: string;
let project: string;

function write(path: string, content: unknown): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-references-'));
  project = join(home, 'project');
  write('secret.json', schema);
  write('shared/pet.json', { type: 'object' });
  write('project/.git/config.json', schema);
  write('project/.env.json', schema);
  write('project/.hidden/secret.json', schema);
  write('project/schemas/pet.json', { type: 'string', title: 'Pet' });
  write('project/schemas/.draft.json', schema);
  write('project/token.txt', secret);
  write('project/id_rsa', `-----BEGIN KEY-----\n${secret}`);
  write('project/token.yaml', secret);
  write('project/token.json', JSON.stringify(secret));
  write('project/settings.yaml', { password: secret, database: { type: secret, password: secret, port: 1 } });
  write('project/broken.json', `{ "a": ${secret} }`);
  write('project/broken.yaml', `a: *${secret}\n`);
  write('project/tag.yaml', `a: !<${secret}> 1\n`);
  write('project/twice.yaml', `${secret}: 1\n${secret}: 2\n`);
  symlinkSync(join(home, 'secret.json'), join(project, 'link.json'));
  symlinkSync(home, join(project, 'up'));
  symlinkSync('loop.json', join(project, 'loop.json'));
  symlinkSync('.env.json', join(project, 'env.json'));
  symlinkSync('schemas', join(project, 'models'));
  execFileSync('mkfifo', [join(project, 'pipe.json')]);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const head = { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {} };
const asSchema = (reference: string) => ({ ...head, components: { schemas: { Pet: { $ref: reference } } } });
const asExample = (reference: string) => ({
  ...head,
  components: { schemas: { Pet: { example: { $ref: reference } } } },
});
const asExternalValue = (reference: string) => ({
  ...head,
  components: { examples: { pet: { externalValue: reference } } },
});
const places = { asSchema, asExample, asExternalValue };

/** Reads a description that stands in `project/api`. */
function read(description: unknown, referenceRoots: string[] = []) {
  write('project/api/openapi.json', description);
  return readErrors({ path: 'api/openapi.json' }, project, referenceRoots);
}

describe.each(Object.entries(places))('%s', (_, describedBy) => {
  test.each([
    ['a path upwards', () => '../../secret.json', 'leads outside of the project'],
    ['an absolute path', () => join(home, 'secret.json'), 'leads outside of the project'],
    ['dots in percent', () => '%2e%2e/%2E%2E/secret.json', 'leads outside of the project'],
    ['slashes in percent', () => '..%2f..%2Fsecret.json', 'leads outside of the project'],
    ['a path upwards from below', () => '../schemas/../../secret.json', 'leads outside of the project'],
    ['a symbolic link', () => '../link.json', 'leads outside of the project'],
    ['a symbolic link of a folder', () => '../up/secret.json', 'leads outside of the project'],
    ['a symbolic link loop', () => '../loop.json', 'leads outside of the project'],
    ['a part of a file', () => '../../secret.json#/description', 'leads outside of the project'],
    ['the environment', () => '/proc/self/environ', 'leads outside of the project'],
    ['standard input', () => '/dev/stdin', 'leads outside of the project'],
    ['a file that is not there', () => '../../missing.json', 'leads outside of the project'],
    ['a hidden file', () => '../.env.json', 'leads to a hidden file'],
    ['a link to a hidden file', () => '../env.json', 'leads to a hidden file'],
    ['a hidden folder', () => '../.hidden/secret.json', 'leads to a hidden file'],
    ['a hidden file in a folder', () => '../schemas/.draft.json', 'leads to a hidden file'],
    ['the repository', () => '../.git/config.json', 'leads to a hidden file'],
    ['a file: URL', () => `file://${home}/secret.json`, 'is neither a relative path nor an http address'],
    ['a file: URL without slashes', () => 'file:../../secret.json', 'is neither a relative path nor'],
    ['a path to another machine', () => '//localhost/secret.json', 'is neither a relative path nor'],
    ['a Windows path to another machine', () => '\\\\localhost\\secret.json', 'is neither a relative path nor'],
    ['backslashes', () => '..\\..\\secret.json', 'is neither a relative path nor'],
    ['backslashes in percent', () => '..%5c..%5Csecret.json', 'is neither a relative path nor'],
    ['a null character', () => '../schemas/pet.json%00.txt', 'is neither a relative path nor'],
  ])('%s is an error that names the reference', async (__, reference, reason) => {
    const { findings, text } = await read(describedBy(reference()));

    expect(findings).toMatchObject([
      { level: 'error', rule: 'no-unresolved-refs', message: expect.stringContaining(reason) },
    ]);
    expect(findings[0]!.message).toContain(JSON.stringify(reference()).slice(1, 50));
    expect(JSON.stringify([findings, text])).not.toContain(secret);
  });

  test.each(['../token.txt', '../id_rsa', '../token.yaml', '../token.json'])(
    '%s is no part of a description and is not taken over',
    async (reference) => {
      const { findings, text } = await read(describedBy(reference));

      expect(findings).toMatchObject([
        { rule: 'no-unresolved-refs', message: expect.stringContaining(`"${reference}" leads to`) },
      ]);
      expect(JSON.stringify([findings, text])).not.toContain(secret);
    },
  );

  test.each(['../broken.json', '../broken.yaml', '../tag.yaml', '../twice.yaml'])(
    'of %s, a mistake is told without the text',
    async (reference) => {
      const { findings, text } = await read(describedBy(reference));

      expect(findings).toContainEqual(expect.objectContaining({ file: reference.slice(3), level: 'error' }));
      expect(JSON.stringify([findings, text])).not.toContain(secret);
    },
  );
});

test('pipes are not opened', async () => {
  const { findings } = await read(asSchema('../pipe.json'));

  expect(findings).toMatchObject([
    { rule: 'no-unresolved-refs', message: expect.stringContaining('it is not a regular file') },
  ]);
});

test.each([
  '../settings.yaml',
  '../settings.yaml#/password',
  '../settings.yaml#/database',
  '../settings.yaml#/database/port',
])('what %s holds is not repeated', async (reference) => {
  for (const version of ['3.0.3', '3.1.0']) {
    for (const description of [asSchema(reference), inPath(reference)]) {
      const { findings } = await read({ ...description, openapi: version });

      expect(findings).not.toEqual([]);
      expect(JSON.stringify(findings)).not.toContain(secret);
    }
  }
});

test('of a part with a mistake, the mistake is repeated', async () => {
  write('project/schemas/mistake.json', { type: 'text', description: 'A name', exmple: 'Fido' });

  const { findings } = await read({ ...asSchema('../schemas/mistake.json'), openapi: '3.0.3' });

  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringContaining('`type` can be one of the following only'),
    'Property `exmple` is not expected here: did you mean "example"?',
  ]);
});

const inPath = (reference: string) => ({
  ...head,
  paths: { '/': { get: { parameters: [{ $ref: reference }], responses: { 200: { $ref: reference } } } } },
});

test('an example with a $ref among its own fields is not changed', async () => {
  const example = { value: 1, $ref: '../../Users/2819c223' };
  const { findings, document } = await read({ ...head, components: { schemas: { User: { example } } } });

  expect(findings).toMatchObject([{ level: 'warning', rule: 'no-unresolved-refs' }]);
  expect(document).toMatchObject({ components: { schemas: { User: { example } } } });
});

test('a value in a file of another kind is not used', async () => {
  const { findings, document } = await read(asExternalValue('../token.txt'));

  expect(findings.map(formatFinding)).toEqual([
    expect.stringMatching(
      / warning "\.\.\/token\.txt" leads to token\.txt, which .*: it is left as it is \(no-unresolved-refs\)$/,
    ),
  ]);
  expect(document).toMatchObject({ components: { examples: { pet: { externalValue: '../token.txt' } } } });
});

test('references reach the whole project, by links and absolute paths within it too', async () => {
  for (const reference of ['../schemas/pet.json', '../models/pet.json', join(project, 'schemas', 'pet.json')]) {
    const { findings, document } = await read(asSchema(reference));

    expect(findings).toEqual([]);
    expect(document).toMatchObject({ components: { schemas: { Pet: { title: 'Pet' } } } });
  }
});

test('without a repository, references reach the folder of the description', async () => {
  write('plain/api/openapi.json', asSchema('../pet.json'));
  write('plain/pet.json', schema);
  write('plain/api/own.json', asSchema('parts/pet.json'));
  write('plain/api/parts/pet.json', { type: 'string' });

  const outside = await readErrors({ path: 'plain/api/openapi.json' }, home);
  const inside = await readErrors({ path: 'plain/api/own.json' }, home);

  expect(outside.findings).toMatchObject([{ rule: 'no-unresolved-refs' }]);
  expect(inside.findings).toEqual([]);
});

test('a description in a hidden folder refers to the parts beside it', async () => {
  write('project/.github/openapi.json', asSchema('parts/pet.json'));
  write('project/.github/parts/pet.json', { type: 'string' });

  expect((await readErrors({ path: '.github/openapi.json' }, project)).findings).toEqual([]);
});

test('further folders are reached where they are allowed', async () => {
  const reference = '../../shared/pet.json';

  expect((await read(asSchema(reference))).findings).toMatchObject([{ level: 'error' }]);
  expect((await read(asSchema(reference), [join(home, 'elsewhere')])).findings).toMatchObject([{ level: 'error' }]);
  expect((await read(asSchema(reference), [join(home, 'shared')])).findings).toEqual([]);
});

test('references of standard input reach the project of the working directory', async () => {
  const from = (reference: string) =>
    readErrors({ text: JSON.stringify(asSchema(reference)) }, join(project, 'schemas'));

  expect((await from('pet.json')).findings).toEqual([]);
  expect((await from('../settings.yaml')).findings).toMatchObject([
    { message: expect.stringContaining('is no schema') },
  ]);
  expect((await from('../../secret.json')).findings).toMatchObject([{ message: expect.stringContaining('outside') }]);
});

test('a part of a description must not lead outside either', async () => {
  write('project/schemas/outer.json', { properties: { inner: { $ref: '../../secret.json' } } });

  const { findings } = await read(asSchema('../schemas/outer.json'));

  expect(findings).toMatchObject([{ file: 'schemas/outer.json', rule: 'no-unresolved-refs', level: 'error' }]);
});

test('a folder that links to itself does not make a file endless', async () => {
  symlinkSync('.', join(project, 'schemas', 'again'));
  write('project/schemas/node.json', { properties: { next: { $ref: 'again/node.json' } } });

  const { findings, document } = await read(asSchema('../schemas/node.json'));

  expect(findings).toEqual([]);
  expect(document).toMatchObject({
    components: { schemas: { Pet: { properties: { next: { $ref: '#/components/schemas/Pet' } } } } },
  });
});

test.each([
  () => `file://${home}/secret.json`,
  () => '../../../../../../../secret.json',
  () => join(home, 'secret.json'),
  () => `//[${home}/secret.json`,
  () => `//%/../..${home}/secret.json`,
])('a description from an address reads no file', async (reference) => {
  const url = 'https://example.com/openapi.json';
  for (const describedBy of Object.values(places)) {
    const { findings, text } = await readErrors({ url, text: JSON.stringify(describedBy(reference())) }, home, [home]);

    expect(JSON.stringify([findings, text])).not.toContain(secret);
  }
});

test('files that make one too large document are an error', async () => {
  for (let index = 0; index < 40; index += 1) {
    const next = { '{$url}': { $ref: `p${index + 1}.json` } };
    write(`project/laughs/p${index}.json`, { get: { responses: {}, callbacks: { a: next, b: next } } });
  }
  write('project/laughs/p40.json', { description: 'ha'.repeat(50_000) });

  const { findings } = await read({ ...head, paths: { '/': { $ref: '../laughs/p0.json' } } });

  expect(findings.map(formatFinding)).toEqual([
    'api/openapi.json:1:1 error With the files it refers to, it would be larger than 50 MiB (not-checked)',
  ]);
});
