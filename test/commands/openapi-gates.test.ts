import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from '../support/in-process.ts';

/** Nothing but what is wrong on purpose is found. */
const head = [
  'openapi: 3.0.3',
  'info: { title: Pets, version: "1", license: { name: MIT, url: https://a.test } }',
  'servers: [{ url: https://a.test }]',
  'security: []',
  'paths:\n',
].join('\n');
const path = (name: string, more = `operationId: ${name}, summary: Get it, `) =>
  `  /${name}:\n    get: { ${more}responses: { 200: { description: Fine }, 400: { description: No } } }\n`;

/** Descriptions by what is found in them, each with the operation that the first version has. */
const texts = {
  clean: `${head}${path('a')}`,
  warning: `${head}${path('a')}${path('b', 'operationId: b, ')}`,
  error: `${head}${path('a')}${path('b', 'operationId: 1, summary: Get it, ')}`,
  breaking: `${head}${path('b')}`,
  added: `${head}${path('a')}${path('b')}`,
  moved: `${head}${path('a')}`.replace('https://a.test }]', 'https://b.test }]'),
  dangling: `${head}${path('a').replace('{ description: Fine }', '{ $ref: "#/nothing" }')}`,
  unread: 'openapi: 3.0.3\ninfo: {',
};
type Kind = keyof typeof texts;

const write = (dir: string, kind: Kind) => writeFile(join(dir, 'api.yaml'), texts[kind]);

describe('validate', () => {
  const expected: [kind: Kind, failOn: string | undefined, status: number][] = [
    ['clean', undefined, 0],
    ['clean', 'error', 0],
    ['clean', 'warning', 0],
    ['clean', 'none', 0],
    ['warning', undefined, 0],
    ['warning', 'error', 0],
    ['warning', 'warning', 9],
    ['warning', 'none', 0],
    ['error', undefined, 9],
    ['error', 'error', 9],
    ['error', 'warning', 9],
    ['error', 'none', 0],
    ['unread', undefined, 9],
    ['unread', 'warning', 9],
  ];

  test.for(expected)('%s, --fail-on %s: %s', async ([kind, failOn, status], { docsctl, home }) => {
    await write(home.dir, kind);

    for (const dryRun of [[], ['--dry-run']]) {
      const flags = [...(failOn === undefined ? [] : ['--fail-on', failOn]), ...dryRun];
      expect((await docsctl('openapi', 'validate', 'api.yaml', ...flags)).exitCode).toBe(status);
    }
  });
});

describe('diff', () => {
  /** What it ends with after `clean`, be that a file or what is published. */
  const expected: [kind: Kind, failOn: string | undefined, status: number][] = [
    ['clean', undefined, 0],
    ['clean', 'warning', 0],
    ['added', undefined, 0],
    ['added', 'warning', 0],
    ['moved', undefined, 0],
    ['moved', 'breaking', 0],
    ['moved', 'warning', 9],
    ['moved', 'none', 0],
    ['breaking', undefined, 9],
    ['breaking', 'breaking', 9],
    ['breaking', 'warning', 9],
    ['breaking', 'none', 0],
    // Structure is not its subject.
    ['error', undefined, 0],
    ['dangling', undefined, 9],
    ['dangling', 'none', 0],
    ['unread', undefined, 9],
    ['unread', 'none', 9],
  ];

  test.for(expected)('%s, --fail-on %s: %s', async ([kind, failOn, status], { docsctl, home }) => {
    await writeFile(join(home.dir, 'old.yaml'), texts.clean);
    await docsctl('openapi', 'publish', 'old.yaml', '--slug', 'later', '--wait');
    await write(home.dir, kind);

    for (const old of ['old.yaml', 'later']) {
      for (const dryRun of [[], ['--dry-run']]) {
        const flags = [...(failOn === undefined ? [] : ['--fail-on', failOn]), ...dryRun];
        const { exitCode } = await docsctl('openapi', 'diff', old, 'api.yaml', ...flags);
        expect([old, exitCode]).toEqual([old, status]);
      }
    }
  });

  test('with nothing published before, it is not called unchanged', async ({ docsctl, home }) => {
    await write(home.dir, 'clean');

    for (const flags of [[], ['--fail-on', 'none'], ['--dry-run']]) {
      expect((await docsctl('openapi', 'diff', 'first', 'api.yaml', ...flags)).exitCode).toBe(5);
    }
  });
});

