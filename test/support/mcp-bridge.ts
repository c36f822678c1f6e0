import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Home } from './cli.ts';
import { type McpClient, startMcp } from './mcp-client.ts';

/** `docsctl mcp` behind HTTP, for programs that do not start servers: one process per session, and one without sessions. */
export async function bridgeMcp(home: Pick<Home, 'dir' | 'env'>) {
  const sessions: McpClient[] = [startMcp(home)];
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse) {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method, params } = (await json(request)) as { id?: number | string; method: string; params?: object };
    const isNew = method === 'initialize';
    const session = isNew ? sessions.push(startMcp(home)) - 1 : Number(request.headers['mcp-session-id'] ?? 0);
    const client = sessions[session]!;
    if (id === undefined) {
      client.send({ jsonrpc: '2.0', method, ...(params && { params }) });
      return response.writeHead(202).end();
    }
    if (method === 'subscriptions/listen') return listen(client, { id, params }, response);
    // Sessions and requests without one use the same IDs.
    const answered = await client.request(method, params);
    const headers = { 'content-type': 'application/json', ...(isNew && { 'mcp-session-id': String(session) }) };
    const status = statuses.get(answered.error?.code ?? 0) ?? 200;
    return response.writeHead(status, headers).end(JSON.stringify({ ...answered, id }));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.closeAllConnections();
      server.close();
      for (const client of sessions) await client.close();
    },
  };
}

/** By the code of an error, as the protocol has them for HTTP. */
const statuses = new Map([
  [-32601, 404],
  [-32602, 400],
  [-32022, 400],
]);

/** Sends what the server sends for a subscription, as events. */
function listen(
  client: McpClient,
  { id, params }: { id: number | string; params: object | undefined },
  response: ServerResponse,
) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let seen = client.messages.length;
  void client.request('subscriptions/listen', params, id);
  const timer = setInterval(() => {
    for (; seen < client.messages.length; seen += 1)
      response.write(`event: message\ndata: ${JSON.stringify(client.messages[seen])}\n\n`);
  }, 20);
  response.on('close', () => clearInterval(timer));
  return response;
}
