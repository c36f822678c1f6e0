import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pathWith } from '../../src/contract/endpoint.ts';
import { allEndpoints } from '../../src/server/http/openapi-document.ts';
import { HugeBodies } from '../support/huge-bodies.ts';
import { testInstance } from '../support/instance.ts';
import { isLong } from '../support/long-form.ts';
import { buildWorld } from '../support/world.ts';

const mebibyte = 1024 * 1024;

/** Processor time of this thread for the longest turn of its event loop while something is under way, in milliseconds. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  let longest = 0;
  let before = process.threadCpuUsage();
  const done = work().finally(() => (isDone = true));
  while (!isDone) {
    await setTimeout(1);
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
  }
  await done;
  return longest;
}

/** How long this machine takes to read a body of 10 MiB in one piece. Others may wait for a part of that only. */
async function timeToRead(): Promise<number> {
  const text = `[${Array.from({ length: (10 * mebibyte) / 3 }, () => '""').join()}]`;
  return longestTurn(async () => void JSON.parse(text));
}

test('whatever is huge in a body, others are answered meanwhile', { timeout: 1_200_000 }, async () => {
  const service = await testInstance();
  const world = await buildWorld(service, service.call, service.org, 'bodies');
  const bodies = new HugeBodies(world, { bytes: (isLong ? 4 : 1) * mebibyte, items: 20_000 });
  const limit = await timeToRead();
  const slow: string[] = [];
  const statuses = new Map<number, number>();

  for (const { name, method, path, body: schema } of await allEndpoints()) {
    if (!schema || method === 'GET') continue;
    const params: Record<string, string> = { ...world };
    if (path.includes('/change-requests/')) {
      Object.assign(params, { commentId: world.requestCommentId, commentReplyId: world.requestReplyId });
    }
    for (const { what, json } of bodies.of(schema())) {
      const request = {
        method,
        path: pathWith(path, params),
        query: new URLSearchParams(),
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(json),
        as: service.admin,
      };
      const took = await longestTurn(async () => {
        let { status } = await service.instance.handle(request);
        // A busy machine may say that it is busy. Then the request is sent again, as clients do.
        for (let retry = 0; status === 503 && retry < 3; retry += 1) {
          await setTimeout(1_000);
          ({ status } = await service.instance.handle(request));
        }
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      });
      if (took > limit) slow.push(`${name} ${what.slice(0, 100)}: ${Math.round(took)} ms`);
    }
  }

  expect(slow).toEqual([]);
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
});
