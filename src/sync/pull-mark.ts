import { readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../shared/is-object.ts';
import { resolveInside } from '../shared/project-root.ts';
import { writeLocal } from './write.ts';

/**
 * What a folder was last pulled from, in a file of the folder: in a repository it belongs to the state of the pages beside
 * it, on every branch and in every clone. It is there only where the space does not know it, because the content changed
 * since the last push.
 */
export interface PullMark {
  space: string;
  /** Id of the change request; absent for main content. */
  changeRequest?: string;
  revision: string;
  /** Serial of the layout that the revision had: since a later push, that one is the base. */
  serial: number;
}

const folder = '.docsctl';
const name = 'pulled.json';

/** Undefined where there is none for this place. */
export async function readMark(
  docs: string,
  { space, changeRequest, serial }: Omit<PullMark, 'revision'>,
): Promise<PullMark | undefined> {
  const file = resolveInside(docs, join(docs, folder, name));
  try {
    const mark: unknown = file === undefined ? undefined : JSON.parse(await readFile(file, 'utf8'));
    if (!isObject(mark) || typeof mark.revision !== 'string') return undefined;
    const isHere = mark.space === space && mark.changeRequest === changeRequest && mark.serial === serial;
    return isHere
      ? { space, ...(changeRequest !== undefined && { changeRequest }), serial, revision: mark.revision }
      : undefined;
  } catch {
    return undefined;
  }
}

export async function writeMark(docs: string, mark: PullMark): Promise<void> {
  const text = `${JSON.stringify({ version: 1, ...mark }, undefined, 2)}\n`;
  await writeLocal(docs, new Map([[`${folder}/${name}`, Buffer.from(text)]]));
}

/** The space knows what the folder has. */
export async function removeMark(docs: string): Promise<void> {
  if (resolveInside(docs, join(docs, folder, name)) === undefined) return;
  await rm(join(docs, folder, name), { force: true });
  await rmdir(join(docs, folder)).catch(() => {});
}
