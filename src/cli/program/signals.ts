/**
 * Runs what holds the thread until it is done, when no handler of ours could run: meanwhile the signals do what they do
 * by default, so that it can be stopped.
 */
export function interruptibly<T>(run: () => T): T {
  const held = (['SIGINT', 'SIGTERM'] as const).map((signal) => ({ signal, listeners: process.rawListeners(signal) }));
  for (const { signal } of held) process.removeAllListeners(signal);
  try {
    return run();
  } finally {
    for (const { signal, listeners } of held) {
      for (const listener of listeners) process.on(signal, listener as NodeJS.SignalsListener);
    }
  }
}
