import { mergeLines } from '../../content/merge/merge-lines.ts';
import type { WrittenFolder } from '../write-folder.ts';

/** The file of a page that a job changed after a pull, of a commit before it. */
export interface LatePage {
  path: string;
  sent: Uint8Array;
  /** The file at the last push that both the commit and the pull contain; undefined if the job added the page. */
  before: Uint8Array | undefined;
}

/** Adds to a pulled folder what a job changed afterwards: the folder had it before the pull. */
export function mergeLate({ pages, ids }: WrittenFolder, late: ReadonlyMap<string, LatePage>): void {
  for (const [path, id] of ids) {
    const { sent, before } = late.get(id) ?? {};
    const pulled = pages.get(path);
    if (!sent || !before || !pulled) continue;
    const [base, ours, theirs] = [before, pulled, sent].map((bytes) => Buffer.from(bytes).toString());
    pages.set(path, Buffer.from(mergeLines(base!, ours!, theirs!).text));
  }
}
