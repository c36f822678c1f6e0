import type { Clock } from './clock.ts';
import { ClientError } from './errors/client-error.ts';
import type { Redactor } from './secrets.ts';
import type { WireRequest, WireResponse } from './transport.ts';

/** One attempt as it went over the wire, with secrets hidden. */
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

/** `send`, with `tell` called after each attempt. */
export function watched(
  send: Send,
  tell: (exchange: Exchange) => void,
  { origin, redactor, clock }: { origin: string; redactor: Redactor; clock: Clock },
): Send {
  return async (request) => {
    const started = clock.now();
    const report = (result: Pick<Exchange, 'response' | 'error'>) => {
      const shown = { ...shownOf(request, redactor), url: redactor.text(origin + request.path) };
      tell({ request: { ...shown, path: redactor.text(request.path) }, ...result, started, ms: clock.now() - started });
    };
    let response: WireResponse;
    try {
      response = await send(request);
    } catch (error) {
      report({ error: redacted(error, redactor) });
      throw error;
    }
    // Whoever was told may keep the bytes.
    const { release: _, ...kept } = response;
    report({ response: shownOf(kept, redactor) });
    return kept;
  };
}

function shownOf<T extends WireRequest | WireResponse>(message: T, redactor: Redactor): T {
  return { ...message, headers: redactor.headers(message.headers), body: redactor.body(message.body) };
}

/** The same error without secrets in its words. */
export function redacted(error: unknown, redactor: Redactor): unknown {
  if (!(error instanceof ClientError)) return error;
  error.message = redactor.text(error.message);
  // The stack holds a copy of the message once somebody has looked at it.
  if (error.stack !== undefined) error.stack = redactor.text(error.stack);
  if (error.hint !== undefined) error.hint = redactor.text(error.hint);
  return error;
}
