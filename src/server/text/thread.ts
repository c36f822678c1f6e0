import { parentPort } from 'node:worker_threads';
import { failureOf } from './failures.ts';
import { runTask } from './tasks.ts';
import type { TaskAnswer, TaskRequest } from './worker.ts';

/** Runs in a thread of its own: does the tasks it is sent. */
parentPort!.on('message', async ({ name, input }: TaskRequest) => {
  let answer: TaskAnswer;
  try {
    answer = { value: await runTask(name, input) };
  } catch (error) {
    answer = { failure: failureOf(error) };
  }
  parentPort!.postMessage(answer, 'value' in answer ? buffersIn(answer.value) : []);
});

/** The bytes in a value that need no copy, as nothing else lies in the same buffer. */
function buffersIn(value: unknown): ArrayBuffer[] {
  if (value instanceof Uint8Array) {
    const { buffer } = value;
    return buffer instanceof ArrayBuffer && buffer.byteLength === value.byteLength ? [buffer] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(buffersIn);
}
