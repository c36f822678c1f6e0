import type { Dispatcher } from 'undici';
import { type Awaited, TimedOut } from '../errors/timed-out.ts';
import { failureOf, type Place, protocolSwitched, tooLarge } from '../failures.ts';
import type { WireResponse } from '../transport.ts';
import { maxAnswerBytes } from './decompress.ts';
import type { createMemory, Gatherer } from './memory.ts';

export interface ReceiveOptions {
  signal: AbortSignal | undefined;
  /** Milliseconds of silence that are allowed while each of these is awaited. */
  limits: Record<Awaited, number>;
  place: Place;
  gather: ReturnType<typeof createMemory>;
}

/** Sends a request with undici and gathers its answer. */
export const receive = (
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  options: ReceiveOptions,
): Promise<WireResponse> =>
  new Promise((resolve, reject) => {
    const receiver = new Receiver(options, resolve, reject);
    if (receiver.isActive) dispatcher.dispatch(request, receiver);
  });

class Receiver implements Dispatcher.DispatchHandler {
  isActive = true;
  readonly #options: ReceiveOptions;
  readonly #resolve: (response: WireResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #onAbort = () => this.#fail(this.#options.signal?.reason);
  #awaited: Awaited = 'connection';
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: WireResponse['headers'] = {};
  #body: Gatherer;

  constructor(options: ReceiveOptions, resolve: (response: WireResponse) => void, reject: (error: Error) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#body = options.gather(0);
    this.#timer = setTimeout(this.#timeOut, options.limits.connection);
    if (options.signal?.aborted) this.#onAbort();
    else options.signal?.addEventListener('abort', this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
    this.#await('answer');
  }

  onBodySent() {
    if (this.isActive) this.#timer.refresh();
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>) {
    if (!this.isActive) return;
    if (status === 101) return this.#fail(protocolSwitched(this.#options.place));
    if (status < 200) return;
    this.#status = status;
    this.#headers = flattened(headers);
    this.#body = this.#options.gather(Number(this.#headers['content-length'] ?? 0) || 0);
    this.#await('rest');
  }

  onResponseData(_: unknown, chunk: Buffer) {
    if (!this.isActive) return;
    this.#timer.refresh();
    this.#body.add(chunk);
    if (this.#body.size > maxAnswerBytes) this.#fail(tooLarge(this.#options.place));
  }

  onResponseEnd() {
    if (!this.isActive) return;
    this.#settle();
    this.#resolve({ status: this.#status, headers: this.#headers, ...this.#body.end() });
  }

  onResponseError(_: unknown, error: Error) {
    this.#fail(failureOf(error, this.#awaited, this.#options.limits, this.#options.place));
  }

  #await(next: Awaited) {
    this.#awaited = next;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#timeOut, this.#options.limits[next]);
  }

  readonly #timeOut = () => {
    const { limits, place } = this.#options;
    this.#fail(new TimedOut(this.#awaited, limits[this.#awaited], place.address));
  };

  #fail(error: Error) {
    if (!this.isActive) return;
    this.#settle();
    this.#reject(error);
    this.#controller?.abort(error);
  }

  #settle() {
    this.isActive = false;
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }
}

function flattened(headers: Record<string, string | string[] | undefined>): WireResponse['headers'] {
  const flat: WireResponse['headers'] = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
