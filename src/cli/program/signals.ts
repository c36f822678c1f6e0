/** The signals that end a command in its own way; all others have their default effect. */
export const handledSignals = ['SIGINT', 'SIGTERM'] as const;

/** The listeners of a signal. Node's types do not say that they are called with a signal. */
export const signalListeners = (signal: NodeJS.Signals) => process.rawListeners(signal) as NodeJS.SignalsListener[];

/**
 * Runs work that blocks the thread, so that no handler of ours could run. Meanwhile the signals have their default
 * effect, so that the work can be stopped.
 */
export function interruptibly<T>(run: () => T): T {
  const removed = handledSignals.map((signal) => ({ signal, listeners: signalListeners(signal) }));
  for (const { signal } of removed) process.removeAllListeners(signal);
  try {
    return run();
  } finally {
    for (const { signal, listeners } of removed) for (const listener of listeners) process.on(signal, listener);
  }
}
