import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../shared/atomic-write.ts';
import { isObject } from '../shared/is-object.ts';
import { commandWithoutSecrets } from './hide.ts';
import type { JournalEntry } from './journal-files.ts';

/** A command that failed before it changed anything, and therefore has no entry. */
export interface LastFailure {
  time: string;
  command: string[];
  status: number;
}

const fileIn = (folder: string): string => join(folder, 'failed.json');

/** Remembers a command that failed, so that `docsctl undo` does not take the one before it by mistake. */
export async function keepFailure(folder: string, command: readonly string[], status: number): Promise<void> {
  // Without entries, there is nothing to take by mistake.
  if (!existsSync(folder)) return;
  const failure: LastFailure = { time: new Date().toISOString(), command: commandWithoutSecrets(command), status };
  await writeFileAtomic(fileIn(folder), `${JSON.stringify(failure)}\n`, 0o600).catch(() => undefined);
}

/** The command that failed after the newest entry. */
export function failureAfter(folder: string, newest: JournalEntry | undefined): LastFailure | undefined {
  let kept: unknown;
  try {
    kept = JSON.parse(readFileSync(fileIn(folder), 'utf8'));
  } catch {
    return undefined;
  }
  if (!isObject(kept) || typeof kept['time'] !== 'string' || !Array.isArray(kept['command'])) return undefined;
  if (newest !== undefined && newest.time >= kept['time']) return undefined;
  return { time: kept['time'], command: kept['command'].map(String), status: Number(kept['status']) };
}
