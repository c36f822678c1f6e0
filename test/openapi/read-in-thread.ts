import { join } from 'node:path';
import type { descriptionTasks, ReadResult } from '../../src/commands/shared/description-tasks.ts';
import type { DescriptionSource } from '../../src/openapi/index.ts';
import { TaskWorker } from '../../src/threads/worker.ts';
import { root } from '../support/cli.ts';

/** Reads a description as commands do: in a thread with much stack. */
export async function readInThread(from: DescriptionSource): Promise<ReadResult> {
  const file = join(root, 'src', 'commands', 'shared', 'description-thread.ts');
  const worker = new TaskWorker<typeof descriptionTasks>({ file }, { stackMegabytes: 512 });
  const request = { from, directory: root, referenceRoots: [], referenceHosts: [] };
  try {
    const { description } = await worker.run('read', request, { timeMs: 60_000, memoryBytes: 2 ** 31 });
    if (!description) throw new Error('It cannot be read.');
    return description;
  } finally {
    await worker.end();
  }
}
