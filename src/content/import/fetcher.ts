import type { LookupAddress } from 'node:dns';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import ipaddr from 'ipaddr.js';

/**
 * Why an address that a user gave brought nothing. `blocked`: not http or https, or it leads into a private network;
 * `status`: answered with an error; `unreadable`: fetched, but not what it should be.
 */
export type FailureCode =
  | 'blocked'
  | 'timeout'
  | 'too-large'
  | 'unreachable'
  | 'status'
  | 'redirects'
  | 'unreadable'
  | 'unsupported';

/** The message is for the user and holds nothing of what the address answered. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';
  readonly code: FailureCode;
  /** The HTTP status with `status`; for the caller's decisions, not for the user. */
  readonly status?: number;

  constructor(code: FailureCode, message = messages[code], status?: number) {
    super(message);
    this.code = code;
    if (status !== undefined) this.status = status;
  }
}

const messages: Record<FailureCode, string> = {
  blocked:
    'The address is not allowed: give one that starts with http:// or https:// and is reachable from the internet.',
  timeout: 'The address did not answer in time.',
  'too-large': 'The answer of the address is too large.',
  unreachable: 'The address could not be reached.',
  status: 'The address answered with an error.',
  redirects: 'The address redirects too often.',
  unreadable: 'What the address answered could not be read.',
  unsupported: 'This kind of source cannot be imported.',
};

export interface FetchLimits {
  maxBytes: number;
  /** For everything: resolving, connecting, redirects and the whole body. */
  timeoutMs: number;
  /** Lets requests into loopback, private and link-local networks: all of them, or the addresses it says yes to. */
  allowPrivate?: boolean | ((address: string) => boolean);
  /** Takes `data:` addresses too. */
  data?: boolean;
  accept?: string;
  signal?: AbortSignal;
  /** How names become addresses; the system's resolver by default. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>;
  /** Keeps connections of one crawl open; see `openAgents`. */
  agents?: Agents;
}

export interface Fetched {
  /** The address that answered, after redirects. */
  url: string;
  contentType: string;
  bytes: Buffer;
}

const maxRedirects = 5;

export async function fetchText(url: string, limits: FetchLimits): Promise<string> {
  const { bytes, contentType } = await fetchBytes(url, limits);
  return decodeText(bytes, contentType);
}

/** What an address that a user gave answers with a 2xx status. Throws ImportFailure, and nothing else. */
export async function fetchBytes(url: string, limits: FetchLimits): Promise<Fetched> {
  if (limits.data && /^data:/i.test(url)) return decodeDataUrl(url, limits.maxBytes);
  const timeUp = new AbortController();
  const timer = setTimeout(() => timeUp.abort(new ImportFailure('timeout')), limits.timeoutMs);
  const signal = limits.signal ? AbortSignal.any([limits.signal, timeUp.signal]) : timeUp.signal;
  try {
    let target = webAddress(url);
    for (let redirects = 0; ; redirects += 1) {
      const response = await send(target, limits, signal);
      const location = redirectOf(response, target);
      if (!location) return await bodyOf(response, target, limits);
      response.destroy();
      if (redirects === maxRedirects) throw new ImportFailure('redirects');
      target = location;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason instanceof ImportFailure ? signal.reason : new ImportFailure('timeout');
    throw error instanceof ImportFailure ? error : new ImportFailure('unreachable');
  } finally {
    clearTimeout(timer);
  }
}

/** Whether an address belongs to the public internet, judged by its bytes, whatever its spelling. */
export function isPublic(address: string): boolean {
  let parsed: ipaddr.IPv4 | ipaddr.IPv6;
  try {
    // A zone such as %eth0 makes sense only for addresses that are refused anyway.
    parsed = ipaddr.parse(address.replace(/%.*$/, ''));
  } catch {
    return false;
  }
  if (parsed instanceof ipaddr.IPv4) return isPublicIpv4(parsed);
  if (parsed.isIPv4MappedAddress()) return isPublicIpv4(parsed.toIPv4Address());
  const bytes = parsed.toByteArray();
  if (parsed.match(nat64)) return isPublicIpv4(new ipaddr.IPv4(bytes.slice(12)));
  if (parsed.match(sixToFour)) return isPublicIpv4(new ipaddr.IPv4(bytes.slice(2, 6)));
  return parsed.match(globalUnicast) && parsed.range() === 'unicast';
}

const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const sixToFour = ipaddr.IPv6.parseCIDR('2002::/16');
// All that is assigned for the public lies in here: what is outside is local, translated or not in use.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
// Answers from inside of one large provider's machines, although the range is public.
const platform = new Set(['168.63.129.16']);

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !platform.has(address.toString());
}

