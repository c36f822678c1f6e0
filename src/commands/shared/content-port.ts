import type { Invocation } from '../../cli/command/command.ts';
import { withPort } from '../../cli/command/port.ts';
import type { ContentPort } from '../../sync/read-remote.ts';
import { downloaderOf } from './download.ts';

type Lending = Pick<Invocation<{}, {}>, 'client' | 'io' | 'session' | 'signal'>;

/** Runs an engine with a port that also fetches the files of contents. @param text shown while the engine runs */
export async function withContentPort<T>(
  invocation: Lending,
  text: string,
  run: (port: ContentPort) => Promise<T>,
): Promise<T> {
  const client = await invocation.client();
  const { bytes, close } = downloaderOf(invocation);
  try {
    return await withPort(invocation, { text, client }, (port) => run({ ...port, bytes }));
  } finally {
    await close();
  }
}

/** A port without progress, for engines that still take an invocation. */
export async function contentPort(invocation: Lending): Promise<ContentPort> {
  const { io, signal } = invocation;
  return {
    client: await invocation.client(),
    signal,
    progress: { say() {}, count() {} },
    note: (line) => io.note(line),
    async bytes(address) {
      const { bytes, close } = downloaderOf(invocation);
      return bytes(address).finally(close);
    },
  };
}
