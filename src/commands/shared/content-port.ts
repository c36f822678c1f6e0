import type { Invocation } from '../../cli/command/command.ts';
import { withPort } from '../../cli/command/invocation.ts';
import type { ContentPort } from '../../sync/read-remote.ts';
import { downloaderOf } from './download.ts';

/** Runs an engine with a port that can also download files. @param text the progress text */
export async function withContentPort<T>(
  invocation: Pick<Invocation<{}, {}>, 'client' | 'io' | 'session' | 'signal'>,
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