function isAllowed(address: string, { allowPrivate }: FetchLimits): boolean {
  if (typeof allowPrivate === 'function' ? allowPrivate(address) : allowPrivate) return true;
  return isPublic(address);
}

function webAddress(url: string, base?: URL): URL {
  const parsed = URL.parse(url, base?.href);
  if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) throw new ImportFailure('blocked');
  return parsed;
}

export interface Agents {
  http: import('node:http').Agent;
  https: import('node:https').Agent;
  close(): void;
}

/** Connections that several fetches share; the addresses they go to were judged when they were opened. */
export async function openAgents(connections: number): Promise<Agents> {
  const [http, https] = await Promise.all([import('node:http'), import('node:https')]);
  const options = { keepAlive: true, maxSockets: connections, maxTotalSockets: connections * 2 };
  const agents = { http: new http.Agent(options), https: new https.Agent(options) };
  return {
    ...agents,
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

async function send(target: URL, limits: FetchLimits, signal: AbortSignal): Promise<IncomingMessage> {
  const secure = target.protocol === 'https:';
  const { request } = await (secure ? import('node:https') : import('node:http'));
  const literal = target.hostname.replace(/^\[|\]$/g, '');
  // Node asks its lookup only for names, so literals are judged here; the URL parser has normalised their spelling.
  if (ipaddr.isValid(literal) && !isAllowed(literal, limits)) throw new ImportFailure('blocked');
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(target, {
      signal,
      lookup: judgedLookup(limits),
      agent: limits.agents ? limits.agents[secure ? 'https' : 'http'] : false,
      maxHeaderSize: 64 * 1024,
      headers: {
        accept: limits.accept ?? '*/*',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': `${userAgent}/1.0`,
      },
    });
    sent.once('response', resolve);
    // Also when the answer is cut off later, so that it never counts as unhandled.
    sent.on('error', reject);
    sent.end();
  });
}

/** How the fetcher names itself to servers, and the name it looks for in robots.txt. */
export const userAgent = 'docsctl';

// The connection is made to the very addresses that were judged: nothing resolves the name a second time.
function judgedLookup(limits: FetchLimits): LookupFunction {
  return async (hostname, options, callback) => {
    let found: LookupAddress[];
    try {
      found = await resolveName(hostname, limits);
    } catch (error) {
      return callback(error as Error, '', 4);
    }
    const fitting = options.family ? found.filter(({ family }) => family === familyOf(options.family)) : found;
    const [first] = fitting;
    if (!first) callback(new ImportFailure('unreachable'), '', 4);
    else if (options.all) callback(null, fitting);
    else callback(null, first.address, first.family);
  };
}

async function resolveName(hostname: string, limits: FetchLimits): Promise<LookupAddress[]> {
  const found = await (limits.resolve ?? systemResolve)(hostname);
  // One private address among public ones is a trick, not a choice.
  if (!found.every(({ address }) => isAllowed(address, limits))) throw new ImportFailure('blocked');
  return found;
}

async function systemResolve(hostname: string): Promise<LookupAddress[]> {
  const { lookup } = await import('node:dns/promises');
  return lookup(hostname, { all: true });
}

