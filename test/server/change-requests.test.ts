import { describe, expect, test } from 'vitest';
import { contentSpace } from '../support/content-space.ts';

async function requests() {
  const made = await contentSpace();
  const requestsPath = `${made.path}/change-requests`;
  const create = async (body: object = {}, as = made.call) => (await as('POST', requestsPath, body)).body;
  const list = async (query = '') => (await made.call('GET', `${requestsPath}${query}`)).body;
  const numbers = async (query = '') => (await list(query)).items.map((item: any) => item.number);
  return { ...made, requestsPath, create, list, numbers };
}

test('a request starts as a draft on the revision of its space', async () => {
  const { call, requestsPath, path, admin, org, space } = await requests();
  const { revision } = (await call('GET', path)).body;

  const { status, body, headers } = await call('POST', requestsPath, { subject: 'Explain the pump' });

  expect(status).toBe(201);
  expect(body).toMatchObject({
    object: 'change-request',
    number: 1,
    status: 'draft',
    subject: 'Explain the pump',
    createdBy: { id: admin },
    createdAt: '2026-03-01T08:00:00.000Z',
    updatedAt: '2026-03-01T08:00:00.000Z',
    revisionInitial: revision,
    comments: 0,
    outdated: false,
    urls: {
      app: `http://localhost:4000/o/${org}/s/${space}/cr/1`,
      location: `http://localhost:4000/v1/spaces/${space}/change-requests/${body.id}`,
    },
  });
  expect(body.revision).not.toBe(revision);
  for (const member of ['revisionMerged', 'revisionMergedAncestor']) expect(body).not.toHaveProperty(member);
  expect(headers.location).toBe(body.urls.location);
});

test('numbers count up in the space, and can be used instead of the id', async () => {
  const { call, requestsPath, create, orgPath } = await requests();
  const [one, two] = [await create(), await create()];
  const elsewhere = (await call('POST', `${orgPath}/spaces`, {})).body.id;
  const other = (await call('POST', `/v1/spaces/${elsewhere}/change-requests`, {})).body;

  expect([one.number, two.number, other.number]).toEqual([1, 2, 1]);
  expect((await call('GET', `${requestsPath}/2`)).body).toEqual((await call('GET', `${requestsPath}/${two.id}`)).body);
  for (const id of ['3', '0', other.id, '-1', '1.0', 'x', '99999999999999999999']) {
    expect([id, (await call('GET', `${requestsPath}/${id}`)).status]).toEqual([id, 404]);
  }
});

test('a subject has at most 100 characters', async () => {
  const { call, requestsPath, create } = await requests();
  const longest = '🔧'.repeat(100);
  expect((await create({ subject: longest })).subject).toBe(longest);

  for (const [method, path] of [
    ['POST', requestsPath],
    ['PATCH', `${requestsPath}/1`],
  ] as const) {
    const { status, error } = await call(method, path, { subject: `${longest}x` });
    expect([status, error.details]).toMatchObject([400, [{ path: '/subject', rule: 'maxLength' }]]);
  }
});

describe('status', () => {
  test('moves between draft, open and archived in any way', async () => {
    const { call, requestsPath, create } = await requests();
    await create();
    for (const status of ['open', 'archived', 'draft', 'archived', 'open', 'draft', 'draft']) {
      expect((await call('PATCH', `${requestsPath}/1`, { status })).body.status).toBe(status);
    }
  });

  test('cannot be set to merged, and merged is final', async () => {
    const { call, requestsPath, create } = await requests();
    await create();
    const set = await call('PATCH', `${requestsPath}/1`, { status: 'merged' });
    expect([set.status, set.error.details]).toMatchObject([400, [{ path: '/status', rule: 'enum' }]]);
    await call('PATCH', `${requestsPath}/1`, { status: 'open' });
    await call('POST', `${requestsPath}/1/merge`);

    for (const status of ['draft', 'open', 'archived']) {
      const { status: code, error } = await call('PATCH', `${requestsPath}/1`, { status });
      expect([code, error.reason]).toEqual([409, 'invalid-state']);
      expect(error.message).toContain('merged');
    }
    expect((await call('PATCH', `${requestsPath}/1`, { subject: 'Still to be named' })).body.subject).toBe(
      'Still to be named',
    );
  });

  test('is counted by the space', async () => {
    const { call, requestsPath, path, create } = await requests();
    for (let i = 0; i < 4; i++) await create();
    await call('PATCH', `${requestsPath}/1`, { status: 'open' });
    await call('PATCH', `${requestsPath}/2`, { status: 'open' });
    await call('PATCH', `${requestsPath}/3`, { status: 'archived' });
    await call('POST', `${requestsPath}/2/merge`);

    expect((await call('GET', path)).body).toMatchObject({
      changeRequests: 4,
      changeRequestsOpen: 1,
      changeRequestsDraft: 1,
    });
  });
});

