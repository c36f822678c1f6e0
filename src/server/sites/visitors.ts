import { isMet } from '../../content/blocks/expressions.ts';
import { tryDecode } from '../../shared/decode.ts';
import { isObject } from '../../shared/is-object.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { Db } from '../../store/store.ts';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';
import { findSecret } from '../engine/secrets.ts';

/**
 * Who reads a published site: what a signed token says (`serviceVisitorClaims` of the organization's ping), and under
 * `unsigned` what the address says (`?visitor.plan=team`). Both come in the query once and are kept in a cookie of the
 * site; other readers get no cookie.
 */
export interface Visitor {
  claims: Record<string, unknown>;
  isSignedIn: boolean;
  /** A token that is too old, or not of this site. */
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
const maxUnsigned = 1_000;

export async function readVisitor({ db, request, site, now }: Reading): Promise<Visitor> {
  const cookies = cookiesOf(request);
  const token = request.query.get(tokenName) ?? cookies.get(`docs-visitor-${site.id}`);
  const signed = token === undefined ? undefined : await verify(db, token, site.organization, now);
  const unsigned = { ...parseUnsigned(cookies.get(`docs-unsigned-${site.id}`)), ...unsignedOf(request.query) };
  return {
    claims: { ...signed, unsigned },
    isSignedIn: signed !== undefined,
    hasBadToken: token !== undefined && signed === undefined,
  };
}

/** Keeps what the query says in a cookie and leads to the address without it; undefined for other requests. */
export function keepVisitor(
  { request, site }: Pick<Reading, 'request' | 'site'>,
  visitor: Visitor,
  path: string,
): InstanceResponse | undefined {
  const { query } = request;
  const names = [...query.keys()].filter((name) => name === tokenName || name.startsWith(unsignedPrefix));
  if (names.length === 0 || visitor.hasBadToken) return undefined;
  const rest = new URLSearchParams(query);
  for (const name of names) rest.delete(name);
  const token = query.get(tokenName);
  const unsigned = JSON.stringify(visitor.claims.unsigned);
  const attributes = `Path=${path}; HttpOnly; SameSite=Lax`;
  // A response of the instance has one value for a header, so the token wins where both are new.
  const cookie =
    token === null
      ? `docs-unsigned-${site.id}=${encodeURIComponent(unsigned.slice(0, maxUnsigned * 2))}; ${attributes}`
      : `docs-visitor-${site.id}=${token}; ${attributes}`;
  const search = rest.size > 0 ? `?${rest}` : '';
  return {
    status: 303,
    headers: { location: request.path + search, 'set-cookie': cookie, 'cache-control': 'no-store' },
    body: '',
  };
}

/** Whether something with this condition is for the visitor. What cannot be read is for nobody. */
export const meets = (visitor: Visitor, condition: string | null | undefined): boolean =>
  isMet(condition, { visitor: { claims: visitor.claims } });

function cookiesOf({ headers }: InstanceRequest): Map<string, string> {
  const header = headers.cookie;
  const pairs = typeof header === 'string' ? header.split(';').map((pair) => pair.trim().split('=', 2)) : [];
  return new Map(pairs.map(([name = '', value = '']) => [name, value]));
}

function unsignedOf(query: URLSearchParams): Record<string, unknown> {
  const claims: Record<string, unknown> = {};
  for (const [name, value] of query) {
    if (name.startsWith(unsignedPrefix) && name.length + value.length <= maxUnsigned) {
      claims[name.slice(unsignedPrefix.length)] = valueOf(value);
    }
  }
  return claims;
}

const valueOf = (text: string): unknown => (text === 'true' ? true : text === 'false' ? false : text);

function parseUnsigned(cookie: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(tryDecode(cookie ?? '') ?? '');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The claims of a token that this instance has signed for a visitor of the organization, and that is not too old. */
async function verify(db: Db, token: string, organization: string, now: number) {
  const [head = '', body = '', signature = ''] = token.split('.');
  const secret = await findSecret(db, 'visitor');
  if (secret === undefined || signature === '') return undefined;
  const { createHmac, timingSafeEqual } = process.getBuiltinModule('node:crypto');
  const expected = createHmac('sha256', secret).update(`${head}.${body}`).digest();
  const actual = Buffer.from(signature, 'base64url');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
  const header = decode(head);
  const claims = decode(body);
  const isValid = header?.alg === 'HS256' && claims?.org === organization;
  return isValid && typeof claims.exp === 'number' && claims.exp * 1000 > now ? claims : undefined;
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
