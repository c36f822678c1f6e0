import type { LookupAddress } from 'node:dns';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ImportFailure } from './failure.ts';

const switchesProtocol = 'The address switches to another protocol (101) instead of responding.';

export interface FetchLimits {
  maxBytes: number;
  /** For everything: name resolution, connecting, redirects and the whole body. */
  timeoutMs: number;
  /** Allows requests to loopback, private and link-local networks, or to some addresses in them. */
  allowPrivate?: boolean | ((address: string) => boolean);
  /** Rejects redirects from https to http. */
  keepsEncryption?: boolean;
  /** Accepts `data:` URLs, too. */
  data?: boolean;
  accept?: string;
  signal?: AbortSignal;
  /** Resolves host names; by default, with the system's resolver. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>;
  /** Keeps the connections of a crawl open; see `openAgents`. */
  agents?: Agents;
}

export interface Fetched {
  /** The address of the response, after redirects. */
  url: string;
  contentType: string;
  bytes: Buffer;
}

const maxRedirects = 5;

export async function fetchText(url: string, limits: FetchLimits): Promise<string> {
  const { bytes, contentType } = await fetchBytes(url, limits);
  return decodeText(bytes, contentType);
}

/** Fetches an address from a user. The status must be 2xx. Throws only ImportFailure. */
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
      if (limits.keepsEncryption && target.protocol === 'https:' && location.protocol === 'http:')
        throw new ImportFailure('blocked', 'The address redirects from https to http.');
      target = location;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason instanceof ImportFailure ? signal.reason : new ImportFailure('timeout');
    throw error instanceof ImportFailure ? error : new ImportFailure('unreachable');
  } finally {
    clearTimeout(timer);
  }
}

/** Whether an IP address is public. Addresses are compared by their bytes, so their spelling does not matter. */
export function isPublic(address: string): boolean {
  let parsed: ipaddr.IPv4 | ipaddr.IPv6;
  try {
    // A zone such as %eth0 is only valid in addresses that are rejected anyway.
    parsed = ipaddr.parse(address.replace(/%.*/s, ''));
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
// All public addresses are in this range. The others are local, translated or unused.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
// Azure's platform services use this address, although the range is public.
const platform = new Set(['168.63.129.16']);

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !platform.has(address.toString());
}

function isAllowed(address: string, { allowPrivate }: FetchLimits): boolean {
  return (typeof allowPrivate === 'function' ? allowPrivate(address) : allowPrivate) || isPublic(address);
}

/**
 * For `allowPrivate`: allows a fetch to reach private networks only if its first address is in one, so that a public
 * address cannot redirect to a private one. Create one for each fetch.
 */
export function allowWhereFirst(): (address: string) => boolean {
  let isInside: boolean | undefined;
  return (address) => (isInside ??= !isPublic(address));
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

/** Connections that several fetches share. Their addresses are checked when they are opened. */
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
  // Node calls lookup only for names, so addresses are checked here. The URL parser has normalized them.
  if (ipaddr.isValid(literal) && !isAllowed(literal, limits)) throw new ImportFailure('blocked');
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(target, {
      signal,
      lookup: checkedLookup(limits),
      agent: limits.agents ? limits.agents[secure ? 'https' : 'http'] : false,
      maxHeaderSize: 64 * 1024,
      headers: {
        accept: limits.accept ?? '*/*',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': `${userAgent}/1.0`,
      },
    });
    const refuseUpgrade = () => {
      reject(new ImportFailure('unreachable', switchesProtocol));
      sent.destroy();
    };
    // Without a listener, Node closes the connection and reports neither a response nor an error.
    sent.once('upgrade', (_, socket) => {
      socket.destroy();
      refuseUpgrade();
    });
    sent.once('response', (response) => (response.statusCode === 101 ? refuseUpgrade() : resolve(response)));
    // Also handles errors after the response, which would otherwise be unhandled.
    sent.on('error', reject);
    // The connection can also close without an error.
    sent.once('close', () => reject(new ImportFailure('unreachable')));
    sent.end();
  });
}

/** The name in requests and in robots.txt. */
export const userAgent = 'docsctl';

