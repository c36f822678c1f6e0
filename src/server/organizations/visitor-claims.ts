import type { Db } from '../../store/store.ts';
import type { Caller, OrgAt } from '../engine/context.ts';
import { secretOf } from '../engine/secrets.ts';

const crypto = () => process.getBuiltinModule('node:crypto');
const lifetimeSeconds = 3600;

interface Claimed {
  org: OrgAt;
  caller: Caller;
  now: string;
}

/**
 * A JWT (HS256, one hour) that tells a published site who its visitor is. Only where the organization has a published
 * site that asks: one with adaptive content or visitor authentication (open parts, section 7).
 */
export async function visitorClaims(db: Db, { org, caller, now }: Claimed): Promise<string | undefined> {
  const asks = await db
    .selectFrom('site')
    .select('id')
    .where('organization', '=', org.id)
    .where('published', '=', 1)
    .where((eb) => eb.or([eb('adaptive_content', '=', 1), eb('visibility', '=', 'visitor-auth')]))
    .executeTakeFirst();
  if (!asks) return undefined;
  const iat = Math.floor(Date.parse(now) / 1000);
  const claims = {
    sub: caller.id,
    email: caller.email,
    name: caller.display_name,
    org: org.id,
    iat,
    exp: iat + lifetimeSeconds,
  };
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${crypto()
    .createHmac('sha256', await secretOf(db, 'visitor'))
    .update(signed)
    .digest('base64url')}`;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
