import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { allEndpoints } from '../../src/server/http/openapi-document.ts';
import { grantToken } from '../../src/server/organizations/bootstrap.ts';
import { listen } from '../../src/server/http/listen.ts';
import { newToken } from '../../src/server/engine/tokens.ts';
import { testInstance } from '../support/instance.ts';
import { buildWorld } from '../support/world.ts';

const spellings = ['.', '..', '%2e', '%2E%2e', '.%2E', 'x%2F..%2Fy', '%252e%252e'];

/** A service with one of everything, and how to send it a path as it stands: other clients resolve it themselves. */
async function served() {
  const service = await testInstance();
  const world: Record<string, string> = { ...(await buildWorld(service, service.call, service.org, 'lumen')) };
  const token = newToken();
  const now = new Date(service.clock.now).toISOString();
  await service.instance.store.write((db) => grantToken(db, { token, user: service.admin, label: 'test', now }));
  const listening = await listen(service.instance, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listening.stop());
  const { hostname, port } = new URL(listening.url);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = (method: string, path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode!));
      });
      sent.once('error', reject).end(method === 'GET' || method === 'DELETE' ? undefined : '{}');
    });
  return { ...service, world, send };
}

test('"." and ".." are not found as ids, at any endpoint and in any spelling', async () => {
  const { world, send } = await served();
  const answered: Record<string, string[]> = {};
  let tried = 0;
  for (const { method, path } of await allEndpoints()) {
    for (const [parameter] of path.matchAll(/\{\w+\}/g)) {
      const asked = path
        .replace(parameter, spellings[tried++ % spellings.length]!)
        .replace(/\{(\w+)\}/g, (_, other: string) => encodeURIComponent(world[other]!));
      (answered[await send(method, asked)] ??= []).push(`${method} ${asked}`);
    }
  }

  expect({ ...answered, 404: [] }).toEqual({ 404: [] });
  expect(tried).toBeGreaterThan(200);
});

test('a deletion with such an id deletes nothing above it', async () => {
  const { call, orgPath, world, send } = await served();
  const site = `${orgPath}/sites/${world.siteId}`;

  for (const spelling of spellings) {
    expect([spelling, await send('DELETE', `${site}/share-links/${spelling}`)]).toEqual([spelling, 404]);
  }
  expect((await call('GET', site)).status).toBe(200);
});
