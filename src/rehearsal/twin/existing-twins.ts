import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isObject } from '../../shared/is-object.ts';
import { twinKey, type TwinSource } from './twin-file.ts';

/** A twin on this machine. */
export interface ExistingTwin extends Pick<TwinSource, 'url' | 'organization' | 'createdAt'> {
  file: string;
  /** Title of the organization. */
  title: string;
  /** In bytes, with the files of SQLite next to it. */
  size: number;
}

/** The twin in a file; undefined if there is no file, or another one. The file is only read. */
export function findTwin(file: string): ExistingTwin | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const row = database.prepare('select value from setting where key = ?').get(twinKey);
    const source: unknown = JSON.parse(String(row?.value));
    if (!isObject(source)) return undefined;
    const { url, organization, createdAt } = source;
    if (typeof url !== 'string' || typeof organization !== 'string' || typeof createdAt !== 'string') return undefined;
    const titled = database.prepare('select title from organization where id = ?').get(organization);
    return { file, url, organization, createdAt, title: String(titled?.title ?? organization), size: sizeOf(file) };
  } catch {
    // Not a database, or not one of an instance.
    return undefined;
  } finally {
    database?.close();
  }
}

const sizeOf = (file: string): number =>
  ['', '-wal', '-shm'].reduce((sum, end) => sum + (statSync(file + end, { throwIfNoEntry: false })?.size ?? 0), 0);
