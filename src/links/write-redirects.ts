import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../shared/atomic-write.ts';
import { resolveInside } from '../shared/project-root.ts';
import type { SiteFolder } from '../site/folder/site-folder.ts';
import type { SpaceFolder } from '../site/folder/space-folder.ts';
import { withRedirects } from './redirect-file.ts';

/** A redirect in the settings of a space. */
export interface FolderRedirect {
  space: SpaceFolder;
  /** From the root of the space. */
  source: string;
  /** A file from the root of the space, or another website; undefined to remove the redirect. */
  target: string | undefined;
}

/** Writes redirects into the settings of their spaces. @returns why those of a file were not written, by file */
export async function writeRedirects(
  site: SiteFolder,
  redirects: readonly FolderRedirect[],
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<Map<string, string>> {
  const failed = new Map<string, string>();
  for (const [space, own] of Map.groupBy(redirects, (each) => each.space)) {
    const file = settingsFileOf(site, space);
    const path = join(site.disk.path, file);
    const reason = await change(
      site.disk.path,
      path,
      new Map(own.map(({ source, target }) => [source, target])),
      dryRun,
    );
    if (reason !== undefined) failed.set(file, reason);
  }
  return failed;
}

/** The file with the redirects, or else the first settings file, or a new one. */
function settingsFileOf({ disk }: SiteFolder, { redirectsFile, directory }: SpaceFolder): string {
  const names = ['.gitbook.yaml', '.gitbook.yml'].map((name) => [directory, name].filter(Boolean).join('/'));
  return redirectsFile || (names.find((name) => disk.files.has(name)) ?? names[0] ?? '');
}

async function change(
  folder: string,
  path: string,
  changes: ReadonlyMap<string, string | undefined>,
  dryRun: boolean,
): Promise<string | undefined> {
  if (resolveInside(folder, path) === undefined) return 'it is outside the folder';
  const exists = existsSync(path);
  if (exists && !lstatSync(path).isFile()) return 'it is not a regular file';
  const changed = withRedirects(exists ? readFileSync(path, 'utf8') : '', changes);
  if (changed === undefined) return 'its redirects are written in a form that cannot be changed';
  if (dryRun) return undefined;
  try {
    await writeFileAtomic(path, changed, exists ? lstatSync(path).mode & 0o777 : undefined);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
