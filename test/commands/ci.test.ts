import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test as plain } from 'vitest';
import { buildServer, markdownCell, markdownCode, outputsOf } from '../../src/cli/program/build-server.ts';
import { Io } from '../../src/cli/program/io.ts';
import { test as base } from '../support/in-process.ts';

interface Runner {
  env: Record<string, string>;
  /** Values for later steps, of all that was written so far. */
  outputs(): Promise<Record<string, string>>;
  summary(): Promise<string>;
  space: string;
}

/** A GitHub runner with a space to work in. */
const test = base.extend<{ runner: Runner }>({
  runner: async ({ home, docsctl }, use) => {
    const files = { GITHUB_OUTPUT: join(home.dir, 'output'), GITHUB_STEP_SUMMARY: join(home.dir, 'summary') };
    for (const file of Object.values(files)) await writeFile(file, '');
    const space = (await docsctl('spaces', 'create', '--title', 'Docs', '-o', 'id')).stdout.trim();
    await use({
      space,
      env: { GITHUB_ACTIONS: 'true', CI: 'true', DOCSCTL_SPACE: space, ...files },
      outputs: async () => outputsIn(await readFile(files.GITHUB_OUTPUT, 'utf8')),
      summary: () => readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
    });
  },
});

const outputsIn = (text: string) =>
  Object.fromEntries([...text.matchAll(/^(\S+?)<<(\S+)\n([^]*?)\n\2$/gm)].map(([, name, , value]) => [name!, value!]));

async function written(env: Record<string, string>, options: { ci?: boolean } = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'docsctl-ci-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  let text = '';
  const sink = { write: (more: string | Uint8Array) => void (text += String(more)) };
  const io = new Io(
    {},
    {},
    { out: sink, err: sink, screen: { terminal: false, width: Infinity, color: false } as never },
  );
  const all = {
    GITHUB_OUTPUT: join(dir, 'output'),
    GITHUB_STEP_SUMMARY: join(dir, 'summary'),
    CI_PROJECT_DIR: dir,
    ...env,
  };
  return { server: buildServer(io, { env: all, ...options }), text: () => text, dir };
}

plain('an output cannot end itself early and set another one', async () => {
  const { server, dir } = await written({ GITHUB_ACTIONS: 'true' });

  server.outputs({ url: 'a\nEOF\nrevision<<X\nforged\nX', revision: 'real' });

  expect(outputsIn(await readFile(join(dir, 'output'), 'utf8'))).toEqual({
    url: 'a\nEOF\nrevision<<X\nforged\nX',
    revision: 'real',
  });
});

plain('an annotation stays one command whatever its text holds', async () => {
  const { server, text } = await written({ GITHUB_ACTIONS: 'true' });

  await server.annotate([{ file: 'a,b:c.md', line: 2, level: 'error', message: '100%\n::add-mask::x', rule: 'odd' }]);

  expect(text()).toBe('::error file=a%2Cb%3Ac.md,line=2,title=odd::100%25%0A::add-mask::x\n');
});

plain('a variable for GitLab stays on its line', async () => {
  const { server, dir } = await written({ GITLAB_CI: 'true' });

  server.outputs({ 'change-request': 4, url: 'x\nTOKEN=forged' });

  expect(await readFile(join(dir, 'docsctl.env'), 'utf8')).toBe('CHANGE_REQUEST=4\nURL=x TOKEN=forged\n');
});

plain('nothing is written with --no-ci, or on a machine that builds nothing', async () => {
  for (const [env, options] of [
    [{ GITHUB_ACTIONS: 'true' }, { ci: false }],
    [{}, {}],
  ] as const) {
    const { server, text, dir } = await written(env, options);
    server.outputs({ url: 'x' });
    server.summary('x');
    await server.mask('secret');
    await server.annotate([{ file: 'a', line: 1, level: 'error', message: 'x', rule: 'x' }]);
    expect(text()).toBe('');
    await expect(readFile(join(dir, 'output'))).rejects.toThrow('ENOENT');
  }
});

plain('several results are JSON arrays, in which a value that is missing keeps its place', () => {
  expect(outputsOf([])).toEqual({});
  expect(outputsOf([{ url: 'a', revision: undefined }])).toEqual({ url: 'a', revision: undefined });
  expect(outputsOf([{ url: 'a', 'change-request': 1 }, { url: 'b' }])).toEqual({
    url: '["a","b"]',
    'change-request': '[1,null]',
  });
});

plain('text in a summary names nobody, and code ends where it should', () => {
  expect(markdownCell('@team [x](y) *b* `c` _d_')).toBe('@&#8203;team \\[x\\](y) \\*b\\* \\`c\\` \\_d\\_');
  expect(markdownCode('a | `b` ``c``\nd')).toBe('``` a \\| `b` ``c`` d ```');
});

plain('text in a summary is no markup', () => {
  expect(markdownCell('a|b\n<script>\\')).toBe('a\\|b &lt;script>\\\\');
});

