import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeOf, messageOf } from '../../shared/error-text.ts';
import { isHidden, isMarkdown } from '../folder/file-names.ts';
import { readFolder } from '../folder/read-folder.ts';
import { linkReason, unzip, usualLimits as limits } from './archive.ts';
import { convertFolder } from './convert/convert.ts';
import type { Skipped } from './convert/skipped.ts';
import { ImportFailure } from './failure.ts';

/** What a local file or folder is imported as: a zip archive of Markdown. */
export interface LocalImport {
  archive: Uint8Array;
  pages: number;
  skipped: Skipped[];
}

/** The names that files of these sources have. Archives and folders are recognized by their content. */
const endings = new Map([
  ['markdown', '.md'],
  ['html', '.html'],
  ['docx', '.docx'],
]);

/**
 * Reads a file or folder to import: an archive, an HTML or Word document, Markdown, or a folder of these.
 *
 * @param source what a file is, if its name does not tell
 * @throws ImportFailure if there is no page in it, or too much, or it cannot be from the source
 */
export async function readLocal(path: string, source?: string): Promise<LocalImport> {
  const unread: Skipped[] = [];
  const isFolder = (await stat(path)).isDirectory();
  if (source === 'website' || (isFolder && endings.has(source ?? '')))
    throw new ImportFailure('unsupported', `a ${isFolder ? 'folder' : 'file'} cannot be imported as ${source}.`);
  const files = isFolder ? await filesIn(path, unread) : await fileAt(path, unread, source);
  const { files: converted, skipped } = await convertFolder(files);
  const { root, pages: read, files: linked } = readFolder(converted);
  const pages = read.filter(({ file }) => file !== null).length;
  const all = [...unread, ...skipped];
  if (pages === 0) {
    const reason = all[0] ? ` ${all[0].file}: ${all[0].reason}` : '';
    throw new ImportFailure('unreadable', `${path} contains no pages.${reason}`);
  }
  // Other files of a folder may be large, or secret.
  const sent = new Set(linked.map(({ path: file }) => (root === '' ? file : `${root}/${file}`)));
  const isSent = (file: string) => sent.has(file) || isMarkdown(file) || file === '.gitbook.yaml';
  const { zipSync } = await import('fflate');
  return { archive: zipSync(Object.fromEntries([...converted].filter(([file]) => isSent(file)))), pages, skipped: all };
}

/** An archive is unpacked; another file is the only one of its folder. */
async function fileAt(path: string, skipped: Skipped[], source?: string): Promise<Map<string, Uint8Array>> {
  if ((await stat(path)).size > limits.maxBytes) throw tooLarge(path);
  const bytes = await readFile(path);
  if (source === undefined ? /\.zip$/i.test(path) : !endings.has(source)) return unzip(bytes, { skipped });
  const ending = endings.get(source ?? '') ?? '';
  const name = basename(path);
  return new Map([[name.toLowerCase().endsWith(ending) ? name : `${name.replace(/\.\w+$/, '')}${ending}`, bytes]]);
}

async function filesIn(root: string, skipped: Skipped[]): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  let room = limits.maxBytes;
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isHidden(path) && path !== '.gitbook' && path !== '.gitbook.yaml') continue;
      if (entry.isDirectory()) {
        await visit(path);
        continue;
      }
      if (!entry.isFile()) {
        skipped.push({ file: path, reason: linkReason });
        continue;
      }
      try {
        if (files.size >= limits.maxEntries || (await stat(join(root, path))).size > room) throw tooLarge(root);
        const bytes = await readFile(join(root, path));
        room -= bytes.length;
        files.set(path, bytes);
      } catch (error) {
        if (codeOf(error) === '') throw error;
        skipped.push({ file: path, reason: messageOf(error) });
      }
    }
  };
  await visit('');
  return files;
}

const tooLarge = (path: string) =>
  new ImportFailure(
    'too-large',
    `${path} has more than ${limits.maxBytes / 1_000_000} MB or ${limits.maxEntries} files.`,
  );
