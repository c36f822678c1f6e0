import type { Insertable } from 'kysely';
import { newId } from '../../store/ids.ts';
import { jsonText } from '../../store/json.ts';
import type { Db } from '../../store/store.ts';
import { insertOrganization } from '../../store/orgs.ts';
import { insertUser } from '../../store/lookups.ts';
import type { Row, Tables } from '../../store/tables.ts';
import type { Instance } from '../engine/instance.ts';
import { hashToken } from '../engine/tokens.ts';

/** The first organization of a new database. */
export interface BootstrapOptions {
  title?: string;
  /** Of the administrator. */
  name?: string;
  email?: string;
}

/** Creates the first organization and its administrator. */
export async function bootstrap(
  instance: Instance,
  { title = 'Local', name = 'Local Admin', email = 'admin@localhost' }: BootstrapOptions = {},
) {
  const now = new Date(instance.now()).toISOString();
  await instance.store.write(async (db) => {
    // Another process may have done it in the meantime.
    if (await administrator(db)) return;
    const { id: user } = await insertUser(db, { display_name: name, email, created_at: now });
    const { id: organization } = await createOrganization(db, { title, created_at: now });
    await db
      .insertInto('member')
      .values({ organization, user, role: 'admin', joined_at: now, last_seen_at: now })
      .execute();
    await db
      .insertInto('setting')
      .values([
        { key: 'organization', value: organization },
        { key: 'administrator', value: user },
      ])
      .execute();
  });
}

type NewOrganization = Pick<Insertable<Tables['organization']>, 'title' | 'hostname' | 'use_case' | 'created_at'> & {
  type?: Row<'organization'>['type'];
};

/** Creates an organization with the defaults of new ones. */
export const createOrganization = (db: Db, organization: NewOrganization): Promise<Row<'organization'>> =>
  insertOrganization(db, {
    type: 'business',
    sso: 0,
    ai: 0,
    invite_links: 1,
    plan: 'free_2024',
    trial: jsonText({ status: 'notapplicable' }),
    ...organization,
  });

/** The administrator and the organization that `bootstrap` created. */
export async function administrator(db: Db): Promise<{ user: string; organization: string } | undefined> {
  const rows = await db
    .selectFrom('setting')
    .selectAll()
    .where('key', 'in', ['organization', 'administrator'])
    .execute();
  const settings = new Map(rows.map((row) => [row.key, row.value]));
  const user = settings.get('administrator');
  const organization = settings.get('organization');
  return user !== undefined && organization !== undefined ? { user, organization } : undefined;
}

/** As `administrator`. @throws Error if there is none */
export async function getAdministrator(db: Db): Promise<{ user: string; organization: string }> {
  const bootstrapped = await administrator(db);
  if (!bootstrapped) throw new Error('This instance has no administrator.');
  return bootstrapped;
}

/** Makes a token valid for a user. Only its hash is stored. */
export async function grantToken(
  db: Db,
  {
    token,
    user,
    label,
    now,
    expiresAt = null,
  }: { token: string; user: string; label: string; now: string; expiresAt?: string | null },
): Promise<string> {
  const id = newId();
  await db
    .insertInto('token')
    .values({ id, hash: hashToken(token), user, label, created_at: now, expires_at: expiresAt, revoked_at: null })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ user, revoked_at: null, expires_at: expiresAt }))
    .execute();
  return id;
}
