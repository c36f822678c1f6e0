import { join } from 'node:path';
import { SiteFolder } from '../site/folder/site-folder.ts';
import type { Docs } from '../sync/local-folder.ts';
import { readStates } from '../sync/state-file.ts';
import { readFacts } from './facts.ts';
import { folderContext, FolderSpace } from './folder-space.ts';
import type { LinkedPage, LinkedWorld } from './model.ts';
import { Renames } from './renames.ts';

/** A folder as it was read. */
export interface ReadFolder {
  docs: Docs;
  site: SiteFolder;
  spaces: readonly FolderSpace[];
}

/** How folders are read other than as they are on disk. */
interface ReadOptions {
  /** Texts that files have instead of their own, by path. */
  textsOf?: (folder: Docs) => ReadonlyMap<string, string>;
  /** Without it, each text is parsed. */
  factsOf?: typeof readFacts;
}

/**
 * Reads folders of Markdown as spaces whose links lead to each other.
 *
 * @throws UnreadableFolder, SettingsError
 */
export async function readFolders(
  folders: readonly Docs[],
  { textsOf, factsOf = readFacts }: ReadOptions = {},
): Promise<ReadFolder[]> {
  const renames = new Renames();
  const byFile = new Map<string, LinkedPage>();
  const pageOfFile = (file: string) => byFile.get(file);
  const read: ReadFolder[] = [];
  for (const docs of folders) {
    const site = new SiteFolder(docs.path, textsOf?.(docs));
    const context = folderContext(site, { renames, factsOf, pageOfFile });
    const [state] = await readStates(site.disk.path);
    const ids = new Map([...(state?.files ?? [])].flatMap(([path, { page }]) => (page === '' ? [] : [[page, path]])));
    const id = docs.space ?? state?.space;
    const spaces = site.spaces.map((siteSpace) => {
      const { title, directory } = siteSpace.entry;
      const only = site.spaces.length === 1;
      return new FolderSpace(context, siteSpace, {
        name: only ? docs.name : title || join(docs.name, directory),
        // With several spaces in one folder, the ID could belong to any of them.
        id: only ? id : undefined,
        ids: only ? ids : new Map(),
      });
    });
    for (const space of spaces) for (const page of space.pages) byFile.set(join(site.disk.path, page.key), page);
    read.push({ docs, site, spaces });
  }
  return read;
}

export const worldOf = (folders: readonly ReadFolder[]): LinkedWorld => ({
  spaces: folders.flatMap(({ spaces }) => spaces),
  places: [],
  isComplete: false,
});
