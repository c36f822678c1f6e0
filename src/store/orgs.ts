import { sql } from 'kysely';
import type { OrganizationRow } from './lookups.ts';
import { query, queryFor } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

interface Params {
  user: string;
  afterTitle?: string;
  afterId?: string;
  limit: number;
}

const mine = queryFor<{ after: boolean }, Params, OrganizationRow>(
  (variant, db, p) =>
    db
      .selectFrom('member as m')
      .innerJoin('organization as o', 'o.id', 'm.organization')
      .selectAll('o')
      .select(['m.user as caller_user', 'm.role as caller_role', 'm.disabled as caller_disabled'])
      .where('m.user', '=', p.user)
      .$if(variant.after, (q) => q.where(sql<boolean>`(fold(o.title), o.id) > (${p.afterTitle}, ${p.afterId})`))
      .orderBy(sql`fold(o.title)`)
      .orderBy('o.id')
      .limit(p.limit) as never,
);

export const listOrganizations = (db: Db, user: string, after: readonly unknown[] | undefined, limit: number) =>
  mine({ after: after !== undefined }).all(db, {
    user,
    limit,
    ...(after ? { afterTitle: after[0] as string, afterId: after[1] as string } : {}),
  });

const memberships = query<{ user: string }, { count: number }>((db, p) =>
  db
    .selectFrom('member')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user', '=', p.user),
);
export const countOrganizations = async (db: Db, user: string) => (await memberships.first(db, { user }))!.count;

const byDomain = query<{ domain: string; user: string }, OrganizationRow>((db, p) =>
  db
    .selectFrom('organization_email_domain as d')
    .innerJoin('organization as o', 'o.id', 'd.organization')
    .leftJoin('member as m', (join) => join.onRef('m.organization', '=', 'o.id').on('m.user', '=', p.user))
    .selectAll('o')
    .select(['m.user as caller_user', 'm.role as caller_role', 'm.disabled as caller_disabled'])
    .where('d.domain', '=', p.domain)
    .orderBy(sql`fold(o.title)`)
    .orderBy('o.id'),
);
export const organizationsOfDomain = (db: Db, domain: string, user: string) =>
  byDomain.all(db, { domain: domain.toLowerCase(), user });

const byHostname = query<{ hostname: string; user: string }, OrganizationRow>((db, p) =>
  db
    .selectFrom('organization as o')
    .leftJoin('member as m', (join) => join.onRef('m.organization', '=', 'o.id').on('m.user', '=', p.user))
    .selectAll('o')
    .select(['m.user as caller_user', 'm.role as caller_role', 'm.disabled as caller_disabled'])
    .where('o.hostname', '=', p.hostname),
);
/** The organization with this hostname label, and what `user` is in it. */
export const organizationOfHostname = (db: Db, hostname: string, user: string) =>
  byHostname.first(db, { hostname, user });

const owned = query<{ user: string; organization: string }, { team: string }>((db, p) =>
  db
    .selectFrom('team_member as tm')
    .crossJoin('team as t')
    .whereRef('t.id', '=', 'tm.team')
    .select('tm.team')
    .where('tm.user', '=', p.user)
    .where('tm.role', '=', 'owner')
    .where('t.organization', '=', p.organization)
    .limit(1),
);
export const ownsTeam = async (db: Db, organization: string, user: string) =>
  (await owned.first(db, { organization, user })) !== undefined;

export async function changeOrganization(db: Db, id: string, change: Partial<Row<'organization'>>) {
  if (Object.keys(change).length > 0) await db.updateTable('organization').set(change).where('id', '=', id).execute();
}

/** Replaces the domains; kept beside the list in lower case, so that one can be looked up. */
export async function setEmailDomains(db: Db, organization: string, domains: string[]) {
  await db
    .updateTable('organization')
    .set({ email_domains: JSON.stringify(domains) })
    .where('id', '=', organization)
    .execute();
  await db.deleteFrom('organization_email_domain').where('organization', '=', organization).execute();
  if (domains.length === 0) return;
  await db
    .insertInto('organization_email_domain')
    .values(domains.map((domain) => ({ domain: domain.toLowerCase(), organization })))
    .execute();
}

export async function addMember(
  db: Db,
  {
    organization,
    user,
    role,
    now,
    sso = 0,
  }: { organization: string; user: string; role: Row<'member'>['role']; now: string; sso?: number },
) {
  await db.insertInto('member').values({ organization, user, role, joined_at: now, last_seen_at: null, sso }).execute();
}
