import { parentPort } from 'node:worker_threads';
import { failureOf } from './failures.ts';
import type { TaskMessage, TaskRequest, Tasks } from './tasks.ts';

/** Does the work of a worker thread: runs the tasks of a table as the main thread asks for them. */
export function answerTasks(tasks: Tasks): void {
  if (!parentPort) throw new Error('This module runs in a worker thread only.');
  const port = parentPort;
  const send = (message: TaskMessage) =>
    port.postMessage(message, 'value' in message ? [...buffersIn(message.value)] : []);
  port.on('message', async ({ name, input }: TaskRequest) => {
    try {
      const run = tasks[name];
      if (!run) throw new Error(`There is no task ${name}.`);
      // The main thread types its requests by the same table.
      send({ value: await run(input as never, (step) => send({ step })) });
    } catch (error) {
      send({ failure: failureOf(error) });
    }
  });
}

/** The buffers in a value that can be transferred without a copy, because each holds one array of bytes only. */
function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (value instanceof Uint8Array) {
    const { buffer } = value;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === value.byteLength) found.add(buffer);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) buffersIn(member, found);
  }
  return found;
}
