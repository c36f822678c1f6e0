import { conflictLine, conflictMessage, conflictRule } from '../../shared/conflict-marks.ts';
import { isMarkdown, isMdx } from './file-names.ts';
import { readSettings } from './folder-settings.ts';
import type { Folder, LocalFolder, OnFile, Problem } from './folder.ts';
import { lineAt } from './local-links.ts';
import { type PageInfo, readInfo } from './page-info.ts';
import { treeOf } from './page-tree.ts';
import { filesOf } from './used-files.ts';

/** Limits the work for archives, which can contain thousands of nested folders. */
const maxFolders = 100;

export interface ReadOptions {
  /** Whether MDX files are pages, too: as Markdown that contains their JSX. */
  mdx?: boolean | undefined;
}

/**
 * Reads the pages of a folder of Markdown, in the order of its SUMMARY.md, or else of its folders.
 *
 * @param onFile called with each file before it is parsed
 * @throws SettingsError if the root in the settings is outside of the folder
 */
export function readFolder(folder: Folder, onFile: OnFile = () => {}, options: ReadOptions = {}): LocalFolder {
  const { problems, ...settings } = readSettings(folder);
  const inside = insideRoot(folder, settings.root);
  const texts = textsOf(inside, problems, options);
  const summary = texts.get(settings.summary) ?? null;
  texts.delete(settings.summary);
  const infos = new Map<string, PageInfo>();
  for (const [path, text] of texts) {
    onFile(path);
    infos.set(path, readInfo(text));
  }
  const checkConflict = (file: string, line: number | undefined) => {
    if (line !== undefined) problems.push({ file, line, rule: conflictRule, message: conflictMessage });
  };
  for (const [file, { problem, conflict }] of infos) {
    checkConflict(file, conflict);
    if (!problem) continue;
    const message = `The front matter cannot be parsed and is ignored: ${problem.message}`;
    problems.push({ file, line: problem.line, message });
  }
  if (summary !== null) onFile(settings.summary);
  checkConflict(settings.summary, conflictLine(summary ?? '', { isMarkdown: true }));
  const pages = treeOf({ infos, summary, settings, problems }).map((page) => ({
    ...page,
    text: page.file === null ? null : (texts.get(page.file) ?? null),
  }));
  const used = filesOf(pages, inside, { problems, onFile });
  for (const { file, text } of used.includes) checkConflict(file, conflictLine(text, { isMarkdown: true }));
  return {
    root: settings.root,
    pages,
    ...used,
    summary,
    summaryPath: settings.summary,
    readmePath: settings.readme,
    problems,
  };
}

function insideRoot(folder: Folder, root: string): Map<string, Uint8Array> {
  const sorted = [...folder].toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (root === '') return new Map(sorted);
  const inside = sorted.filter(([path]) => path.startsWith(`${root}/`));
  return new Map(inside.map(([path, bytes]) => [path.slice(root.length + 1), bytes]));
}

/** The texts of the Markdown files that can be pages. */
function textsOf(files: ReadonlyMap<string, Uint8Array>, problems: Problem[], { mdx = false }: ReadOptions) {
  const texts = new Map<string, string>();
  for (const [path, bytes] of files) {
    if (isPrivate(path) || !(isMarkdown(path) || isMdx(path))) continue;
    const text = isMdx(path) && !mdx ? '' : decodeExactly(bytes);
    if (isTooDeep(path)) {
      problems.push({ file: path, message: `The file is in more than ${maxFolders} folders and is left out.` });
    } else if (isMdx(path) && !mdx) {
      problems.push({
        file: path,
        line: 1,
        message: 'The page is MDX and is left out. Use --mdx to read it as Markdown.',
      });
    } else if (text === undefined) {
      problems.push({ file: path, line: lineOfError(bytes), message: 'The file is not UTF-8 and is left out.' });
    } else texts.set(path, text);
  }
  return texts;
}

/** The line of the first bytes that are not UTF-8. */
function lineOfError(bytes: Uint8Array): number {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return lineAt(text, text.indexOf('\uFFFD'));
}

/** Whether a file can be a page, by its path from the root of the docs. */
export const isPagePath = (path: string): boolean => isMarkdown(path) && !isPrivate(path) && !isTooDeep(path);

const isTooDeep = (path: string) => path.split('/').length > maxFolders;

// Hidden folders contain files of tools, and packages contain their own Markdown.
function isPrivate(path: string): boolean {
  return path.split('/').some((segment) => segment.startsWith('.') || segment === 'node_modules');
}

/** Decodes a text, including its byte order mark. Undefined if it is not UTF-8. */
function decodeExactly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
