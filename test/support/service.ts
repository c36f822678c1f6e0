import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Home, makeHome, removeHome, type Run, serve, type Served, test as base } from './cli.ts';
import { copyDatabase } from './prepared.ts';

/** A test with a service that has a home of its own, as on another machine. */
export const test = base.extend<{ service: Served }>({
  // oxlint-disable-next-line no-empty-pattern
  service: async ({}, use) => {
    const elsewhere = await makeHome();
    await copyDatabase('demo', join(elsewhere.dir, 'served.db'));
    elsewhere.env.DOCSCTL_SERVE_TOKEN = 'token-of-the-service';
    const served = await serve(elsewhere);
    await use(served);
    await served.stop();
    await removeHome(elsewhere);
  },
});

/** Signs in without a terminal. */
export const login = (home: Home, { url, token }: { url: string; token: string }, ...more: string[]): Promise<Run> =>
  home.docsctl('auth', 'login', '--with-token', '--url', url, ...more, { stdin: 'pipe', input: `${token}\n` });

/** An HTTP server that is one function. @returns its address */
export async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A service that keeps the token and path of each request. */
export async function listener(): Promise<{ url: string; asked: { token: string; path: string }[] }> {
  const asked: { token: string; path: string }[] = [];
  const url = await listen((request, response) => {
    asked.push({ token: request.headers.authorization ?? '', path: request.url! });
    const user = { object: 'user', id: 'Us1', displayName: 'Mirela', email: 'm@lumen.example', urls: { location: '' } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url === '/v1/user' ? user : { count: 0, items: [] }));
  });
  return { url, asked };
}
