import { isMet } from '../../content/blocks/expressions.ts';
import { tryDecode } from '../../shared/decode.ts';
import { isObject } from '../../shared/is-object.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { Db } from '../../store/store.ts';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';
import { findSecret } from '../engine/secrets.ts';

/**
 * The reader of a published site, with the claims of a signed token (`serviceVisitorClaims` of the organization's ping) and,
 * under `unsigned`, those in the address (`?visitor.plan=team`). Both come in a query and are then stored in a cookie of the
 * site. Other readers get no cookie.
 */
export interface Visitor {
  claims: Record<string, unknown>;
  isSignedIn: boolean;
  /** Whether the token is expired or belongs to another site. */
  hasBadToken: boolean;
}

interface Reading {
  db: Db;
  request: InstanceRequest;
  site: Pick<SiteRow, 'id' | 'organization'>;
  now: number;
}

const tokenName = 'jwt_token';
const unsignedPrefix = 'visitor.';
/** Browsers keep cookies of at most 4096 bytes. */
const maxUnsigned = 3_500;

export async function readVisitor({ db, request, site, now }: Reading): Promise<Visitor> {
  const cookies = cookiesOf(request);
  const token = request.query.get(tokenName) ?? cookies.get(`docs-visitor-${site.id}`);
  const signed = token === undefined ? undefined : await verify(db, token, site.organization, now);
  return {
    claims: { ...signed, unsigned: unsignedOf(request.query, cookies.get(`docs-unsigned-${site.id}`)) },
    isSignedIn: signed !== undefined,
    hasBadToken: token !== undefined && signed === undefined,
  };
}

interface Keeping extends Pick<Reading, 'request' | 'site'> {
  /** The address of the service for browsers. */
  base: string;
  /** The path of the site, which limits the cookie. */
  path: string;
}

/** Moves the claims of the query to a cookie and redirects; undefined for other requests. */
export function keepVisitor({ request, site, base, path }: Keeping, visitor: Visitor): InstanceResponse | undefined {
  const { query } = request;
  const names = [...query.keys()].filter((name) => name === tokenName || name.startsWith(unsignedPrefix));
  if (names.length === 0 || visitor.hasBadToken) return undefined;
  const rest = new URLSearchParams(query);
  for (const name of names) rest.delete(name);
  const token = partsOf(query.get(tokenName) ?? '');
  const isSecure = new URL(base).protocol === 'https:';
  const attributes = `Path=${path}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  // A response has only one value for each header, so the token takes precedence.
  const cookie = token
    ? `docs-visitor-${site.id}=${token.join('.')}; ${attributes}`
    : `docs-unsigned-${site.id}=${encodeURIComponent(JSON.stringify(visitor.claims.unsigned))}; ${attributes}`;
  const search = rest.size > 0 ? `?${rest}` : '';
  return {
    status: 303,
    headers: { location: request.path + search, 'set-cookie': cookie, 'cache-control': 'no-store' },
    body: '',
  };
}

/** Whether the visitor meets a condition. Nobody meets an invalid one. */
export const meets = (visitor: Visitor, condition: string | null | undefined): boolean =>
  isMet(condition, { visitor: { claims: visitor.claims } });

function cookiesOf({ headers }: InstanceRequest): Map<string, string> {
  const header = headers.cookie;
  const pairs = typeof header === 'string' ? header.split(';').map((pair) => pair.trim().split('=', 2)) : [];
  return new Map(pairs.map(([name = '', value = '']) => [name, value]));
}

/** The claims of the query, then those of the cookie, as many as fit in the cookie. */
function unsignedOf(query: URLSearchParams, cookie: string | undefined): Record<string, string | boolean> {
  const claims = new Map<string, string | boolean>();
  let length = 0;
  const add = (name: string, value: unknown): void => {
    if (claims.has(name) || (typeof value !== 'string' && typeof value !== 'boolean')) return;
    length += encodeURIComponent(`${JSON.stringify(name)}:${JSON.stringify(value)},`).length;
    if (length <= maxUnsigned) claims.set(name, value);
  };
  // If a name is repeated, the last value counts.
  for (const [name, value] of new Map(query)) {
    if (name.startsWith(unsignedPrefix)) add(name.slice(unsignedPrefix.length), valueOf(value));
  }
  for (const [name, value] of Object.entries(parseUnsigned(cookie))) add(name, value);
  return Object.fromEntries(claims);
}

const valueOf = (text: string): string | boolean => (text === 'true' ? true : text === 'false' ? false : text);

function parseUnsigned(cookie: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(tryDecode(cookie ?? '') ?? '');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

type TokenParts = [head: string, body: string, signature: string];

/** The parts of a token; undefined if it is not three parts in base64url. */
function partsOf(token: string): TokenParts | undefined {
  const [, head, body, signature] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(token) ?? [];
  return head === undefined || body === undefined || signature === undefined ? undefined : [head, body, signature];
}

/** The claims of a token, if this instance signed it for a visitor of the organization and it has not expired. */
async function verify(db: Db, token: string, organization: string, now: number) {
  const parts = partsOf(token);
  const secret = await findSecret(db, 'visitor');
  if (secret === undefined || parts === undefined) return undefined;
  const [head, body, signature] = parts;
  const { createHmac, timingSafeEqual } = process.getBuiltinModule('node:crypto');
  const expected = createHmac('sha256', secret).update(`${head}.${body}`).digest();
  const actual = Buffer.from(signature, 'base64url');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
  const header = decode(head);
  const claims = decode(body);
  const isValid = header?.alg === 'HS256' && claims?.org === organization && isAfter(claims.exp, now);
  return isValid ? claims : undefined;
}

/** Whether a time in seconds is after another one. JSON numbers such as `1e999` are not times. */
const isAfter = (seconds: unknown, now: number): boolean =>
  typeof seconds === 'number' && new Date(seconds * 1000).getTime() > now;

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
