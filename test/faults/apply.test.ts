import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { bin, serve, type Served } from '../support/cli.ts';
import { isLong, runs } from '../support/long-form.ts';
import fc from '../support/property.ts';
import { type DemoHome, runHere, serveHere, sharedDemo } from '../support/shell.ts';

/** What becomes of a request: its answer is lost with `drop`, and it never arrives with `refuse`. */
type Fate = 'pass' | 'refuse' | 'drop' | { status: number; retryAfter?: string };

interface Faulty {
  dir: string;
  run(...words: string[]): ReturnType<DemoHome['run']>;
  spawn(...words: string[]): ReturnType<typeof spawned>;
  env: Record<string, string>;
  /** How many requests that change something came. */
  writes: number;
  /** Is asked before a request is passed on, and once it was answered. */
  before(write: number | undefined, url: string): Fate | Promise<Fate>;
  after(write: number | undefined): void;
}

const { demo } = await sharedDemo();
/** The demo with an edited folder, the number of requests of its plan, and the export after it was applied. */
let edited: DemoHome;
let requests: number;
let stateSpace: string;
let expected: Record<string, string>;

beforeAll(async () => {
  edited = await demo.copy();
  expect((await edited.run(['export', 'o'])).exitCode).toBe(0);
  // Creates the shared state, whose space the faults leave alone: test/commands/organization/shared-state.test.ts is about it.
  expect((await edited.run(['apply', 'o', '--yes'])).exitCode).toBe(0);
  const { json } = await edited.run(['api', 'orgs/{org}/spaces', '--paginate']);
  stateSpace = json.find(({ title }: { title: string }) => title === 'docsctl state').id;
  await editAll(join(edited.dir, 'o'));
  const service = await faulty();
  expect((await service.run('apply', 'o', '--yes')).exitCode).toBe(0);
  requests = service.writes;
  expected = await exported(service);
});

async function editAll(folder: string): Promise<void> {
  const edit = async (path: string, change: (text: string) => string) =>
    writeFile(join(folder, path), change(await readFile(join(folder, path), 'utf8')));
  await edit('organization.yaml', (text) => text.replace('defaultSite: null', 'defaultSite: news'));
  await edit('members.csv', (text) =>
    text.replace('admin@localhost,', 'new@lumen.example,read,false,writers\nadmin@localhost,'),
  );
  await edit('teams/writers.yaml', (text) =>
    text.replace('title: Writers', 'title: Authors').replace('members:', 'members:\n  new@lumen.example: owner'),
  );
  await edit('collections.yaml', (text) =>
    text.replace('      - api-guides\n      - release-notes\n', '      - release-notes\n      - fresh\n'),
  );
  await edit('spaces/api-guides/space.yaml', (text) => text.replace('collection: products', 'collection: null'));
  await mkdir(join(folder, 'spaces', 'fresh'));
  await writeFile(
    join(folder, 'spaces', 'fresh', 'space.yaml'),
    'title: Fresh\nemoji: 🆕\ncollection: products\ndefaultLevel: edit\ncustomFields: {owner: Ada}\n',
  );
  await writeFile(
    join(folder, 'sites', 'news.yaml'),
    `title: News
structure:
  - group: G
    icon: null
    sections:
      - {section: one, title: One, spaces: [{space: fresh, path: b}, {space: handbook, path: c}]}
  - {section: two, spaces: [{space: handbook, path: d, default: true}]}
published: true
shareLinks: [{name: A, active: false}]
`,
  );
  await edit('sites/support-intranet.yaml', (text) =>
    text.replace(
      /^structure:.*\n(?:[ -].*\n)*/m,
      'structure: [{section: s, title: S2, default: true, spaces: [{space: handbook, path: h}]}, {section: t, title: T2, spaces: [{space: support-playbook, path: p}]}]\n',
    ),
  );
  await edit('translations.yaml', (text) =>
    text.replace('translations:', 'translations:\n  - title: New\n    languages: [de]'),
  );
  await edit('invite-links.yaml', (text) => text.replace('links:', 'links:\n  - space: fresh\n    level: comment'));
  await edit('spaces/handbook/content/glossary.md', (text) => `${text}\nA new line.\n`);
  await edit('spaces/handbook/content/SUMMARY.md', (text) => `${text}- [Added](added.md)\n`);
  await writeFile(join(folder, 'spaces', 'handbook', 'content', 'added.md'), '# Added\n\n![](assets/added.png)\n');
  await writeFile(join(folder, 'spaces', 'handbook', 'content', 'assets', 'added.png'), 'a picture');
  await mkdir(join(folder, 'spaces', 'fresh', 'content'));
  await writeFile(join(folder, 'spaces', 'fresh', 'content', 'README.md'), '# Fresh\n\n[Next](next.md)\n');
  await writeFile(join(folder, 'spaces', 'fresh', 'content', 'next.md'), '# Next\n');
}

