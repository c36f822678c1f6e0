import { conflictLine, conflictMessage, conflictRule } from '../../shared/conflict-marks.ts';
import { isHidden, isInToolFolder, isMarkdown, isMdx, isSpaceFile } from './file-names.ts';
import { readSettings } from './folder-settings.ts';
import {
  type Folder,
  type LocalFolder,
  type LocalPage,
  type OnFile,
  type Problem,
  type UnresolvedLink,
  hashOf,
} from './folder.ts';
import {
  PathsByCase,
  addressesIn,
  includesIn,
  isRelative,
  lineAt,
  linesOf,
  localPath,
  localPaths,
} from './local-links.ts';
import { type PageInfo, readInfo } from './page-info.ts';
import { treeOf } from './page-tree.ts';

/** Limits the work for archives, which can contain thousands of nested folders. */
const maxFolders = 100;

export interface ReadOptions {
  /** Whether MDX files are pages, too: as Markdown that contains their JSX. */
  mdx?: boolean | undefined;
  /** Whether files that cannot be read are pages without a text, in the places that they have in the tree. */
  keepsUnreadable?: boolean | undefined;
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
  const unreadable = new Set<string>();
  const texts = textsOf(inside, { problems, unreadable }, options);
  const summary = texts.get(settings.summary) ?? null;
  texts.delete(settings.summary);
  const infos = new Map<string, PageInfo>();
  for (const [path, text] of texts) {
    onFile(path);
    infos.set(path, readInfo(text));
  }
  if (options.keepsUnreadable) for (const path of unreadable) infos.set(path, {});
  const broken = new Set(unreadable);
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
  const pages = treeOf({ infos, summary, settings, problems, unreadable }).map((page) => ({
    ...page,
    text: page.file === null ? null : (texts.get(page.file) ?? null),
    ...(page.file !== null && broken.has(page.file) && { isUnreadable: true }),
  }));
  const used = filesOf(pages, inside, { problems, unreadable, onFile });
  for (const { file, text } of used.includes) checkConflict(file, conflictLine(text, { isMarkdown: true }));
  return {
    root: settings.root,
    pages,
    ...used,
    summary,
    summaryPath: settings.summary,
    readmePath: settings.readme,
    problems,
    unreadable: [...unreadable],
  };
}

function insideRoot(folder: Folder, root: string): Map<string, Uint8Array> {
  const sorted = [...folder].toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (root === '') return new Map(sorted);
  const inside = sorted.filter(([path]) => path.startsWith(`${root}/`));
  return new Map(inside.map(([path, bytes]) => [path.slice(root.length + 1), bytes]));
}

