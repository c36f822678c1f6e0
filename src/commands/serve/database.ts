import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { defaultDatabase } from '../../cli/settings/paths.ts';
import { embeddedFile } from '../../cli/settings/session.ts';
import { databaseBehind } from '../shared/local-profile.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';

type DatabaseInvocation = Invocation<Invocation['args'], { db?: string | undefined }>;

/** The file of --db, else of the embedded address in use, else the default. @throws UsageError where there is none */
export function databaseOf({ flags, session }: DatabaseInvocation): string {
  const { config, env, globals } = session;
  const address = globals.url ?? env.DOCSCTL_URL;
  const profile = config.profiles[globals.profile ?? config.current ?? ''];
  const fromAddress = address === undefined ? profile && databaseBehind(profile) : embeddedFile(address, env);
  const file = resolve(flags.db ?? fromAddress ?? defaultDatabase());
  if (existsSync(file)) return file;
  throw new UsageError(`There is no database ${file}.`, 'Name it with --db, or create one with "docsctl init".');
}

/** Opens the database for some work, and closes it. @throws UsageError where there is none */
export async function withStore<T>(
  invocation: DatabaseInvocation,
  work: (store: Store, file: string) => Promise<T>,
): Promise<T> {
  const file = databaseOf(invocation);
  const store = await openStore(file);
  try {
    return await work(store, file);
  } finally {
    await store.close();
  }
}
