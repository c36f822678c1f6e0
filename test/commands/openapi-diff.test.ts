import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../support/in-process.ts';

const old = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 100 } }
      responses:
        '200':
          description: Pets
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Pet' } }
    post:
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Pet' }
      responses:
        '200': { description: Fine }
components:
  schemas:
    Pet:
      type: object
      properties:
        name: { type: string }
        tag: { type: string, default: none }
`;
const variants = {
  same: old.replaceAll('Pet:', 'Animal:').replaceAll('schemas/Pet', 'schemas/Animal'),
  info: old.replace('maximum: 100', 'maximum: 200'),
  warning: old.replace('default: none', 'default: some'),
  breaking: old.replace('maximum: 100', 'maximum: 50').replace('name: { type: string }', 'name: { type: integer }'),
};

async function writeAll(folder: string): Promise<void> {
  await writeFile(join(folder, 'old.yaml'), old);
  for (const [name, text] of Object.entries(variants)) await writeFile(join(folder, `${name}.yaml`), text);
}

test('the level of the changes and --fail-on decide the exit status', async ({ docsctl, home }) => {
  await writeAll(home.dir);
  const statusOf = async (name: string, ...flags: string[]) =>
    (await docsctl('openapi', 'diff', 'old.yaml', `${name}.yaml`, ...flags)).exitCode;

  const statuses = await Promise.all(
    Object.keys(variants).map(async (name) => [
      name,
      await statusOf(name),
      await statusOf(name, '--fail-on', 'breaking', '--dry-run'),
      await statusOf(name, '--fail-on', 'warning'),
      await statusOf(name, '--fail-on', 'none'),
    ]),
  );

  expect(statuses).toEqual([
    ['same', 0, 0, 0, 0],
    ['info', 0, 0, 0, 0],
    ['warning', 0, 0, 9, 0],
    ['breaking', 9, 9, 9, 0],
  ]);
});

test('a change has its place in both files, and one in a component is listed once with its operations', async ({
  docsctl,
  home,
}) => {
  await writeAll(home.dir);

  const run = await docsctl('openapi', 'diff', 'old.yaml', 'breaking.yaml');
  const same = await docsctl('openapi', 'diff', 'old.yaml', 'same.yaml');

  expect(run.stdout).toContain(
    'breaking.yaml:7:62 breaking GET /pets: query parameter limit: maximum was 100, is now 50 (request-limit-narrowed)\n' +
      '    was at old.yaml:7:62\n',
  );
  expect(run.stdout).toContain(
    'breaking.yaml:26:17 breaking GET /pets: response 200 /*/name: type was string, is now integer (response-type-changed)\n',
  );
  expect(run.stderr).toContain('error: 3 breaking changes.\nhint: ');
  expect(same.stdout).toBe('');
  expect(same.stderr).toBe('No change.\n');
});

test('a change in a shared part is one finding with the list of operations', async ({ docsctl, home }) => {
  const shared = (type: string) => `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /a: { get: { parameters: [{ $ref: '#/components/parameters/A' }] } }
  /b: { get: { parameters: [{ $ref: '#/components/parameters/A' }] } }
  /c: { get: { parameters: [{ $ref: '#/components/parameters/A' }] } }
components:
  parameters:
    A: { name: a, in: query, schema: { type: ${type} } }