test('cr create, update and merge pass the number of the request to later steps', async ({ docsctl, runner }) => {
  const { env } = runner;
  const made = await docsctl('cr', 'create', '--subject', 'Pumps | <b>', '--open', '--json', { env });
  const created = await runner.outputs();
  await docsctl('cr', 'update', '1', { env });
  const merged = await docsctl('cr', 'merge', '1', '--wait', '--update', '--json', { env });
  const again = await docsctl('cr', 'merge', '1', '--wait', '--update', '--json', { env });

  expect(created).toEqual({
    'change-request': '1',
    result: 'open',
    revision: made.json.revision,
    url: made.json.urls.app,
  });
  expect(await runner.outputs()).toMatchObject({ 'change-request': '1', revision: merged.json.revision });
  expect(again).toMatchObject({ exitCode: 0, json: { result: 'merge', revision: merged.json.revision } });
  expect(await runner.summary()).toMatch(/### Change request \[#1\]\(http.*\): merged\n\nPumps \\\| &lt;b>/);
});

test('content push passes the request, its revision and its address to later steps', async ({
  docsctl,
  home,
  runner,
}) => {
  await writeFile(join(home.dir, 'a.md'), '# Alpha\n');

  const run = await docsctl('content', 'push', '.', '--new', 'Alpha', '--json', { env: runner.env });
  await docsctl('content', 'push', '.', '--new', 'Other', '--no-ci', { env: runner.env });

  expect(await runner.outputs()).toEqual({
    'change-request': '1',
    result: 'draft',
    revision: run.json.revision,
    url: run.json.url,
  });
  expect(await runner.summary()).toMatch(/^\| \. \| \[#1\]\(http.*\) \| draft \| 1 \| 0 \| 0 \| 0 \| 0 \|$/m);
});

test('spaces links --fail-on broken ends with 9 and shows each as an annotation', async ({ docsctl, home, runner }) => {
  await writeFile(join(home.dir, 'a.md'), '# Alpha\n\n[Gone](gone.md) and [here](b.md)\n');
  await writeFile(join(home.dir, 'b.md'), '# Beta\n');
  await docsctl('content', 'push', '.', '--merge', { env: { DOCSCTL_SPACE: runner.space } });

  const run = await docsctl('spaces', 'links', '--fail-on', 'broken', { env: runner.env });
  const quiet = await docsctl('spaces', 'links', '--fail-on', 'broken', '--no-ci', { env: runner.env });

  expect([run.exitCode, quiet.exitCode]).toEqual([9, 9]);
  expect(run.stderr).toContain('::error title=link-broken::broken link to gone.md on page a\n');
  expect(run.stdout).toBe(quiet.stdout);
  expect(quiet.stderr).not.toContain('::');
  expect(await runner.summary()).toContain('| broken | gone.md | a |');
});

test('a folder with a page that is skipped is annotated, and the token is masked', async ({
  docsctl,
  home,
  runner,
}) => {
  await writeFile(join(home.dir, 'SUMMARY.md'), '# Contents\n\n* [Alpha](a.md)\n');
  await writeFile(join(home.dir, 'a.md'), '# Alpha\n');
  await writeFile(join(home.dir, 'b.md'), '# Beta\n');

  const run = await docsctl('content', 'push', '.', '--new', 'A', {
    env: {
      ...runner.env,
      DOCSCTL_TOKEN: 'secret-of-mine',
      DOCSCTL_URL: `embedded:${join(home.dir, 'data', 'local.db')}`,
    },
  });

  expect(run.stderr).toContain('::add-mask::secret-of-mine\n');
  expect(run.stderr).toMatch(/^::warning file=b\.md,line=1,title=content push::The page is not in SUMMARY\.md/m);
});

test('GitLab gets the findings and values of all commands of a list', async ({ docsctl, home }) => {
  const spec = (title: string, paths: string) =>
    writeFile(
      join(home.dir, `${title}.yaml`),
      `openapi: 3.0.3\ninfo: { title: ${title}, version: 1.0.0 }\nservers: [{ url: https://x.example }]\npaths: ${paths}\n`,
    );
  await spec('good', '{}');
  await spec('fine', '{}');
  await spec('bad', '{ /a: 5 }');
  await spec('worse', '{ /b: 5 }');
  const lines = [
    'publish good.yaml',
    'publish fine.yaml',
    'validate bad.yaml',
    'validate worse.yaml',
    'validate bad.yaml',
  ];
  await writeFile(join(home.dir, 'list.txt'), lines.map((line) => `openapi ${line}`).join('\n'));

  const env = { GITLAB_CI: 'true', CI_PROJECT_DIR: home.dir };
  const run = await docsctl('run', 'list.txt', '--keep-going', { env });
  await docsctl('run', 'list.txt', '--keep-going', '--no-ci', { env: { ...env, CI_PROJECT_DIR: 'nowhere' } });

  expect(run.exitCode, run.stderr).toBe(8);
  const report = JSON.parse(await readFile(join(home.dir, 'gl-code-quality-report.json'), 'utf8'));
  const errors = report.filter(({ severity }: any) => severity === 'major');
  expect(errors.map(({ location }: any) => location.path)).toEqual(['bad.yaml', 'worse.yaml']);
  const variables = (await readFile(join(home.dir, 'docsctl.env'), 'utf8')).trimEnd().split('\n');
  const specifications = variables.findLast((line) => line.startsWith('SPECIFICATIONS='))!;
  expect(JSON.parse(specifications.replace('SPECIFICATIONS=', ''))).toMatchObject([{ slug: 'good' }, { slug: 'fine' }]);
  expect(variables).toContain('SLUG=fine');
});
