import { EventTurns } from '../../shared/event-turns.ts';
import { withHeapGrowth, withYoungHeap } from '../../shared/young-heap.ts';
import { hashOf } from './content-hash.ts';
import { type Exported, exportSite } from './export-site.ts';
import { OutputFolder } from './output-folder.ts';
import type { StaticSource } from './static-source.ts';

export interface ExportTarget {
  out: string;
  /** Without a slash at its end. */
  baseUrl: string | undefined;
  /** A hash of the program. */
  renderer: string;
  overwrite: boolean;
  dryRun: boolean;
}

/** Parsing leaves much behind that only a collection of old objects removes. */
const growingPercent = 100;

/**
 * Writes a site into a folder, unless its last export is the same.
 *
 * @param onPage called for each page with the number of pages before it; may throw to stop
 * @throws OutputRefused
 */
export async function writeSite(
  source: StaticSource,
  { out, baseUrl, renderer, ...options }: ExportTarget,
  onPage: (number: number) => void,
): Promise<Exported> {
  const output = new OutputFolder(out, options);
  const fingerprint = hashOf(JSON.stringify([renderer, baseUrl ?? '', source.fingerprint]));
  const unchanged = output.unchanged(fingerprint);
  if (unchanged) return { written: [], removed: [], unchanged: unchanged.files.length, problems: unchanged.problems };
  const turns = new EventTurns();
  const run = () =>
    exportSite(source, output, {
      baseUrl,
      fingerprint,
      renderer,
      async onPage(_, number) {
        await turns.take();
        onPage(number);
      },
    });
  return withHeapGrowth(growingPercent, () => withYoungHeap(run));
}
