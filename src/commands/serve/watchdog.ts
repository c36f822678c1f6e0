import type { Worker } from 'node:worker_threads';
import type { Instance } from '../../server/engine/instance.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof signals)[number];

/** A service that has not stopped by itself so long after a signal is ended. */
const graceMs = 4_600;

/** Ends the process after a signal even if its main thread is blocked, and so hears of no signal. */
export interface Watchdog {
  /** Starts the thread that watches, where it does not run yet. Settles when it hears the signals. */
  start(): Promise<void>;
  /** The instance with its requests counted; none is begun before the thread hears the signals. */
  watch(instance: Instance): Instance;
  /** How many requests are being answered. */
  requests(): number;
  /** Says what is cut off, and ends the process by the signal that came. */
  end(): Promise<never>;
}

/**
 * The platform hears signals on the main thread only, and tells of them once that has nothing else to do. libuv itself
 * tells the loop of every thread that asks, so a thread asks it, by an interface that the platform keeps for itself.
 * Where that is missing, the main thread tells the thread of signals while it can.
 *
 * The ways to do without cost a start, which takes 75 ms of processor time in all, more: 45 ms with the whole service on
 * another thread, 30 ms with a process above it.
 */
export function createWatchdog({ json }: { json: boolean }): Watchdog {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  const listeners = new Map(signals.map((signal) => [signal, takeListeners(signal)]));
  const count = { here: 0, thread: 0 };
  let delivered = 0;
  let received: Signal = 'SIGTERM';
  let thread: Worker | undefined;
  let starting: Promise<void> | undefined;
  let isReady = false;

  // Both threads hear the same signals while the one takes over from the other.
  const deliver = (by: keyof typeof count, signal: Signal) => {
    if (++count[by] <= delivered) return;
    delivered++;
    received = signal;
    for (const listener of listeners.get(signal)!) listener(signal);
  };
  const hear = (signal: Signal) => {
    void watchdog.start();
    thread?.postMessage(signal);
    // Another signal ends the process at once, as it does by default.
    stopHearing();
    deliver('here', signal);
  };
  const stopHearing = () => signals.forEach((signal) => process.off(signal, hear));
  signals.forEach((signal) => process.on(signal, hear));

  const startThread = async () => {
    thread = newThread(counter, json);
    const answer = new Promise<boolean>((resolve) => {
      thread!.on('message', (message: Signal | { hears: boolean }) =>
        typeof message === 'string' ? deliver('thread', message) : resolve(message.hears),
      );
      thread!.on('error', () => resolve(false));
    });
    // A listener for messages makes the process wait for the thread, so this comes after it.
    thread.unref();
    if (await answer) stopHearing();
    isReady = true;
  };

  const watchdog: Watchdog = {
    start: () => (starting ??= startThread()),
    watch: (instance) => ({
      ...instance,
      async handle(request) {
        // Whoever waits until the service is there asks for this, and it blocks nothing.
        if (!isReady && request.path !== '/healthz') await watchdog.start();
        Atomics.add(counter, 0, 1);
        try {
          return await instance.handle(request);
        } finally {
          Atomics.sub(counter, 0, 1);
        }
      },
    }),
    requests: () => Atomics.load(counter, 0),
    end() {
      void watchdog.start();
      thread?.postMessage(received);
      thread?.postMessage('end');
      return new Promise(() => {});
    },
  };
  return watchdog;
}

function takeListeners(signal: Signal): NodeJS.SignalsListener[] {
  const listeners = process.rawListeners(signal) as NodeJS.SignalsListener[];
  process.removeAllListeners(signal);
  return listeners;
}

function newThread(counter: Int32Array, json: boolean): Worker {
  const { Worker: Thread } = process.getBuiltinModule('node:worker_threads');
  return new Thread(`(${watchSignals})(require, ${JSON.stringify({ graceMs, json, signals })})`, {
    eval: true,
    workerData: counter,
    execArgv: ['--expose-internals', '--no-warnings'],
    // Nothing that was asked of the process, as to load a module first, is for this thread.
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

interface Internals {
  internalBinding(name: 'signal_wrap'): { Signal: new () => SignalHandle };
}

/** All that the thread does. It is sent there as text, so it uses nothing from outside itself. */
function watchSignals(
  load: NodeJS.Require,
  { graceMs, json, signals }: { graceMs: number; json: boolean; signals: Signal[] },
): void {
  const { parentPort, workerData } = load('node:worker_threads') as typeof import('node:worker_threads');
  const { write } = load('node:fs') as typeof import('node:fs');
  const { constants } = load('node:os') as typeof import('node:os');
  const handles: SignalHandle[] = [];
  const count = { here: 0, main: 0 };
  let received = 0;
  let last: Signal = 'SIGTERM';
  let isEnding = false;

  const receive = (by: keyof typeof count, signal: Signal) => {
    if (++count[by] <= received) return;
    received++;
    last = signal;
    if (received > 1) end(signal);
    else setTimeout(end, graceMs, signal);
  };
  const end = (signal: Signal) => {
    if (isEnding) return;
    isEnding = true;
    const cut = Atomics.load(workerData as Int32Array, 0);
    const what = cut === 0 ? 'no request was' : cut === 1 ? '1 request was' : `${cut} requests were`;
    const message = `Ended by ${signal} before the service had stopped: ${what} cut off. Work in the background is taken up at the next start.`;
    const text = json ? JSON.stringify({ error: { message } }) : `error: ${message}`;
    // Nobody may be reading.
    setTimeout(die, 200, signal);
    write(2, `${text}\n`, () => die(signal));
  };
  const die = (signal: Signal) => {
    // Without a handle the signal ends the process, unless the main thread is blocked and still has one.
    for (const handle of handles.splice(0)) handle.close();
    process.kill(process.pid, signal);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100);
  };

  parentPort!.on('message', (told: Signal | 'end') => (told === 'end' ? end(last) : receive('main', told)));
  try {
    const { Signal: Handle } = (load('internal/test/binding') as Internals).internalBinding('signal_wrap');
    for (const signal of signals) {
      const handle = new Handle();
      handle.onsignal = () => {
        parentPort!.postMessage(signal);
        receive('here', signal);
      };
      handle.start(constants.signals[signal]);
      handles.push(handle);
    }
    parentPort!.postMessage({ hears: true });
  } catch {
    // The main thread goes on hearing the signals.
    parentPort!.postMessage({ hears: false });
  }
}
