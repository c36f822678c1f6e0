import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { maxLimit } from '../../src/contract/endpoint.ts';
import type { Page } from '../../src/client/pages.ts';
import type { UnexpectedResponse } from '../../src/client/errors/unexpected-response.ts';
import type { WireRequest } from '../../src/client/transport.ts';
import { bytesOf, errorOf, httpClient, queryOf, scripted, serve, things } from './support.ts';

/** A list of `total` items that obeys `page` and `limit`, as the service does. */
function listOf(total: number, largest = maxLimit) {
  return (request: WireRequest) => {
    const query = queryOf(request);
    const start = Number(query.get('page') ?? 0);
    const size = Math.min(Number(query.get('limit')), largest);
    const items = Array.from({ length: Math.max(0, Math.min(size, total - start)) }, (_, i) => ({
      id: `${start + i}`,
    }));
    const next = start + size < total ? { next: { page: `${start + size}` } } : {};
    return { body: { ...next, count: total, items } };
  };
}

async function collect<T, U = T>(source: AsyncIterable<T>, read?: (one: T) => U): Promise<U[]> {
  const all: U[] = [];
  for await (const one of source) all.push(read ? read(one) : (one as unknown as U));
  return all;
}

/** All that a raw page tells, read while it is there. */
const snapshot = ({ size, count, next, raw, items }: Page<unknown>) => ({
  size,
  count,
  next,
  raw: raw && Buffer.from(raw).toString(),
  items,
});

const ids = (total: number) => Array.from({ length: total }, (_, i) => ({ id: `${i}` }));

test.for([0, 1, 10, 11, 35])('all %i items come, page after page', async (total) => {
  const { client, requests } = scripted([listOf(total)]);
  await expect(collect(client.items(things.list, {}, { pageSize: 10 }))).resolves.toEqual(ids(total));
  expect(requests).toHaveLength(Math.max(1, Math.ceil(total / 10)));
});

test('each request asks for as many items as the service allows, with the same filters', async () => {
  const { client, requests } = scripted([listOf(2500)]);
  await collect(client.pages(things.list, { query: { filter: 'x' } as object }));
  expect(requests.map(({ path }) => path)).toEqual([
    '/v1/things?filter=x&limit=1000',
    '/v1/things?filter=x&page=1000&limit=1000',
    '/v1/things?filter=x&page=2000&limit=1000',
  ]);
});

test('a page has its size, the count of the list, the next token and the whole response', async () => {
  const { client } = scripted([{ body: { next: { page: 'b' }, count: 7, items: [{ id: '1' }], stats: { ok: 1 } } }]);
  const [page] = await collect(client.pages(things.list, {}, { limit: 1 }));
  expect(page).toMatchObject({ size: 1, count: 7, next: 'b', answer: { stats: { ok: 1 } } });
});

test('a limit asks for no more than it needs and stops there', async () => {
  const { client, requests } = scripted([listOf(1000)]);
  await expect(collect(client.items(things.list, {}, { pageSize: 10, limit: 25 }))).resolves.toEqual(ids(25));
  expect(requests.map((request) => queryOf(request).get('limit'))).toEqual(['10', '10', '5']);

  const exact = scripted([listOf(1000)]);
  await expect(collect(exact.client.items(things.list, {}, { pageSize: 10, limit: 20 }))).resolves.toHaveLength(20);
  expect(exact.requests).toHaveLength(2);

  const none = scripted([listOf(1000)]);
  await expect(collect(none.client.items(things.list, {}, { limit: 0 }))).resolves.toEqual([]);
  expect(none.requests).toHaveLength(0);
});

test.for([
  [false, undefined],
  [true, JSON.stringify(ids(4)).slice(1, -1)],
] as const)('a service that gives more than asked for is cut to the limit (raw %s)', async ([raw, text]) => {
  const { client } = scripted([{ body: { next: { page: 'b' }, count: 9, items: ids(9) } }]);
  // The next page would begin behind the items that were skipped, so that its token is not told.
  await expect(collect(client.pages(things.list, {}, { limit: 4, raw }), snapshot)).resolves.toEqual([
    { size: 4, count: 9, next: undefined, raw: text, items: ids(4) },
  ]);
});

test('a list is followed to the end where the service sends fewer items than requested', async () => {
  const { client } = scripted([listOf(35, 7)]);
  await expect(collect(client.items(things.list, {}, { limit: 30 }))).resolves.toEqual(ids(30));
});

test('a list can begin at a token', async () => {
  const { client, requests } = scripted([listOf(30)]);
  await expect(collect(client.items(things.list, {}, { pageSize: 10, page: '10' }))).resolves.toEqual(
    ids(30).slice(10),
  );
  expect(requests).toHaveLength(2);
});