const spawned = (cwd: string, env: Record<string, string>, words: string[]) =>
  execa(process.execPath, [bin, ...words], { cwd, env, extendEnv: false, reject: false, stdin: 'ignore' });

interface Service {
  env: Record<string, string>;
  /** Where it is now. */
  address(): string;
  stop(): Promise<unknown>;
}

async function serveInProcess({ database }: DemoHome): Promise<Service> {
  const { env, stop } = await serveHere(database);
  return { env, address: () => env.DOCSCTL_URL!, stop };
}

/** A copy of the edited folder and of its organization, served over HTTP behind something that does harm. */
async function faulty(start: (home: DemoHome) => Promise<Service> = serveInProcess): Promise<Faulty> {
  const home = await demo.copy();
  cpSync(join(edited.dir, 'o'), join(home.dir, 'o'), { recursive: true });
  await copyFile(edited.database, home.database);
  const service = await start(home);
  const proxy = createServer((request, response) => void forward(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const env = { ...home.env, ...service.env, DOCSCTL_URL: url };
  const self: Faulty = {
    dir: home.dir,
    run: (...words) => runHere({ dir: home.dir, env }, words),
    spawn: (...words) => spawned(home.dir, env, words),
    env: home.env,
    writes: 0,
    before: () => 'pass',
    after: () => {},
  };
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isUncounted = request.method === 'GET' || request.url!.includes(`/spaces/${stateSpace}`);
    const write = isUncounted ? undefined : self.writes++;
    const fate = await self.before(write, request.url!);
    if (fate === 'refuse') return void response.destroy();
    if (typeof fate === 'object') {
      response.writeHead(fate.status, { ...(fate.retryAfter !== undefined && { 'retry-after': fate.retryAfter }) });
      return void response.end('{}');
    }
    const answer = await fetch(new URL(request.url!, service.address()), {
      method: request.method!,
      headers: { authorization: request.headers.authorization!, 'content-type': 'application/json' },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    self.after(write);
    if (fate === 'drop') return void response.destroy();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
    response.end(body);
  }
  const stop = async () => {
    proxy.closeAllConnections();
    proxy.close();
    await service.stop();
    await home.remove();
  };
  stops.push(stop);
  return self;
}

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Runs the apply again without faults, and compares what there is then with what an undisturbed one leaves. */
async function expectFinished(
  service: Faulty,
  { isLeased = false, breaksLease = isLeased }: { isLeased?: boolean; breaksLease?: boolean } = {},
): Promise<void> {
  service.before = () => 'pass';
  service.after = () => {};
  if (isLeased) expect((await service.run('apply', 'o', '--yes')).stderr).toContain('--break-lease');
  const again = await service.run('apply', 'o', '--yes', ...(breaksLease ? ['--break-lease'] : []));
  expect(again.exitCode, again.stderr).toBe(0);
  expect((await service.run('plan', 'o', '--exit-code')).stderr).toContain('No changes');
  expect(await exported(service)).toEqual(expected);
  for (const space of ['Handbook', 'Fresh']) {
    for (const status of ['draft', 'open']) {
      const { json } = await service.run('cr', 'list', '--space', space, '--status', status, '-o', 'json');
      expect(json.filter(({ subject }: { subject: string }) => subject.startsWith('docsctl apply'))).toEqual([]);
    }
  }
}

async function exported(service: Faulty): Promise<Record<string, string>> {
  const { exitCode, stderr } = await service.run('export', 'after');
  expect(exitCode, stderr).toBe(0);
  return filesIn(join(service.dir, 'after'));
}

function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'docsctl.lock.json');
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join(parentPath, name).slice(folder.length),
      readFileSync(join(parentPath, name), 'utf8'),
    ]),
  );
}