`;
  await writeFile(join(home.dir, 'old.yaml'), shared('string'));
  await writeFile(join(home.dir, 'new.yaml'), shared('boolean'));

  const text = await docsctl('openapi', 'diff', 'old.yaml', 'new.yaml');
  const json = await docsctl('openapi', 'diff', 'old.yaml', 'new.yaml', '-o', 'json');

  expect(text.stdout).toBe(
    'new.yaml:9:40 breaking GET /a and 2 more: query parameter a: type was string, is now boolean (request-type-narrowed)\n' +
      '    was at old.yaml:9:40\n    in GET /a, GET /b, GET /c\n',
  );
  expect(json.json).toMatchObject([
    { operations: ['GET /a', 'GET /b', 'GET /c'], before: { line: 9 }, after: { line: 9 } },
  ]);
});

test('files of a commit are read with those that they refer to, and nothing is left behind', async ({
  docsctl,
  home,
}) => {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { cwd: home.dir });
  const parts = (type: string) => ({
    'api/pets.yaml': `openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths: { /a: { $ref: ../parts/a.yaml } }\n`,
    'parts/a.yaml': `post: { requestBody: { content: { application/json: { schema: { $ref: b.json } } } } }\n`,
    'parts/b.json': `{ "type": "${type}" }\n`,
  });
  const write = async (type: string) => {
    for (const folder of ['api', 'parts']) await mkdir(join(home.dir, folder), { recursive: true });
    for (const [name, text] of Object.entries(parts(type))) await writeFile(join(home.dir, name), text);
  };
  git('init', '-q');
  await write('number');
  git('add', 'api', 'parts');
  git('commit', '-q', '-m', 'First');
  await write('integer');

  const temporary = join(home.dir, 'temporary');
  await mkdir(temporary);
  home.env['TMPDIR'] = temporary;

  const run = await docsctl('openapi', 'diff', 'git:HEAD:api/pets.yaml', 'api/pets.yaml');
  const below = await docsctl('openapi', 'diff', 'git:HEAD:./pets.yaml', 'pets.yaml', { cwd: join(home.dir, 'api') });
  const unknown = await docsctl('openapi', 'diff', 'git:main2:api/pets.yaml', 'api/pets.yaml');
  const option = await docsctl('openapi', 'diff', 'git:--help:x', 'api/pets.yaml');

  expect(run.exitCode).toBe(9);
  expect(run.stdout).toContain('parts/b.json:1:3 breaking POST /a: request body: type was number, is now integer');
  expect(run.stdout).toContain('was at git:HEAD:parts/b.json:1:3\n');
  expect(below.stdout).toContain('../parts/b.json:1:3 breaking');
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining("invalid object name 'main2'")]);
  expect([option.exitCode, option.stderr]).toEqual([2, expect.stringContaining('git:REF:path')]);
  expect(await readdir(temporary)).toEqual([]);
});

test('a file is compared with what is published, and versions with each other', async ({ docsctl, home }) => {
  await writeAll(home.dir);
  await docsctl('openapi', 'publish', 'old.yaml', '--slug', 'pets', '--wait');
  const [first] = (await docsctl('openapi', 'versions', 'list', 'pets', '--json')).json;
  const file = await docsctl('openapi', 'diff', 'pets', 'breaking.yaml');
  await docsctl('openapi', 'publish', 'breaking.yaml', '--slug', 'pets', '--wait');

  const versions = await docsctl('openapi', 'diff', `pets@${first.id}`, 'pets@latest', '-o', 'json');
  const none = await docsctl('openapi', 'diff', 'cats', 'breaking.yaml');
  const noVersion = await docsctl('openapi', 'diff', 'pets@none', 'breaking.yaml');

  expect(file.stdout).toContain('    was at pets#/paths/~1pets/get/parameters/0/schema/maximum\n');
  expect(versions.exitCode).toBe(9);
  expect(versions.json[0]).toMatchObject({ rule: 'request-limit-narrowed', file: 'pets@latest' });
  expect(none.exitCode).toBe(5);
  expect(noVersion.exitCode).toBe(5);
});

test('a description comes from an address or standard input', async ({ docsctl, home }) => {
  await writeAll(home.dir);
  const server = createServer((_, response) => response.end(old)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  const fromAddress = await docsctl('openapi', 'diff', `http://127.0.0.1:${port}/old.yaml`, 'breaking.yaml');
  const fromInput = await docsctl('openapi', 'diff', '-', 'breaking.yaml', { input: old, stdin: 'pipe' });
  const twice = await docsctl('openapi', 'diff', '-', '-');
  server.close();

  expect(fromAddress.exitCode).toBe(9);
  expect(fromAddress.stdout).toContain(`was at http://127.0.0.1:${port}/old.yaml:7:62`);
  expect(fromInput.stdout).toContain('was at -:7:62');
  expect(twice.exitCode).toBe(2);
});

