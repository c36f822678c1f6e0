import type { Worker } from 'node:worker_threads';
import { handledSignals } from '../../cli/program/signals.ts';
import type { Instance } from '../../server/engine/instance.ts';

type Signal = (typeof handledSignals)[number];

/** A service that has not stopped by itself this long after a signal is ended. */
const graceMs = 4_600;

/** Ends the process after a signal even if its main thread is blocked, and so is not told of signals. */
export interface Watchdog {
  /** Starts the thread that watches, if it does not run yet. Settles when the thread listens to signals. */
  start(): Promise<void>;
  /** The instance with its requests counted. None begins before the thread listens to signals. */
  watch(instance: Instance): Instance;
  /** How many requests are being answered. */
  requests(): number;
  /** Reports the requests that are cut off, and ends the process by the signal that came. */
  end(requests: number): Promise<never>;
}

export const createWatchdog = (options: { json: boolean }): Watchdog => new ThreadWatchdog(options);

/**
 * Node tells only the main thread of signals, and only when it has nothing else to do. libuv tells the loop of every
 * thread that asks, so a thread asks libuv, through an internal interface of Node. Where that is missing, the main thread
 * tells the thread of signals while it can.
 *
 * The ways without internal interfaces make a start slower, which takes 75 ms of processor time in all: by 45 ms with the
 * whole service in another thread, by 30 ms with a process above it.
 */
class ThreadWatchdog implements Watchdog {
  readonly #json: boolean;
  readonly #counter = new Int32Array(new SharedArrayBuffer(4));
  readonly #listeners = new Map(handledSignals.map((signal) => [signal, takeListeners(signal)]));
  /** How many signals each thread was told of. */
  readonly #count = { main: 0, thread: 0 };
  #delivered = 0;
  #received: Signal = 'SIGTERM';
  #thread: Worker | undefined;
  #starting: Promise<void> | undefined;
  #isReady = false;

  constructor({ json }: { json: boolean }) {
    this.#json = json;
    for (const signal of handledSignals) process.on(signal, this.#onSignal);
  }

  start(): Promise<void> {
    this.#starting ??= this.#startThread();
    return this.#starting;
  }

  watch(instance: Instance): Instance {
    return {
      ...instance,
      get base() {
        return instance.base;
      },
      handle: async (request) => {
        // Whoever waits until the service runs asks for this, and it blocks nothing.
        if (!this.#isReady && request.path !== '/healthz') await this.start();
        Atomics.add(this.#counter, 0, 1);
        try {
          return await instance.handle(request);
        } finally {
          Atomics.sub(this.#counter, 0, 1);
        }
      },
    };
  }

  requests(): number {
    return Atomics.load(this.#counter, 0);
  }

  end(requests: number): Promise<never> {
    void this.start();
    this.#thread?.postMessage(this.#received);
    this.#thread?.postMessage(requests);
    return new Promise(() => {});
  }

  async #startThread(): Promise<void> {
    const thread = newThread(this.#counter, this.#json);
    this.#thread = thread;
    const listens = new Promise<boolean>((resolve) => {
      thread.on('message', (message: Signal | { listens: boolean }) =>
        typeof message === 'string' ? this.#deliver('thread', message) : resolve(message.listens),
      );
      thread.on('error', () => resolve(false));
    });
    // A listener for messages makes the process wait for the thread, so this comes after it.
    thread.unref();
    if (await listens) this.#stopListening();
    this.#isReady = true;
  }

  readonly #onSignal = (signal: Signal): void => {
    void this.start();
    this.#thread?.postMessage(signal);
    // Another signal ends the process at once, as it does by default.
    this.#stopListening();
    this.#deliver('main', signal);
  };

  #stopListening(): void {
    for (const signal of handledSignals) process.off(signal, this.#onSignal);
  }

  /** Passes a signal on once: both threads are told of it while one takes over from the other. */
  #deliver(by: 'main' | 'thread', signal: Signal): void {
    this.#count[by] += 1;
    if (this.#count[by] <= this.#delivered) return;
    this.#delivered += 1;
    this.#received = signal;
    for (const listener of this.#listeners.get(signal) ?? []) Reflect.apply(listener, process, [signal]);
  }
}

function takeListeners(signal: Signal) {
  const listeners = process.rawListeners(signal);
  process.removeAllListeners(signal);
  return listeners;
}

function newThread(counter: Int32Array, json: boolean): Worker {
  const { Worker: Thread } = process.getBuiltinModule('node:worker_threads');
  return new Thread(`(${watchSignals})(require, ${JSON.stringify({ graceMs, json, signals: handledSignals })})`, {
    eval: true,
    workerData: counter,
    execArgv: ['--expose-internals', '--no-warnings'],
    // Settings for the process, such as modules to load first, are not for this thread.
    env: {},
    stdout: true,
    stderr: true,
  });
}

interface SignalHandle {
  onsignal: () => void;
  start(number: number): number;
  close(): void;
}

/** What the thread loads. */
interface Load {
  (name: 'node:worker_threads'): typeof import('node:worker_threads');
  (name: 'node:fs'): typeof import('node:fs');
  (name: 'node:os'): typeof import('node:os');
  (name: 'internal/test/binding'): { internalBinding(name: 'signal_wrap'): { Signal: new () => SignalHandle } };
}

/** All that the thread does. It is sent to the thread as text, so it uses nothing from outside itself. */
function watchSignals(
  load: Load,
  { graceMs, json, signals }: { graceMs: number; json: boolean; signals: Signal[] },
): void {
  const { parentPort: main, workerData } = load('node:worker_threads');
  const { write } = load('node:fs');
  const { constants } = load('node:os');
  const counter: Int32Array = workerData;
  const handles: SignalHandle[] = [];
  const count = { main: 0, thread: 0 };
  let received = 0;
  let last: Signal = 'SIGTERM';
  let isEnding = false;

  const receive = (by: 'main' | 'thread', signal: Signal) => {
    count[by] += 1;
    if (count[by] <= received) return;
    received += 1;
    last = signal;
    if (received > 1) end(signal);
    else setTimeout(end, graceMs, signal);
  };
  const end = (signal: Signal, cut = Atomics.load(counter, 0)) => {
    if (isEnding) return;
    isEnding = true;
    const what = cut === 0 ? 'no request was' : cut === 1 ? '1 request was' : `${cut} requests were`;
    const message = `Ended by ${signal} before the service had stopped: ${what} cut off. Work in the background is taken up at the next start.`;
    const text = json ? JSON.stringify({ error: { message } }) : `error: ${message}`;
    // Nobody may be reading standard error.
    setTimeout(die, 200, signal);
    write(2, `${text}\n`, () => die(signal));
  };
  const die = (signal: Signal) => {
    // Without a handle the signal ends the process, unless the main thread is blocked and still has one.
    for (const handle of handles.splice(0)) handle.close();
    process.kill(process.pid, signal);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100);
  };

  main?.on('message', (message: Signal | number) =>
    typeof message === 'number' ? end(last, message) : receive('main', message),
  );
  try {
    const { Signal: Handle } = load('internal/test/binding').internalBinding('signal_wrap');
    for (const signal of signals) {
      const handle = new Handle();
      handle.onsignal = () => {
        main?.postMessage(signal);
        receive('thread', signal);
      };
      handle.start(constants.signals[signal]);
      handles.push(handle);
    }
    main?.postMessage({ listens: true });
  } catch {
    // The main thread goes on listening to signals.
    main?.postMessage({ listens: false });
  }
}
