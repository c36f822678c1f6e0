import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { grantToken } from '../../src/server/organizations/bootstrap.ts';
import { listen, type ListenOptions } from '../../src/server/http/listen.ts';
import { newToken } from '../../src/server/engine/tokens.ts';
import { testInstance } from './instance.ts';

/** An instance in this process behind HTTP, and a token of its administrator. */
export async function served(options: Partial<ListenOptions> = {}) {
  const made = await testInstance();
  const listening = await listen(made.instance, { host: '127.0.0.1', port: 0, ...options });
  onTestFinished(() => listening.stop());
  const token = newToken();
  await made.instance.store.write((db) =>
    grantToken(db, { token, user: made.admin, label: 'test', now: new Date().toISOString() }),
  );
  const port = Number(new URL(listening.url).port);
  const call = (path: string, init: RequestInit = {}) =>
    fetch(listening.url + path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
    });
  return { ...made, url: listening.url, port, token, call };
}

/** Sends bytes as they are. @returns all that comes back until the server closes the connection */
export async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let got = '';
  socket.on('data', (chunk) => (got += chunk.toString()));
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  await once(socket, 'close');
  return got;
}
