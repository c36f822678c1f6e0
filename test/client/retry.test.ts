import { expect, test } from 'vitest';
import { HttpError } from '../../src/client/errors/http-error.ts';
import { NetworkError } from '../../src/client/errors/network-error.ts';
import { TimedOut } from '../../src/client/errors/timed-out.ts';
import type { Client } from '../../src/client/client.ts';
import type { Wait } from '../../src/client/retry.ts';
import { errorOf, fakeClock, scripted, things } from './support.ts';

const refused = () => new NetworkError('No answer: connection refused.', { code: 'ECONNREFUSED', refused: true });
const reset = () => new NetworkError('No answer: the connection was closed.', { code: 'ECONNRESET' });
const silent = () => new TimedOut('answer', 30_000, 'http://service');
const title = { title: 'Pump' };

const calls: Record<string, (client: Client) => Promise<unknown>> = {
  GET: (client) => client.call(things.get, { params: { thing: '1' } }),
  DELETE: (client) => client.call(things.remove, { params: { thing: '1' } }),
  'repeatable PUT': (client) => client.call(things.set, { params: { thing: '1' }, body: title }),
  POST: (client) => client.call(things.create, { body: title }),
  PATCH: (client) => client.call(things.edit, { params: { thing: '1' }, body: title }),
  'other PUT': (client) => client.call(things.put, { body: title }),
  'raw GET': (client) => client.request('GET', '/v1/things/1'),
  'raw PUT': (client) => client.request('PUT', '/v1/things/1', { body: title }),
};
const repeatable = ['GET', 'DELETE', 'repeatable PUT', 'raw GET'];
const once = ['POST', 'PATCH', 'other PUT', 'raw PUT'];

test.for([
  ...[...repeatable, ...once].flatMap((call) => [
    [call, 'a refused connection', refused, 4],
    [call, '429', () => ({ status: 429 }), 4],
    [call, '503', () => ({ status: 503 }), 4],
    [call, '404', () => ({ status: 404 }), 1],
    [call, '501', () => ({ status: 501 }), 1],
  ]),
  ...repeatable.flatMap((call) => [
    [call, 'a reset', reset, 4],
    [call, '500', () => ({ status: 500 }), 4],
    [call, '408', () => ({ status: 408 }), 4],
    [call, '504', () => ({ status: 504 }), 4],
  ]),
  ...once.flatMap((call) => [
    [call, 'a reset', reset, 1],
    [call, 'silence', silent, 1],
    [call, '500', () => ({ status: 500 }), 1],
    [call, '502', () => ({ status: 502 }), 1],
  ]),
] as [string, string, () => Error | { status: number }, number][])(
  '%s after %s is sent %3$d times at most',
  async ([call, , failure, attempts]) => {
    const { client, requests } = scripted([failure]);
    await errorOf(calls[call]!(client));
    expect(requests).toHaveLength(attempts);
  },
);

test('a certificate that is not trusted is not tried again', async () => {
  const { client, requests } = scripted([new NetworkError('not trusted', { lasting: true })]);
  await errorOf(calls.GET!(client));
  expect(requests).toHaveLength(1);
});

test.for([0, 0.25, 0.9])('waits are jittered over a range that doubles up to 20 s (chance %d)', async (random) => {
  const clock = fakeClock({ random });
  const waits: Wait[] = [];
  const { client } = scripted([{ status: 500 }], { retries: 5, onWait: (wait) => waits.push(wait), clock });
  await errorOf(calls.GET!(client));
  const expected = [1000, 2000, 4000, 8000, 16_000].map((range) => range * random);
  expect(clock.sleeps).toEqual(expected);
  expect(waits.map(({ ms, attempt }) => [ms, attempt])).toEqual(expected.map((ms, index) => [ms, index + 1]));
});

test('the range of a wait ends at 20 s', async () => {
  const clock = fakeClock({ random: 0.5 });
  const { client } = scripted([{ status: 500 }], { retries: 7, clock });
  await errorOf(calls.GET!(client));
  expect(clock.sleeps).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
});

test('the message gives the reason for waiting', async () => {
  const waits: Wait[] = [];
  const { client } = scripted([{ status: 429 }, { status: 503 }, refused(), { body: { id: '1' } }], {
    onWait: (wait) => waits.push(wait),
  });
  await calls.GET!(client);
  expect(waits).toEqual([
    { reason: 'The service limits the rate (429)', ms: 500, attempt: 1 },
    { reason: 'The service answered 503', ms: 1000, attempt: 2 },
    { reason: 'No answer: connection refused', ms: 2000, attempt: 3 },
  ]);
});

