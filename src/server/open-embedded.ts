import type { InstanceRequest } from './engine/request.ts';
import { getAdministrator } from './organizations/bootstrap.ts';
import { openInstance } from './open-instance.ts';
import type { Store } from '../store/store.ts';
import { findUserNamed } from '../store/users.ts';

interface WireRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
  signal?: AbortSignal | undefined;
}

/** An instance in this process as the transport of a client, without a server, sockets or copies of bodies. */
export async function openEmbedded({
  file,
  as,
  allowPrivate = false,
}: {
  file: string;
  as?: string;
  /** Whether the instance may fetch from private networks. */
  allowPrivate?: boolean;
}) {
  const instance = await openInstance({
    file,
    allowPrivateImports: allowPrivate,
    allowPrivateSources: allowPrivate,
    log: { error: (_, error) => console.error(error) },
  });
  let user: string;
  try {
    user = await callerOf(instance.store, as);
  } catch (error) {
    await instance.close();
    throw error;
  }
  // A released buffer is used for the next response: otherwise a long list needs memory for each of its pages.
  let spare: Buffer | undefined;
  const acquire = (text: string) => {
    const size = Buffer.byteLength(text);
    const buffer = spare && spare.length >= size ? spare : Buffer.allocUnsafeSlow(Math.ceil(size * 1.25));
    spare = undefined;
    buffer.write(text);
    return {
      body: buffer.subarray(0, size),
      release: () => {
        spare = buffer;
      },
    };
  };
  return {
    async send({ method, path, headers, body, signal }: WireRequest) {
      const mark = path.indexOf('?');
      const request: InstanceRequest = {
        method,
        path: mark < 0 ? path : path.slice(0, mark),
        query: new URLSearchParams(mark < 0 ? '' : path.slice(mark + 1)),
        headers,
        body,
        signal,
        as: user,
      };
      const response = await instance.handle(request);
      // Nothing may have been written: no further attempt, and no answer to print.
      if (signal?.aborted && response.status >= 400) throw signal.reason;
      return typeof response.body === 'string'
        ? { ...response, ...acquire(response.body) }
        : { ...response, body: response.body };
    },
    close: () => instance.close(),
  };
}

/** The administrator, or the user named with --as. Anyone who can read the file has all permissions anyway. */
async function callerOf(store: Store, as: string | undefined): Promise<string> {
  if (as === undefined) return (await store.read(getAdministrator)).user;
  const row = await store.read((db) => findUserNamed(db, as));
  if (!row) {
    throw Object.assign(new Error(`There is no user "${as}" in this instance.`), {
      exitCode: 2,
      hint: '--as takes a user id or an email address; "docsctl members list" shows both.',
    });
  }
  return row.id;
}
