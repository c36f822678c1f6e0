import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test as plain } from 'vitest';
import { allEndpoints } from '../../src/server/http/openapi-document.ts';
import type { Home } from '../support/cli.ts';
import { test } from '../support/in-process.ts';
import { errorOf, httpClient, json, scripted, serve } from './support.ts';

const context = { DOCSCTL_TOKEN: 'a-token', DOCSCTL_ORG: 'lumen', DOCSCTL_SPACE: 'pumps', DOCSCTL_SITE: 'docs' };
const service = () => serve((_, response) => json(response, { id: 'x', items: [], count: 0 }));
const asked = (home: Home, url: string, words: string[], env = {}) =>
  home.docsctl(...words, { env: { ...context, DOCSCTL_URL: url, ...env } });

const spellings = ['.', '..', '%2e', '%2E%2E', '.%2e', '%252e%252E', 'a/../b', 'a\\..\\b', 'a%2F..', '.\t.'];

plain('no endpoint is asked with an id that proxies would resolve', async () => {
  const { client, requests } = scripted([{ body: { id: '1' } }]);
  const tried: string[] = [];
  for (const endpoint of await allEndpoints()) {
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    for (const [index, name] of names.entries()) {
      const spelling = spellings[(tried.length + index) % spellings.length]!;
      const params = { ...Object.fromEntries(names.map((each) => [each, 'fine'])), [name]: spelling };

      const failure = await errorOf(client.call(endpoint, { params } as never));

      expect(failure).toMatchObject({ name: 'InvalidPathParameter', reason: 'validation' });
      expect(failure.message).toBe(
        `${name}: "${spelling}" cannot be part of an address: proxies resolve "." and "..", so the request could reach another object.`,
      );
      tried.push(endpoint.name);
    }
  }
  expect(tried.length).toBeGreaterThan(200);
  expect(requests).toEqual([]);
});

plain.for(spellings)('the id %j is refused', async (thing) => {
  const { client, requests } = scripted([{ body: { id: '1' } }]);
  const view = (await allEndpoints()).find(({ path }) => path.endsWith('/{spaceId}'))!;
  await expect(client.call(view, { params: { spaceId: thing } } as never)).rejects.toThrow(
    'cannot be part of an address',
  );
  expect(requests).toEqual([]);
});

plain.for(['...', 'a..b', '..a', '.well-known', 'v1.2', '%2', 'ü', 'a b'])('the id %j is sent', async (spaceId) => {
  const { client, requests } = scripted([{ body: { id: '1' } }]);
  const view = (await allEndpoints()).find(({ path, method }) => method === 'GET' && path.endsWith('/{spaceId}'))!;
  await client.call(view, { params: { spaceId } } as never);
  expect(requests[0]!.path).toBe(`/v1/spaces/${encodeURIComponent(spaceId)}`);
});

plain('a path or an address with such a segment is refused before it is parsed', async () => {
  await using there = await service();
  await using client = httpClient(`${there.url}/base`);
  for (const path of ['/v1/../x', '/v1/%2e%2e/x', '/v1/.', '/v1/..?a=b', '/v1/a%2f../b', '/v1\\..\\x', '/v1/..#x'])
    for (const target of [path, `${there.url}/base${path}`, ` ${path} `])
      await expect(client.request('DELETE', target)).rejects.toThrow('cannot be part of an address');

  await client.request('GET', '/v1/user?path=/a/../b');
  expect(there.requests.map(({ url }) => url)).toEqual(['/base/v1/user?path=/a/../b']);
});

describe('a command that is given one', () => {
  test.for([
    ['<link>', 'sites share-links delete .. --yes'],
    ['<user>', 'members view .'],
    ['<user>', 'members remove mirela .. --yes'],
    ['<user>', 'teams members set writers .. --role owner'],
    ['<cr>', 'cr view ..'],
    ['<cr>', 'cr merge ..'],
    ['--cr', 'content view --cr ..'],
    ['<name>', 'fields view .'],
    ['<name>', 'fields delete region %2e%2E --yes'],
    ['<slug>', 'openapi view ..'],
    ['<slug>', 'openapi download ..'],
    ['<slug>', 'openapi delete .. --yes'],
    ['--version', 'openapi download pumps --version ..'],
    ['<page>', 'content pages view ..'],
    ['<space>', 'spaces view a/../b'],
    ['<id>', 'open site .. --print'],
    ['--org', 'sites list --org ..'],
    ['--org', 'sites list --org . --dry-run'],
    ['--space', 'fields values set a=b --space ..'],
    ['<path>', 'api DELETE orgs/lumen/sites/docs/share-links/..'],
    ['<path>', 'api user/%2e%2E/orgs'],
    ['<path>', 'api user/.%252E/orgs --dry-run'],
  ] as const)('names %s: %s', async ([name, line], { home }) => {
    await using there = await service();

    const run = await asked(home, there.url, line.split(' '));

    expect([run.exitCode, run.stdout, there.requests]).toEqual([2, '', []]);
    expect(run.stderr).toMatch(`error: ${name}: "`);
    expect(run.stderr).toContain('cannot be part of an address');
  });

  test('names the variable or the file that holds it', async ({ home }) => {
    await using there = await service();

    const fromVariable = await asked(home, there.url, ['spaces', 'list'], { DOCSCTL_ORG: '..' });
    await writeFile(join(home.dir, '.docsctl.yaml'), 'site: ..\n');
    const fromFile = await asked(home, there.url, ['sites', 'structure'], { DOCSCTL_SITE: '' });

    expect([fromVariable.exitCode, fromFile.exitCode, there.requests]).toEqual([2, 2, []]);
    expect(fromVariable.stderr).toContain('error: DOCSCTL_ORG: ".."');
    expect(fromFile.stderr).toContain(`error: ${join(home.dir, '.docsctl.yaml')}: ".."`);
  });

  test('publishes no description under it', async ({ home }) => {
    await using there = await service();
    const file = join(home.dir, 'spec.yaml');
    await writeFile(file, 'openapi: 3.1.0\ninfo: {title: Pumps, version: "1"}\npaths: {}\n');

    const published = await asked(home, there.url, ['openapi', 'publish', file, '--slug', '..']);

    expect([published.exitCode, there.requests]).toEqual([2, []]);
    expect(published.stderr).toContain('cannot be part of an address');
  });
});
