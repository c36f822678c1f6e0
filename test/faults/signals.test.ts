import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, vi } from 'vitest';
import { bin, type Home, serve, type Served, test } from '../support/cli.ts';
import { listen } from '../support/service.ts';
import { isLong } from '../support/long-form.ts';

const statuses = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof statuses;

/** What is promised is 2 s; the rest is for a machine that is busy with other tests. */
const withinMs = 2000 + 6000;
const pages = isLong ? 400 : 120;

interface Ended {
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
  tookMs: number;
}

/** Runs a command, and sends it a signal once `when` has come true. */
async function interrupt(
  home: Home,
  signal: Signal,
  words: string[],
  { when, env = {}, input }: { when(stdout: string): boolean; env?: Record<string, string>; input?: string },
): Promise<Ended> {
  const child = execa(process.execPath, [bin, ...words], {
    cwd: home.dir,
    env: { ...home.env, ...env },
    extendEnv: false,
    reject: false,
    ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
    stripFinalNewline: false,
  });
  let stdout = '';
  let isOver = false;
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  void child.finally(() => (isOver = true));
  await vi.waitUntil(() => isOver || when(stdout), { timeout: 120_000, interval: 5 });
  if (isOver) throw new Error(`It ended before its time: ${(await child).stderr}`);
  const start = performance.now();
  child.kill(signal);
  const { exitCode, stderr } = await child;
  return { exitCode, stdout, stderr, tookMs: performance.now() - start };
}

/** A service over the demo in which everything takes its time. */
async function serveSlowly(home: Home): Promise<Served & { env: Record<string, string> }> {
  const token = 'token-for-the-signals';
  const served = await serve(
    { ...home, env: { ...home.env, DOCSCTL_SERVE_TOKEN: token } },
    '--db',
    join(home.dir, 'data', 'local.db'),
    '--log',
    'json',
    '--fault',
    'latency=150ms',
  );
  return {
    ...served,
    env: { DOCSCTL_URL: served.url, DOCSCTL_TOKEN: token, DOCSCTL_ORG: served.organization },
  };
}

/** Whether a service takes no new connection. */
const isRefused = (url: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
      .on('connect', () => {
        socket.destroy();
        resolve(false);
      })
      .on('error', () => resolve(true));
  });

const answeredCount = ({ log }: Served, method: string) => log().split(`"method":"${method}"`).length - 1;

