import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test as base } from '../support/in-process.ts';
import { writeFiles } from '../support/write-files.ts';

const api = (title: string, ...names: string[]) =>
  [
    'openapi: 3.0.3',
    `info: { title: ${title}, version: "1", license: { name: MIT, url: https://a.test } }`,
    'servers: [{ url: https://a.test }]',
    'security: []',
    `paths:${names.length === 0 ? ' {}' : ''}`,
    ...names.map(
      (name) =>
        `  /${name}:\n    get: { operationId: ${name}, summary: Get it, responses: { 200: { description: Fine }, 400: { description: No } } }`,
    ),
    '',
  ].join('\n');
const wrong = (title: string) => api(title, 'a').replace('operationId: a', 'operationId: 1');

const repository = {
  'teams/pumps/api.yaml': wrong('Pumps'),
  'teams/pumps/parts/pump.yaml': 'type: object\n',
  'teams/valves/api.json': '{ "openapi": "3.1.0", "info": { "title": "Valves", "version": "1" }, "paths": 1 }',
  'teams/valves/node_modules/other/api.yaml': wrong('Other'),
  'teams/valves/.hidden/api.yaml': wrong('Hidden'),
  'teams/valves/package.json': '{ "dependencies": { "swagger": "2.0.1" } }',
  'teams/[x]/api.yaml': wrong('Brackets'),
};

interface Fixtures {
  /** Writes the files of several teams. */
  teams: () => Promise<void>;
  /** Runs `docsctl openapi` beside these files. */
  openapi: (...words: string[]) => Promise<any>;
}

const test = base.extend<Fixtures>({
  teams: async ({ home }, use) => use(() => writeFiles(home.dir, repository)),
  openapi: async ({ docsctl, teams }, use) => {
    await teams();
    await use((...words) => docsctl('openapi', ...words));
  },
});

/** The files of the lines of a report. */
const filesIn = (stdout: string) => [
  ...new Set(
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(':')[0]!),
  ),
];

describe('validate', () => {
  test.for<[words: string[], files: string[]]>([
    [['teams/pumps'], ['teams/pumps/api.yaml']],
    [['teams/*/api.{yaml,json}'], ['teams/[x]/api.yaml', 'teams/pumps/api.yaml', 'teams/valves/api.json']],
    [['**/*.json'], ['teams/valves/api.json']],
    [['./teams/pumps/*', 'teams/pumps/api.yaml'], ['teams/pumps/api.yaml']],
    [['teams/[x]/api.yaml'], ['teams/[x]/api.yaml']],
    [['.'], ['teams/[x]/api.yaml', 'teams/pumps/api.yaml', 'teams/valves/api.json']],
  ])('%s: the descriptions, and no other files', async ([words, files], { openapi }) => {
    const run = await openapi('validate', ...words);

    expect(run.exitCode).toBe(9);
    expect(filesIn(run.stdout)).toEqual(files);
  });

  test('a folder or pattern without descriptions is an error', async ({ openapi }) => {
    for (const word of ['teams/pumps/parts', 'teams/*.yaml', 'nowhere/**']) {
      const run = await openapi('validate', word);
      expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(word) });
    }
  });

  test('without a source, validates what is in the project file', async ({ openapi, home }) => {
    const without = await openapi('validate');
    await writeFile(
      join(home.dir, '.docsctl.yaml'),
      'openapi: [{ path: teams/pumps/api.yaml, slug: pumps }, { path: teams/valves }]\n',
    );
    const run = await openapi('validate');

    expect(without).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('<source> is missing') });
    expect(filesIn(run.stdout)).toEqual(['teams/pumps/api.yaml', 'teams/valves/api.json']);
  });

  test('--keep-going reports the others if one cannot be read', async ({ openapi }) => {
    const words = ['validate', 'teams/gone.yaml', 'teams/pumps/api.yaml'];
    const stopped = await openapi(...words);
    const run = await openapi(...words, '--keep-going');

    expect(stopped).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.exitCode).toBe(8);
    expect(filesIn(run.stdout)).toEqual(['teams/pumps/api.yaml']);
    expect(run.stderr).toContain('error: Cannot read teams/gone.yaml');
    expect(run.stderr).toContain('1 of 2 descriptions failed: teams/gone.yaml.');
  });

  test('a list of commands gets patterns, too', async ({ docsctl, home, teams }) => {
    await teams();
    await writeFile(join(home.dir, 'list.txt'), "openapi validate teams/*/api.yaml\nopenapi validate '**/*.json'\n");

    const run = await docsctl('run', 'list.txt', '--keep-going');

    expect(filesIn(run.stdout)).toEqual(expect.arrayContaining(['teams/pumps/api.yaml', 'teams/valves/api.json']));
  });
});

