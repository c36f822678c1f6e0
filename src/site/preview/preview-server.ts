import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tryDecode } from '../../shared/decode.ts';
import { ownPath, versionMark } from '../own-files.ts';
import { pagePolicy } from '../page-policy.ts';
import { prefersMarkdown } from '../machine-files.ts';
import type { PreviewAnswer, PreviewFile, PreviewSource } from './source.ts';
import { trimSlashes } from '../../shared/trim-slashes.ts';

export interface RunningPreview {
  url: string;
  /** Ends all connections. */
  stop(): Promise<void>;
}

export interface PreviewServerOptions {
  port: number;
  /** Called with unexpected errors. */
  onError(error: unknown): void;
}

/** Documents may only connect to other servers that the answer lists. */
const policyOf = (answer: Extract<PreviewAnswer, { html: string }>): string =>
  [
    'connect' in answer && answer.connect
      ? pagePolicy.replace("connect-src 'self'", ['connect-src', "'self'", ...answer.connect].join(' '))
      : pagePolicy,
    ...('hasFrames' in answer && answer.hasFrames ? ["frame-src 'self'"] : []),
  ].join('; ');

/** Scripts in HTML and SVG files of the folder must not run. */
const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox";

/** Serves a preview to browsers on this machine. @throws the system's error if the port cannot be used */
export async function servePreview(source: PreviewSource, options: PreviewServerOptions): Promise<RunningPreview> {
  const server = createServer((request, response) => {
    respond(source, request, response).catch((error: unknown) => {
      options.onError(error);
      if (!response.headersSent) sendText(response, 500, 'The page could not be shown. The terminal shows the reason.');
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return { url: urlOf(server), stop: () => stop(server) };
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');
  return `http://127.0.0.1:${address.port}`;
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

async function respond(source: PreviewSource, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A page of another site could use its own host name for this machine (DNS rebinding).
  if (!isLoopback(request.headers.host)) {
    return sendText(response, 421, 'This host name is not allowed. Use 127.0.0.1 or localhost.');
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return sendText(response, 405, 'Only GET is allowed.');
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const path = pathOf(url);
  if (path === undefined) return sendText(response, 400, 'The address is invalid.');
  if (url.pathname === `${ownPath}events`) return streamEvents(source, url.searchParams, request, response);
  if (url.pathname === `${ownPath}search`) {
    const results = await source.search(url.searchParams.get('q') ?? '');
    return sendFile(request, response, {
      contentType: 'application/json',
      bytes: Buffer.from(JSON.stringify(results)),
    });
  }
  if (url.pathname.startsWith(ownPath)) {
    const file = await source.asset(path.slice(ownPath.length - 1));
    return file ? sendFile(request, response, file) : sendText(response, 404, 'There is no such file.');
  }
  const answer = await answerOf(source, path, url, request.headers);
  if (answer.kind === 'redirect') {
    response.writeHead(302, { ...commonHeaders, location: answer.to });
    return void response.end();
  }
  if (answer.kind === 'file') return sendFile(request, response, answer);
  sendDocument(request, response, answer);
}

/** Looks for pages first, because a page may have the address of a file. */
async function answerOf(
  source: PreviewSource,
  path: string,
  { searchParams }: URL,
  { accept, host }: IncomingMessage['headers'],
): Promise<PreviewAnswer> {
  const answer = await source.answer(path, searchParams);
  const isMarkdown = answer.kind === 'page' && prefersMarkdown(accept);
  if (answer.kind !== 'not-found' && !isMarkdown) return answer;
  const name = isMarkdown ? `${path || 'index'}.md` : path;
  if (!/\.(?:md|txt)$/.test(name)) return answer;
  const { agentFile } = await import('./agent-files.ts');
  const file = await agentFile(name, await source.outline(), `http://${host}`);
  return file ? { kind: 'file', ...file } : answer;
}

const isLoopback = (host = ''): boolean => /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host);

/** The decoded path without slashes at its ends; undefined if it is invalid. */
function pathOf({ pathname }: URL): string | undefined {
  const path = tryDecode(pathname);
  if (path === undefined || path.includes('\0') || path.split('/').includes('..')) return undefined;
  return trimSlashes(path);
}

const commonHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

function sendDocument(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Extract<PreviewAnswer, { html: string }>,
): void {
  const body = Buffer.from(answer.html.replaceAll(versionMark, versionOf(answer)));
  response.writeHead(answer.kind === 'page' ? 200 : 404, {
    ...commonHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
    'content-security-policy': policyOf(answer),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { contentType, bytes, isImmutable, policy = filePolicy }: PreviewFile,
): void {
  response.writeHead(200, {
    ...commonHeaders,
    'content-type': contentType,
    'content-length': bytes.length,
    'content-security-policy': policy,
    ...(isImmutable ? { 'cache-control': 'max-age=31536000, immutable' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...commonHeaders, 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

const versionOf = (answer: PreviewAnswer): string =>
  'html' in answer
    ? createHash('sha256').update(answer.html).digest('base64url').slice(0, 16)
    : answer.kind === 'redirect'
      ? answer.to
      : '';

/** Proxies and browsers close idle connections. */
const keepAliveMs = 20_000;

/** Notifies an open page of changes: `reload` if its text changed, `move` with its new address if it moved. */
function streamEvents(
  source: PreviewSource,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const path = trimSlashes(tryDecode(query.get('page') ?? '') ?? '');
  const shown = query.get('version') ?? '';
  response.writeHead(200, { ...commonHeaders, 'content-type': 'text/event-stream; charset=utf-8' });
  response.write('retry: 500\n\n');
  let isDone = false;
  const compare = async () => {
    const answer = await source.answer(path, new URLSearchParams());
    if (isDone || versionOf(answer) === shown) return;
    isDone = true;
    response.write(answer.kind === 'redirect' ? `event: move\ndata: ${answer.to}\n\n` : 'event: reload\ndata:\n\n');
  };
  const check = () => void compare().catch(() => response.destroy());
  const release = source.onChange?.(check);
  const timer = setInterval(() => response.write(':\n\n'), keepAliveMs);
  request.on('close', () => {
    isDone = true;
    clearInterval(timer);
    release?.();
  });
  // It may have changed after the page was sent.
  check();
}
