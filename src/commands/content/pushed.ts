import { realpathSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { dataDir } from '../../cli/settings/paths.ts';
import { isDocsFile } from '../../content/folder/file-names.ts';
import { hashOf, type LocalFolder } from '../../content/folder/folder.ts';
import { isObject } from '../../shared/is-object.ts';
import { writeLocal } from '../../sync/write.ts';

/**
 * What the last push from this machine sent to a space of the files that a pull writes only if they were pushed: those
 * with names of programs or their configuration, and those that are neither page nor picture. The record is kept on this
 * machine, where the editors of the space cannot change it.
 */
export interface PushRecord {
  /** Real path of the folder they are from. */
  folder: string;
  /** SHA-256 of the bytes, by path. */
  hashes: ReadonlyMap<string, string>;
}

async function recordFileOf(
  { session }: Invocation<{}, {}>,
  spaceId: string,
): Promise<{ folder: string; name: string }> {
  const { value } = await session.address();
  return { folder: join(dataDir(session.env), 'pushed'), name: `${hashOf(`${value}\n${spaceId}`)}.json` };
}

/** @param docs folder that holds the docs */
export async function recordPushed(
  invocation: Invocation<{}, {}>,
  spaceId: string,
  docs: string,
  { files, pages }: LocalFolder,
): Promise<void> {
  const hashes: Record<string, string> = {};
  for (const { path, hash } of files) if (!isDocsFile(path)) hashes[path] = hash;
  for (const { file, text } of pages) if (file !== null && !isDocsFile(file)) hashes[file] = hashOf(text ?? '');
  const { folder, name } = await recordFileOf(invocation, spaceId);
  try {
    if (Object.keys(hashes).length === 0) await rm(join(folder, name), { force: true });
    else
      await writeLocal(folder, new Map([[name, Buffer.from(JSON.stringify({ folder: realpathSync(docs), hashes }))]]));
  } catch {
    // Build machines may have no folder for data. Without the record a pull leaves more files out, and says so.
  }
}

/** Empty where nothing was recorded. */
export async function readPushed(invocation: Invocation<{}, {}>, spaceId: string): Promise<PushRecord> {
  const { folder, name } = await recordFileOf(invocation, spaceId);
  const empty = { folder: '', hashes: new Map() };
  try {
    const record: unknown = JSON.parse(await readFile(join(folder, name), 'utf8'));
    return isRecord(record) ? { folder: record.folder, hashes: new Map(Object.entries(record.hashes)) } : empty;
  } catch {
    return empty;
  }
}

const isRecord = (value: unknown): value is { folder: string; hashes: Record<string, string> } =>
  isObject(value) &&
  typeof value.folder === 'string' &&
  isObject(value.hashes) &&
  Object.values(value.hashes).every((hash) => typeof hash === 'string');
