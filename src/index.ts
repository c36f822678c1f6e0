import type { ClientOptions as PlainOptions } from './client/send.ts';
import { type Client, createClient as createPlainClient } from './client/client.ts';
import type { Transport } from './client/transport.ts';
import { defaultDatabase } from './cli/settings/paths.ts';
import { version } from './shared/version.ts';

export interface ClientOptions extends Omit<PlainOptions, 'url' | 'userAgent'> {
  /**
   * Base address, everything before `/v1`; or `embedded:<file>` for an instance in this process, whose database is made
   * if it is not there. `embedded::memory:` keeps it in memory, `embedded:` alone is the one of the commands.
   */
  url: string;
  /** `docsctl/<version>` by default. */
  userAgent?: string;
  /** With `embedded:`, who calls: the id or email address of a user. The administrator by default. */
  as?: string;
}

/** A client of the service at an address, or of an instance in this process. Nothing is opened before the first request. */
export function createClient({ as, ...options }: ClientOptions): Client {
  const { url, transport } = options;
  return createPlainClient({
    userAgent: `docsctl/${version}`,
    ...options,
    ...(url.startsWith('embedded:') && !transport
      ? { transport: embedded(url.slice('embedded:'.length) || defaultDatabase(), as) }
      : {}),
  });
}

/** An instance that is opened by the first request. */
function embedded(file: string, as: string | undefined): Transport {
  let opened: Promise<Transport> | undefined;
  const open = async () => (await import('./server/open-embedded.ts')).openEmbedded({ file, as });
  return {
    send: async (request) => (await (opened ??= open())).send(request),
    // What could not be opened needs no closing.
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}

export { expectField } from './client/stream/answer.ts';
export type { CallInput, Client, ListInput, RawAnswer, RawInput } from './client/client.ts';
export { HttpError } from './client/errors/http-error.ts';
export { ClientError, UnusableToken } from './client/errors/client-error.ts';
export { NetworkError } from './client/errors/network-error.ts';
export { TimedOut } from './client/errors/timed-out.ts';
export { UnexpectedResponse } from './client/errors/unexpected-response.ts';
export type { Exchange } from './client/exchange.ts';
export type { Page as ListPage, PageOptions } from './client/pages.ts';
export type { Wait } from './client/retry.ts';
export type { Transport, WireRequest, WireResponse } from './client/transport.ts';
export * from './contract/all.ts';
export type { AnswerOf, BodyInput, Endpoint, ItemOf, ParamsOf, QueryInput } from './contract/endpoint.ts';