describe('diff', () => {
  test('compares two folders file by file', async ({ openapi, home }) => {
    await writeFiles(home.dir, {
      'old/a/api.yaml': api('A', 'a', 'b'),
      'old/gone.yaml': api('Gone'),
      'new/a/api.yaml': api('A', 'a'),
      'new/more.yaml': api('More'),
    });

    const run = await openapi('diff', 'old', 'new');
    const markdown = await openapi('diff', 'old', 'new', '--format', 'markdown', '--fail-on', 'none');

    expect(run.exitCode).toBe(9);
    expect(run.stdout).toContain('new/a/api.yaml:5:1 breaking GET /b: path: was removed (path-removed)');
    expect(run.stdout).toContain('old/gone.yaml breaking old/gone.yaml: was removed (description-removed)');
    expect(markdown.stdout).toContain('### old/a/api.yaml → new/a/api.yaml: 1 breaking change');
  });

  test('without arguments, compares the project file with what is published', async ({ openapi, home }) => {
    await writeFiles(home.dir, {
      'a.yaml': api('A', 'a', 'b'),
      'b.yaml': api('B', 'a'),
      'c.yaml': api('C', 'a'),
      '.docsctl.yaml': 'openapi: [{ path: a.yaml, slug: one }, { path: b.yaml }]\n',
    });
    await openapi('publish', '--wait');
    await writeFiles(home.dir, {
      'a.yaml': api('A', 'a'),
      '.docsctl.yaml': 'openapi: [{ path: a.yaml, slug: one }, { path: b.yaml }, { path: c.yaml }]\n',
    });

    const run = await openapi('diff', '--json');

    expect(run.exitCode).toBe(9);
    expect(run.json).toMatchObject([{ rule: 'path-removed', file: 'a.yaml' }]);
    expect(run.stderr).toContain('c.yaml is not compared, because c has not been published yet.');
  });

  test('--keep-going compares the others if one fails', async ({ openapi, home }) => {
    await writeFiles(home.dir, {
      'a.yaml': api('A', 'a', 'b'),
      '.docsctl.yaml': 'openapi: [{ path: gone.yaml, slug: gone }, { path: a.yaml, slug: one }]\n',
    });
    await openapi('publish', 'a.yaml', '--slug', 'one', '--wait');
    await openapi('publish', 'a.yaml', '--slug', 'gone', '--wait');
    await writeFiles(home.dir, { 'a.yaml': api('A', 'a') });

    const run = await openapi('diff', '--keep-going');

    expect(run.exitCode).toBe(8);
    expect(run.stdout).toContain('path-removed');
    expect(run.stderr).toContain('1 of 2 descriptions failed: gone.yaml.');
  });
});

