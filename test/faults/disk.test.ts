import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { serve, test } from '../support/cli.ts';
import { login } from '../support/service.ts';
import { smallDisk } from './disk.ts';

test(
  'on a full disk a running service refuses writes, answers reads, and writes again once there is space',
  { tags: 'mount', timeout: 60_000 },
  async ({ home }) => {
    const disk = smallDisk(16);
    const service = await serve(home, '--db', join(disk.path, 'served.db'), '--log', 'off');
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(service.url + path, {
        method,
        headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as any };
    };
    const spaces = `/v1/orgs/${service.organization}/spaces`;
    let acknowledged = 0;
    const make = async () => {
      const made = await call('POST', spaces, { title: 'x'.repeat(50) });
      if (made.status === 201) acknowledged++;
      return made;
    };
    // So many that the log of changes has gone around: what it holds then must move into the database before it can grow.
    while (acknowledged < 400) await make();
    disk.fill();

    const refused = [];
    for (let index = 0; index < 2000 && refused.length < 50; index++) {
      const made = await make();
      if (made.status !== 201) refused.push(made);
    }
    const reads = [await call('GET', `${spaces}?limit=1`), await call('GET', '/readyz'), await call('GET', '/healthz')];
    const during = reads[0]!.body.count;
    disk.makeRoom();
    const after = [await make(), await make()];
    const counted = (await call('GET', `${spaces}?limit=1`)).body.count;
    await service.stop();
    const check = await home.docsctl('serve', 'check', '--db', join(disk.path, 'served.db'));

    expect(refused).toHaveLength(50);
    for (const { status, body } of refused) {
      expect(status).toBe(503);
      expect(body.error).toMatchObject({ code: 503, reason: 'unavailable' });
      expect(body.error.message).toContain('disk');
    }
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(after.map(({ status }) => status)).toEqual([201, 201]);
    // What was refused is not there, or a client that sends it again would make it twice.
    expect(during).toBe(acknowledged - 2);
    expect(counted).toBe(acknowledged);
    expect(service.log()).toBe('');
    expect(check.exitCode).toBe(0);
  },
);

test('on a full disk the settings stay as they were', { tags: 'mount' }, async ({ home }) => {
  const disk = smallDisk(1);
  const env = { DOCSCTL_CONFIG_DIR: join(disk.path, 'config') };
  const many = Array.from({ length: 40 }, (_, index) => `p${index}-${'x'.repeat(50)}`);
  await home.docsctl('profiles', 'create', 'a', '--url', 'a.example', { env });
  const file = join(disk.path, 'config', 'config.json');
  // So long that the new text does not fit where the old one lies.
  const before = `${JSON.stringify({ current: many[0], profiles: Object.fromEntries(many.map((name) => [name, { url: `https://${name}.example` }])) })}\n`;
  await writeFile(file, before);
  disk.fill();

  const run = await home.docsctl('profiles', 'create', 'b', '--url', 'b.example', { env });

  expect(run.exitCode).toBe(1);
  expect(run.stderr).toMatch(/^error: .*cannot be written: the disk is full\.\nhint: .*free space.*\n$/);
  expect(await readFile(file, 'utf8')).toBe(before);
  expect((await readdir(join(disk.path, 'config'))).toSorted()).toEqual(['.lock', 'config.json', 'credentials.json']);
  disk.makeRoom();
  expect((await home.docsctl('profiles', 'create', 'b', '--url', 'b.example', { env })).exitCode).toBe(0);
});

test(
  'on a full disk no command leaves a partial file, and existing files stay',
  { tags: 'mount', timeout: 60_000 },
  async ({ demo }) => {
    const disk = smallDisk(4);
    const pathOnDisk = (name: string) => join(disk.path, name);
    await writeFile(pathOnDisk('spec.json'), 'old');
    await writeFile(pathOnDisk('list.har'), 'old');
    await mkdir(pathOnDisk('docs'));
    await writeFile(pathOnDisk('docs/welcome.md'), 'old\n');
    disk.fill();
    const before = (await readdir(disk.path, { recursive: true })).toSorted();

    for (const [words, file] of [
      [['openapi', 'download', 'pumps', '--out', pathOnDisk('spec.json')], 'spec.json'],
      [['content', 'pull', pathOnDisk('docs'), '--space', 'handbook0001', '--overwrite'], join('docs', 'welcome.md')],
      [['serve', 'backup', pathOnDisk('copy.db')], 'copy.db'],
      [['members', 'list', '--limit', '1', '-o', 'id', '--debug=har', pathOnDisk('list.har')], 'list.har'],
    ] as const) {
      const run = await demo.docsctl(...words);
      expect(run.stderr, words.join(' ')).toMatch(/error: .*cannot be written: .*(?:full|no space).*\nhint: .+\n$/);
      expect(run.stderr.split('error: ')[1]).toContain(file);
      expect(run.stderr).not.toMatch(/^ {4}at /m);
      expect(run.exitCode).toBe(1);
      expect((await readdir(disk.path, { recursive: true })).toSorted()).toEqual(before);
      if (existsSync(pathOnDisk(file))) expect((await readFile(pathOnDisk(file), 'utf8')).trim()).toBe('old');
    }
    disk.makeRoom();
    expect((await demo.docsctl('openapi', 'download', 'pumps', '--out', pathOnDisk('spec.json'))).exitCode).toBe(0);
    expect(JSON.parse(await readFile(pathOnDisk('spec.json'), 'utf8'))).toHaveProperty('openapi');
  },
);

