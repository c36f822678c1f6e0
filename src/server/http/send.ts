import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { InstanceResponse } from '../engine/request.ts';
import { FileResponse } from './file-response.ts';
import { hasArrived } from './request-body.ts';

/** How long, and how much of, a refused body is still read. */
const drainMs = 1_000;
const drainBytes = 1024 * 1024;

/** Resolves when the response is on its way, for a file when all of it is. @throws if it cannot be sent */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: InstanceResponse,
): Promise<void> {
  if (!(answer instanceof FileResponse)) return sendBody(request, response, answer, answer.body);
  try {
    const { file } = answer;
    if (file) await sendFile(request, response, answer, file);
    else sendBody(request, response, answer, answer.body);
  } finally {
    answer.discard();
  }
}

function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  answer: InstanceResponse,
  body: string | Uint8Array,
): void {
  const isArriving = !hasArrived(request);
  writeHead(response, answer, {
    length: typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength,
    isArriving,
  });
  const content = request.method === 'HEAD' || !hasBody(answer) ? '' : body;
  if (!isArriving) return void response.end(content);
  // Closing at once would reset the connection before the client reads the response.
  response.write(content);
  drain(request, response);
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  answer: FileResponse,
  { path, size }: { path: string; size: number },
): Promise<void> {
  writeHead(response, answer, { length: size, isArriving: !hasArrived(request) });
  if (request.method === 'HEAD') return void response.end();
  try {
    await pipeline(createReadStream(path), response);
  } catch (error) {
    // The client may go away before the end.
    if (!response.destroyed || !isPrematureClose(error)) throw error;
  }
}

const isPrematureClose = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

const hasBody = ({ status }: InstanceResponse): boolean => status !== 204 && status !== 205 && status !== 304;

function writeHead(
  response: ServerResponse,
  answer: InstanceResponse,
  { length, isArriving }: { length: number; isArriving: boolean },
): void {
  response.writeHead(answer.status, {
    'cache-control': 'no-store',
    ...answer.headers,
    // The rest of a refused body is not worth reading.
    ...(isArriving ? { connection: 'close' } : {}),
    ...(hasBody(answer) ? { 'content-length': length } : {}),
    'x-content-type-options': 'nosniff',
  });
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