test('the next page is requested when one is returned, and no page after it', async () => {
  const { client, requests } = scripted([listOf(100)]);
  const pages = client.pages(things.list, {}, { pageSize: 10 })[Symbol.asyncIterator]();
  expect(requests).toHaveLength(0);
  for (const pagesRead of [1, 2, 3]) {
    await pages.next();
    await new Promise(setImmediate);
    expect(requests).toHaveLength(pagesRead + 1);
  }
  await pages.return!();
});

test.for([
  ['the same page', ['a', 'a']],
  ['an earlier page', ['a', 'b', 'a']],
  ['the first page', ['a', '']],
] as [string, string[]][])(
  'a list that leads back to %s ends with an error after what came before',
  async ([, tokens]) => {
    const answers = tokens.map((page) => ({ body: { next: { page }, count: 9, items: [{ id: page }] } }));
    const { client, requests } = scripted(answers);
    const seen: unknown[] = [];
    const error = await errorOf<UnexpectedResponse>(
      (async () => {
        for await (const item of client.items(things.list, {})) seen.push(item);
      })(),
    );
    expect(error).toMatchObject({ name: 'UnexpectedResponse', endpoint: 'GET /v1/things', field: 'next.page' });
    expect(error.message).toContain('same page token twice');
    expect(seen).toHaveLength(tokens.length);
    expect(requests).toHaveLength(tokens.length);
  },
);

test('the token that a list begins at counts as seen', async () => {
  const { client, requests } = scripted([{ body: { next: { page: 'a' }, count: 9, items: [] } }]);
  await expect(collect(client.pages(things.list, {}, { page: 'a' }))).rejects.toThrow('same page token twice');
  expect(requests).toHaveLength(1);
});

test('a page that fails ends the list with its error, after the pages before it', async () => {
  const { client } = scripted([
    listOf(30),
    listOf(30),
    { status: 500, body: { error: { code: 500, message: 'Broken.' } } },
  ]);
  const seen: unknown[] = [];
  const walk = async () => {
    for await (const item of client.items(things.list, {}, { pageSize: 10 })) seen.push(item);
  };
  await expect(walk()).rejects.toMatchObject({ name: 'HttpError', status: 500, message: 'Broken.' });
  expect(seen).toEqual(ids(20));
});

test.for([
  [{ count: 1 }, 'items'],
  [{ count: 1, items: {} }, 'items'],
  [{ count: 1, items: [], next: {} }, 'next.page'],
  [{ count: 1, items: [], next: { page: 7 } }, 'next.page'],
])('the answer %j lacks %s', async ([body, field]) => {
  for (const raw of [false, true]) {
    const { client } = scripted([{ body }]);
    const error = await errorOf<UnexpectedResponse>(collect(client.pages(things.list, {}, { raw })));
    expect(error.message).toBe(`GET /v1/things answered without ${field as string}.`);
  }
});

test.for([false, true])('a list without a count, and with next null, is a list (raw %s)', async (raw) => {
  const { client } = scripted([{ body: { items: [{ id: '1' }], next: null } }]);
  const pages = await collect(client.pages(things.list, {}, { raw }));
  expect(pages.map(({ size, count, next }) => [size, count, next])).toEqual([[1, undefined, undefined]]);
});

test.for([
  ['no signal', undefined],
  ['a signal', new AbortController().signal],
] as const)(
  'leaving early cancels the page that was asked for ahead, without a trace (with %s)',
  async ([, signal]) => {
    const rejections: unknown[] = [];
    const note = (reason: unknown) => void rejections.push(reason);
    process.on('unhandledRejection', note);
    const cancelled: string[] = [];
    const { client } = scripted(
      [
        listOf(100),
        ({ signal, path }) =>
          new Promise((_, reject) => {
            signal!.addEventListener('abort', () => {
              cancelled.push(path);
              reject(signal!.reason);
            });
          }),
      ],
      { signal },
    );
    for await (const item of client.items(things.list, {}, { pageSize: 10 })) if (item.id === '3') break;
    expect(cancelled).toEqual(['/v1/things?page=10&limit=10']);

    const failing = scripted([listOf(100), { status: 500 }]);
    for await (const page of failing.client.pages(things.list, {}, { pageSize: 10 })) if (page.size === 10) break;
    // Node reports a rejection that nobody handles before the next turn of the event loop.
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    expect(rejections).toEqual([]);
  },
);

test('a signal ends the list with its reason', async () => {
  const stop = new AbortController();
  const { client } = scripted(
    [
      listOf(100),
      ({ signal }) => new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason))),
    ],
    { signal: stop.signal },
  );
  const walk = async () => {
    for await (const page of client.pages(things.list, {}, { pageSize: 10 }))
      if (page.size > 0) stop.abort(new Error('interrupted'));
  };
  await expect(walk()).rejects.toThrow('interrupted');
});