test('an apply that is killed at any request, run again, ends in the same state', { timeout: 1_200_000 }, async () => {
  expect(requests).toBeGreaterThan(25);
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: requests - 1 }), fc.boolean(), async (at, isAnswered) => {
      const service = await faulty();
      const child = service.spawn('apply', 'o', '--yes');
      const kill = (write: number | undefined) => write === at && child.kill('SIGKILL');
      service.before = (write) => (!isAnswered && kill(write) ? 'refuse' : 'pass');
      if (isAnswered) service.after = kill;
      expect((await child).signal).toBe('SIGKILL');
      await expectFinished(service, { isLeased: true });
    }),
    { numRuns: runs(4, 40) },
  );
});

test(
  'an apply whose service is killed says what was made, and the next run finishes',
  { timeout: 600_000 },
  async () => {
    const few = [1, Math.floor(requests / 2), requests - 3];
    for (const at of isLong ? [...few, 5, 10, 15, 20, requests - 6, requests - 2, requests - 1] : few) {
      let running: Served | undefined;
      const service = await faulty(async (home) => {
        const { env, stop } = await serveHere(home.database);
        await stop();
        running = await serve(home, '--db', home.database);
        return { env, address: () => running?.url ?? '', stop: async () => running?.stop() };
      });
      const first = running!;
      service.before = (write) => {
        if (write === at) process.kill(first.pid, 'SIGKILL');
        return 'pass';
      };
      const run = await service.run('apply', 'o', '--yes', '-o', 'jsonl');
      await first.exited;
      expect([at, run.exitCode, run.stderr]).toEqual([at, 8, expect.stringContaining('again to continue.')]);
      expect(run.stdout).toContain('"result":"done"');
      expect(run.stdout).toContain('"result":"failed"');
      running = await serve({ dir: service.dir, env: service.env }, '--db', first.database);
      await expectFinished(service, { isLeased: true });
    }
  },
);

test('a first interrupt tells what was made, and a second one ends at once', async () => {
  for (const count of [1, 2]) {
    const service = await faulty();
    const child = service.spawn('apply', 'o', '--yes', '-o', 'jsonl');
    service.before = async (write) => {
      if (write !== 12) return 'pass';
      for (let sent = 0; sent < count; sent += 1) child.kill('SIGINT');
      // Interrupted, the command waits for no answer.
      await child;
      return 'refuse';
    };
    const { exitCode, stdout, stderr } = await child;
    expect(exitCode).toBe(130);
    if (count === 1) {
      expect(stdout).toContain('"result":"done"');
      expect(stdout).toContain('"result":"not done"');
      expect(stderr).toMatch(/\d+ of \d+ changes made, with \d+ requests\./);
    }
    await expectFinished(service, { breaksLease: count === 2 });
  }
});

test('an apply outlasts a service that limits the rate or fails now and then', async () => {
  const service = await faulty();
  let count = 0;
  service.before = (write) => {
    if (write === undefined || count++ % 5 > 0) return 'pass';
    return { status: count % 2 === 0 ? 429 : 503, retryAfter: '0' };
  };
  const run = await service.run('apply', 'o', '--yes');
  expect(run.exitCode, run.stderr).toBe(0);
  expect(count).toBeGreaterThan(requests);
  await expectFinished(service);
});

test.each([
  ['limits the rate for long', { status: 429, retryAfter: '3600' }],
  ['fails', { status: 500 }],
  ['is gone', 'refuse'],
  ['is gone before it answers', 'drop'],
] as const)('where the service %s, the rest is named and made by the next run', async (_, fate) => {
  const service = await faulty();
  service.before = (write) => (write !== undefined && write >= 9 ? fate : 'pass');
  const run = await service.run('apply', 'o', '--yes', '-o', 'jsonl');
  expect(run.exitCode, run.stderr).toBe(8);
  expect(run.stdout).toContain('"result":"done"');
  expect(run.stdout).toContain('"result":"failed"');
  expect(run.stdout).toContain('"result":"not done"');
  expect(run.stderr).toContain('again to continue.');
  await expectFinished(service);
});

