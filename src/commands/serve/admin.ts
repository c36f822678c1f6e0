import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createBeside, isSymbolicLink } from '../../shared/atomic-write.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { argument, type Invocation, outputOptions, print } from '../../cli/command/invocation.ts';
import { idsOf } from '../../cli/command/batch.ts';
import { createListOutput } from '../../cli/output/index.ts';
import { embeddedFile } from '../../cli/settings/session.ts';
import type { Word } from '../../cli/command/command.ts';
import { defaultDatabase } from '../../cli/settings/paths.ts';
import { openStore, type Store } from '../../store/store.ts';

/** The instance's file: of --db, else of an embedded address in use, else the usual one. It must be there. */
function databaseOf({ flags, session }: Invocation): string {
  const { config, env, globals } = session;
  const address = globals.url ?? env.DOCSCTL_URL ?? config.profiles[globals.profile ?? config.current ?? '']?.url ?? '';
  const file = resolve(flags.db ?? embeddedFile(address, env) ?? defaultDatabase());
  if (existsSync(file)) return file;
  throw new UsageError(`There is no database ${file}.`, 'Name it with --db, or make one with "docsctl init".');
}

async function withStore<T>(invocation: Invocation, work: (store: Store, file: string) => Promise<T>): Promise<T> {
  const file = databaseOf(invocation);
  const store = openStore(file);
  try {
    return await work(store, file);
  } finally {
    await store.close();
  }
}

export async function createToken(invocation: Invocation): Promise<void> {
  const { administrator, grantToken } = await import('../../server/organizations/bootstrap.ts');
  const { newToken } = await import('../../server/engine/tokens.ts');
  const { flags, globals, io } = invocation;
  const days = flags.expiresIn === undefined ? undefined : Number(flags.expiresIn);
  if (days !== undefined && !(days > 0 && days < 36_500))
    throw new UsageError(`--expires-in must be a number of days, not "${flags.expiresIn}".`);
  if (globals.dryRun)
    return io.note(`Would make a token of ${flags.user ?? 'the administrator'} in ${databaseOf(invocation)}.`);
  await withStore(invocation, async (store) => {
    const token = newToken();
    const now = new Date();
    const expiresAt = days === undefined ? null : new Date(now.getTime() + days * 86_400_000).toISOString();
    const made = await store.write(async (db) => {
      const user =
        flags.user === undefined
          ? (await administrator(db))?.user
          : (
              await db
                .selectFrom('user')
                .select('id')
                .where((eb) => eb.or([eb('id', '=', flags.user), eb('email', '=', String(flags.user).toLowerCase())]))
                .executeTakeFirst()
            )?.id;
      if (user === undefined)
        throw new CommandError(`There is no user "${flags.user}" in this instance.`, { exitCode: exit.notFound });
      return { user, id: await grantToken(db, { token, user, label: flags.label, now: now.toISOString(), expiresAt }) };
    });
    await print(invocation, { token, ...made, ...(expiresAt === null ? {} : { expiresAt }) });
  });
}

export async function listTokens(invocation: Invocation): Promise<void> {
  await withStore(invocation, async (store) => {
    const rows = await store.read((db) =>
      db
        .selectFrom('token as t')
        .innerJoin('user as u', 'u.id', 't.user')
        .select(['t.id', 't.user', 'u.email', 't.label', 't.created_at', 't.expires_at', 't.revoked_at'])
        .orderBy('t.created_at')
        .execute(),
    );
    const now = new Date().toISOString();
    const output = createListOutput(outputOptions(invocation), invocation.command.output!.columns!, invocation.io.out);
    await output.page(
      rows.map((row) => ({
        id: row.id,
        user: row.user,
        email: row.email,
        label: row.label,
        state:
          row.revoked_at !== null ? 'revoked' : row.expires_at !== null && row.expires_at <= now ? 'expired' : 'active',
        createdAt: row.created_at,
        ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
      })),
    );
    await output.end();
  });
}

/** The tokens that can be revoked, for completions. */
export const tokenWords = (invocation: Invocation): Promise<Word[]> =>
  withStore(invocation, async (store) => {
    const rows = await store.read((db) =>
      db
        .selectFrom('token as t')
        .innerJoin('user as u', 'u.id', 't.user')
        .select(['t.id', 't.label', 'u.email'])
        .where('t.revoked_at', 'is', null)
        .orderBy('t.created_at')
        .execute(),
    );
    return rows.map(({ id, label, email }) => ({ value: id, description: `${label}, ${email}` }));
  });

