import type { OnFile, Folder } from '../content/folder/folder.ts';
import type { ReadOptions } from '../content/folder/read-folder.ts';
import type { plan } from './plan.ts';
import type { pulledBase, pushedFolder } from './three-way/base-folder.ts';
import type { addedPages } from './three-way/added-pages.ts';
import type { mergeTree, summaryOfTree } from './three-way/merge-tree.ts';
import type { compare } from './three-way/compare.ts';
import type { writeFolder } from './write-folder.ts';

interface FileText {
  file: string;
  text: string;
}

/**
 * Everything that parses the pages of a folder. Inputs and outputs are plain data, so that a task can run in this thread or
 * in a worker. The steps of a task are files.
 */
export const folderTasks = {
  compare: async (...args: Parameters<typeof compare>) => (await import('./three-way/compare.ts')).compare(...args),
  plan: async (...args: Parameters<typeof plan>) => (await import('./plan.ts')).plan(...args),
  writeFolder: async (...args: Parameters<typeof writeFolder>) =>
    (await import('./write-folder.ts')).writeFolder(...args),
  pushedFolder: async (...args: Parameters<typeof pushedFolder>) =>
    (await import('./three-way/base-folder.ts')).pushedFolder(...args),
  pulledBase: async (...args: Parameters<typeof pulledBase>) =>
    (await import('./three-way/base-folder.ts')).pulledBase(...args),
  addedPages: async (...args: Parameters<typeof addedPages>) =>
    (await import('./three-way/added-pages.ts')).addedPages(...args),
  mergeTree: async (...[input]: Parameters<typeof mergeTree>) =>
    (await import('./three-way/merge-tree.ts')).mergeTree(input),
  summaryOfTree: async (...[input]: Parameters<typeof summaryOfTree>) =>
    (await import('./three-way/merge-tree.ts')).summaryOfTree(input),

  /** The pages of a folder, or the problem with its settings. */
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

  /** An image with at most this many bytes; undefined if that is not possible. */
  async fitImage({ path, bytes, maxBytes }: { path: string; bytes: Uint8Array; maxBytes: number }, onFile: OnFile) {
    const { fitImage } = await import('../content/images/fit-image.ts');
    onFile(path);
    return fitImage(bytes, maxBytes);
  },

  /** The texts of files whose links lead to files that were moved, with the new paths. @param moved new paths by former ones */
  async followMoves({ texts, moved }: { texts: FileText[]; moved: ReadonlyMap<string, string> }, onFile: OnFile) {
    const { followMoves } = await import('./follow-moves.ts');
    return texts.flatMap(({ file, text }) => {
      onFile(file);
      const followed = followMoves(file, text, moved);
      return followed === text ? [] : [{ file, text: followed }];
    });
  },

  /** The lines of addresses in the texts of files. */
  async linesOf(texts: { file: string; text: string; urls: string[] }[], onFile: OnFile) {
    const { linesOf } = await import('../content/folder/local-links.ts');
    return texts.map(({ file, text, urls }) => {
      onFile(file);
      return { file, lines: linesOf(text, urls) };
    });
  },

  /** The places in the texts of files that refer to one of these paths. */
  async placesOf({ texts, paths }: { texts: FileText[]; paths: string[] }, onFile: OnFile) {
    const { placesOf } = await import('../content/folder/local-links.ts');
    const targets = new Set(paths);
    return texts.flatMap(({ file, text }) => {
      onFile(file);
      return placesOf(file, text, targets);
    });
  },
};