function familyOf(family: number | 'IPv4' | 'IPv6' | undefined): number {
  return family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : (family ?? 0);
}

const redirecting = new Set([301, 302, 303, 307, 308]);

function redirectOf(response: IncomingMessage, from: URL): URL | undefined {
  const { location } = response.headers;
  if (!redirecting.has(response.statusCode!) || location === undefined) return undefined;
  const target = webAddress(location, from);
  if (target.hash === '') target.hash = from.hash;
  return target;
}

async function bodyOf(response: IncomingMessage, target: URL, limits: FetchLimits): Promise<Fetched> {
  const status = response.statusCode!;
  if (status < 200 || status > 299) {
    response.destroy();
    throw new ImportFailure('status', messages.status, status);
  }
  if (Number(response.headers['content-length'] ?? 0) > limits.maxBytes) {
    response.destroy();
    throw new ImportFailure('too-large');
  }
  const body = await decompressed(response);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limits.maxBytes) throw new ImportFailure('too-large');
      chunks.push(chunk);
    }
  } finally {
    if (!response.complete || length > limits.maxBytes) response.destroy();
  }
  return {
    url: target.href,
    contentType: response.headers['content-type'] ?? '',
    bytes: Buffer.concat(chunks, length),
  };
}

async function decompressed(response: IncomingMessage): Promise<Readable> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return response;
  const zlib = await import('node:zlib');
  const decoder =
    encoding === 'br'
      ? zlib.createBrotliDecompress()
      : encoding === 'gzip' || encoding === 'x-gzip' || encoding === 'deflate'
        ? zlib.createUnzip()
        : undefined;
  if (!decoder) throw new ImportFailure('unreadable');
  const { pipeline } = await import('node:stream');
  pipeline(response, decoder, () => undefined);
  return decoder;
}

function decodeDataUrl(url: string, maxBytes: number): Fetched {
  const comma = url.indexOf(',');
  if (comma === -1) throw new ImportFailure('unreadable', 'The data: address has no comma before its data.');
  const type = url.slice('data:'.length, comma);
  const data = url.slice(comma + 1);
  // Three bytes take four characters, and percent-encoding only makes data longer.
  if (data.length > maxBytes * 4) throw new ImportFailure('too-large');
  const base64 = /;\s*base64\s*$/i.test(type);
  const bytes = base64 ? Buffer.from(percentDecoded(data).toString('latin1'), 'base64') : percentDecoded(data);
  if (bytes.length > maxBytes) throw new ImportFailure('too-large');
  return { url, contentType: type.replace(/;\s*base64\s*$/i, '') || 'text/plain', bytes };
}

// Not decodeURIComponent: what is encoded may be no text.
function percentDecoded(data: string): Buffer {
  const raw = Buffer.from(data);
  if (!raw.includes('%')) return raw;
  const bytes = Buffer.alloc(raw.length);
  let length = 0;
  for (let at = 0; at < raw.length; at += 1, length += 1) {
    const hex = raw[at] === 0x25 ? raw.toString('latin1', at + 1, at + 3) : '';
    if (/^[\da-f]{2}$/i.test(hex)) {
      bytes[length] = Number.parseInt(hex, 16);
      at += 2;
    } else bytes[length] = raw[at]!;
  }
  return bytes.subarray(0, length);
}

/** The text of an answer, by its byte order mark, else its declared charset (in HTML also the page's own), else UTF-8. */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const declared = /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1] ?? charsetOfHtml(bytes, contentType);
  const charset = markedCharset(bytes) ?? declared ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // No charset that exists; the declaration is wrong more often than the text.
    return new TextDecoder().decode(bytes);
  }
}

function markedCharset(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return undefined;
}

function charsetOfHtml(bytes: Uint8Array, contentType: string): string | undefined {
  if (!/html|^$/i.test(contentType)) return undefined;
  const head = Buffer.from(bytes.subarray(0, 2048)).toString('latin1');
  return /<meta\b[^>]*\bcharset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
}