// Connects to the checked addresses, so that the name is not resolved again.
function checkedLookup(limits: FetchLimits): LookupFunction {
  return async (hostname, options, callback) => {
    let addresses: LookupAddress[];
    try {
      addresses = await resolveName(hostname, limits);
    } catch (error) {
      return callback(error instanceof Error ? error : new ImportFailure('unreachable'), '', 4);
    }
    const fitting = options.family ? addresses.filter(({ family }) => family === familyOf(options.family)) : addresses;
    const [first] = fitting;
    if (!first) callback(new ImportFailure('unreachable'), '', 4);
    else if (options.all) callback(null, fitting);
    else callback(null, first.address, first.family);
  };
}

async function resolveName(hostname: string, limits: FetchLimits): Promise<LookupAddress[]> {
  const addresses = await (limits.resolve ?? systemResolve)(hostname);
  // A private address among public ones is an attack.
  if (!addresses.every(({ address }) => isAllowed(address, limits))) throw new ImportFailure('blocked');
  return addresses;
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
  if (!redirecting.has(response.statusCode ?? 0) || location === undefined) return undefined;
  const target = webAddress(location, from);
  if (target.hash === '') target.hash = from.hash;
  return target;
}

async function bodyOf(response: IncomingMessage, target: URL, limits: FetchLimits): Promise<Fetched> {
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) {
    response.destroy();
    throw new ImportFailure('status', undefined, status);
  }
  if (Number(response.headers['content-length'] ?? 0) > limits.maxBytes) {
    response.destroy();
    throw new ImportFailure('too-large');
  }
  const body = await decompressed(response);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
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

async function decompressed(response: IncomingMessage): Promise<AsyncIterable<Buffer>> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return response;
  const zlib = await import('node:zlib');
  if (!['br', 'gzip', 'x-gzip', 'deflate'].includes(encoding)) throw new ImportFailure('unreadable');
  const decoder = encoding === 'br' ? zlib.createBrotliDecompress() : zlib.createUnzip();
  const { pipeline } = await import('node:stream');
  pipeline(response, decoder, () => undefined);
  return decoder;
}

function decodeDataUrl(url: string, maxBytes: number): Fetched {
  const comma = url.indexOf(',');
  if (comma === -1) throw new ImportFailure('unreadable', 'The data: URL has no comma before its data.');
  const type = url.slice('data:'.length, comma);
  const data = url.slice(comma + 1);
  // Base64 needs four characters for three bytes, and percent-encoding even more.
  if (data.length > maxBytes * 4) throw new ImportFailure('too-large');
  const base64 = /;\s*base64\s*$/i.test(type);
  const bytes = base64 ? Buffer.from(percentDecoded(data).toString('latin1'), 'base64') : percentDecoded(data);
  if (bytes.length > maxBytes) throw new ImportFailure('too-large');
  return { url, contentType: type.replace(/;\s*base64\s*$/i, '') || 'text/plain', bytes };
}

// Not decodeURIComponent, because the bytes can be binary.
function percentDecoded(data: string): Buffer {
  const raw = Buffer.from(data);
  if (!raw.includes('%')) return raw;
  const decoded = raw
    .toString('latin1')
    .replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}

/**
 * Decodes the text of a response. The encoding is that of the byte order mark, or else the declared one (in HTML, also in
 * the page), or else UTF-8.
 */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const declared = /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1] ?? charsetOfHtml(bytes, contentType);
  const charset = charsetOfMark(bytes) ?? declared ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // The declared charset does not exist. Usually, only the declaration is wrong.
    return new TextDecoder().decode(bytes);
  }
}

function charsetOfMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return undefined;
}

function charsetOfHtml(bytes: Uint8Array, contentType: string): string | undefined {
  if (!/html|^$/i.test(contentType)) return undefined;
  const head = Buffer.from(bytes.subarray(0, 2048)).toString('latin1');
  const metas = head.match(/<meta\b[^<>]*/gi) ?? [];
  return metas.map((meta) => /\bcharset\s*=\s*["']?([\w-]+)/i.exec(meta)?.[1]).find(Boolean);
}