export async function revokeTokens(invocation: Invocation): Promise<void> {
  const ids = await idsOf(invocation, 'token-id');
  if (ids.length === 0) return;
  if (invocation.globals.dryRun)
    return invocation.io.note(`Would revoke ${ids.join(', ')} in ${databaseOf(invocation)}.`);
  await withStore(invocation, (store) =>
    store.write(async (db) => {
      const now = new Date().toISOString();
      for (const id of ids) {
        const { numUpdatedRows } = await db
          .updateTable('token')
          .set({ revoked_at: now })
          .where('id', '=', id)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) {
          throw new CommandError(`There is no token ${id}. Nothing was revoked.`, {
            exitCode: exit.notFound,
            hint: '"docsctl serve token list" shows the ids.',
          });
        }
      }
    }),
  );
  await invocation.io.note(`Revoked ${ids.join(', ')}.`);
}

export async function backup(invocation: Invocation): Promise<void> {
  const target = resolve(argument(invocation, 'file'));
  if (isSymbolicLink(target))
    throw new CommandError(`${target} is a symbolic link.`, {
      hint: 'Name the file that is to be made, not a link to it: others may have laid it.',
    });
  if (existsSync(target))
    throw new CommandError(`${target} is there already.`, {
      exitCode: exit.refused,
      hint: 'Name another file, or remove it first.',
    });
  if (invocation.globals.dryRun) return invocation.io.note(`Would copy ${databaseOf(invocation)} to ${target}.`);
  await withStore(invocation, async (store, file) => {
    const { backup: copy } = await import('node:sqlite');
    const { renameSync, rmSync } = await import('node:fs');
    let partial: string | undefined;
    try {
      partial = createBeside(target, 0o600);
      await copy(store.raw.sqlite, partial);
      renameSync(partial, target);
    } catch (error) {
      if (partial !== undefined) rmSync(partial, { force: true });
      throw new CommandError(`${target} cannot be written: ${fileReason(error, 'folder')}.`, {
        hint: 'Check that its folder exists, may be written to and has room for a copy. No copy was kept.',
      });
    }
    await invocation.io.note(`Copied ${file} to ${target}.`);
  });
}

/** Counters that must equal their rows. */
const counters: [name: string, sql: string][] = [
  [
    'spaces of organizations',
    'select count(*) as wrong from organization o where o.spaces <> (select count(*) from space where organization = o.id and deleted_at is null)',
  ],
  [
    'change requests of spaces',
    'select count(*) as wrong from space s where s.change_requests <> (select count(*) from change_request where space = s.id)',
  ],
  [
    'open change requests',
    "select count(*) as wrong from space s where s.change_requests_open <> (select count(*) from change_request where space = s.id and status = 'open')",
  ],
  [
    'drafts',
    "select count(*) as wrong from space s where s.change_requests_draft <> (select count(*) from change_request where space = s.id and status = 'draft')",
  ],
  [
    'numbers of change requests',
    'select count(*) as wrong from space s where s.last_number <> (select count(*) from change_request where space = s.id)',
  ],
  [
    'open comments of spaces',
    "select count(*) as wrong from space s where s.comments <> (select count(*) from comment where space = s.id and change_request is null and status = 'open')",
  ],
  [
    'open comments of change requests',
    "select count(*) as wrong from change_request c where c.comments <> (select count(*) from comment where change_request = c.id and status = 'open')",
  ],
  [
    'replies of comments',
    'select count(*) as wrong from comment c where c.replies <> (select count(*) from comment_reply where comment = c.id)',
  ],
  [
    'members by role',
    "select count(*) as wrong from (select organization, coalesce(role, 'guest') as role, count(*) as n from member group by 1, 2) m join member_count c using (organization, role) where c.members <> m.n",
  ],
];

export async function check(invocation: Invocation): Promise<void> {
  const results = await withStore(invocation, (store) =>
    store.read(async () => {
      const ask = (sql: string) => store.raw.prepare(sql).all() as Record<string, unknown>[];
      const structure = ask('PRAGMA integrity_check').map((row) => String(row.integrity_check));
      const references = ask('PRAGMA foreign_key_check');
      return [
        {
          check: 'structure',
          result: structure[0] === 'ok' ? 'ok' : 'failed',
          detail: structure[0] === 'ok' ? '' : structure.join('; '),
        },
        {
          check: 'references',
          result: references.length === 0 ? 'ok' : 'failed',
          detail: references.length === 0 ? '' : `${references.length} rows point nowhere`,
        },
        ...counters.map(([name, sql]) => {
          const wrong = Number(ask(sql)[0]!.wrong);
          return { check: name, result: wrong === 0 ? 'ok' : 'failed', detail: wrong === 0 ? '' : `${wrong} wrong` };
        }),
      ];
    }),
  );
  const output = createListOutput(outputOptions(invocation), invocation.command.output!.columns!, invocation.io.out);
  await output.page(results);
  await output.end();
  const failed = results.filter(({ result }) => result === 'failed').length;
  if (failed > 0)
    throw new CommandError(`${failed} of ${results.length} checks failed.`, {
      exitCode: exit.checkFailed,
      hint: 'Put a backup in the place of this file.',
    });
}