test('Retry-After in seconds and as a date is kept to the second', async () => {
  const { client, clock } = scripted([
    { status: 429, headers: { 'retry-after': '7' } },
    {
      status: 503,
      headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:12 GMT', date: 'Wed, 21 Oct 2015 07:28:00 GMT' },
    },
    { status: 503, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:21 GMT' } },
    { body: { id: '1' } },
  ]);
  await calls.GET!(client);
  expect(clock.sleeps).toEqual([7000, 12_000, 2000]);
});

test('a Retry-After that is over or cannot be read leaves the usual wait', async () => {
  const { client, clock } = scripted([
    { status: 503, headers: { 'retry-after': '0' } },
    { status: 503, headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' } },
    { status: 503, headers: { 'retry-after': 'soon' } },
    { body: { id: '1' } },
  ]);
  await calls.GET!(client);
  expect(clock.sleeps).toEqual([500, 1000, 2000]);
});

test('a Retry-After of 60 s is waited for; a longer one ends the request at once with an error', async () => {
  const patient = scripted([{ status: 429, headers: { 'retry-after': '60' } }, { body: { id: '1' } }]);
  await calls.GET!(patient.client);
  expect(patient.clock.sleeps).toEqual([60_000]);

  const { client, clock, requests } = scripted([{ status: 429, headers: { 'retry-after': '61' } }]);
  const error = await errorOf<HttpError>(calls.GET!(client));
  expect(error.hint).toContain('61 s');
  expect(requests).toHaveLength(1);
  expect(clock.sleeps).toEqual([]);
});

test.for([
  ['refuses connections', 0, refused],
  ['makes no connection', 10_000, () => new TimedOut('connection', 10_000, 'http://service')],
  ['is silent', 30_000, silent],
  ['answers 503', 5, () => ({ status: 503, headers: { 'retry-after': '30' } })],
  ['limits the rate for ever', 5, () => ({ status: 429, headers: { 'retry-after': '20' } })],
  ['hides behind a gateway', 15_000, () => ({ status: 504 })],
] as const)('a thousand calls of a service that %s end within a minute', async ([, ms, failure]) => {
  const { client, clock, requests } = scripted([
    (request) => {
      // What the transport would do: fail after its time, or after the shorter one it was given.
      clock.pass(Math.min(ms, request.timeoutMs!));
      return failure();
    },
  ]);
  const started = clock.now();
  for (let i = 0; i < 1000; i++) await errorOf(calls.GET!(client));
  expect(clock.now() - started).toBeLessThanOrEqual(60_000);
  expect(requests.length).toBeGreaterThan(1);
});

test.for(['20', '58', '60'])('calls that wait %s s side by side use the budget once', async (seconds) => {
  let now = 0;
  const failed = new Set<string>();
  const { client } = scripted(
    [
      ({ path }) => {
        if (failed.has(path)) return { body: { id: '1' } };
        failed.add(path);
        now += 5;
        return { status: 429, headers: { 'retry-after': seconds } };
      },
    ],
    {
      clock: {
        now: () => now,
        random: () => 0.5,
        async sleep(ms) {
          const until = now + ms;
          await new Promise(setImmediate);
          now = Math.max(now, until);
        },
      },
    },
  );
  const all = Array.from({ length: 8 }, (_, i) => client.call(things.get, { params: { thing: `${i}` } }));
  await expect(Promise.all(all)).resolves.toHaveLength(8);
});

test('a long run against a service that limits the rate is not ended by its budget', async () => {
  let count = 0;
  const { client, clock } = scripted([
    () => (++count % 21 === 0 ? { status: 429, headers: { 'retry-after': '20' } } : { body: { id: '1' } }),
  ]);
  for (let i = 0; i < 400; i++) await calls.GET!(client);
  expect(clock.sleeps.length).toBeGreaterThan(10);
});

test('a service that failed is called again after a minute', async () => {
  const answers = [silent, silent, () => ({ body: { id: '1' } })];
  const { client, clock, requests } = scripted([
    ({ timeoutMs }) => {
      const answer = answers[Math.min(requests.length, 3) - 1]!();
      if (answer instanceof Error) clock.pass(timeoutMs!);
      return answer;
    },
  ]);
  await errorOf(calls.GET!(client));
  expect((await errorOf(calls.GET!(client))).message).toContain('no more requests are sent');
  expect(requests).toHaveLength(2);
  clock.pass(61_000);
  await expect(calls.GET!(client)).resolves.toEqual({ id: '1' });
});

test('a DELETE that was repeated because its result is unknown succeeds with 404', async () => {
  for (const unclear of [reset(), silent(), { status: 502 }]) {
    const { client } = scripted([unclear, { status: 404 }]);
    await expect(calls.DELETE!(client)).resolves.toBeUndefined();
  }
});

test('a DELETE that was certainly not carried out before fails with 404', async () => {
  for (const clear of [refused(), { status: 429 }, { status: 503 }]) {
    const { client } = scripted([clear, { status: 404 }]);
    await expect(calls.DELETE!(client)).rejects.toMatchObject({ name: 'HttpError', status: 404 });
  }
  const { client } = scripted([reset(), { status: 404 }]);
  await expect(calls.GET!(client)).rejects.toMatchObject({ status: 404 });
});

test('the error of a write without a response says that its result is unknown', async () => {
  for (const failure of [reset(), silent()]) {
    const error = await errorOf<NetworkError>(calls.POST!(scripted([failure]).client));
    expect(error.hint).toContain('may have carried the request out');
  }
  for (const failure of [refused(), new TimedOut('connection', 1000, 'http://service')]) {
    const error = await errorOf<NetworkError>(calls.POST!(scripted([failure]).client));
    expect(error.hint ?? '').not.toContain('may have carried the request out');
  }
});

test('the last failure is the error, with the number of attempts', async () => {
  const { client } = scripted([reset(), refused()]);
  await expect(calls.GET!(client)).rejects.toThrow('connection refused. Tried 4 times.');
});

test('fewer retries can be asked for', async () => {
  const { client, requests } = scripted([{ status: 503 }], { retries: 0 });
  await errorOf(calls.GET!(client));
  expect(requests).toHaveLength(1);
});

test('an abort ends the waiting with its reason', async () => {
  const stop = new AbortController();
  const { client, requests } = scripted([{ status: 503 }], {
    signal: stop.signal,
    onWait: () => stop.abort(new Error('interrupted')),
    clock: undefined,
  });
  await expect(calls.GET!(client)).rejects.toThrow('interrupted');
  expect(requests).toHaveLength(1);
});
