import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service in front of another one. */
export interface Forwarding {
  url: string;
  /** The requests so far, such as `GET /v1/user`, without queries. */
  requests: string[];
  stop(): void;
}

interface ForwardOptions {
  /** Paths that the service is to lack. */
  hidden?: RegExp;
  /** Called before a request is forwarded. */
  before?(body: string): Promise<void>;
  /** Changes the address of a request. */
  address?(url: string): string;
  /** Changes the text of an answer. */
  answer?(path: string, text: string): string;
}

/** Forwards requests to a service. */
export async function forwardTo(service: string, options: ForwardOptions = {}): Promise<Forwarding> {
  const { hidden, before, address = (url) => url, answer: change = (_, text) => text } = options;
  const requests: string[] = [];
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [path = ''] = request.url!.split('?');
    requests.push(`${request.method} ${path}`);
    await before?.(Buffer.concat(chunks).toString());
    const answer = await fetch(new URL(hidden?.test(path) ? '/v1/missing' : address(request.url!), service), {
      method: request.method!,
      headers: { authorization: request.headers.authorization!, 'content-type': 'application/json' },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
    response.end(change(path, await answer.text()));
  };
  const server = createServer((request, response) => void forward(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
