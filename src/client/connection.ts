import type { Socket } from 'node:net';
import buildConnector from 'undici/lib/core/connect.js';
import symbols, { type ResponseParser } from 'undici/lib/core/symbols.js';
import Client from 'undici/lib/dispatcher/client.js';

/** More than the parser of any answer uses up, and V8's default. */
const tieringBudget = { unlimited: 1_000_000_000, default: 13_000_000 };

/** undici's client for one origin, over one connection at a time. */
export function openConnection(origin: string | URL, options: Client.Options): Client {
  const connect =
    typeof options.connect === 'function'
      ? options.connect
      : buildConnector({ allowH2: false, timeout: options.connectTimeout });
  return new Client(origin, {
    ...options,
    connect: (target, callback) =>
      connect(target, (...result) => {
        // undici makes the parser of the connection in this callback.
        withoutTiering(() => callback(...result));
        if (result[1]) skipContinue(result[1]);
      }),
  });
}

/**
 * V8 optimizes a WebAssembly module on other threads once it has used up the budget that it was compiled with. undici's
 * parser does so within a few headers, and optimizing it takes 40 ms of processor time and more.
 */
function withoutTiering(work: () => void): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString(`--wasm-tiering-budget=${tieringBudget.unlimited}`);
  try {
    work();
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${tieringBudget.default}`);
  }
}

/**
 * Makes the connection skip a 100 (Continue) that was not asked for, as RFC 9110, 15.2 requires. undici closes the
 * connection then; a 102 (Processing), which means as little to this client, it skips.
 */
function skipContinue(socket: Socket & { [symbols.kParser]?: ResponseParser }): void {
  const parser = socket[symbols.kParser];
  // There is none if the connection was closed in the meantime.
  if (!parser) return;
  const onHeadersComplete = parser.onHeadersComplete.bind(parser);
  parser.onHeadersComplete = (status, ...rest) => onHeadersComplete(status === 100 ? 102 : status, ...rest);
}