test(
  'on a full disk a database can be neither created nor opened, and the error says so',
  { tags: 'mount' },
  async ({ demo }) => {
    const disk = smallDisk(8);
    const ours = join(disk.path, 'ours.db');
    await writeFile(ours, await readFile(join(demo.dir, 'data', 'local.db')));
    const bytes = await readFile(ours);
    disk.fill();

    const made = await demo.docsctl('init', '--db', join(disk.path, 'new.db'));
    const opened = await demo.docsctl('spaces', 'create', '--title', 'New', '--url', `embedded:${ours}`);

    for (const run of [made, opened]) {
      expect(run.exitCode).toBe(1);
      expect(run.stderr).toMatch(/^error: The database .*\.db cannot be used: .*\nhint: Free space on its disk.*\n$/);
    }
    expect((await readFile(ours)).equals(bytes)).toBe(true);
    disk.makeRoom();
    expect((await demo.docsctl('init', '--db', join(disk.path, 'new.db'))).exitCode).toBe(0);
    expect((await demo.docsctl('spaces', 'create', '--title', 'New', '--url', `embedded:${ours}`)).exitCode).toBe(0);
  },
);

test('a token that does not fit on the disk is not stored in part', { tags: 'mount' }, async ({ home }) => {
  const disk = smallDisk(1);
  const service = await serve(home);
  const folder = join(disk.path, 'config');
  const homeOnDisk = { ...home, docsctl: (...words: any[]) => home.docsctl(...inFolder(words, folder)) };
  await login(homeOnDisk, service, '--profile', 'a');
  const before = await readFile(join(folder, 'credentials.json'));
  disk.fill();

  const run = await login(homeOnDisk, service, '--profile', 'b');
  await service.stop();

  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain('cannot be written');
  expect(run.stderr).not.toContain(service.token);
  expect((await readFile(join(folder, 'credentials.json'))).equals(before)).toBe(true);
});

function inFolder(words: any[], folder: string) {
  const options = words.pop();
  return [...words, { ...options, env: { ...options.env, DOCSCTL_CONFIG_DIR: folder } }];
}

test(
  'a read-only folder is named in the error, and settings can still be read',
  { tags: 'mount' },
  async ({ demo }) => {
    const disk = smallDisk(8);
    const ours = join(disk.path, 'ours.db');
    await writeFile(ours, await readFile(join(demo.dir, 'data', 'local.db')));
    await mkdir(join(disk.path, 'config'));
    await writeFile(join(disk.path, 'config', 'config.json'), await readFile(join(demo.dir, 'config', 'config.json')));
    disk.makeReadOnly();
    const env = { DOCSCTL_CONFIG_DIR: join(disk.path, 'config'), DOCSCTL_CACHE_DIR: join(disk.path, 'cache') };

    expect(await demo.docsctl('whoami', '-o', 'id', { env })).toMatchObject({ exitCode: 0, stderr: '' });
    for (const [words, message] of [
      [['config', 'set', 'org', 'Lumen Docs'], /The settings in .* cannot be written: .*read-only/],
      [
        ['members', 'list', '--url', `embedded:${ours}`],
        /The database .* cannot be used: .*\nhint: Its folder must be/,
      ],
      [['serve', '--port', '0', '--db', join(disk.path, 'new.db')], /The database .* cannot be opened: .*read-only/],
      [['openapi', 'download', 'pumps', '--out', join(disk.path, 'x.json')], /x\.json cannot be written: .*read-only/],
      [['content', 'pull', join(disk.path, 'docs'), '--space', 'handbook0001'], /docs cannot be written: /],
      [['serve', 'backup', join(disk.path, 'copy.db')], /copy\.db cannot be written: /],
    ] as const) {
      const run = await demo.docsctl(...words, { env });
      expect(run.stderr).toMatch(message);
      expect(run.stderr).toMatch(/error: .+\nhint: .+\n$/);
      expect(run.exitCode).toBe(1);
    }
  },
);
