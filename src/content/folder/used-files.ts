import { isHidden, isInToolFolder, isMarkdown, isSpaceFile } from './file-names.ts';
import { hashOf, type LocalFolder, type LocalPage, type OnFile, type Problem, type UnresolvedLink } from './folder.ts';
import { addressesIn, includesIn, isRelative, linesOf, localPath, localPaths, PathsByCase } from './local-links.ts';

interface Match {
  path: string;
  isOtherCase: boolean;
}

/**
 * The files of a space, and those that its pages and reusable texts refer to. Links to files that must not be uploaded, and
 * links in another case than the file, are added to the problems.
 */
export function filesOf(
  pages: readonly LocalPage[],
  inside: ReadonlyMap<string, Uint8Array>,
  { problems, onFile }: { problems: Problem[]; onFile: OnFile },
): Pick<LocalFolder, 'files' | 'includes' | 'unresolved'> {
  const search = new FileSearch(pages, inside);
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
  readonly #includes = new Set<string>();
  readonly #waiting: string[] = [];
  #byCase: PathsByCase | undefined;

  constructor(pages: readonly LocalPage[], inside: ReadonlyMap<string, Uint8Array>) {
    this.#inside = inside;
    this.#pageFiles = new Set(pages.map(({ file }) => file));
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
    if (!match && path === undefined) return 'leads out of the folder and is left out.';
    const target = match?.path ?? path ?? '';
    const caseRemark = match?.isOtherCase ? `is ${target} in the folder: upper and lower case differ.` : undefined;
    if (this.#pageFiles.has(target)) return caseRemark;
    const bytes = this.#inside.get(target);
    if (isHidden(target) && (bytes || isInToolFolder(target))) return 'is a hidden file and is left out.';
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
