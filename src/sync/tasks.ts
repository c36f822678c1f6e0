import type { Folder, LocalFolder, OnFile } from '../content/folder/folder.ts';
import type { ReadOptions } from '../content/folder/read-folder.ts';
import type { Layout } from '../content/folder/layout.ts';
import type { PlanInput } from './plan.ts';
import type { Remote } from './remote.ts';
import type { Base } from '../content/folder/base.ts';
import type { WriteInput } from './write-folder.ts';

interface CompareInput {
  local: LocalFolder;
  remote: Remote;
  pulled: Base | undefined;
}

interface PushedFolderInput {
  base: Base;
  layout: Layout;
  remote: Remote;
  local: LocalFolder;
  pushedHashes: ReadonlyMap<string, string>;
  texts: ReadonlyMap<string, string>;
}

/**
 * All work that parses the pages of a folder. Input and output are plain data, so that a task can run in this thread or
 * in a worker. The steps of a task are files.
 */
export const folderTasks = {
  /** The pages of a folder, or what is wrong with its settings. */
  async readFolder({ folder, ...options }: { folder: Folder } & ReadOptions, onFile: OnFile) {
    const { readFolder } = await import('../content/folder/read-folder.ts');
    const { SettingsError } = await import('../content/folder/folder-settings.ts');
    try {
      return { local: readFolder(folder, onFile, options), problem: undefined };
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      return { local: undefined, problem: error.message };
    }
  },

  async compare({ local, remote, pulled }: CompareInput, onFile: OnFile) {
    return (await import('./three-way/sides.ts')).compare(local, remote, { pulled, onFile });
  },

  async plan(input: PlanInput, onFile: OnFile) {
    return (await import('./plan.ts')).plan(input, onFile);
  },

  async writeFolder(input: WriteInput, onFile: OnFile) {
    return (await import('./write-folder.ts')).writeFolder(input, { onFile });
  },

  /** The folder as it was when it was pushed. */
  async pushedFolder({ base, layout, ...sides }: PushedFolderInput) {
    return (await import('./three-way/base-folder.ts')).pushedFolder(base, layout, sides);
  },

  /** The base of a folder that was pulled from a revision. */
  async pulledBase({ remote, revision, local }: { remote: Remote; revision: string; local: LocalFolder }) {
    return (await import('./three-way/base-folder.ts')).pulledBase(remote, revision, local);
  },

  /** The lines of addresses in the texts of files. */
  async linesOf(texts: { file: string; text: string; urls: string[] }[], onFile: OnFile) {
    const { linesOf } = await import('../content/folder/local-links.ts');
    return texts.map(({ file, text, urls }) => {
      onFile(file);
      return { file, lines: linesOf(text, urls) };
    });
  },

  /** The places in the texts of files that name one of these paths. */
  async placesOf({ texts, paths }: { texts: { file: string; text: string }[]; paths: string[] }, onFile: OnFile) {
    const { placesOf } = await import('../content/folder/local-links.ts');
    const wanted = new Set(paths);
    return texts.flatMap(({ file, text }) => {
      onFile(file);
      return placesOf(file, text, wanted);
    });
  },
};