describe('publish', () => {
  /** What the first publication ends with, and what one ends with that follows a clean one. */
  const expected: [kind: Kind, failOn: string | undefined, first: number, later: number][] = [
    ['clean', undefined, 0, 0],
    ['clean', 'error', 0, 0],
    ['clean', 'warning', 0, 0],
    ['clean', 'breaking', 0, 0],
    ['clean', 'none', 0, 0],
    ['warning', undefined, 0, 0],
    ['warning', 'warning', 9, 9],
    ['warning', 'breaking', 0, 0],
    ['warning', 'warning,breaking', 9, 9],
    ['warning', 'none', 0, 0],
    ['error', undefined, 9, 9],
    ['error', 'error', 9, 9],
    ['error', 'breaking', 9, 9],
    ['error', 'none', 0, 0],
    ['breaking', undefined, 0, 0],
    ['breaking', 'warning', 0, 0],
    ['breaking', 'breaking', 0, 9],
    ['breaking', 'none', 0, 0],
    ['unread', undefined, 9, 9],
    ['unread', 'none', 9, 9],
    ['clean', 'none,breaking', 2, 2],
  ];

  test.for(expected)(
    '%s, --fail-on %s: first %s, later %s',
    async ([kind, failOn, first, later], { docsctl, home }) => {
      const flags = failOn === undefined ? [] : ['--fail-on', failOn];
      const publish = (slug: string, ...more: string[]) =>
        docsctl('openapi', 'publish', 'api.yaml', '--slug', slug, '--wait', ...more);
      await write(home.dir, 'clean');
      await publish('later');
      await write(home.dir, kind);

      for (const [slug, status] of [
        ['first', first],
        ['later', later],
      ] as const) {
        const tried = await publish(slug, '--dry-run', ...flags);
        const versions = await docsctl('openapi', 'versions', 'list', slug, '-o', 'id');
        const run = await publish(slug, ...flags);
        const after = await docsctl('openapi', 'versions', 'list', slug, '-o', 'id');

        expect([tried.exitCode, run.exitCode]).toEqual([status, status]);
        // A dry run sends nothing, and neither does a run that a check ends.
        expect(versions.stdout.split('\n').filter(Boolean)).toHaveLength(slug === 'first' ? 0 : 1);
        const isSent = status === 0 && (slug === 'first' || kind !== 'clean');
        expect(after.stdout.split('\n').filter(Boolean)).toHaveLength(Number(slug === 'later') + Number(isSent));
      }
    },
  );

  test('the result says what was found and what could not be compared', async ({ docsctl, home }) => {
    const publish = async (kind: Kind, ...flags: string[]) => {
      await write(home.dir, kind);
      return docsctl('openapi', 'publish', 'api.yaml', '--slug', 'pets', '--wait', '--json', ...flags);
    };

    const first = await publish('clean', '--fail-on', 'breaking');
    const second = await publish('error', '--fail-on', 'none');
    const third = await publish('warning', '--fail-on', 'breaking');

    expect(first.json).toMatchObject({ result: 'created', findings: 0, breaking: 'no-earlier-version' });
    expect(first.stderr).toContain('no check for breaking changes, because there is no earlier version');
    expect(second.json).toMatchObject({ result: 'updated', breaking: 'not-checked' });
    expect(second.stderr).toContain('api.yaml:9:');
    expect(third.json).toMatchObject({ result: 'updated', breaking: 'none', findings: 1 });
  });

  test('warnings of the comparison are listed, and the result is not none', async ({ docsctl, home }) => {
    const publish = async (kind: Kind, ...flags: string[]) => {
      await write(home.dir, kind);
      return docsctl(
        'openapi',
        'publish',
        'api.yaml',
        '--slug',
        'pets',
        '--wait',
        '--json',
        '--fail-on',
        'breaking',
        ...flags,
      );
    };
    await publish('clean');

    const planned = await publish('moved', '--dry-run');
    const moved = await publish('moved');
    const broken = await publish('breaking');

    for (const { stderr } of [planned, moved]) {
      expect(stderr).toMatch(/^api\.yaml:\d+:\d+ warning .*https:\/\/a\.test.*\(server-removed\)$/m);
    }
    expect(moved).toMatchObject({ exitCode: 0, json: { result: 'updated', breaking: 'warnings' } });
    expect(broken.exitCode).toBe(9);
    expect(broken.stderr).toContain('server-removed');
    expect(broken.stderr).toContain('api.yaml has 1 breaking change.');
  });

  test('a service that cannot be reached ends a gate, and a dry run of it too', async ({ docsctl, home }) => {
    await write(home.dir, 'clean');
    const url = ['--url', 'http://127.0.0.1:9', '--retries', '0', '--org', 'any'];
    const env = { DOCSCTL_TOKEN: 'token' };

    const run = await docsctl('openapi', 'publish', 'api.yaml', '--fail-on', 'breaking', '--dry-run', ...url, { env });

    expect(run).toMatchObject({ exitCode: 7, stdout: '' });
  });
});

