import { globSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../support/cli.ts';
import { test } from '../support/in-process.ts';
import { isLong } from '../support/long-form.ts';

const specs = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));
const petstore = join(specs, '3.0', 'json', 'petstore.json');
const broken = join(root, 'test', 'openapi', 'broken');

/** The long form takes every example; all of them are read by `test/openapi/examples.test.ts` too. */
const examples = globSync('{2.0,3.0,3.1}/*/*.{json,yaml}', { cwd: specs })
  .toSorted()
  .filter((_, index) => isLong || index % 5 === 0);

test('examples are published in one go, and not sent again', async ({ docsctl, home }) => {
  const entries = examples.map((path) => ({
    slug: path.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    path: join('specs', path),
  }));
  await cp(specs, join(home.dir, 'specs'), { recursive: true });
  await writeFile(join(home.dir, '.docsctl.yaml'), JSON.stringify({ openapi: entries }));

  // Some of them have errors.
  const first = await docsctl('openapi', 'publish', '--wait', '--fail-on', 'none', '--json');
  const again = await docsctl('openapi', 'publish', '--fail-on', 'none', '--json');

  expect(examples.length).toBeGreaterThan(isLong ? 100 : 20);
  expect(first.exitCode).toBe(0);
  expect(first.json.map(({ slug, result, processingState }: any) => [slug, result, processingState])).toEqual(
    entries.map(({ slug }) => [slug, 'created', 'complete']),
  );
  expect(first.json.filter(({ lastProcessErrorCode }: any) => lastProcessErrorCode !== undefined)).toEqual([]);
  expect(again.json.map(({ result }: any) => result)).toEqual(entries.map(() => 'unchanged'));
});

test('a changed description creates a version, an unchanged one does not, and --force sends it anyway', async ({
  docsctl,
  home,
}) => {
  const file = join(home.dir, 'pets.json');
  const text = await readFile(petstore, 'utf8');
  await writeFile(file, text);
  const publish = async (...more: string[]) =>
    (await docsctl('openapi', 'publish', file, '--slug', 'pets', '--wait', '--json', ...more)).json;

  const results = [await publish(), await publish()];
  await writeFile(file, text.replace('"title": "', '"title": "My '));
  results.push(await publish(), await publish('--force'));
  const versions = await docsctl('openapi', 'versions', 'list', 'pets', '--json');

  expect(results.map(({ result }) => result)).toEqual(['created', 'unchanged', 'updated', 'updated']);
  expect(versions.json).toHaveLength(2);
  expect(results[3].lastVersion).toBe(results[2].lastVersion);
});

test('the same text sent to the service again is processed, and makes no new version', async ({ docsctl, home }) => {
  const org = (await docsctl('orgs', 'list', '-o', 'id')).stdout.trim();
  const body = join(home.dir, 'body.json');
  const put = async (title: string) => {
    const text = `openapi: 3.1.0\ninfo: { title: ${title}, version: "1" }\npaths: {}\n`;
    await writeFile(body, JSON.stringify({ source: { text } }));
    await docsctl('api', 'PUT', `/v1/orgs/${org}/openapi/pets`, '--input', body);
    await expect
      .poll(async () => (await docsctl('openapi', 'view', 'pets', '--json')).json.processingState)
      .toBe('complete');
    const { lastVersion, lastProcessedAt } = (await docsctl('openapi', 'view', 'pets', '--json')).json;
    return { lastVersion, lastProcessedAt };
  };

  const [first, again, other, back] = [await put('A'), await put('A'), await put('B'), await put('A')];

  expect(again.lastVersion).toBe(first.lastVersion);
  expect(again.lastProcessedAt > first.lastProcessedAt).toBe(true);
  expect(new Set([first, other, back].map(({ lastVersion }) => lastVersion)).size).toBe(3);
});

