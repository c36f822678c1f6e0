import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { InstanceResponse } from '../engine/request.ts';
import { FileResponse } from './file-response.ts';
import { hasArrived } from './request-body.ts';

/** How long, and how much of, a refused body is still read. */
const drainMs = 1_000;
const drainBytes = 1024 * 1024;

export function send(request: IncomingMessage, response: ServerResponse, answer: InstanceResponse): void {
  const { status, headers } = answer;
  const file = answer instanceof FileResponse ? answer.file : undefined;
  const body = file ? '' : answer.body;
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  const isArriving = !hasArrived(request);
  const length = file?.size ?? (typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength);
  response.writeHead(status, {
    'cache-control': 'no-store',
    ...headers,
    // The rest of a refused body is not worth reading.
    ...(isArriving ? { connection: 'close' } : {}),
    ...(hasBody ? { 'content-length': length } : {}),
    'x-content-type-options': 'nosniff',
  });
  if (answer instanceof FileResponse && file) return sendFile(request, response, answer, file.path);
  const content = request.method === 'HEAD' || !hasBody ? '' : body;
  if (!isArriving) return void response.end(content);
  // Closing at once would reset the connection before the client reads the response.
  response.write(content);
  drain(request, response);
}

function sendFile(request: IncomingMessage, response: ServerResponse, answer: FileResponse, path: string): void {
  const end = () => answer.discard();
  if (request.method === 'HEAD') {
    response.end();
    return end();
  }
  // The client may go away before the end.
  pipeline(createReadStream(path), response, end);
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
