import type { Client } from './client.ts';
import { isAnswered, readBackClient } from './read-back.ts';

/** How long to wait for a service that did not answer the write itself. */
const maxMs = 5_000;

/**
 * A client that reads back what became of a write without an answer: one that was carried out is not a failure.
 *
 * @param commandSignal aborted when the user interrupts the command
 */
export function settlingClient(client: Client, commandSignal: AbortSignal): Client {
  const call: Client['call'] = async (endpoint, input) => {
    try {
      return await client.call(endpoint, input);
    } catch (error) {
      if (endpoint.method === 'GET' || isAnswered(error)) throw error;
      const { reached } = await import('./reached.ts');
      const params: Record<string, string> = { ...input.params };
      const done = await reached(reader(client, commandSignal), { endpoint, params, body: input.body }).catch(
        () => undefined,
      );
      // A response that is more than the object, or other than it, cannot be read back.
      if (!done || (endpoint.answer && done.object === undefined)) throw error;
      return (endpoint.answer ? done.object : undefined) as Awaited<ReturnType<typeof client.call<typeof endpoint>>>;
    }
  };
  return { ...client, call };
}

function reader(client: Client, commandSignal: AbortSignal): Client {
  if (commandSignal.aborted) return readBackClient(client, commandSignal);
  const signal = AbortSignal.any([commandSignal, AbortSignal.timeout(maxMs)]);
  return {
    ...client,
    call: (endpoint, input) => client.call(endpoint, { ...input, signal }),
    pages: (endpoint, input, options) => client.pages(endpoint, { ...input, signal }, options),
    items: (endpoint, input, options) => client.items(endpoint, { ...input, signal }, options),
  };
}
