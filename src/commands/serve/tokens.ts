import { runLocalBatch } from '../../cli/command/batch/local.ts';
import type { Invocation, Word } from '../../cli/command/command.ts';
import { print } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { UsageError, notFound } from '../../cli/program/failure.ts';
import { withoutPassword } from '../../shared/database-address.ts';
import type { Db } from '../../store/store.ts';
import { databaseOf, withStore } from './database.ts';
import { defaultTokenLabel } from './options.ts';

type DbFlag = { db?: string | undefined };
type CreateInvocation = Invocation<
  {},
  DbFlag & { user?: string | undefined; label?: string | undefined; expiresIn?: string | undefined }
>;

const dayMs = 86_400_000;
const maxDays = 36_500;

export async function createToken(invocation: CreateInvocation): Promise<void> {
  const { grantToken } = await import('../../server/organizations/bootstrap.ts');
  const { newToken } = await import('../../server/engine/tokens.ts');
  const { flags, globals, io } = invocation;
  const { label = defaultTokenLabel } = flags;
  const days = daysOf(flags.expiresIn);
  if (globals.dryRun) {
    return io.note(
      `Would create a token of ${flags.user ?? 'the administrator'} in ${withoutPassword(databaseOf(invocation))}.`,
    );
  }
  await withStore(invocation, async (store) => {
    const token = newToken();
    const now = new Date();
    const expiresAt = days === undefined ? null : new Date(now.getTime() + days * dayMs).toISOString();
    const granted = await store.write(async (db) => {
      const user = await userOf(db, flags.user);
      return { user, id: await grantToken(db, { token, user, label, now: now.toISOString(), expiresAt }) };
    });
    await print(invocation, { token, ...granted, ...(expiresAt === null ? {} : { expiresAt }) });
  });
}

/** @throws UsageError */
function daysOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const days = Number(text);
  if (days > 0 && days < maxDays) return days;
  throw new UsageError(`--expires-in must be a number of days, not "${text}".`);
}

/** The ID of the user with this ID or email address, by default of the administrator. @throws CommandError if there is none */
async function userOf(db: Db, name: string | undefined): Promise<string> {
  const [{ administrator }, { findUserNamed }] = await Promise.all([
    import('../../server/organizations/bootstrap.ts'),
    import('../../store/users.ts'),
  ]);
  const user = name === undefined ? (await administrator(db))?.user : (await findUserNamed(db, name))?.id;
  if (user !== undefined) return user;
  throw notFound(`There is no user "${name ?? 'administrator'}" in this instance.`);
}

export async function listTokens(invocation: Invocation<{}, DbFlag>): Promise<void> {
  await withStore(invocation, async (store) => {
    const rows = await store.read(tokenRows);
    const now = new Date().toISOString();
    const tokens = rows.map((row) => ({
      id: row.id,
      user: row.user,
      email: row.email,
      label: row.label,
      state: stateOf(row, now),
      createdAt: row.created_at,
      ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    }));
    await printList(invocation, tokens);
  });
}

function stateOf(row: { expires_at: string | null; revoked_at: string | null }, now: string) {
  if (row.revoked_at !== null) return 'revoked';
  return row.expires_at !== null && row.expires_at <= now ? 'expired' : 'active';
}

const tokenRows = (db: Db) =>
  db
    .selectFrom('token as t')
    .innerJoin('user as u', 'u.id', 't.user')
    .select(['t.id', 't.user', 'u.email', 't.label', 't.created_at', 't.expires_at', 't.revoked_at'])
    .orderBy('t.created_at')
    .execute();

/** Suggests the tokens that can be revoked. */
export const tokenWords = (invocation: Invocation): Promise<Word[]> =>
  withStore(invocation, async (store) => {
    const rows = (await store.read(tokenRows)).filter(({ revoked_at: revokedAt }) => revokedAt === null);
    return rows.map(({ id, label, email }) => ({ value: id, description: `${label}, ${email}` }));
  });

export const revokeTokens = (invocation: Invocation<Invocation['args'], DbFlag>): Promise<void> =>
  withStore(invocation, async (store) => {
    const { globals, io } = invocation;
    const tokens = new Set((await store.read(tokenRows)).map(({ id }) => id));
    await runLocalBatch(invocation, {
      name: 'token-id',
      check(id) {
        if (tokens.has(id)) return;
        throw notFound(`There is no token ${id}.`, '"docsctl serve token list" shows the IDs.');
      },
      async before(ids) {
        if (!globals.dryRun) return;
        await io.note(`Would revoke ${ids.join(', ')} in ${withoutPassword(databaseOf(invocation))}.`);
      },
      async change(id) {
        const revoked = { revoked_at: new Date().toISOString() };
        await store.write((db) => db.updateTable('token').set(revoked).where('id', '=', id).execute());
        await io.note(`Revoked ${id}.`);
      },
    });
  });
