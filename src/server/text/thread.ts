import { parentPort } from 'node:worker_threads';
import { failureOf } from './failures.ts';
import { runTask } from './tasks.ts';
import type { TaskAnswer, TaskRequest } from './worker.ts';

if (!parentPort) throw new Error('This module runs in a worker thread only.');
const port = parentPort;

// Runs the tasks that the main thread sends.
port.on('message', async ({ name, input }: TaskRequest) => {
  let answer: TaskAnswer;
  try {
    answer = { value: await runTask(name, input) };
  } catch (error) {
    answer = { failure: failureOf(error) };
  }
  port.postMessage(answer, 'value' in answer ? buffersIn(answer.value) : []);
});

/** The buffers in a value that can be transferred without a copy, because each holds one array of bytes only. */
function buffersIn(value: unknown): ArrayBuffer[] {
  if (value instanceof Uint8Array) {
    const { buffer } = value;
    return buffer instanceof ArrayBuffer && buffer.byteLength === value.byteLength ? [buffer] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(buffersIn);
}