describe('a baseline', () => {
  test('accepts what is there, and nothing new', async ({ docsctl, home }) => {
    await write(home.dir, 'error');
    const validate = (...flags: string[]) => docsctl('openapi', 'validate', 'api.yaml', ...flags);

    const written = await validate('--write-baseline', 'known.json');
    const accepted = await validate('--baseline', 'known.json');
    const published = await docsctl('openapi', 'publish', 'api.yaml', '--baseline', 'known.json', '--dry-run');
    await writeFile(
      join(home.dir, 'api.yaml'),
      `# moved\n${texts.error}${path('c', 'operationId: 2, summary: Get it, ')}`,
    );
    const more = await validate('--baseline', 'known.json');

    expect(written).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Wrote 1 finding into known.json.') });
    expect(accepted).toMatchObject({ exitCode: 0, stdout: '' });
    expect(accepted.stderr).toBe('1 finding accepted by the baseline.\n');
    expect(published.exitCode).toBe(0);
    expect(more.exitCode).toBe(9);
    expect(more.stdout.trim().split('\n')).toEqual([expect.stringContaining('api.yaml:12:')]);
  });

  test('accepts nothing that was not looked at', async ({ docsctl, home }) => {
    await write(home.dir, 'unread');

    const written = await docsctl('openapi', 'validate', 'api.yaml', '--write-baseline', 'known.json');
    const run = await docsctl('openapi', 'validate', 'api.yaml', '--baseline', 'known.json');

    expect([written.exitCode, run.exitCode]).toEqual([9, 9]);
  });

  test('of a file that is none is an error', async ({ docsctl, home }) => {
    await write(home.dir, 'clean');

    const missing = await docsctl('openapi', 'validate', 'api.yaml', '--baseline', 'none.json');
    const both = await docsctl('openapi', 'validate', 'api.yaml', '--baseline', 'a', '--write-baseline', 'b');

    expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('none.json cannot be read') });
    expect(both.exitCode).toBe(2);
  });
});

describe('reports', () => {
  test('the format is the one that was asked for', async ({ docsctl, home }) => {
    await write(home.dir, 'error');
    const report = async (format: string, env = {}) =>
      (await docsctl('openapi', 'validate', 'api.yaml', '--format', format, { env })).stdout;

    const starts = {
      text: 'api.yaml:9:',
      json: '[\n  {',
      github: '::error file=api.yaml,line=9,',
      gitlab: '[\n  {\n    "description"',
      junit: '<?xml',
      checkstyle: '<?xml',
      sarif: '{\n  "$schema"',
    };
    for (const [format, start] of Object.entries(starts)) {
      expect((await report(format)).slice(0, start.length)).toBe(start);
    }
    expect(JSON.parse(await report('sarif')).runs[0].results[0].ruleId).toBe('struct');
    const printed = await docsctl('openapi', 'validate', 'api.yaml', '-o', 'json');
    expect(printed.json).toEqual(JSON.parse(await report('json')));
  });

  test('on GitHub, annotations name files from the root of the repository, and stand there once', async ({
    docsctl,
    home,
  }) => {
    await write(home.dir, 'error');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: join(home.dir, '..') };
    const folder = home.dir.split('/').at(-1);

    const text = await docsctl('openapi', 'validate', 'api.yaml', { env });
    const github = await docsctl('openapi', 'validate', 'api.yaml', '--format', 'github', { env });

    expect(text.stderr).toContain(`::error file=${folder}/api.yaml,line=9,`);
    expect(github.stdout).toContain(`::error file=${folder}/api.yaml,line=9,`);
    expect(github.stderr).not.toContain('::');
  });

  test('--format and --output exclude each other', async ({ docsctl, home }) => {
    await write(home.dir, 'clean');

    expect((await docsctl('openapi', 'validate', 'api.yaml', '--format', 'sarif', '-o', 'json')).exitCode).toBe(2);
  });
});