test('--ignore leaves out accepted changes until their day', async ({ docsctl, home }) => {
  await writeAll(home.dir);
  const diff = async (...entries: object[]) => {
    await writeFile(join(home.dir, 'accepted.yaml'), JSON.stringify(entries));
    return docsctl('openapi', 'diff', 'old.yaml', 'breaking.yaml', '--ignore', 'accepted.yaml');
  };
  const reason = 'Nobody uses it';

  const all = await diff(
    { rule: 'request-limit-narrowed', path: 'GET /pets', reason, until: '2099-01-01' },
    { rule: 'request-type-changed', path: '/p*', reason },
    { rule: 'response-type-changed', reason },
    { rule: 'path-removed', reason },
  );
  const expired = await diff({ rule: 'request-limit-narrowed', reason, until: '2020-01-31' });
  const otherPath = await diff({ rule: 'request-limit-narrowed', path: 'POST /pets', reason });

  expect(all.exitCode).toBe(0);
  expect(all.stdout).toBe('');
  expect(all.stderr).toContain('3 changes are ignored by accepted.yaml.');
  expect(all.stderr).toMatch(/path-removed.* matches no change/);
  expect(expired.exitCode).toBe(9);
  expect(expired.stdout).toContain('maximum was 100');
  expect(expired.stdout).toContain('accepted.yaml warning the entry has expired');
  expect(otherPath.stdout).toContain('maximum was 100');
});

test.for([
  ['an unknown rule', '[{ rule: request-limit-narowed, reason: x }]', 'did you mean "request-limit-narrowed"?'],
  ['no reason', '[{ rule: path-removed }]', 'entry 1 has no reason'],
  ['a day that is none', '[{ rule: path-removed, reason: x, until: soon }]', 'has the date "soon"'],
  ['an unknown field', '[{ rule: path-removed, reason: x, untill: 2030-01-01 }]', 'entry 1 has "untill"'],
  ['no list', 'rule: path-removed', 'it holds no list'],
  ['no YAML', '[', 'accepted.yaml is not valid: '],
] as const)('--ignore refuses a file with %s', async ([, text, message], { docsctl, home }) => {
  await writeAll(home.dir);
  await writeFile(join(home.dir, 'accepted.yaml'), text);

  const run = await docsctl('openapi', 'diff', 'old.yaml', 'breaking.yaml', '--ignore', 'accepted.yaml');

  expect([run.exitCode, run.stdout]).toEqual([2, '']);
  expect(run.stderr).toContain(message);
});

test('what cannot be read or resolved is not called unchanged', async ({ docsctl, home }) => {
  const dangling = old.replace(
    'post:\n      requestBody',
    "post:\n      parameters: [{ $ref: '#/none' }]\n      requestBody",
  );
  await writeFile(join(home.dir, 'old.yaml'), dangling);
  await writeFile(join(home.dir, 'cut.yaml'), `${old}  : [`);
  await writeFile(join(home.dir, 'other.yaml'), 'a: 1\n');

  const missing = await docsctl('openapi', 'diff', 'old.yaml', 'old.yaml');
  const cut = await docsctl('openapi', 'diff', 'old.yaml', 'cut.yaml', '--fail-on', 'none');
  const other = await docsctl('openapi', 'diff', 'other.yaml', 'old.yaml');
  const absent = await docsctl('openapi', 'diff', 'absent.yaml', 'old.yaml');

  expect(missing.exitCode).toBe(9);
  expect(missing.stdout).toContain(
    'old.yaml:15:22 error new description: the reference #/none cannot be resolved (not-compared)',
  );
  expect(cut.exitCode).toBe(9);
  expect(cut.stdout).toMatch(/^cut\.yaml:\d+:\d+ error YAML: .* \(syntax\)\n/);
  expect(cut.stderr).toContain('error: The descriptions were not compared');
  expect(other.exitCode).toBe(9);
  expect(other.stdout).toContain('(openapi-version)');
  expect(absent.exitCode).toBe(2);
});