test('the slug comes from the title, and the description from standard input', async ({ docsctl }) => {
  const input = 'openapi: 3.1.0\ninfo: { title: "Train Tickets!", version: "1" }\npaths: {}\n';

  const run = await docsctl('openapi', 'publish', '-', '--wait', '--json', { input, stdin: 'pipe' });

  expect(run.json).toMatchObject({ slug: 'train-tickets', result: 'created', processingState: 'complete' });
});

test('--fail-on breaking lists what breaks users and sends nothing', async ({ docsctl, home }) => {
  const file = join(home.dir, 'pets.json');
  const description = JSON.parse(await readFile(petstore, 'utf8'));
  const publish = (...more: string[]) => docsctl('openapi', 'publish', file, '--slug', 'pets', '--wait', ...more);
  await writeFile(file, JSON.stringify(description));
  await publish();
  const [gone] = Object.keys(description.paths);
  delete description.paths[gone!];
  await writeFile(file, JSON.stringify(description));

  const refused = await publish('--fail-on', 'breaking');
  const view = await docsctl('openapi', 'versions', 'list', 'pets', '--json');
  const forced = await publish('--json');

  expect(refused.exitCode).toBe(9);
  expect(refused.stderr).toContain(gone);
  expect(refused.stderr).toMatch(/has \d+ breaking changes?\.\nNothing was sent\.\nhint: /);
  // The place in the file, else in what was published.
  expect(refused.stderr).toMatch(/^\S+[:#]\S+ breaking /m);
  expect(view.json).toHaveLength(1);
  expect(forced.json.result).toBe('updated');
});

for (const [file, place] of [
  ['cut-off.json', 'cut-off.json:3:22 error'],
  ['missing-title.yaml', 'missing-title.yaml:2:1 error'],
  ['no-references.yaml', 'parts/broken.yaml:2:22 error'],
] as const) {
  test(`a broken description names the place and is not sent: ${file}`, async ({ docsctl }) => {
    const published = await docsctl('openapi', 'publish', join(broken, file), '--slug', 'broken', { cwd: broken });
    const validated = await docsctl('openapi', 'validate', file, { cwd: broken });

    expect(published.exitCode).toBe(9);
    expect(published.stderr).toContain(place);
    expect(published.stderr).toContain('Nothing was sent.');
    expect(validated.exitCode).toBe(9);
    expect(validated.stdout).toContain(place);
    expect((await docsctl('openapi', 'list', '-o', 'id')).stdout).toBe('');
  });
}

test('of several descriptions none is sent where one is broken', async ({ docsctl, home }) => {
  const openapi = [
    { slug: 'good', path: 'good.json' },
    { slug: 'bad', path: 'bad.yaml' },
  ];
  await copyFile(petstore, join(home.dir, 'good.json'));
  await copyFile(join(broken, 'missing-title.yaml'), join(home.dir, 'bad.yaml'));
  await writeFile(join(home.dir, '.docsctl.yaml'), JSON.stringify({ openapi }));

  const run = await docsctl('openapi', 'publish');

  expect(run.exitCode).toBe(9);
  expect((await docsctl('openapi', 'list', '-o', 'id')).stdout).toBe('');
});

test('two descriptions under one slug are refused', async ({ docsctl, home }) => {
  const openapi = [
    { slug: 'pets', path: 'one.json' },
    { slug: 'pets', path: 'two.json' },
  ];
  for (const name of ['one.json', 'two.json']) await copyFile(petstore, join(home.dir, name));
  await writeFile(join(home.dir, '.docsctl.yaml'), JSON.stringify({ openapi }));

  const run = await docsctl('openapi', 'publish');

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('would both be published as "pets"');
});

test('local files are folded in, wherever the command runs', async ({ docsctl }) => {
  const zoo = join(root, 'test', 'openapi', 'zoo', 'openapi.yaml');

  const run = await docsctl('openapi', 'publish', zoo, '--slug', 'zoo', '--wait', '--fail-on', 'none', '--json');

  expect(run.json).toMatchObject({ slug: 'zoo', processingState: 'complete' });
  expect(run.json.lastProcessErrorCode).toBeUndefined();
});

test('a description is published from an address, and processing that is not done after --wait is status 7', async ({
  docsctl,
}) => {
  const text = await readFile(petstore, 'utf8');
  let asked = 0;
  // The command reads it first, to check it; the service then waits for an answer in vain.
  const source = await listen((response) => {
    asked += 1;
    if (asked === 1) response.end(text);
    else setTimeout(() => response.destroy(), 1500);
  });
  const env = { DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS: '1' };

  const run = docsctl('openapi', 'publish', `${source.url}/pets.json`, '--slug', 'pets', '--wait', '0.3', { env });
  const { exitCode, stderr } = await run;
  source.server.close();

  expect(stderr).toMatch(/After 0\.3 s the service still processes pets \(\w+\)/);
  expect(stderr).toContain('hint: Check its state with "docsctl openapi view pets".');
  expect(exitCode).toBe(7);
});

async function listen(answer: (response: ServerResponse) => void): Promise<{ url: string; server: Server }> {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, server };
}

test('GitHub gets annotations, a summary and outputs; --no-ci gives it none', async ({ docsctl, home }) => {
  const files = { GITHUB_STEP_SUMMARY: join(home.dir, 'summary'), GITHUB_OUTPUT: join(home.dir, 'output') };
  const env = { GITHUB_ACTIONS: 'true', CI: 'true', ...files };
  const publish = ['openapi', 'publish', petstore, '--slug', 'pets', '--wait', '--json'];

  const silent = await docsctl(...publish, '--no-ci', '--dry-run', { env });
  const run = await docsctl(...publish, { env });
  const bad = await docsctl('openapi', 'publish', 'missing-title.yaml', { env, cwd: broken });

  expect(silent.stderr).not.toContain('::');
  expect(bad.stderr).toMatch(/^::error file=missing-title\.yaml,line=2,col=1,title=struct::/m);
  expect(await readFile(files.GITHUB_STEP_SUMMARY, 'utf8')).toContain('| [pets](');
  const output = await readFile(files.GITHUB_OUTPUT, 'utf8');
  expect(output).toMatch(new RegExp(`revision<<(end_\\w+)\\n${run.json.lastVersion}\\n\\1\\n`));
  expect(output).toMatch(/url<<(end_\w+)\nhttp.*\n\1\n/);
});

test('GitLab gets a report of findings and a file of variables', async ({ docsctl, home }) => {
  const env = { GITLAB_CI: 'true', CI: 'true', CI_PROJECT_DIR: join(home.dir, 'project') };
  await mkdir(env.CI_PROJECT_DIR);
  // A repository may hold a link that leads out of it.
  await symlink(join(home.dir, 'elsewhere'), join(env.CI_PROJECT_DIR, 'gl-code-quality-report.json'));

  await docsctl('openapi', 'publish', petstore, '--slug', 'pets', '--wait', { env });
  await docsctl('openapi', 'validate', 'missing-title.yaml', 'cut-off.json', { env, cwd: broken });

  expect(await readFile(join(env.CI_PROJECT_DIR, 'docsctl.env'), 'utf8')).toMatch(/^SLUG=pets\nREVISION=\w+\nURL=http/);
  const report = JSON.parse(await readFile(join(env.CI_PROJECT_DIR, 'gl-code-quality-report.json'), 'utf8'));
  expect(report.filter(({ severity }: any) => severity === 'major').map(({ location }: any) => location.path)).toEqual([
    'missing-title.yaml',
    'missing-title.yaml',
    'cut-off.json',
  ]);
  expect(new Set(report.map(({ fingerprint }: any) => fingerprint)).size).toBe(report.length);
  expect(await readdir(home.dir)).not.toContain('elsewhere');
});
