import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Home } from '../support/cli.ts';
import { test } from '../support/in-process.ts';

const secret = 'hunter2';
const head = { openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths: {} };

/** Writes a project with descriptions in `project/api` whose references reach for what nobody should see. */
async function writeProject({ dir }: Home): Promise<Record<string, string>> {
  const write = async (path: string, content: unknown) => {
    const file = join(dir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  };
  const schema = { type: 'string', description: secret };
  await write('.git-credentials', `https://me:${secret}@example.com`);
  await write('secret.json', schema);
  await write('config/credentials.json', { services: { default: { token: secret } } });
  await write('project/.git/config', `url = https://me:${secret}@example.com`);
  await write('project/.env', `TOKEN=${secret}`);
  await write('project/id_rsa', secret);
  await write('project/broken.yaml', `a: *${secret}\n`);
  await write('project/pet.yaml', { type: 'string' });
  await write('project/settings.yaml', { type: secret, password: secret, host: secret });
  await symlink(join(dir, 'secret.json'), join(dir, 'project', 'link.json'));
  const references: Record<string, string> = {
    upwards: '../../secret.json',
    absolute: join(dir, 'secret.json'),
    percent: '%2e%2e/%2e%2e/secret.json',
    url: `file://${dir}/secret.json`,
    link: '../link.json',
    credentials: '../../.git-credentials',
    profile: '../../config/credentials.json#/services',
    git: '../.git/config',
    env: '../.env',
    environment: '/proc/self/environ',
    input: '/dev/stdin',
    key: '../id_rsa',
    backslashes: '..\\..\\secret.json',
    machine: '//localhost/secret.json',
  };
  const mapReferences = (make: (reference: string) => unknown) =>
    Object.fromEntries(Object.entries(references).map(([name, reference]) => [name, make(reference)]));
  const inside = {
    broken: { $ref: '../broken.yaml' },
    settings: { $ref: '../settings.yaml' },
    password: { $ref: '../settings.yaml#/password' },
  };
  await write('project/api/references.json', {
    ...head,
    components: { schemas: { ...mapReferences(($ref) => ({ $ref })), ...inside } },
  });
  await write('project/api/examples.json', {
    ...head,
    components: { examples: mapReferences((externalValue) => ({ externalValue })) },
  });
  await write('project/api/shared.json', { ...head, components: { schemas: { A: { $ref: '../../secret.json' } } } });
  await write('project/api/value.json', {
    ...head,
    components: { examples: { A: { externalValue: '../id_rsa' } }, schemas: {} },
  });
  return references;
}

test('references to files outside of the project are findings, and nothing of the files is shown or sent', async ({
  home,
  served,
}) => {
  const references = await writeProject(home);
  const cwd = join(home.dir, 'project');
  const env = { GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_STEP_SUMMARY: join(home.dir, 'summary') };

  for (const file of ['api/references.json', 'api/examples.json']) {
    const validated = await served.docsctl('openapi', 'validate', file, { cwd, env });
    const runs = [
      validated,
      await served.docsctl('openapi', 'validate', file, '-o', 'json', '--debug', { cwd, env }),
      await served.docsctl('openapi', 'publish', file, '--slug', 'pets', '--wait', '--debug', { cwd, env }),
    ];

    expect(runs.map(({ exitCode }) => exitCode)).toEqual([9, 9, 9]);
    expect(runs[2]!.stderr).toContain('Nothing was sent.');
    for (const reference of Object.values(references)) {
      expect(validated.stdout).toContain(`"${JSON.stringify(reference).slice(1, -1).slice(0, 40)}`);
    }
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(secret);
  }
  const listed = await served.docsctl('openapi', 'list', '-o', 'id');

  expect(listed.stdout).toBe('');
  expect(await readFile(env.GITHUB_STEP_SUMMARY, 'utf8').catch(() => '')).not.toContain(secret);
});

test('content that is not folded in is not sent either', async ({ home, served }) => {
  await writeProject(home);
  const cwd = join(home.dir, 'project');

  const run = await served.docsctl('openapi', 'publish', 'api/value.json', '--slug', 'pets', '--wait', { cwd });
  const sent = await served.docsctl('openapi', 'download', 'pets');

  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain('warning "../id_rsa" leads to id_rsa, which');
  expect(sent.json.components.examples).toEqual({ A: { externalValue: '../id_rsa' } });
});

test('--ref-root allows further folders, and a project file does not', async ({ home, docsctl }) => {
  await writeProject(home);
  const cwd = join(home.dir, 'project');
  const validate = (...more: string[]) => docsctl('openapi', 'validate', 'api/shared.json', ...more, { cwd });

  const refused = await validate();
  const allowed = await validate('--ref-root', '../config', '--ref-root', '..');
  const missing = await validate('--ref-root', '../nothing');
  const published = await docsctl(
    'openapi',
    'publish',
    'api/shared.json',
    '--slug',
    'a',
    '--ref-root=..',
    '--dry-run',
    { cwd },
  );
  await writeFile(join(cwd, '.docsctl.yaml'), 'openapi: [{ path: api/shared.json, refRoot: .. }]');
  const widened = await docsctl('openapi', 'publish', { cwd });

  expect(refused).toMatchObject({ exitCode: 9, stdout: expect.stringContaining('leads outside of the project') });
  expect(allowed).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining(' error ') });
  expect(missing).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--ref-root: ../nothing cannot be read: there is no such folder.'),
  });
  expect(published.stdout).toContain(secret);
  expect(widened.exitCode).toBe(2);
});