test('members that are not sent stay, and an empty change changes nothing', async () => {
  const { call, requestsPath, create, clock } = await requests();
  const made = await create({ subject: 'Pump' });
  clock.advance(1000);

  expect((await call('PATCH', `${requestsPath}/1`, {})).body).toEqual(made);
  const changed = (await call('PATCH', `${requestsPath}/1`, { status: 'open' })).body;
  expect(changed).toMatchObject({ subject: 'Pump', updatedAt: '2026-03-01T08:00:01.000Z', createdAt: made.createdAt });
});

test('a request is outdated while main content is newer than its base', async () => {
  const { call, requestsPath, create, insert } = await requests();
  await create();
  const outdated = async () => (await call('GET', `${requestsPath}/1`)).body.outdated;
  expect(await outdated()).toBe(false);
  await insert('Main');
  expect(await outdated()).toBe(true);
  await insert('Mine', {}, `${requestsPath}/1`);
  expect(await outdated()).toBe(true);
  await call('POST', `${requestsPath}/1/update`);
  expect(await outdated()).toBe(false);
});

describe('the list', () => {
  test('shows open requests, or those in one other state, newest first', async () => {
    const { call, requestsPath, create, numbers } = await requests();
    for (let i = 0; i < 6; i++) await create();
    for (const number of [1, 2, 5]) await call('PATCH', `${requestsPath}/${number}`, { status: 'open' });
    await call('PATCH', `${requestsPath}/3`, { status: 'archived' });
    await call('POST', `${requestsPath}/5/merge`);

    expect(await numbers()).toEqual([2, 1]);
    expect(await numbers('?status=draft')).toEqual([6, 4]);
    expect(await numbers('?status=archived')).toEqual([3]);
    expect(await numbers('?status=merged')).toEqual([5]);
    expect((await call('GET', `${requestsPath}?status=all`)).error.details).toMatchObject([
      { path: 'status', rule: 'enum' },
    ]);
  });

  test('of a contributor contains the requests that they created, changed or updated', async () => {
    const { requestsPath, as, user, create, numbers, insert, change } = await requests();
    const writer = await user({ role: 'edit' });
    const asWriter = as(writer);
    await create();
    await create({}, asWriter);
    await create();
    await create();
    await insert('Main');
    await change([{ operation: 'insert_page', document: {} }], `${requestsPath}/3`, asWriter);
    await asWriter('POST', `${requestsPath}/4/update`);

    expect(await numbers(`?status=draft&contributor=${writer}`)).toEqual([4, 3, 2]);
    expect(await numbers('?status=draft&contributor=nobody')).toEqual([]);
  });

  test('paging gives each request once, also when others are added', async () => {
    const { create, list } = await requests();
    for (let i = 0; i < 7; i++) await create();
    const seen: number[] = [];
    for (let next = '', turn = 0; ; turn++) {
      const body = await list(`?status=draft&limit=3${next}`);
      seen.push(...body.items.map((item: any) => item.number));
      if (turn === 0) await create();
      if (!body.next) break;
      next = `&page=${body.next.page}`;
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });
});

test('editors create and change requests; readers see them', async () => {
  const { call, requestsPath, as, user, create } = await requests();
  await create();
  const [commenter, editor, stranger] = [
    as(await user({ role: 'comment' })),
    as(await user({ role: 'edit' })),
    as(await user()),
  ];

  expect((await commenter('GET', requestsPath)).status).toBe(200);
  expect((await commenter('GET', `${requestsPath}/1`)).status).toBe(200);
  expect((await commenter('POST', requestsPath, {})).error.reason).toBe('forbidden');
  expect((await commenter('PATCH', `${requestsPath}/1`, { subject: 'No' })).error.reason).toBe('forbidden');
  expect((await editor('PATCH', `${requestsPath}/1`, { subject: 'Yes' })).body.subject).toBe('Yes');
  for (const path of [requestsPath, `${requestsPath}/1`]) expect((await stranger('GET', path)).status).toBe(404);
  expect((await call('PATCH', `${requestsPath}/2`, {})).status).toBe(404);
});
