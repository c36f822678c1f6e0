import { expect, onTestFinished } from 'vitest';
import { type Home, type Served, serve, test } from '../support/cli.ts';
import { newDatabase } from '../support/engine.ts';
import { isLong } from '../support/long-form.ts';
import { listen } from '../support/service.ts';

const token = 'token-for-three-processes';
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

/** Starts services of one new database of PostgreSQL. */
async function services(home: Home, count: number, more: Record<string, string> = {}) {
  const { address, drop } = await newDatabase({ isEmpty: true });
  onTestFinished(drop);
  const start = () => serve({ ...home, env: { ...home.env, DOCSCTL_SERVE_TOKEN: token, ...more } }, '--db', address);
  const running = await Promise.all(Array.from({ length: count }, start));
  onTestFinished(async () => {
    await Promise.all(running.map(({ stop }) => stop()));
  });
  return { running, start, address };
}

async function send(service: Served, method: string, path: string, body?: object) {
  const response = await fetch(service.url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json().catch(() => undefined)) as any };
}

test(
  'no acknowledged write is lost when one of three services is killed again and again',
  { timeout: 300_000 },
  async ({ home }) => {
    const { running, start, address } = await services(home, 3);
    const [first] = running;
    const space = (await send(first!, 'POST', `/v1/orgs/${first!.organization}/spaces`, {})).body.id;
    const numbers: number[] = [];
    const titles: string[] = [];
    const unexpected: unknown[] = [];
    let isOver = false;

    const write = async (writer: number) => {
      for (let round = 0; !isOver; round += 1) {
        const service = running[(writer + round) % running.length]!;
        const title = `P ${writer} ${round}`;
        try {
          const made = await send(service, 'POST', `/v1/spaces/${space}/change-requests`, {});
          if (made.status === 201) numbers.push(made.body.number);
          const changes = [{ operation: 'insert_page', title, document: { markdown: title } }];
          const changed = await send(service, 'POST', `/v1/spaces/${space}/content`, { changes });
          if (changed.status === 200) titles.push(title);
          for (const { status, body } of [made, changed]) if (status >= 500 && status !== 503) unexpected.push(body);
        } catch {
          // This service was killed.
        }
      }
    };
    const writers = Array.from({ length: 6 }, (_, writer) => write(writer));
    for (let round = 0; round < (isLong ? 12 : 3); round += 1) {
      const before = titles.length;
      await expect.poll(() => titles.length - before, { interval: 5 }).toBeGreaterThan(10 + round);
      const killed = round % 3;
      process.kill(running[killed]!.pid, 'SIGKILL');
      await running[killed]!.exited;
      running[killed] = await start();
    }
    isOver = true;
    await Promise.all(writers);

    const pages = (await send(running[0]!, 'GET', `/v1/spaces/${space}/content/pages`)).body.pages;
    const list = (await send(running[1]!, 'GET', `/v1/spaces/${space}/change-requests?limit=1000&status=draft`)).body;
    const kept = list.items.map((item: any) => item.number).toSorted((a: number, b: number) => a - b);
    const check = await home.docsctl('serve', 'check', '--db', address);
    expect(unexpected).toEqual([]);
    expect(pages.map((page: any) => page.title)).toEqual(expect.arrayContaining(titles));
    expect(kept).toEqual(Array.from({ length: list.count }, (_, index) => index + 1));
    expect(kept).toEqual(expect.arrayContaining(numbers));
    expect(check.stdout).not.toContain('failed');
    expect(check.exitCode).toBe(0);
  },
);

test('background work of a service that is killed is taken over by another', async ({ home }) => {
  let isBack = false;
  // A source that says nothing as long as the first service lives.
  const source = await listen((_, response) => {
    if (isBack) response.end('openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: {}\n');
  });
  const { running } = await services(home, 2, { DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS: '1' });
  const [first, second] = running;
  const path = `/v1/orgs/${first!.organization}/openapi/pets`;
  const state = async () => (await send(second!, 'GET', path)).body.processingState;

  await send(first!, 'PUT', path, { source: { url: `${source}/pets.yaml` } });
  await expect.poll(state).toBe('progress');
  process.kill(first!.pid, 'SIGKILL');
  isBack = true;

  await expect.poll(state, { timeout: 60_000, interval: 200 }).toBe('complete');
  expect((await send(second!, 'GET', `${path}/versions`)).body.count).toBe(1);
});
