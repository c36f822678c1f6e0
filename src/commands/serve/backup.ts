import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Invocation } from '../../cli/command/command.ts';
import { argument } from '../../cli/command/invocation.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { CommandError, refused } from '../../cli/program/failure.ts';
import { createBeside, isSymbolicLink } from '../../shared/atomic-write.ts';
import { isPostgres, withoutPassword } from '../../shared/database-address.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { openFileStore } from '../../store/sqlite/file-store.ts';
import { databaseOf } from './database.ts';

/** Copies the database, which may be in use. */
export async function backup(
  invocation: Invocation<{ file?: string | undefined }, { db?: string | undefined }>,
): Promise<void> {
  const { globals, io } = invocation;
  const target = resolve(argument(invocation, 'file'));
  if (isSymbolicLink(target)) {
    throw new CommandError(`${target} is a symbolic link.`, {
      hint: 'Another user may have created the link. Name the file itself.',
    });
  }
  if (existsSync(target)) throw refused(`${target} already exists.`, 'Name another file, or remove it first.');
  const file = databaseOf(invocation);
  if (isPostgres(file)) {
    throw refused(
      'docsctl does not back up PostgreSQL databases.',
      `Use pg_dump: ${shellCommand(['pg_dump', '--format=custom', `--file=${target}`, withoutPassword(file)])}`,
    );
  }
  if (globals.dryRun) return io.note(`Would copy ${file} to ${target}.`);
  const store = openFileStore(file);
  try {
    await copyTo(target, store.connection.sqlite);
  } finally {
    await store.close();
  }
  await io.note(`Copied ${file} to ${target}.`);
}

async function copyTo(target: string, database: DatabaseSync): Promise<void> {
  const { backup: copy } = await import('node:sqlite');
  const { renameSync, rmSync } = await import('node:fs');
  let partial: string | undefined;
  try {
    partial = createBeside(target, 0o600);
    await copy(database, partial);
    renameSync(partial, target);
  } catch (error) {
    if (partial !== undefined) rmSync(partial, { force: true });
    throw new CommandError(`${target} cannot be written: ${fileReason(error, 'folder')}.`, {
      hint: 'Check that its folder exists, is writable and has enough space. No partial copy was kept.',
    });
  }
}
