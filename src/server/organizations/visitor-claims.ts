import type { Db } from '../../store/store.ts';
import type { Caller, LoadedOrg } from '../engine/context.ts';
import { secretOf } from '../engine/secrets.ts';

const crypto = () => process.getBuiltinModule('node:crypto');
const lifetimeSeconds = 3600;

interface Visit {
  org: LoadedOrg;
  caller: Caller;
  now: string;
}

/**
 * A JWT (HS256, one hour) with which a published site knows its visitor. Undefined where no published site of the
 * organization uses it: adaptive content and visitor authentication do.
 */
export async function visitorClaims(db: Db, { org, caller, now }: Visit): Promise<string | undefined> {
  const site = await db
    .selectFrom('site')
    .select('id')
    .where('organization', '=', org.id)
    .where('published', '=', 1)
    .where((eb) => eb.or([eb('adaptive_content', '=', 1), eb('visibility', '=', 'visitor-auth')]))
    .executeTakeFirst();
  if (!site) return undefined;
  const issuedAt = Math.floor(Date.parse(now) / 1000);
  const claims = {
    sub: caller.id,
    email: caller.email,
    name: caller.display_name,
    org: org.id,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
  };
  const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  const hmac = crypto().createHmac('sha256', await secretOf(db, 'visitor'));
  return `${unsigned}.${hmac.update(unsigned).digest('base64url')}`;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
