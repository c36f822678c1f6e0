import type { Client } from '../../client/client.ts';
import type { Port } from '../../client/port.ts';
import type { Progress } from '../output/index.ts';
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
  return withProgress(io, text, (progress) => run({ client, signal, progress, note: (line) => progress.note(line) }));
}

/** Shows what the command is doing while `work` runs. */
export async function withProgress<T>(
  io: Invocation['io'],
  text: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = io.progress(text);
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}