const hostile = [
  { id: '1', text: 'a "quoted" \\ back\\\\slash, ] } { [ and "items": [' },
  { id: '2', nested: { items: [[], {}, [[{ a: '}' }]]], next: { page: 'no' } }, empty: {}, none: null },
  { id: 'ü€😀', number: -1.5e-7, yes: true, no: false },
];

test.for([
  ['compact', JSON.stringify({ next: { page: 'b' }, count: 3, items: hostile })],
  [
    'in another order',
    JSON.stringify({ items: hostile, other: ['items', { next: 1 }], count: 3, next: { page: 'b' } }),
  ],
  ['indented', JSON.stringify({ count: 3, items: hostile, next: { page: 'b' } }, null, 2)],
  [
    'of an escaped key',
    JSON.stringify({ count: 3, items: hostile, next: { page: 'b' } }).replace('"items"', '"\\u0069tems"'),
  ],
])('raw items %s are those of the answer', async ([, text]) => {
  const { client } = scripted([{ body: text }]);
  const [page] = await collect(client.pages(things.list, {}, { raw: true, limit: 3 }), snapshot);
  expect(page).toMatchObject({ size: 3, count: 3, next: 'b', items: hostile });
  expect(JSON.parse(`[${page!.raw}]`)).toEqual(hostile);
});

test('raw items are byte for byte what the service sent', async () => {
  const items = '{"id":"\\u0041","n":1.0,"big":12345678901234567890} , {"id":"2"}';
  const { client } = scripted([{ body: `{"count":2,"items":[ ${items} ]}` }]);
  const [page] = await collect(client.pages(things.list, {}, { raw: true }), snapshot);
  expect(page!.raw).toBe(items);
});

test('reading a raw page after the next one is an error, never the bytes of another page', async () => {
  const { client } = scripted([listOf(20)]);
  const [page] = await collect(client.pages(things.list, {}, { raw: true, pageSize: 10 }));
  expect(page!.size).toBe(10);
  for (const read of [() => page!.raw, () => page!.items, () => page!.answer]) {
    expect(read).toThrow('until the next one is requested');
  }
});

test('pages that arrive over HTTP in many pieces stay separate, although they share memory', async () => {
  const bodies = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter, index) => {
    const items = Array.from({ length: 500 }, (_, i) => ({
      id: `${letter}${i}`,
      text: letter.repeat(100 * (index + 4)),
    }));
    return { items, text: JSON.stringify({ items, count: 3000, ...(index < 5 ? { next: { page: letter } } : {}) }) };
  });
  let sent = 0;
  await using service = await serve((_, response, nth) => {
    const { text } = bodies[nth - 1]!;
    response.on('finish', () => sent++);
    // Announced or not, the length makes no difference.
    if (nth % 2 === 0) response.setHeader('content-length', text.length);
    for (let offset = 0; offset < text.length; offset += 50_000) response.write(text.slice(offset, offset + 50_000));
    response.end();
  });
  await using client = httpClient(service.url);
  let index = 0;
  for await (const page of client.pages(things.list, {}, { raw: true })) {
    // The next page is on its way already, and must not be written over this one.
    await expect.poll(() => sent).toBeGreaterThanOrEqual(Math.min(index + 2, bodies.length));
    expect(`[${Buffer.from(page.raw!).toString()}]`).toBe(JSON.stringify(bodies[index]!.items));
    expect(page.items).toEqual(bodies[index]!.items);
    index++;
  }
  expect(index).toBe(6);
});

test.for([
  '',
  '{',
  '[]',
  '{"items":[',
  '{"items":[1',
  '{"items":[1,]',
  '{"items":[1,]}',
  '{"items":[,1]}',
  '{"items":[1 2]}',
  '{"items":[1],}',
  '{"items":[}',
  '{"items":[1]',
  '{"items":[1]} x',
  'null',
  '<html>',
])('raw or not, %j is no list', async (text) => {
  for (const raw of [false, true]) {
    const { client } = scripted([{ body: bytesOf(text) }]);
    await expect(collect(client.pages(things.list, {}, { raw }))).rejects.toMatchObject({ name: 'UnexpectedResponse' });
  }
});

test('reading a long list does not keep the earlier pages in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const pages: WeakRef<object>[] = [];
  const { client } = scripted([listOf(40)]);
  for await (const page of client.pages(things.list, {}, { pageSize: 1 })) {
    pages.push(new WeakRef(page));
    await new Promise(setImmediate);
  }
  await new Promise(setImmediate);
  collectGarbage();
  expect(pages).toHaveLength(40);
  expect(pages.filter((page) => page.deref()).length).toBeLessThanOrEqual(2);
});
