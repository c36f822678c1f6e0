import { expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { readBackClient } from '../../src/client/read-back.ts';
import { users } from '../../src/contract/users.ts';

test('all reads after a signal end at the same time, so that results are written before the command is stopped', async () => {
  const signals: unknown[] = [];
  // Only `call` is used.
  const client = { call: async (_: unknown, { signal }: { signal?: AbortSignal }) => void signals.push(signal) };
  const stopped = AbortSignal.abort();

  await readBackClient(client as unknown as Client, stopped).call(users.current, {});
  await readBackClient(client as unknown as Client, stopped).call(users.current, {});

  expect(signals[0]).toBeInstanceOf(AbortSignal);
  expect(signals[1]).toBe(signals[0]);
});
