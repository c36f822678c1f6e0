import { existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { print } from '../../cli/command/invocation.ts';
import { withProgress } from '../../cli/command/invocation.ts';
import { UsageError, refused, checkFailed } from '../../cli/program/failure.ts';
import { createBeside, isSymbolicLink } from '../../shared/atomic-write.ts';
import { isPostgres, withoutPassword } from '../../shared/database-address.ts';
import { isUnstorableText } from '../../store/failures.ts';
import { type CopiedTable, CopyMismatch, copyStore, tablesWithRows } from '../../store/copy.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { assertKnown, refusePassword } from './database.ts';

type CopyInvocation = Invocation<{}, { from?: string | undefined; to?: string | undefined }>;

/** Copies all rows of a database to an empty one. Each may be a file or a PostgreSQL database. */
export async function copy(invocation: CopyInvocation): Promise<void> {
  const [from, to] = [databaseNamed(invocation, 'from'), databaseNamed(invocation, 'to')];
  if (!isPostgres(from) && !existsSync(from)) throw new UsageError(`There is no database ${from}.`);
  const source = await openStore(from);
  try {
    const copied = await (isPostgres(to) ? copyToServer : copyToFile)(invocation, source, to);
    await print(invocation, copied);
    const rows = copied.reduce((sum, table) => sum + table.rows, 0);
    const all = `${rows} rows of ${copied.length} tables to ${withoutPassword(to)}`;
    await invocation.io.note(
      invocation.globals.dryRun
        ? `Would copy ${all}. The result was identical and was rolled back${isPostgres(to) ? '; the tables stay, empty' : ''}.`
        : `Copied ${all}; row counts and checksums match.`,
    );
  } finally {
    await source.close();
  }
}

/** @throws UsageError */
function databaseNamed({ flags, session: { env } }: CopyInvocation, flag: 'from' | 'to'): string {
  const named = flags[flag];
  if (named === undefined) throw new UsageError(`--${flag} is missing.`, 'Name the path of a file, or postgres://...');
  assertKnown(`--${flag}`, named);
  if (!isPostgres(named)) return resolve(named);
  refusePassword(`--${flag}`, named);
  // DOCSCTL_SERVE_DB may have the same address with its password.
  const served = env.DOCSCTL_SERVE_DB?.trim() ?? '';
  return withoutPassword(served) === named ? served : named;
}

async function copyToServer(invocation: CopyInvocation, source: Store, to: string): Promise<CopiedTable[]> {
  const target = await openStore(to);
  try {
    const [filled] = await tablesWithRows(target);
    if (filled !== undefined) {
      throw refused(
        `${withoutPassword(to)} already has data: the table ${filled} is not empty.`,
        'Name an empty database.',
      );
    }
    const copied = await copyInto(invocation, source, target);
    await target.tidy();
    return copied;
  } finally {
    await target.close();
  }
}

/** Renames the file to its final name when it is complete. */
async function copyToFile(invocation: CopyInvocation, source: Store, to: string): Promise<CopiedTable[]> {
  if (existsSync(to) || isSymbolicLink(to))
    throw refused(`${to} already exists.`, 'Name another file, or remove it first.');
  const partial = createBeside(to, 0o600);
  try {
    const target = await openStore(partial);
    let copied: CopiedTable[];
    try {
      copied = await copyInto(invocation, source, target);
    } finally {
      await target.close();
    }
    if (!invocation.globals.dryRun) renameSync(partial, to);
    return copied;
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${partial}${suffix}`, { force: true });
  }
}

async function copyInto({ io, globals, signal }: CopyInvocation, source: Store, target: Store): Promise<CopiedTable[]> {
  try {
    return await withProgress(io, 'Copying', (progress) => {
      const onRows = (table: string, count: number) => progress.say(`Copying ${table}: ${count} rows`);
      return copyStore(source, target, { signal, onRows, isDryRun: globals.dryRun === true });
    });
  } catch (error) {
    if (error instanceof CopyMismatch) throw checkFailed(`${error.message} Nothing was copied.`);
    if (!isUnstorableText(error)) throw error;
    throw refused(
      'A text contains the character U+0000, which PostgreSQL cannot store. Nothing was copied.',
      'Remove it from the page or description that contains it.',
    );
  }
}
