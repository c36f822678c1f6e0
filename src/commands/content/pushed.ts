import { realpathSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { dataDir } from '../../cli/settings/paths.ts';
import { isDocsFile } from '../../content/sync/file-names.ts';
import { hashOf, type LocalFolder } from '../../content/sync/folder.ts';
import { writeLocal } from './write.ts';

/**
 * What the last push from this machine sent to a space of those files that a pull does not write otherwise: with names of
 * programs or their configuration, or neither page nor picture. It is kept on this machine, where nobody who may edit
 * the space can write.
 */
export interface Pushed {
  /** Real path of the folder they are from. */
  folder: string;
  /** SHA-256 of the bytes, by path. */
  hashes: ReadonlyMap<string, string>;
}

async function placeOf({ session }: Invocation, spaceId: string): Promise<{ folder: string; name: string }> {
  const { value } = await session.address();
  return { folder: join(dataDir(session.env), 'pushed'), name: `${hashOf(`${value}\n${spaceId}`)}.json` };
}

/** @param docs folder that holds the docs */
export async function recordPushed(
  invocation: Invocation,
  spaceId: string,
  docs: string,
  { files, pages }: LocalFolder,
): Promise<void> {
  const hashes: Record<string, string> = {};
  for (const { path, hash } of files) if (!isDocsFile(path)) hashes[path] = hash;
  for (const { file, text } of pages) if (file !== null && !isDocsFile(file)) hashes[file] = hashOf(text ?? '');
  const { folder, name } = await placeOf(invocation, spaceId);
  try {
    if (Object.keys(hashes).length === 0) await rm(join(folder, name), { force: true });
    else
      await writeLocal(folder, new Map([[name, Buffer.from(JSON.stringify({ folder: realpathSync(docs), hashes }))]]));
  } catch {
    // Build machines may have no folder for data: without the record a pull leaves more alone, and says so.
  }
}

export async function readPushed(invocation: Invocation, spaceId: string): Promise<Pushed> {
  const place = await placeOf(invocation, spaceId);
  try {
    const record = JSON.parse(await readFile(join(place.folder, place.name), 'utf8')) as {
      folder: string;
      hashes: Record<string, string>;
    };
    return { folder: record.folder, hashes: new Map(Object.entries(record.hashes)) };
  } catch {
    return { folder: '', hashes: new Map() };
  }
}
