import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../../cli/program/failure.ts';
import { Refusal } from '../../mcp/tool.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { resolveInside } from '../../shared/project-root.ts';

/** The folders that `--folder` names, as real paths. @throws UsageError */
export const allowedFolders = (paths: readonly string[]): string[] => paths.map(realFolder);

function realFolder(path: string): string {
  let real: string;
  try {
    real = realpathSync(path);
  } catch (error) {
    throw new UsageError(`--folder: ${path} cannot be read: ${fileReason(error)}.`);
  }
  if (!lstatSync(real).isDirectory()) throw new UsageError(`--folder: ${path} is not a folder.`);
  return real;
}

/**
 * The folder that an agent names, if it is one of the allowed ones or below one.
 *
 * @param name relative to one of them; the only one by default
 * @throws Refusal
 */
export function folderBelow(allowed: readonly string[], name: string | undefined): string {
  const [only] = allowed;
  if (only === undefined) throw new Refusal('No folder can be read. The server is started with --folder to allow one.');
  if (name === undefined && allowed.length > 1)
    throw new Refusal(`"folder" is missing. It is one of: ${allowed.join(', ')}.`);
  const folder = allowed
    .map((root) => resolveInside(root, resolve(root, name ?? '.')))
    .find((path) => path !== undefined && lstatSync(path, { throwIfNoEntry: false })?.isDirectory());
  if (folder === undefined) throw new Refusal(`There is no folder "${name}" in ${allowed.join(', ')}.`);
  refuseLinksOutside(folder, allowed);
  return folder;
}

/** The most entries of a folder that are looked at. */
const maxEntries = 100_000;

/** A symbolic link in the folder could lead to any file. @throws Refusal */
function refuseLinksOutside(folder: string, allowed: readonly string[]): void {
  let count = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    count += 1;
    if (count > maxEntries) throw new Refusal(`${folder} has more than ${maxEntries} files.`);
    if (!entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    if (!allowed.some((root) => resolveInside(root, path) !== undefined))
      throw new Refusal(`${path} is a symbolic link that leads out of the allowed folders.`);
  }
}