test('reports are written in the formats of other tools', async ({ docsctl, home }) => {
  await writeAll(home.dir);
  const report = async (format: string) =>
    (await docsctl('openapi', 'diff', 'old.yaml', 'breaking.yaml', '--format', format)).stdout;

  expect(JSON.parse(await report('json'))).toHaveLength(3);
  expect(JSON.parse(await report('sarif')).runs[0].results[0]).toMatchObject({
    ruleId: 'request-limit-narrowed',
    level: 'error',
    relatedLocations: [{ physicalLocation: { artifactLocation: { uri: 'old.yaml' }, region: { startLine: 7 } } }],
  });
  expect(JSON.parse(await report('gitlab'))[0]).toMatchObject({
    location: { path: 'breaking.yaml', lines: { begin: 7 } },
  });
  expect(await report('github')).toContain('::error file=breaking.yaml,line=7,col=62,title=request-limit-narrowed::');
  expect(await report('junit')).toContain('<testsuites');
  expect(await report('checkstyle')).toContain('<file name="breaking.yaml">');
  expect(await report('markdown')).toContain(
    '### old.yaml → breaking.yaml: 3 breaking changes\n\n#### Breaking\n\n| change | rule | operations |\n|---|---|---|\n' +
      '| query parameter limit: maximum was 100, is now 50<br>breaking.yaml:7 | request-limit-narrowed | GET /pets |\n',
  );
});

test('two formats are refused, and control characters and markup are made harmless', async ({ docsctl, home }) => {
  const path = (name: string) =>
    JSON.stringify({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: { [name]: { get: {} } } });
  await writeFile(join(home.dir, 'old.json'), path('/a\u001b[31m|<b>'));
  await writeFile(join(home.dir, 'new.json'), path('/b'));

  const text = await docsctl('openapi', 'diff', 'old.json', 'new.json');
  const markdown = await docsctl('openapi', 'diff', 'old.json', 'new.json', '--format', 'markdown');
  const both = await docsctl('openapi', 'diff', 'old.json', 'new.json', '--format', 'sarif', '-o', 'json');

  expect(text.stdout).not.toContain('\u001b');
  expect(markdown.stdout).not.toContain('\u001b');
  expect(markdown.stdout).toContain('\\|&lt;b>');
  expect(both.exitCode).toBe(2);
});

test('on GitHub Actions the changes become annotations and a summary', async ({ docsctl, home }) => {
  await writeAll(home.dir);
  const summary = join(home.dir, 'summary.md');
  const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: home.dir, GITHUB_STEP_SUMMARY: summary };

  const run = await docsctl('openapi', 'diff', 'old.yaml', 'breaking.yaml', { env });
  const without = await docsctl('openapi', 'diff', 'old.yaml', 'breaking.yaml', '--no-ci', { env });

  expect(run.stderr).toContain('::error file=breaking.yaml,line=7,col=62,title=request-limit-narrowed::');
  expect(without.stderr).not.toContain('::error');
  expect(await docsctl('openapi', 'validate', 'old.yaml')).toMatchObject({ exitCode: 0 });
  expect((await readFile(summary, 'utf8')).match(/### old\.yaml/g)).toHaveLength(1);
});

test('a change of many operations names a few and counts the others', async ({ docsctl, home }) => {
  const api = (type: string) =>
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths: Object.fromEntries(
        Array.from({ length: 561 }, (_, index) => [
          `/p${index}`,
          { get: { responses: { 200: { $ref: '#/components/responses/Pet' } } } },
        ]),
      ),
      components: {
        responses: { Pet: { description: 'Fine', content: { 'application/json': { schema: { type } } } } },
      },
    });
  await writeFile(join(home.dir, 'old.json'), api('string'));
  await writeFile(join(home.dir, 'new.json'), api('object'));

  const text = await docsctl('openapi', 'diff', 'old.json', 'new.json');
  const json = await docsctl('openapi', 'diff', 'old.json', 'new.json', '-o', 'json');

  expect(text.stdout).toContain('    in GET /p0, GET /p1, GET /p2, GET /p3, GET /p4 and 556 more\n');
  expect(json.json[0].operations).toHaveLength(561);
});
