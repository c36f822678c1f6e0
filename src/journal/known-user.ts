import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../shared/atomic-write.ts';
import { isObject } from '../shared/is-object.ts';
import type { JournalEntry } from './journal-files.ts';

type User = NonNullable<JournalEntry['user']>;

/** The user of a token is asked for once a day, because each further request of a command costs time. */
const maxAgeMs = 24 * 60 * 60 * 1000;

const fileIn = (folder: string): string => join(folder, 'user.json');

interface Caller {
  url: string;
  token: string | undefined;
  as: string | undefined;
  /** The database of an embedded instance. */
  file: string | undefined;
}

/** Identifies the caller without the token, which must not be in the file. A new database at the same path has other users. */
export function callerKey({ url, token, as, file }: Caller): string {
  const database = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  const parts = [url, token, as, database?.ino, database?.birthtimeMs];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The user that an earlier command asked for. */
export function knownUser(folder: string, key: string): User | undefined {
  try {
    const kept: unknown = JSON.parse(readFileSync(fileIn(folder), 'utf8'));
    if (!isObject(kept) || kept['key'] !== key) return undefined;
    const age = Date.now() - Number(kept['time']);
    return age >= 0 && age < maxAgeMs ? (kept['user'] as User) : undefined;
  } catch {
    // Without the file, or with a damaged one, the service is asked again.
    return undefined;
  }
}

/** Keeps the user for the next command. */
export async function keepUser(folder: string, key: string, user: User): Promise<void> {
  const text = `${JSON.stringify({ key, time: Date.now(), user })}\n`;
  await writeFileAtomic(fileIn(folder), text, 0o600).catch(() => undefined);
}
