import type { Clock } from './retry.ts';
import { ClientError } from './errors/client-error.ts';
import type { Redactor } from './secrets.ts';
import type { WireRequest, WireResponse } from './transport.ts';

/** One attempt to send a request, with secrets hidden. */
export interface Exchange {
  request: WireRequest & { url: string };
  response?: WireResponse;
  /** Why no answer came. */
  error?: unknown;
  /** When it began, in milliseconds since 1970. */
  started: number;
  ms: number;
}

type Send = (request: WireRequest) => Promise<WireResponse>;

/** `send`, with `observe` called after each attempt. */
export function observed(
  send: Send,
  observe: (exchange: Exchange) => void,
  { origin, redactor, clock }: { origin: string; redactor: Redactor; clock: Clock },
): Send {
  return async (request) => {
    const started = clock.now();
    const report = (result: Pick<Exchange, 'response' | 'error'>) => {
      observe({ request: redactedRequest(request, origin, redactor), ...result, started, ms: clock.now() - started });
    };
    let response: WireResponse;
    try {
      response = await send(request);
    } catch (error) {
      report({ error: redactedError(error, redactor) });
      throw error;
    }
    // The observer may keep the bytes, so their memory is not used again.
    const { release: _, ...kept } = response;
    report({
      response: { ...kept, headers: redactor.headers(kept.headers), body: redactor.bytes(kept.body) },
    });
    return kept;
  };
}

function redactedRequest(request: WireRequest, origin: string, redactor: Redactor): Exchange['request'] {
  const { body, path, headers } = request;
  return {
    ...request,
    url: redactor.text(origin + path),
    path: redactor.text(path),
    headers: redactor.headers(headers),
    body: typeof body === 'string' ? redactor.text(body) : body && redactor.bytes(body),
  };
}

/** The same error without secrets in its texts. */
export function redactedError(error: unknown, redactor: Redactor): unknown {
  if (!(error instanceof ClientError)) return error;
  error.message = redactor.text(error.message);
  // Once it has been read, the stack contains the message.
  if (error.stack !== undefined) error.stack = redactor.text(error.stack);
  if (error.hint !== undefined) error.hint = redactor.text(error.hint);
  return error;
}
