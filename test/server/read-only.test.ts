import { expect, test } from 'vitest';
import { pathWith } from '../../src/contract/endpoint.ts';
import { fieldOf } from '../../src/contract/fields.ts';
import { allEndpoints } from '../../src/server/http/openapi-document.ts';
import { testInstance } from '../support/instance.ts';
import { buildWorld } from '../support/world.ts';

/** Another value of the same kind. */
function another(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('20') ? '1999-01-01T00:00:00.000Z' : 'evil00000001';
  if (typeof value === 'number') return value + 999;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [];
  return { id: 'evil00000001' };
}

/** Members that no body has, but a table might. */
const columns = {
  id: 'evil00000001',
  object: 'evil',
  organization: 'evil00000001',
  createdAt: '1999-01-01T00:00:00.000Z',
  created_at: '1999-01-01T00:00:00.000Z',
  deletedAt: '1999-01-01T00:00:00.000Z',
  deleted_at: '1999-01-01T00:00:00.000Z',
  user: 'evil00000001',
  author: 'evil00000001',
  number: 999,
  permissions: { admin: true },
};

test('members that the description does not allow in an edit are not changed', async () => {
  const service = await testInstance();
  const { call, org } = service;
  const world = await buildWorld(service, call, org, 'lumen');
  const endpoints = await allEndpoints();
  const tried: string[] = [];
  for (const endpoint of endpoints) {
    if (endpoint.method !== 'PATCH' || !endpoint.body) continue;
    const path = pathWith(endpoint.path, world as unknown as Record<string, string>);
    const view = endpoints.some((other) => other.method === 'GET' && other.path === endpoint.path);
    if (!view) continue;
    const before = (await call('GET', path)).body;
    const settable = fieldOf(endpoint.body()).members ?? {};
    const foreign = Object.fromEntries(
      Object.entries({ ...columns, ...before }).flatMap(([name, value]) =>
        Object.hasOwn(settable, name) ? [] : [[name, name in before ? another(value) : value]],
      ),
    );
    const edited = await call('PATCH', path, foreign);
    const { updatedAt: _, ...after } = (await call('GET', path)).body ?? {};
    const { updatedAt: __, ...unchanged } = before;

    expect([endpoint.name, edited.status < 500, after]).toEqual([endpoint.name, true, unchanged]);
    if (edited.status < 300) tried.push(endpoint.name);
  }
  expect(tried.length).toBeGreaterThan(8);
});

test('a new object has the id, the times and the owner that the service sets', async () => {
  const service = await testInstance();
  const { call, org, admin, clock } = service;
  const world = await buildWorld(service, call, org, 'lumen');
  const other = await service.otherOrg();
  const bodies: [path: string, body: object][] = [
    [`/v1/orgs/${org}/spaces`, { title: 'New' }],
    [`/v1/orgs/${org}/collections`, { title: 'New' }],
    [`/v1/orgs/${org}/sites`, { title: 'New' }],
    [`/v1/spaces/${world.spaceId}/change-requests`, { subject: 'New' }],
    [`/v1/spaces/${world.spaceId}/comments`, { body: { markdown: 'x' } }],
  ];
  const now = new Date(clock.now).toISOString();
  for (const [path, body] of bodies) {
    const made = await call('POST', path, { ...columns, organization: other.org, ...body });
    const text = JSON.stringify(made.body);

    expect([path, made.status < 300]).toEqual([path, true]);
    expect(text).not.toContain('evil');
    expect(text).not.toContain('1999-01-01');
    expect(text).not.toContain(other.org);
    expect(made.body.createdAt ?? made.body.postedAt ?? now).toBe(now);
    const owner = made.body.createdBy ?? made.body.postedBy ?? made.body.author;
    if (owner) expect(JSON.stringify(owner)).toContain(admin);
    expect((await call('GET', new URL(made.headers.location ?? made.body.urls.location).pathname)).status).toBe(200);
  }
});
