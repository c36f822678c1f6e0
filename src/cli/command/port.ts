import type { Client } from '../../client/client.ts';
import type { Port } from '../../client/port.ts';
import { createProgress } from '../output/index.ts';
import type { Invocation } from './command.ts';

interface PortOptions {
  /** Shown while the engine runs. */
  text: string;
  client: Client;
}

/** Runs an engine with a port of the command; its progress is shown until it ends. */
export async function withPort<T>(
  { io, signal }: Pick<Invocation<{}, {}>, 'io' | 'signal'>,
  { text, client }: PortOptions,
  run: (port: Port) => Promise<T>,
): Promise<T> {
  const progress = createProgress(text, { animated: io.canAnimate, quiet: io.quiet, messages: io.err });
  try {
    return await run({ client, signal, progress, note: (line) => progress.note(line) });
  } finally {
    progress.stop();
  }
}
