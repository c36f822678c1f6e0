import { isMarkdown } from './file-names.ts';
import { readSettings } from './folder-settings.ts';
import type { Folder, LocalFolder } from './folder.ts';
import { filesOf } from './local-links.ts';
import { readInfo } from './page-info.ts';
import { treeOf } from './page-tree.ts';

/** The pages that a folder of Markdown stands for, by its SUMMARY.md or else by its folders. */
export function readFolder(folder: Folder): LocalFolder {
  const { problems, ...settings } = readSettings(folder);
  const inside = insideRoot(folder, settings.root);
  const texts = new Map<string, string>();
  for (const [path, bytes] of inside) {
    if (!isMarkdown(path) || isPrivate(path)) continue;
    const text = decodeExactly(bytes);
    if (text === undefined) problems.push({ file: path, message: 'The file is not UTF-8 and is left out.' });
    else texts.set(path, text);
  }
  const summary = texts.get(settings.summary) ?? null;
  texts.delete(settings.summary);
  const infos = new Map([...texts].map(([path, text]) => [path, readInfo(text)]));
  for (const [file, { fault }] of infos) {
    if (fault) problems.push({ file, message: `The front matter is not read: ${fault}` });
  }
  const pages = treeOf({ infos, summary, settings, problems }).map((page) => ({
    ...page,
    text: page.file === null ? null : texts.get(page.file)!,
  }));
  return {
    root: settings.root,
    pages,
    ...filesOf(pages, inside, problems),
    summary,
    summaryPath: settings.summary,
    readmePath: settings.readme,
    problems,
  };
}

function insideRoot(folder: Folder, root: string): Map<string, Uint8Array> {
  const inside = new Map<string, Uint8Array>();
  for (const path of [...folder.keys()].toSorted()) {
    if (root === '') inside.set(path, folder.get(path)!);
    else if (path.startsWith(`${root}/`)) inside.set(path.slice(root.length + 1), folder.get(path)!);
  }
  return inside;
}

// Hidden folders hold tools' files, and packages bring Markdown of their own.
function isPrivate(path: string): boolean {
  return path.split('/').some((segment) => segment.startsWith('.') || segment === 'node_modules');
}

/** The text whose UTF-8 the bytes are, byte order mark included; undefined when they are none. */
export function decodeExactly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
