import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext } from 'vitest';
import { bin, type Home, serve, type Served, test } from '../support/cli.ts';

const token = 'token-for-the-stopping';
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

/** What is promised is 5 s; the rest is for a machine that is busy with other tests. */
const withinMs = 5000 + 10_000;

/** Blocks the main thread when a space gets one of these titles, as a fault of ours would. */
const preload = `
import { DatabaseSync, StatementSync } from 'node:sqlite';
const endless = 'with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c';
const { run } = StatementSync.prototype;
StatementSync.prototype.run = function (...values) {
  if (values.includes('in a script')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (values.includes('in SQLite')) new DatabaseSync(':memory:').prepare(endless).get();
  return run.apply(this, values);
};
`;

type Context = Pick<TestContext, 'expect' | 'onTestFinished'>;

interface Started extends Served {
  makeSpace(title: string): Promise<Response>;
}

async function startService(home: Home, { onTestFinished }: Context, env: Record<string, string>): Promise<Started> {
  const service = await serve({ ...home, env: { ...home.env, ...env, DOCSCTL_SERVE_TOKEN: token } }, '--log', 'off');
  let isOver = false;
  void service.exited.then(() => (isOver = true));
  onTestFinished(() => void (isOver || process.kill(service.pid, 'SIGKILL')));
  return {
    ...service,
    makeSpace: (title) =>
      fetch(`${service.url}/v1/orgs/${service.organization}/spaces`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ title }),
      }),
  };
}

/** A service whose main thread is blocked by its first request. */
async function startBlocked(home: Home, context: Context, title: string): Promise<Started> {
  const file = join(home.dir, 'block.mjs');
  await writeFile(file, preload);
  const service = await startService(home, context, { NODE_OPTIONS: `--import=${file}` });
  service.makeSpace(title).catch(() => {});
  const isAnswering = () =>
    fetch(`${service.url}/healthz`, { signal: AbortSignal.timeout(1000) }).then(
      () => true,
      () => false,
    );
  await context.expect.poll(isAnswering, { interval: 100 }).toBe(false);
  return service;
}

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  return [await work, performance.now() - start];
}

for (const [signal, exitCode, where] of [
  ['SIGTERM', 143, 'in a script'],
  ['SIGINT', 130, 'in SQLite'],
] as const) {
  test.concurrent(`${signal} ends a service whose main thread is blocked ${where}, and what is cut off is said`, async ({
    home,
    expect,
    onTestFinished,
  }) => {
    const context = { expect, onTestFinished };
    const service = await startBlocked(home, context, where);

    process.kill(service.pid, signal);
    const [status, tookMs] = await timed(service.exited);

    expect(status).toBe(exitCode);
    expect(tookMs).toBeLessThan(withinMs);
    expect(service.log()).toContain(
      `"Ended by ${signal} before the service had stopped: 1 request was cut off. Work in the background`,
    );
  });
}

test.concurrent('a second signal ends a service at once, even if its main thread is blocked', async ({
  home,
  expect,
  onTestFinished,
}) => {
  const context = { expect, onTestFinished };
  const service = await startBlocked(home, context, 'in a script');

  process.kill(service.pid, 'SIGINT');
  process.kill(service.pid, 'SIGTERM');
  const [status, tookMs] = await timed(service.exited);

  // The system hands over in any order what has come meanwhile.
  expect([130, 143]).toContain(status);
  // Without the second signal it is 5 s.
  expect(tookMs).toBeLessThan(4500);
});

test.concurrent('a request that does not end is cut off, with a message and an exit status', async ({
  home,
  expect,
  onTestFinished,
}) => {
  const context = { expect, onTestFinished };
  const source = await silentServer(context);
  const service = await startService(home, context, { DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS: '1' });
  const { id } = (await (await service.makeSpace('Imported')).json()) as { id: string };
  const imported = fetch(`${service.url}/v1/spaces/${id}/content/import`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ source: 'markdown', url: `${source.url}/page.md` }),
  }).catch(() => 'cut off');
  await source.asked;

  process.kill(service.pid, 'SIGTERM');
  const [status, tookMs] = await timed(service.exited);
  const check = await home.docsctl('serve', 'check', '--db', join(home.dir, 'served.db'));

  expect(await imported).toBe('cut off');
  expect(status).toBe(143);
  expect(tookMs).toBeLessThan(withinMs);
  expect(service.log()).toContain('1 request was cut off');
  expect(check.exitCode).toBe(0);
});

test.concurrent('a log that nobody reads does not keep a service from stopping', async ({
  home,
  expect,
  onTestFinished,
}) => {
  const words = ['serve', '--port', '0', '--json', '--db', join(home.dir, 'log.db')];
  const child = spawn(process.execPath, [bin, ...words], { env: home.env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  // Some 1 MB, more than the pipe and both its ends hold.
  for (let index = 0; index < 150; index++)
    await fetch(`${url}/v1/${'x'.repeat(7000)}`, { signal: AbortSignal.timeout(2000) }).catch(() => {});

  child.kill('SIGTERM');
  const [ended, tookMs] = await timed(once(child, 'exit') as Promise<[number | null, string | null]>);

  expect(ended[0] === 0 || ended[1] === 'SIGTERM').toBe(true);
  expect(tookMs).toBeLessThan(withinMs);
});

/** A server that answers nothing. */
async function silentServer({ onTestFinished }: Context): Promise<{ url: string; asked: Promise<unknown> }> {
  const { createServer } = await import('node:http');
  const server = createServer();
  const asked = once(server, 'request');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address!.port : ''}`, asked };
}