/** The texts of the Markdown files that can be pages. */
function textsOf(
  files: ReadonlyMap<string, Uint8Array>,
  { problems, unreadable }: { problems: Problem[]; unreadable: Set<string> },
  { mdx = false }: ReadOptions,
) {
  const texts = new Map<string, string>();
  for (const [path, bytes] of files) {
    if (isPrivate(path) || !(isMarkdown(path) || isMdx(path))) continue;
    const text = isMdx(path) && !mdx ? '' : decodeExactly(bytes);
    unreadable.add(path);
    if (isTooDeep(path)) {
      problems.push({ file: path, message: `The file is in more than ${maxFolders} folders and is skipped.` });
    } else if (isMdx(path) && !mdx) {
      problems.push({
        file: path,
        line: 1,
        message: 'The page is MDX and is skipped. Use --mdx to read it as Markdown.',
      });
    } else if (text === undefined) {
      problems.push({
        file: path,
        line: lineOfError(bytes),
        rule: 'not-utf8',
        message: 'The file is not UTF-8 and is skipped.',
      });
    } else {
      texts.set(path, text);
      unreadable.delete(path);
    }
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

interface Match {
  path: string;
  isOtherCase: boolean;
}

/**
 * The files of a space, and those that its pages and reusable texts refer to. Links to files that must not be uploaded, and
 * links in another case than the file, are added to the problems.
 */
function filesOf(
  pages: readonly LocalPage[],
  inside: ReadonlyMap<string, Uint8Array>,
  { problems, unreadable, onFile }: { problems: Problem[]; unreadable: ReadonlySet<string>; onFile: OnFile },
): Pick<LocalFolder, 'files' | 'includes' | 'unresolved'> {
  // A page that is skipped by mistake must not become a file of the space.
  const skipped = [...unreadable].filter((path) => isMarkdown(path) || isMdx(path));
  const search = new FileSearch(inside, { pages, skipped });
  const includes: LocalFolder['includes'] = [];
  const read = (file: string, text: string) => {
    onFile(file);
    for (const problem of search.read(file, text)) problems.push(problem);
    for (const include of includesIn(text, file)) search.include(include);
  };
  for (const { file, text } of pages) if (file !== null && text !== null) read(file, text);
  for (const path of inside.keys()) if (isSpaceFile(path)) search.include(path);
  for (let next = search.nextInclude(); next; next = search.nextInclude()) {
    includes.push(next);
    read(next.file, next.text);
  }
  const sorted = [...search.linked].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const files = sorted.map(([path, bytes]) => ({ path, bytes, hash: hashOf(bytes) }));
  return { files, includes, unresolved: search.unresolved };
}

class FileSearch {
  readonly linked = new Map<string, Uint8Array>();
  readonly unresolved: UnresolvedLink[] = [];
  readonly #inside: ReadonlyMap<string, Uint8Array>;
  readonly #pageFiles: ReadonlySet<string | null>;
  readonly #skipped: ReadonlySet<string>;
  readonly #includes = new Set<string>();
  readonly #waiting: string[] = [];
  #byCase: PathsByCase | undefined;

  constructor(
    inside: ReadonlyMap<string, Uint8Array>,
    { pages, skipped }: { pages: readonly LocalPage[]; skipped: readonly string[] },
  ) {
    this.#inside = inside;
    this.#pageFiles = new Set(pages.map(({ file }) => file));
    this.#skipped = new Set(skipped);
  }

  /** @returns problems with the addresses in a text */
  read(file: string, text: string): Problem[] {
    const remarks = new Map<string, string>();
    for (const url of addressesIn(text)) {
      if (!isRelative(url)) continue;
      const remark = this.#use(file, url);
      if (remark !== undefined) remarks.set(url, remark);
    }
    const lines = linesOf(text, [...remarks.keys()]);
    return [...lines].map(([url, line]) => ({ file, line, message: `${url} ${remarks.get(url)}` }));
  }

  #use(file: string, url: string): string | undefined {
    const path = localPath(file, url);
    const match = this.#find(localPaths(file, url));
    if (!match && path === undefined) return 'leads out of the folder and is skipped.';
    const target = match?.path ?? path ?? '';
    const caseRemark = match?.isOtherCase ? `is ${target} in the folder: upper and lower case differ.` : undefined;
    if (this.#pageFiles.has(target) || this.#skipped.has(target)) return caseRemark;
    const bytes = this.#inside.get(target);
    if (isHidden(target) && (bytes || isInToolFolder(target))) return 'is a hidden file and is skipped.';
    if (!bytes) {
      this.unresolved.push({ file, url, path: target });
      return undefined;
    }
    this.linked.set(target, bytes);
    return caseRemark;
  }

  #find(paths: readonly string[]): Match | undefined {
    const path = paths.find((each) => this.#pageFiles.has(each) || this.#inside.has(each));
    if (path !== undefined) return { path, isOtherCase: false };
    this.#byCase ??= new PathsByCase(this.#inside.keys());
    for (const each of paths) {
      const other = this.#byCase.find(each);
      if (other !== undefined) return { path: other, isOtherCase: true };
    }
    return undefined;
  }

  /** Adds a text that pages include, or a file of the space, to be read later. */
  include(path: string): void {
    const bytes = this.#inside.get(path);
    if (!bytes || this.#includes.has(path) || this.#pageFiles.has(path) || isHidden(path)) return;
    this.#includes.add(path);
    this.linked.set(path, bytes);
    if (isMarkdown(path)) this.#waiting.push(path);
  }

  nextInclude(): { file: string; text: string } | undefined {
    const file = this.#waiting.shift();
    return file === undefined ? undefined : { file, text: Buffer.from(this.#inside.get(file) ?? []).toString() };
  }
}