test('standard input reaches the project of the working directory', async ({ home, docsctl }) => {
  await writeProject(home);
  const validate = (reference: string) =>
    docsctl('openapi', 'validate', '-', {
      cwd: join(home.dir, 'project', 'api'),
      input: JSON.stringify({ ...head, components: { schemas: { A: { $ref: reference } } } }),
      stdin: 'pipe',
    });

  expect((await validate('shared.json#/components/schemas/A')).stdout).toContain('leads outside of the project');
  expect((await validate('../../secret.json')).exitCode).toBe(9);
  expect((await validate('../pet.yaml')).exitCode).toBe(0);
});

test('a description from an address reads no file of this machine', async ({ home, docsctl }) => {
  const references = await writeProject(home);
  const schemas = Object.fromEntries(Object.entries(references).map(([name, $ref]) => [name, { $ref }]));
  const server = createServer((_, response) => response.end(JSON.stringify({ ...head, components: { schemas } })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/openapi.json`;

  const run = await docsctl('openapi', 'validate', url, '--ref-root', '..', '--debug', {
    cwd: join(home.dir, 'project'),
  });
  server.close();

  expect(run.exitCode).toBe(9);
  expect(run.stdout + run.stderr).not.toContain(secret);
});

test('a file given by mistake is not shown', async ({ home, docsctl }) => {
  await writeProject(home);
  await writeFile(join(home.dir, '.netrc'), `machine example.com\n\tlogin me\n\tpassword ${secret}\n`);

  for (const file of ['.netrc', 'project/.env', 'project/id_rsa', 'project/broken.yaml', 'project/settings.yaml']) {
    const run = await docsctl('openapi', 'validate', file, '--debug', { env: { GITHUB_ACTIONS: 'true' } });

    expect(run.exitCode).toBe(9);
    expect(run.stdout + run.stderr).not.toContain(secret);
  }
});

test('aliases that expand to gigabytes are a finding, and an error of the service', async ({ home, served }) => {
  const lines = ['openapi: 3.0.3', 'info: { title: Pets, version: "1" }', 'paths: {}'];
  const long = `x-text: &text ${'x'.repeat(100_000)}`;
  const aliases = `x-all: [${Array.from({ length: 20_000 }, () => '*text').join(', ')}]`;
  await writeFile(join(home.dir, 'laughs.yaml'), [...lines, long, aliases].join('\n'));

  const validated = await served.docsctl('openapi', 'validate', 'laughs.yaml');
  await served.docsctl('openapi', 'create', 'laughs', 'laughs.yaml');
  const state = async () => (await served.docsctl('openapi', 'view', 'laughs', '--json')).json;
  await expect.poll(state).toMatchObject({ processingState: 'complete' });

  expect(validated.exitCode).toBe(9);
  expect(validated.stdout).toContain('YAML: The aliases expand to a document that is too large (syntax)');
  expect(await state()).toMatchObject({ lastProcessErrorCode: 'PARSE_ERROR' });
  expect((await served.docsctl('openapi', 'download', 'laughs')).exitCode).toBe(5);
});
