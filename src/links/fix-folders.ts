import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rewriteLinks } from '../content/markdown/markdown.ts';
import { writeFileAtomic } from '../shared/atomic-write.ts';
import type { PlacedFinding } from './check-links.ts';
import type { ReadFolder } from './folder-world.ts';

export interface Fixed {
  /** The number of changed files. */
  files: number;
  fixed: PlacedFinding[];
  /** Fixes whose files could not be written, or changed meanwhile. */
  failed: { finding: PlacedFinding; reason: string }[];
}

/** Writes the certain fixes of findings. Files are replaced in one step, and never through symbolic links. */
export async function fixFolders(
  folders: readonly ReadFolder[],
  fixable: readonly PlacedFinding[],
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<Fixed> {
  const result: Fixed = { files: 0, fixed: [], failed: [] };
  const certain = fixable.filter(({ fix }) => fix !== undefined);
  const done = new Set<string>();
  for (const [text, findings] of Map.groupBy(certain, (each) => each.text)) {
    const folder = folders.find(({ spaces }) => spaces.some((space) => space === text.space));
    const path = folder && join(folder.site.disk.path, text.key);
    // Folders can overlap.
    if (!folder || path === undefined || done.has(path)) continue;
    done.add(path);
    const reason = await writeFixes(folder, text.key, findings, dryRun);
    if (reason === undefined) {
      result.files += 1;
      result.fixed.push(...findings);
    } else for (const finding of findings) result.failed.push({ finding, reason });
  }
  return result;
}

/** @returns why nothing was written */
async function writeFixes(
  { site: { disk } }: ReadFolder,
  file: string,
  findings: readonly PlacedFinding[],
  dryRun: boolean,
): Promise<string | undefined> {
  const path = join(disk.path, file);
  const real = disk.realPath(file);
  if (real !== undefined && real !== path) return 'it is a symbolic link';
  const text = path === undefined ? undefined : disk.textOnce(file);
  if (real === undefined || text === undefined) return 'it cannot be read';
  const byOffset = new Map(findings.map(({ offset, finding, fix }) => [offset, { url: finding.url, fix }]));
  let count = 0;
  const changed = rewriteLinks(text, (url, _, __, offset) => {
    const change = byOffset.get(offset);
    if (change?.fix === undefined || change.url !== url) return url;
    count += 1;
    return change.fix;
  });
  if (count !== byOffset.size || changed === text) return 'it has changed';
  if (dryRun) return undefined;
  const stats = lstatSync(path);
  if (!stats.isFile()) return 'it is not a regular file';
  if (!Buffer.from(text).equals(readFileSync(path))) return 'it has changed';
  try {
    await writeFileAtomic(path, changed, stats.mode & 0o777);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