for (const [signal, status] of Object.entries(statuses) as [Signal, number][]) {
  if (isLong || signal === 'SIGINT')
    test(`${signal} ends a long list with ${status}, and what was printed is valid`, async ({ demo }) => {
      const service = await serveSlowly(demo);
      for (const format of isLong ? ['json', 'jsonl', 'csv', 'yaml', 'table'] : ['json']) {
        const words = ['members', 'list', '--page-size', '50', '-o', format];
        const run = await interrupt(demo, signal, words, {
          env: service.env,
          when: (stdout) => stdout.length > 20_000,
        });

        expect(run.exitCode).toBe(status);
        expect(run.stderr).toBe('');
        expect(run.tookMs).toBeLessThan(withinMs);
        if (format === 'json') expect(JSON.parse(run.stdout).length % 50).toBe(0);
        if (format === 'jsonl') for (const line of run.stdout.trimEnd().split('\n')) JSON.parse(line);
        expect(run.stdout.endsWith('\n')).toBe(true);
      }
      await service.stop();
    });

  if (isLong || signal === 'SIGTERM')
    test(`${signal} ends a list that waits for its first page or for another attempt with ${status}, and nothing is begun`, async ({
      home,
    }) => {
      let asked = 0;
      const url = await listen((request, response) => {
        asked++;
        // A page that never comes, or an answer that asks to wait for a minute.
        if (request.url!.includes('/teams')) response.writeHead(429, { 'retry-after': '50' }).end();
      });
      const env = { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token', DOCSCTL_ORG: 'Or1' };
      for (const words of [
        ['members', 'list', '-o', 'json'],
        ['teams', 'list', '-o', 'json'],
      ]) {
        asked = 0;
        const run = await interrupt(home, signal, words, { env, when: () => asked > 0 });

        expect(run).toMatchObject({ exitCode: status, stdout: '' });
        expect(run.tookMs).toBeLessThan(withinMs);
      }
    });

  if (isLong || signal === 'SIGINT')
    test(`${signal} ends a command over many ids with ${status}, and it says what was done`, async ({ demo }) => {
      const service = await serveSlowly(demo);
      const ids = (await demo.docsctl('members', 'list', '--role', 'read', '--limit', '60', '-o', 'id')).stdout;
      const before = (await demo.docsctl('members', 'list', '-o', 'id')).stdout.trimEnd().split('\n');

      const run = await interrupt(demo, signal, ['members', 'remove', '-', '--yes'], {
        env: service.env,
        input: ids,
        when: () => answeredCount(service, 'DELETE') >= 16,
      });
      await service.stop();
      const after = (await demo.docsctl('members', 'list', '-o', 'id')).stdout.trimEnd().split('\n');

      expect(run.exitCode).toBe(status);
      expect(run.tookMs).toBeLessThan(withinMs);
      const [, done, unknown = '0'] =
        /Interrupted: (\d+) of 60 done(?:; (\d+) sent, answer unknown)?; \d+ not tried/.exec(run.stderr)!;
      const removed = before.length - after.length;
      expect(removed).toBeGreaterThanOrEqual(Number(done));
      expect(removed).toBeLessThanOrEqual(Number(done) + Number(unknown));
    });

  if (isLong || signal === 'SIGTERM')
    test(`${signal} ends a push with ${status}; the request is whole, and a second push finishes it`, async ({
      demo,
    }) => {
      const docs = join(demo.dir, 'docs');
      await mkdir(docs);
      for (let index = 0; index < pages; index++)
        await writeFile(join(docs, `p${index}.md`), `# Page ${index}\n\nText ${index}.\n`);
      const space = (await demo.docsctl('spaces', 'create', '--title', 'Pushed', '-o', 'id')).stdout.trim();
      const service = await serveSlowly(demo);
      const push = ['content', 'push', docs, '--space', space, '--new', 'Pushed', '-o', 'json'];

      // The request is made, and pages are on their way into it.
      const run = await interrupt(demo, signal, push, {
        env: service.env,
        when: () => answeredCount(service, 'POST') >= (isLong ? 2 : 1),
      });
      await service.stop();
      const check = await demo.docsctl('serve', 'check');
      const again = await demo.docsctl(...push);
      await demo.docsctl('content', 'pull', join(demo.dir, 'pulled'), '--space', space, '--cr', '1');
      const third = await demo.docsctl(...push);

      expect(run).toMatchObject({ exitCode: status, stdout: '' });
      expect(run.tookMs).toBeLessThan(withinMs);
      expect(check.exitCode).toBe(0);
      expect(again.exitCode).toBe(0);
      expect(third.exitCode).toBe(0);
      const pagesIn = async (folder: string) =>
        (await readdir(folder)).filter((name) => !['SUMMARY.md', '.docsctl'].includes(name)).toSorted();
      const pulled = await pagesIn(join(demo.dir, 'pulled'));
      expect(pulled).toEqual(await pagesIn(docs));
      for (const name of pulled)
        expect(await readFile(join(demo.dir, 'pulled', name), 'utf8')).toBe(await readFile(join(docs, name), 'utf8'));
    });

  if (isLong || signal === 'SIGINT')
    test(`${signal} ends a pull with ${status}, and every file that is there is whole`, async ({ demo }) => {
      const [partly, wholly] = [join(demo.dir, 'partly'), join(demo.dir, 'wholly')];
      const service = await serveSlowly(demo);

      const run = await interrupt(demo, signal, ['content', 'pull', partly, '--space', 'handbook0001'], {
        env: service.env,
        when: () => answeredCount(service, 'GET') >= 3,
      });
      await service.stop();
      await demo.docsctl('content', 'pull', wholly, '--space', 'handbook0001');

      expect(run.exitCode).toBe(status);
      expect(run.tookMs).toBeLessThan(withinMs);
      const there = await readdir(partly, { recursive: true, withFileTypes: true }).catch(() => []);
      for (const file of there.filter((entry) => entry.isFile())) {
        const path = join(file.parentPath, file.name);
        expect(await readFile(path)).toEqual(await readFile(path.replace(partly, wholly)));
      }
    });

  if (isLong || signal === 'SIGTERM')
    test(`${signal} ends openapi publish --wait with ${status}`, async ({ home }) => {
      const file = join(home.dir, 'pets.yaml');
      await writeFile(file, 'openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: {}\n');
      const asked: string[] = [];
      const url = await listen((request, response) => {
        asked.push(request.method!);
        const isThere = request.method === 'PUT' || asked.includes('PUT');
        response.writeHead(isThere ? 200 : 404, { 'content-type': 'application/json' });
        const body = isThere
          ? { object: 'openapi-spec', id: 'Sp1', slug: 'pets', processingState: 'running' }
          : { error: { code: 404, message: 'No.', reason: 'not-found' } };
        request.resume().on('end', () => response.end(JSON.stringify(body)));
      });

      const words = ['openapi', 'publish', file, '--slug', 'pets', '--wait', '-o', 'json'];
      const run = await interrupt(home, signal, words, {
        env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token', DOCSCTL_ORG: 'Or1' },
        when: () => asked.lastIndexOf('GET') > asked.indexOf('PUT') && asked.includes('PUT'),
      });

      expect(run).toMatchObject({ exitCode: status, stdout: '' });
      expect(run.tookMs).toBeLessThan(withinMs);
      expect(asked.filter((method) => method === 'PUT')).toHaveLength(1);
    });

  test(`${signal} ends a service that is still filling its new file with 0`, async ({ home }) => {
    const file = join(home.dir, 'served.db');
    const words = ['serve', '--port', '0', '--db', file, '--seed', 'demo'];

    const run = await interrupt(home, signal, words, { when: () => existsSync(`${file}-wal`) });

    expect(run.exitCode).toBe(0);
    expect((await home.docsctl('serve', 'check', '--db', file)).exitCode).toBe(0);
  });

  test(`${signal} lets a service finish what is in flight, take nothing new, and end with 0`, async ({ demo }) => {
    const service = await serveSlowly(demo);
    // Its body is awaited: the request is in flight until the rest of the body comes.
    const inFlight = request(`${service.url}/v1/orgs/${service.organization}/spaces`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.env.DOCSCTL_TOKEN}`,
        'content-type': 'application/json',
        expect: '100-continue',
      },
    });
    const answered = once(inFlight, 'response') as Promise<[IncomingMessage]>;
    inFlight.flushHeaders();
    await once(inFlight, 'continue');
    process.kill(service.pid, signal);
    await expect.poll(() => isRefused(service.url)).toBe(true);
    inFlight.end('{"title":"In flight"}');
    const [{ statusCode }] = await answered;

    expect(statusCode).toBe(201);
    expect(await service.exited).toBe(0);
    expect((await demo.docsctl('spaces', 'list', '-o', 'json')).stdout).toContain('"In flight"');
  });
}
