import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import type { ClientOptions } from '../../src/client/send.ts';
import { createClient } from '../../src/client/client.ts';
import type { Clock } from '../../src/client/retry.ts';
import type { WireRequest, WireResponse } from '../../src/client/transport.ts';
import { endpoints } from '../../src/contract/endpoint.ts';
import { selfSigned } from './certificate.ts';

/** A small contract, with one endpoint of each kind that the client tells apart. */
export const things = endpoints('things', {
  list: {
    route: 'GET /v1/things',
    summary: 'List things.',
    access: 'none',
    items: () => z.object({ id: z.string() }),
  },
  get: {
    route: 'GET /v1/things/{thing}',
    summary: 'Get a thing.',
    access: 'none',
    query: () => ({ format: z.optional(z.string()), deep: z.optional(z.boolean()) }),
    response: () => z.object({ id: z.string(), urls: z.optional(z.object({ app: z.optional(z.string()) })) }),
  },
  create: {
    route: 'POST /v1/things',
    summary: 'Create a thing.',
    access: 'none',
    body: () => z.object({ title: z.string() }),
    response: () => z.object({ id: z.string() }),
  },
  edit: {
    route: 'PATCH /v1/things/{thing}',
    summary: 'Edit a thing.',
    access: 'none',
    body: () => z.object({ title: z.string() }),
    response: () => z.object({ id: z.string() }),
  },
  put: {
    route: 'PUT /v1/things',
    summary: 'Make a thing.',
    access: 'none',
    body: () => z.object({ title: z.string() }),
    response: () => z.object({ id: z.string() }),
  },
  set: {
    route: 'PUT /v1/things/{thing}',
    summary: 'Set a thing.',
    access: 'none',
    repeatable: true,
    body: () => z.object({ title: z.string() }),
    response: () => z.object({ id: z.string() }),
  },
  remove: { route: 'DELETE /v1/things/{thing}', summary: 'Delete a thing.', access: 'none', status: 205 },
});

/** Time that passes only where somebody sleeps. */
export interface FakeClock extends Clock {
  sleeps: number[];
  pass(ms: number): void;
}

export function fakeClock({ random = 0.5 } = {}): FakeClock {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    random: () => random,
    pass: (ms) => void (now += ms),
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      sleeps.push(ms);
      now += ms;
    },
  };
}

type Reply = Partial<Omit<WireResponse, 'body'>> & { body?: unknown };
type Answer = Reply | Error | ((request: WireRequest) => Reply | Error | Promise<Reply | Error>);

/** A client over a transport that gives the answers in turn, and the last one for ever. */
export function scripted(answers: Answer[], options: Partial<ClientOptions> = {}) {
  const requests: WireRequest[] = [];
  const clock = fakeClock();
  const client = createClient({
    url: 'scripted:',
    userAgent: 'docsctl/0.0.0',
    clock,
    transport: {
      async send(request) {
        requests.push(request);
        // What loops without end would otherwise keep the test's own time limit from striking.
        if (requests.length > 5000) throw new Error('The script was asked too often.');
        const answer = answers[Math.min(requests.length, answers.length) - 1]!;
        const reply = typeof answer === 'function' ? await answer(request) : answer;
        if (reply instanceof Error) throw reply;
        const { status = 200, headers = {}, body } = reply;
        return { status, headers, body: bytesOf(body) };
      },
      async close() {},
    },
    ...options,
  });
  return { client, requests, clock };
}

export function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

export const queryOf = ({ path }: { path: string }) => new URLSearchParams(path.split('?')[1]);

type Handler = (request: IncomingMessage, response: ServerResponse, nth: number) => void;

/** An HTTP server on loopback that does what `handler` does to it, be it good or bad. */
export async function serve(handler: Handler) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    handler(request, response, requests.length);
  });
  let connections = 0;
  server.on('connection', () => void connections++);
  const url = await listen(server);
  return {
    url,
    requests,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server that writes these bytes for each request, whatever it is, and leaves the connection open. */
export async function serveBytes(bytes: string) {
  const open = new Set<Socket>();
  let requests = 0;
  const server = createTcpServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.on('data', () => {
      requests++;
      socket.write(bytes);
    });
  });
  const url = await listen(server);
  return {
    url,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An https server whose certificate, for a host name, is in a file and trusted by nobody. */
export async function serveTls(host: string, answer = (response: ServerResponse) => json(response, { id: '1' })) {
  const certificate = selfSigned(host);
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-'));
  const certificateFile = join(folder, 'certificate.pem');
  await writeFile(certificateFile, certificate.cert);
  const requests: string[] = [];
  const server = createTlsServer(certificate, (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(response);
  });
  let connections = 0;
  server.on('secureConnection', () => void connections++);
  const url = (await listen(server)).replace('http:', 'https:');
  return {
    url,
    server,
    requests,
    certificate: certificate.cert,
    certificateFile,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

/** What a new process gets from a service: Node reads its extra certificates once, when it starts. */
export async function readInChild(url: string, environment: Record<string, string>): Promise<string> {
  const module = new URL('../../src/client/client.ts', import.meta.url).href;
  // Nothing is closed: idle connections must not keep a process from ending.
  const script = `
    const { createClient } = await import(${JSON.stringify(module)});
    const client = createClient({ url: ${JSON.stringify(url)}, userAgent: 'docsctl/0.0.0', retries: 0 });
    const answer = await client.request('GET', '/v1/things/1').catch((error) => ({ text: error.message }));
    console.log(answer.text);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
  });
  return stdout.trimEnd();
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A client over HTTP that neither waits nor tries again unless told to. */
export function httpClient(url: string, options: Partial<ClientOptions> = {}) {
  const client = createClient({ url, userAgent: 'docsctl/0.0.0', clock: fakeClock(), retries: 0, ...options });
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

export function json(response: ServerResponse, body: unknown, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export async function errorOf<E = Error & Record<string, unknown>>(promise: Promise<unknown>): Promise<E> {
  return promise.then(
    (value) => {
      throw new Error(`It did not fail but gave ${JSON.stringify(value)}.`);
    },
    (error) => error as E,
  );
}
