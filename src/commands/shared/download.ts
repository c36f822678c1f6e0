import { withYoungHeap } from '../../shared/young-heap.ts';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { withoutEndSlashes } from '../../client/address.ts';
import type { Client } from '../../client/client.ts';
import { embeddedFile } from '../../cli/settings/database-folder.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { withPort } from '../../cli/command/invocation.ts';
import type { ContentPort } from '../../sync/read-remote.ts';

interface Download {
  bytes: Uint8Array;
  /** By lower-case name. */
  headers: Record<string, string>;
}

export interface Downloader {
  get(url: string, headers?: Record<string, string>): Promise<Download>;
  bytes(url: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Downloads files from addresses that the service returned. The token is sent only to the service itself. */
export function downloaderOf({ session, client }: Pick<Invocation, 'session' | 'client'>): Downloader {
  const otherClients = new Map<string, Promise<Client>>();
  const downloader: Downloader = {
    bytes: async (url) => (await downloader.get(url)).bytes,
    async get(url, headers = {}) {
      const { origin, pathname, search } = new URL(url);
      const path = pathname + search;
      const address = (await session.address()).value;
      const get = (from: Client, target: string) =>
        from.request('GET', target, { headers: { accept: '*/*', ...headers } });
      if (embeddedFile(address, session.env) !== undefined) return get(await client(), path);
      const service = new URL(address);
      if (service.origin === origin && pathname.startsWith(`${withoutEndSlashes(service.pathname)}/`))
        return get(await client(), url);
      const other = otherClients.get(origin) ?? session.clientFor(origin, undefined);
      otherClients.set(origin, other);
      return get(await other, path);
    },
    async close() {
      for (const other of otherClients.values()) await (await other).close();
    },
  };
  return downloader;
}

/** Runs an engine with a port that can also fetch the files of a space. @param text shown while the engine runs */
export async function withContentPort<T>(
  invocation: Pick<Invocation<{}, {}>, 'client' | 'io' | 'session' | 'signal'>,
  text: string,
  run: (port: ContentPort) => Promise<T>,
): Promise<T> {
  const client = await invocation.client();
  const { bytes, close } = downloaderOf(invocation);
  try {
    return await withYoungHeap(() => withPort(invocation, { text, client }, (port) => run({ ...port, bytes })));
  } finally {
    await close();
  }
}

/** Writes a file atomically. `-` is standard output. */
export async function writeOut({ io }: Invocation, bytes: Uint8Array, file: string): Promise<void> {
  if (file === '-') return io.out.write(bytes);
  try {
    await writeFileAtomic(file, bytes);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${fileReason(error, 'folder')}.`, {
      hint: 'Check that its folder exists, is writable and has enough space, or name another file.',
    });
  }
  await io.note(`Wrote ${file} (${bytes.byteLength} bytes).`);
}
