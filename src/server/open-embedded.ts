import type { InstanceRequest } from './engine/request.ts';
import { administrator } from './organizations/bootstrap.ts';
import { openInstance } from './open-instance.ts';
import type { Store } from '../store/store.ts';
import { findUserNamed } from '../store/users.ts';

interface Wire {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
}

/** An instance in this process as a client's transport: no server, no socket, no copy of the bodies. */
export async function openEmbedded({
  file,
  as,
  allowPrivateImports = false,
}: {
  file: string;
  as?: string;
  allowPrivateImports?: boolean;
}) {
  const instance = await openInstance({
    file,
    allowPrivateImports,
    log: { error: (_, error) => console.error(error) },
  });
  let user: string;
  try {
    user = await callerOf(instance.store, as);
  } catch (error) {
    await instance.close();
    throw error;
  }
  // The bytes of an answer that was given back hold the next one: else each page of a long list leaves its own behind.
  let spare: Buffer | undefined;
  const lent = (text: string) => {
    const size = Buffer.byteLength(text);
    const held = spare && spare.length >= size ? spare : Buffer.allocUnsafeSlow(Math.ceil(size * 1.25));
    spare = undefined;
    held.write(text);
    return {
      body: held.subarray(0, size),
      release: () => {
        spare = held;
      },
    };
  };
  return {
    async send({ method, path, headers, body }: Wire) {
      const at = path.indexOf('?');
      const request: InstanceRequest = {
        method,
        path: at < 0 ? path : path.slice(0, at),
        query: new URLSearchParams(at < 0 ? '' : path.slice(at + 1)),
        headers,
        body,
        as: user,
      };
      const response = await instance.handle(request);
      return typeof response.body === 'string'
        ? { ...response, ...lent(response.body) }
        : { ...response, body: response.body };
    },
    close: () => instance.close(),
  };
}

/** Who reads the file can do everything anyway, so the caller is the administrator, or whoever is named. */
async function callerOf(store: Store, as: string | undefined): Promise<string> {
  if (as === undefined) {
    const founded = await store.read(administrator);
    if (!founded) throw new Error('This instance has no administrator.');
    return founded.user;
  }
  const row = await store.read((db) => findUserNamed(db, as));
  if (!row) {
    throw Object.assign(new Error(`There is no user "${as}" in this instance.`), {
      exitCode: 2,
      hint: '--as takes a user id or an e-mail address; "docsctl members list" shows both.',
    });
  }
  return row.id;
}
