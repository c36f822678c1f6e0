import { newId } from '../../store/ids.ts';
import { jsonText } from '../../store/json.ts';
import type { Db } from '../../store/store.ts';
import type { Row } from '../../store/tables.ts';
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
    const user = newId();
    await db
      .insertInto('user')
      .values({ id: user, display_name: name, email, photo_url: null, created_at: now })
      .execute();
    const organization = await createOrganization(db, { title, hostname: null, now });
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

/** The values a new organization starts with. */
export async function createOrganization(
  db: Db,
  {
    title,
    now,
    hostname = null,
    type = 'business',
    useCase = null,
  }: {
    title: string;
    now: string;
    hostname?: string | null;
    type?: Row<'organization'>['type'];
    useCase?: Row<'organization'>['use_case'];
  },
): Promise<string> {
  const id = newId();
  await db
    .insertInto('organization')
    .values({
      id,
      title,
      hostname,
      type,
      use_case: useCase,
      community_type: null,
      default_role: null,
      default_content: null,
      logo: null,
      sso: 0,
      ai: 0,
      invite_links: 1,
      plan: 'free_2024',
      billing: null,
      trial: jsonText({ status: 'notapplicable' }),
      custom_hostname: null,
      blocked: null,
      billing_migration: null,
      created_at: now,
    })
    .execute();
  return id;
}

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

/** As `administrator`. @throws Error where there is none */
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
