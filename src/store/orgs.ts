import { sql } from 'kysely';
import type { OrganizationRow } from './lookups.ts';
import { jsonText } from './json.ts';
import { filterQuery, query } from './query.ts';
import { rowsById } from './rows.ts';
import { countRows, keyset, type PageKey, type PageParams, pageParams } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

const title = sql<string>`fold(o.title)`;
const callerColumns = ['m.user as caller_user', 'm.role as caller_role', 'm.disabled as caller_disabled'] as const;

const listOfMember = filterQuery<PageParams & { user: string }, OrganizationRow>((db, p, has) =>
  db
    .selectFrom('member as m')
    .innerJoin('organization as o', 'o.id', 'm.organization')
    .selectAll('o')
    .select(callerColumns)
    .where('m.user', '=', p.user)
    .$if(has('afterId'), (q) => q.where(keyset([title, 'o.id'], 'asc', p)))
    .orderBy(title)
    .orderBy('o.id')
    .limit(p.limit),
);

/** The user's organizations after a key of title and id, by title. */
export const listOrganizations = (db: Db, user: string, after: PageKey | undefined, limit: number) =>
  listOfMember.all(db, { user, ...pageParams(after, limit) });

const memberships = query<{ user: string }, { count: number }>((db, p) =>
  db.selectFrom('member').select(countRows).where('user', '=', p.user),
);
export const countOrganizations = async (db: Db, user: string) => (await memberships.one(db, { user })).count;

const byDomain = query<{ domain: string; user: string }, OrganizationRow>((db, p) =>
  db
    .selectFrom('organization_email_domain as d')
    .innerJoin('organization as o', 'o.id', 'd.organization')
    .leftJoin('member as m', (join) => join.onRef('m.organization', '=', 'o.id').on('m.user', '=', p.user))
    .selectAll('o')
    .select(callerColumns)
    .where('d.domain', '=', p.domain)
    .orderBy(title)
    .orderBy('o.id'),
);
export const organizationsOfDomain = (db: Db, domain: string, user: string) =>
  byDomain.all(db, { domain: domain.toLowerCase(), user });

const byHostname = query<{ hostname: string; user: string }, OrganizationRow>((db, p) =>
  db
    .selectFrom('organization as o')
    .leftJoin('member as m', (join) => join.onRef('m.organization', '=', 'o.id').on('m.user', '=', p.user))
    .selectAll('o')
    .select(callerColumns)
    .where('o.hostname', '=', p.hostname),
);
/** The organization with this hostname label, with the membership of `user`. */
export const organizationOfHostname = (db: Db, hostname: string, user: string) =>
  byHostname.first(db, { hostname, user });

const ownedTeam = query<{ user: string; organization: string }, { team: string }>((db, p) =>
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
  (await ownedTeam.first(db, { organization, user })) !== undefined;

export const { insert: insertOrganization, change: changeOrganization } = rowsById('organization');

/** Replaces the domains. They are also stored in lower case, one per row, so that one can be looked up. */
export async function setEmailDomains(db: Db, organization: string, domains: string[]) {
  await changeOrganization(db, organization, { email_domains: jsonText(domains) });
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