test('with --keep-going, content that fails stops nothing but itself', async () => {
  const service = await faulty();
  const { json } = await service.run('spaces', 'list', '-o', 'json');
  const { id } = json.find(({ title }: { title: string }) => title === 'Handbook');
  service.before = (write, url) =>
    write !== undefined && url.includes(`/spaces/${id}/change-requests`) ? { status: 422 } : 'pass';

  const run = await service.run('apply', 'o', '--yes', '--keep-going', '-o', 'jsonl');

  expect(run.exitCode, run.stderr).toBe(8);
  const rows = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ kind, name, result }) => `${kind} ${name} ${result}`);
  expect(rows.filter((row) => !row.endsWith(' done'))).toEqual(['content handbook failed']);
  expect(rows).toContain('content fresh done');
  expect(run.stderr).toContain('1 of 11 changes was not made');
  await expectFinished(service);
});

test('with --keep-going, the content of a space that could not be made is told and not sent', async () => {
  const service = await faulty();
  service.before = (write, url) => (write !== undefined && url.endsWith('/spaces') ? { status: 422 } : 'pass');

  const run = await service.run('apply', 'o', '--yes', '--keep-going', '-o', 'jsonl');

  expect(run.exitCode, run.stderr).toBe(8);
  expect(run.stdout).toMatch(/"result":"failed".*"space".*"fresh"/);
  expect(run.stdout).toMatch(/"result":"not done".*"content","name":"fresh"/);
  expect(run.stdout).toMatch(/"result":"done".*"content".*"handbook"/);
  await expectFinished(service);
});

test('where nothing could be made, the status is that of the reason', async () => {
  const service = await faulty();
  service.before = (write) => (write === undefined ? 'pass' : 'refuse');
  const run = await service.run('apply', 'o', '--yes');
  expect(run.exitCode, run.stderr).toBe(7);
  service.before = () => 'refuse';
  expect((await service.run('plan', 'o')).exitCode).toBe(7);
});

test('an export that is killed does not take its files for changes of the user', async () => {
  const service = await faulty();
  // The first spaces are written, and the last one is never read.
  service.before = (_, url) => (/playbook0001\/revisions/.test(url) ? new Promise(() => {}) : 'pass');
  const child = service.spawn('export', 'killed');
  const page = join(service.dir, 'killed/spaces/handbook/content/welcome.md');
  await expect.poll(() => existsSync(page), { timeout: 60_000 }).toBe(true);
  child.kill('SIGKILL');
  await child;
  service.before = () => 'pass';
  expect(existsSync(join(service.dir, 'killed/docsctl.lock.json'))).toBe(false);
  await service.run('teams', 'edit', 'Design', '--title', 'Drawing');
  await service.run('content', 'pull', 'pulled', '--space', 'Handbook');
  await writeFile(join(service.dir, 'pulled/welcome.md'), '# Hello\n');
  const changed = await service.run('content', 'push', 'pulled', '--space', 'Handbook', '--merge');
  expect(changed.exitCode, changed.stderr).toBe(0);
  await writeFile(join(service.dir, 'killed/teams/platform.yaml'), 'title: Mine\n');

  const again = await service.run('export', 'killed');

  expect(again).toMatchObject({ exitCode: 6 });
  expect(again.stderr.match(/.* was changed in the folder and was not overwritten/g)).toEqual([
    'teams/platform.yaml was changed in the folder and was not overwritten',
  ]);
  expect(await readFile(page, 'utf8')).toContain('Hello');
  expect(await readFile(join(service.dir, 'killed/teams/design.yaml'), 'utf8')).toContain('Drawing');
  expect(existsSync(join(service.dir, 'killed/docsctl.lock.json.log'))).toBe(false);
});
