import { join } from 'node:path';
import { rewriteLinks } from '../content/markdown/markdown.ts';
import type { PlacedFinding } from './check-links.ts';
import type { ReadFolder } from './folder-world.ts';
import { removeHalfWritten, writeChanged } from './write-changed.ts';

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
  if (!dryRun) for (const { site } of folders) removeHalfWritten(site.disk);
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
  const text = disk.textOnce(file);
  if (text === undefined) return 'it cannot be read';
  const changed = withFixes(text, findings);
  if (changed === undefined) return 'it has changed';
  return writeChanged(disk, file, { before: text, after: changed }, dryRun);
}

/** The text with all fixes of it; undefined if it does not have the links of the findings. */
export function withFixes(text: string, findings: readonly PlacedFinding[]): string | undefined {
  const byOffset = new Map(findings.map(({ offset, finding, fix }) => [offset, { url: finding.url, fix }]));
  let count = 0;
  const changed = rewriteLinks(text, (url, _, __, offset) => {
    const change = byOffset.get(offset);
    if (change?.fix === undefined || change.url !== url) return url;
    count += 1;
    return change.fix;
  });
  return count !== byOffset.size || changed === text ? undefined : changed;
}