describe('publish', () => {
  const slugsOf = async (openapi: Fixtures['openapi']) =>
    (await openapi('list', '-o', 'id')).stdout.split('\n').filter(Boolean);

  test('a folder publishes all descriptions in it, with the slugs of the project file', async ({ openapi, home }) => {
    await writeFiles(home.dir, {
      'apis/a.yaml': api('Alpha'),
      'apis/b/b.yaml': api('Beta'),
      'apis/b/part.yaml': 'type: object\n',
      '.docsctl.yaml': 'openapi: [{ path: apis/a.yaml, slug: first }]\n',
    });

    const run = await openapi('publish', 'apis', '--wait', '--json');
    const other = await openapi('publish', 'apis', '--slug', 'one');

    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json.map(({ slug, result }: any) => [slug, result])).toEqual([
      ['first', 'created'],
      ['beta', 'created'],
    ]);
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('there are 2 sources') });
  });

  test('two descriptions with one slug are refused, also with --keep-going', async ({ openapi, home }) => {
    await writeFiles(home.dir, { 'apis/a.yaml': api('Same'), 'apis/b.yaml': api('Same') });

    for (const flags of [[], ['--keep-going']]) {
      const run = await openapi('publish', 'apis', ...flags);
      expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('would both be published as "same"') });
    }
    expect(await slugsOf(openapi)).toEqual([]);
  });

  test('--existing creates nothing, and sends nothing then', async ({ openapi, home }) => {
    await writeFiles(home.dir, { 'apis/a.yaml': api('Pumps'), 'apis/b.yaml': api('Valves') });
    await openapi('publish', 'apis/a.yaml', '--wait');
    await writeFiles(home.dir, { 'apis/a.yaml': api('Pumps', 'a') });

    const misspelled = await openapi('publish', 'apis/a.yaml', '--slug', 'pmups', '--existing');
    const folder = await openapi('publish', 'apis', '--existing');
    const tried = await openapi('publish', 'apis', '--existing', '--dry-run');
    const versions = await openapi('versions', 'list', 'pumps', '-o', 'id');
    const rest = await openapi('publish', 'apis', '--existing', '--keep-going', '--json');

    expect([misspelled.exitCode, folder.exitCode, tried.exitCode, rest.exitCode]).toEqual([5, 5, 5, 8]);
    expect(misspelled.stderr).toContain('there is no specification "pmups". Did you mean "pumps"?');
    expect(versions.stdout.trim().split('\n')).toHaveLength(1);
    expect(rest.json).toMatchObject([{ slug: 'pumps', result: 'updated' }]);
    expect(await slugsOf(openapi)).toEqual(['pumps']);
  });

  test('--keep-going publishes those without problems', async ({ openapi, home }) => {
    await writeFiles(home.dir, {
      'apis/a.yaml': api('Breaking', 'a', 'b'),
      'apis/b.yaml': api('Fine', 'a'),
    });
    await openapi('publish', 'apis', '--wait');
    await writeFiles(home.dir, {
      'apis/a.yaml': api('Breaking', 'a'),
      'apis/b.yaml': api('Fine', 'a', 'b'),
      'apis/c.yaml': wrong('Wrong'),
    });

    const stopped = await openapi('publish', 'apis', '--fail-on', 'breaking', '--json');
    const words = ['publish', 'apis', 'gone.yaml', '--fail-on', 'breaking', '--keep-going', '--wait', '--json'];
    const run = await openapi(...words);

    expect(stopped).toMatchObject({ exitCode: 9, stdout: '' });
    expect(run.exitCode).toBe(8);
    expect(run.json).toMatchObject([{ slug: 'fine', result: 'updated' }]);
    expect(run.stderr).toContain('3 of 4 descriptions failed: gone.yaml, apis/c.yaml, apis/a.yaml.');
    expect(await slugsOf(openapi)).toEqual(['breaking', 'fine']);
  });
});

describe('several commands in a job of GitLab', () => {
  test('add to the reports, and do not keep those of an earlier job', async ({ docsctl, home, teams }) => {
    await teams();
    const env = {
      GITLAB_CI: 'true',
      CI_PROJECT_DIR: home.dir,
      CI_JOB_STARTED_AT: new Date(Date.now() - 60_000).toISOString(),
    };
    // Each in a process of its own.
    const inJob = (...words: string[]) => docsctl('openapi', ...words, { env, stdin: 'ignore' });
    const report = join(home.dir, 'gl-code-quality-report.json');
    const variables = join(home.dir, 'docsctl.env');
    await writeFile(report, '[{ "description": "of an earlier job" }]');
    await writeFile(variables, 'SLUG=earlier\nOTHER=1\n');
    for (const file of [report, variables]) await utimes(file, 0, 0);
    await writeFiles(home.dir, { 'a.yaml': api('A', 'a'), 'b.yaml': api('B', 'a') });

    await inJob('validate', 'teams/pumps');
    await inJob('validate', 'teams/valves');
    await inJob('publish', 'a.yaml', '--wait');
    await inJob('publish', 'b.yaml', '--wait');

    const paths = JSON.parse(await readFile(report, 'utf8')).map(({ location }: any) => location?.path);
    expect([...new Set(paths)]).toEqual(['teams/pumps/api.yaml', 'teams/valves/api.json']);
    const lines = (await readFile(variables, 'utf8')).trimEnd().split('\n');
    expect(lines.filter((line) => /^(?:SLUG|OTHER)=/.test(line))).toEqual(['SLUG=b']);
    const all = lines.filter((line) => line.startsWith('SPECIFICATIONS='));
    expect(all).toHaveLength(1);
    expect(JSON.parse(all[0]!.replace('SPECIFICATIONS=', ''))).toMatchObject([{ slug: 'a' }, { slug: 'b' }]);
  });
});
