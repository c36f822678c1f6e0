import type { Client } from '../client/client.ts';
import { embeddedFile } from '../cli/session.ts';
import type { Invocation } from '../cli/invocation.ts';

export interface Downloader {
  bytes(url: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Fetches what the service gave an address for. Other addresses than its own never see the token. */
export function downloaderOf({ session, client }: Pick<Invocation, 'session' | 'client'>): Downloader {
  const strangers = new Map<string, Promise<Client>>();
  return {
    async bytes(url) {
      const { origin, pathname, search } = new URL(url);
      const path = pathname + search;
      const address = (await session.address()).value;
      const get = async (from: Client, at: string) =>
        (await from.request('GET', at, { headers: { accept: '*/*' } })).bytes;
      if (embeddedFile(address, session.env) !== undefined) return get(await client(), path);
      const own = new URL(address);
      if (own.origin === origin && pathname.startsWith(own.pathname.replace(/\/*$/, '/')))
        return get(await client(), url);
      const stranger = strangers.get(origin) ?? session.clientFor(origin, undefined);
      strangers.set(origin, stranger);
      return get(await stranger, path);
    },
    async close() {
      for (const stranger of strangers.values()) await (await stranger).close();
    },
  };
}
