import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from '../support/in-process.ts';
import { served } from '../support/listening.ts';
import { runs } from '../support/long-form.ts';
import { listen } from '../support/service.ts';

const head = [
  'openapi: 3.0.3',
  'info: { title: Pets, version: "1", license: { name: MIT, url: https://a.test } }',
  'servers: [{ url: https://a.test }]',
  'security: []',
  'paths:\n',
].join('\n');
/** A description with these operations. */
const api = (...names: string[]) =>
  head +
  names
    .map(
      (name) =>
        `  /${name}:\n    get: { operationId: ${name}, summary: Get it, responses: { 200: { description: Fine }, 400: { description: No } } }\n`,
    )
    .join('');

interface Options {
  /** Whether it is a service that has no conditional requests. */
  isPlain?: boolean;
  /** Changes each ETag in responses, as proxies that compress do. */
  hasOtherTags?: boolean;
  /** What is called before the first request that publishes arrives. */
  interfere?: (publish: (text: string) => Promise<void>) => Promise<void>;
}

/** A service behind a proxy, through which somebody else can publish in between. */
async function raceService({ isPlain = false, hasOtherTags = false, interfere = async () => {} }: Options = {}) {
  const service = await served();
  const path = `${service.orgPath}/openapi/pets`;
  const state = async (): Promise<any> => (await service.call(path)).json();
  const publish = async (text: string) => {
    // The versions are sorted by time.
    service.clock.advance(1_000);
    const body = JSON.stringify({ source: { text } });
    await service.call(path, { method: 'PUT', body, headers: { 'content-type': 'application/json' } });
    await expect.poll(async () => (await state()).processingState).toBe('complete');
  };
  let hasInterfered = false;
  const url = await listen(async (request, response) => {
    const { method = '', url: target = '' } = request;
    if (/^(?:PUT|POST)$/.test(method) && !hasInterfered) {
      hasInterfered = true;
      await interfere(publish);
    }
    service.clock.advance(1_000);
    const { host: _, connection: __, ...headers } = request.headers;
    if (isPlain) delete headers['if-match'];
    const body = method === 'GET' ? undefined : await bodyOf(request);
    const answer = await fetch(service.url + target, { method, headers: headers as Record<string, string>, body });
    const text = await answer.text();
    const tag = answer.headers.get('etag');
    if (tag !== null && !isPlain) response.setHeader('etag', hasOtherTags ? tag.replace(/"$/, '-gzip"') : tag);
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(text);
  });
  const versions = async (): Promise<string[]> => {
    const { items } = (await (await service.call(`${path}/versions`)).json()) as any;
    const texts = items.map(async ({ id }: any) => {
      const { filesystem } = (await (await service.call(`${path}/versions/${id}/content`)).json()) as any;
      return Object.keys((Object.values(filesystem)[0] as any).paths).join(' ');
    });
    return Promise.all(texts);
  };
  return { url, token: service.token, org: service.org, publish, versions };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  return Buffer.concat(await request.toArray()) as Buffer<ArrayBuffer>;
}

describe.each([
  ['a service with conditional requests', false],
  ['a service without', true],
])('somebody else publishes after the comparison: %s', (_, isPlain) => {
  test('nothing is sent, and the result is that of another comparison', async ({ docsctl, home }) => {
    const service = await raceService({ isPlain, interfere: (publish) => publish(api('a', 'b')) });
    await service.publish(api('a'));
    await writeFile(join(home.dir, 'api.yaml'), api('a', 'c'));

    const run = await gated(docsctl, service);

    expect(run.exitCode, run.stderr).toBe(6);
    expect(run.stderr).toContain('(path-removed)');
    expect(run.stderr).toContain('somebody else');
    expect(run.stderr).toContain('api.yaml has 1 breaking change.');
    if (isPlain) {
      // Such a service reports it only afterwards; nothing is lost.
      expect(await service.versions()).toEqual(['/a /c', '/a /b', '/a']);
      expect(run.stderr).toContain('docsctl openapi download pets --version ');
    } else {
      expect(await service.versions()).toEqual(['/a /b', '/a']);
      expect(run.stderr).toContain('Nothing was sent.');
    }
  });

  test('--rebase publishes what does not break', async ({ docsctl, home }) => {
    const service = await raceService({ isPlain, interfere: (publish) => publish(api('a', 'b')) });
    await service.publish(api('a'));
    await writeFile(join(home.dir, 'api.yaml'), api('a', 'b', 'c'));

    const run = await gated(docsctl, service, '--rebase', '--wait');

    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json).toMatchObject({ result: 'updated', breaking: 'none' });
    expect(await service.versions()).toEqual(['/a /b /c', '/a /b', '/a']);
  });

  test('--rebase refuses what breaks', async ({ docsctl, home }) => {
    const service = await raceService({ isPlain, interfere: (publish) => publish(api('a', 'b')) });
    await service.publish(api('a'));
    await writeFile(join(home.dir, 'api.yaml'), api('a', 'c'));

    const run = await gated(docsctl, service, '--rebase');

    expect(run.exitCode, run.stderr).toBe(9);
    expect(run.stderr).toContain('api.yaml has 1 breaking change.');
  });

  test('the first publication of a slug does not replace another one', async ({ docsctl, home }) => {
    const service = await raceService({ isPlain, interfere: (publish) => publish(api('a', 'b')) });
    await writeFile(join(home.dir, 'api.yaml'), api('a'));

    const run = await gated(docsctl, service);

    expect(run.exitCode, run.stderr).toBe(6);
    expect(await service.versions()).toEqual(['/a /b']);
  });

  test('the same document is no conflict', async ({ docsctl, home }) => {
    const service = await raceService({ isPlain, interfere: (publish) => publish(api('a', 'b')) });
    await service.publish(api('a'));
    await writeFile(join(home.dir, 'api.yaml'), api('a', 'b'));

    const run = await gated(docsctl, service, '--wait');

    expect(run.exitCode, run.stderr).toBe(0);
    expect(await service.versions()).toEqual(['/a /b', '/a']);
  });
});

test('a proxy that changes ETags does not prevent publishing', async ({ docsctl, home }) => {
  const service = await raceService({ hasOtherTags: true });
  await service.publish(api('a'));
  await writeFile(join(home.dir, 'api.yaml'), api('a', 'b'));

  const run = await gated(docsctl, service);

  expect(run.exitCode, run.stderr).toBe(0);
  expect(await service.versions()).toEqual(['/a /b', '/a']);
});

test('--rebase needs the check that it repeats', async ({ docsctl, home }) => {
  await writeFile(join(home.dir, 'api.yaml'), api('a'));

  const run = await docsctl('openapi', 'publish', 'api.yaml', '--rebase');

  expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--rebase needs --fail-on breaking.') });
});

test('of two jobs at once, none publishes over the other one', async ({ docsctl, home }) => {
  const rounds = runs(3, 50);
  await writeFile(join(home.dir, 'first.yaml'), api('a'));
  await writeFile(join(home.dir, 'b.yaml'), api('a', 'b'));
  await writeFile(join(home.dir, 'c.yaml'), api('a', 'c'));

  for (let round = 0; round < rounds; round++) {
    const slug = `round-${round}`;
    await docsctl('openapi', 'publish', 'first.yaml', '--slug', slug, '--wait');
    const jobs = ['b.yaml', 'c.yaml'].map((file) =>
      home.spawn('openapi', 'publish', file, '--slug', slug, '--wait', '--fail-on', 'breaking'),
    );
    const statuses = (await Promise.all(jobs)).map(({ exitCode }) => exitCode);
    const versions = await docsctl('openapi', 'versions', 'list', slug, '-o', 'id');

    // Either is a breaking change of the other one.
    expect(statuses.filter((status) => status === 0)).toHaveLength(1);
    expect([6, 9]).toContain(statuses.find((status) => status !== 0));
    expect(versions.stdout.trim().split('\n')).toHaveLength(2);
  }
}, 300_000);

function gated(
  docsctl: (...words: any[]) => Promise<any>,
  { url, token, org }: { url: string; token: string; org: string },
  ...flags: string[]
) {
  const words = ['openapi', 'publish', 'api.yaml', '--slug', 'pets', '--fail-on', 'breaking', '--json'];
  return docsctl(...words, '--url', url, '--org', org, ...flags, { env: { DOCSCTL_TOKEN: token } });
}
