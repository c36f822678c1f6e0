import { lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../shared/engine-error.ts';
import { codeOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { resolveInside } from '../../shared/project-root.ts';

/**
 * The text of a file in the folder of an organization; undefined if it does not exist.
 *
 * @throws EngineError if it cannot be read, or is outside of the folder
 */
export async function readText(path: string, file: string): Promise<string | undefined> {
  if (resolveInside(path, file) === undefined)
    throw new EngineError('usage', `${file} is a symbolic link to a place outside the folder.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(join(path, ...file.split('/'))));
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && !exists(join(path, file))) return undefined;
    const reason = error instanceof TypeError ? 'it is not UTF-8' : fileReason(error);
    throw new EngineError('failed', `${join(path, file)} cannot be read: ${reason}. Nothing was sent.`);
  }
}

/** Whether something exists there. A dangling link must not count as a removed object. */
export const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
