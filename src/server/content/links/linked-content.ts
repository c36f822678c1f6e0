import { isOwnFile } from '../../../content/folder/file-names.ts';
import { latestLayouts, readLayout } from '../../../content/folder/layout.ts';
import { type FileRow, findDownload } from '../../../store/files.ts';
import type { Db } from '../../../store/store.ts';
import type { Outline } from '../pages/outline.ts';
import type { LinkedContent } from '../../../content/markdown/content-links.ts';

/**
 * What the links of a content's texts can lead to within it. A file that was pushed again with other bytes has another
 * name in the content; the links lead to it by the name that it has in its folder, too.
 */
export async function linkedContent(db: Db, outline: Outline, files: readonly FileRow[]): Promise<LinkedContent> {
  const paths = await pathsOf(db, files);
  const shown = files.filter(({ name }) => !isOwnFile(name));
  return {
    pages: outline.rows.filter((row) => row.slug !== '').map(({ page }) => ({ id: page, path: outline.pathOf(page) })),
    // Of files with one name, the first counts.
    files: [
      ...shown.flatMap(({ file, name }) => {
        const path = paths.get(name);
        return path === undefined ? [] : [{ id: file, name: path }];
      }),
      ...shown.map(({ file, name }) => ({ id: file, name })),
    ],
  };
}

type Paths = ReadonlyMap<string, string>;

const none: Paths = new Map();

/** By the id of the layout: files never change. */
const known = new Map<string, Paths>();
const maxKnown = 50;

/** Layouts of 10,000 pages are smaller; others wait while one is read. */
const maxBytes = 8 * 1024 * 1024;

/** Paths in the folder that was pushed, by the names of files in the content, if they differ. */
async function pathsOf(db: Db, files: readonly FileRow[]): Promise<Paths> {
  const [layout] = latestLayouts(files);
  if (!layout) return none;
  const { file } = layout;
  const paths = known.get(file) ?? readLayout((await findDownload(db, file))?.bytes, maxBytes).files;
  known.delete(file);
  known.set(file, paths);
  const [oldest] = known.keys();
  if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
  return paths;
}
