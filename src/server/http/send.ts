import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InstanceResponse } from '../engine/request.ts';
import { hasArrived } from './request-body.ts';

/** How long, and how much of, a refused body is still read. */
const drainMs = 1_000;
const drainBytes = 1024 * 1024;

export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: InstanceResponse,
): void {
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  const isArriving = !hasArrived(request);
  response.writeHead(status, {
    'cache-control': 'no-store',
    ...headers,
    // The rest of a refused body is not worth reading.
    ...(isArriving ? { connection: 'close' } : {}),
    ...(hasBody ? { 'content-length': typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength } : {}),
    'x-content-type-options': 'nosniff',
  });
  const content = request.method === 'HEAD' || !hasBody ? '' : body;
  if (!isArriving) return void response.end(content);
  // Closing at once would reset the connection before the client reads the response.
  response.write(content);
  drain(request, response);
}

function drain(request: IncomingMessage, response: ServerResponse): void {
  const end = () => {
    clearTimeout(timer);
    response.end();
    request.destroy();
  };
  const timer = setTimeout(end, drainMs);
  let drained = 0;
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > drainBytes) request.pause();
  });
  request.once('end', end).once('close', end);
}

/** Announces the whole body, sends half of it and closes the connection: for `--fault truncate`. */
export function sendTruncated(response: ServerResponse, { status, headers, body }: InstanceResponse): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}
