import type { Client } from './client.ts';
import { HttpError } from './errors/http-error.ts';
import { NetworkError } from './errors/network-error.ts';
import { NotSent } from './errors/not-sent.ts';

/** A command may run for 1.5 s after a signal, and read only once for so long. */
const maxMs = 1_000;
const deadlines = new WeakMap<AbortSignal, AbortSignal>();

/**
 * The client for reading what became of requests without an answer. After a signal, requests of the command's client would
 * fail at once.
 */
export function readBackClient(client: Client, commandSignal: AbortSignal): Client {
  if (!commandSignal.aborted) return client;
  const deadline = deadlines.get(commandSignal) ?? AbortSignal.timeout(maxMs);
  deadlines.set(commandSignal, deadline);
  return withSignal(client, deadline);
}

/** A client whose requests end with this signal instead of the command's. */
export function withSignal(client: Client, signal: AbortSignal): Client {
  return {
    ...client,
    call: (endpoint, input) => client.call(endpoint, { ...input, signal }),
    pages: (endpoint, input, options) => client.pages(endpoint, { ...input, signal }, options),
    items: (endpoint, input, options) => client.items(endpoint, { ...input, signal }, options),
  };
}

/** Whether it is known that nothing was done. A gateway can answer for a service that did what was asked. */
export const isAnswered = (error: unknown): boolean =>
  error instanceof HttpError
    ? error.status !== 502 && error.status !== 504
    : error instanceof NotSent || (error instanceof NetworkError && error.refused);
