import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TaskWorker } from '../../src/threads/worker.ts';
import type { waitingTasks } from './waiting-thread.ts';

const memoryBytes = 256 * 1024 * 1024;

function startWorker() {
  const worker = new TaskWorker<typeof waitingTasks>({ file: join(import.meta.dirname, 'waiting-thread.ts') });
  onTestFinished(() => worker.end());
  return worker;
}

test('a task is not refused for time in which its thread computes nothing, as on a busy machine', async () => {
  const limits = { timeMs: 200, memoryBytes };

  expect(await startWorker().run('wait', 600, limits)).toBe('waited');
});

test('a task is refused for its processor time, each step by itself', async () => {
  const worker = startWorker();

  expect(await worker.run('inSteps', 4, { timeMs: 400, memoryBytes })).toBe('all steps');
  await expect(worker.run('compute', 60_000, { timeMs: 200, memoryBytes })).rejects.toThrow(
    'could not be read within 0.2 s',
  );
  expect(worker.isEnding).toBe(true);
});

test('a thread that is neither busy nor done is ended after ten times the limit', async () => {
  const limits = { timeMs: 50, memoryBytes };

  await expect(startWorker().run('wait', 60_000, limits)).rejects.toThrow('could not be read within 0.5 s');
});
