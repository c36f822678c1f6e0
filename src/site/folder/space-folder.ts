import { isMarkdown } from '../../content/folder/file-names.ts';
import { type FolderSettings, readSettings, settingsFiles } from '../../content/folder/folder-settings.ts';
import type { Problem } from '../../content/folder/folder.ts';
import { type PageInfo, readInfo } from '../../content/folder/page-info.ts';
import { treeOf } from '../../content/folder/page-tree.ts';
import { isPagePath } from '../../content/folder/read-folder.ts';
import { isSafeAddress } from '../../content/html/safe-address.ts';
import type { FrontMatterProblem } from '../../content/markdown/front-matter.ts';
import { conflictLine, conflictMessage, conflictRule } from '../../shared/conflict-marks.ts';
import { decodeAddress } from '../../shared/decode.ts';
import { isObject } from '../../shared/is-object.ts';
import { trimSlashes } from '../../shared/trim-slashes.ts';
import { UnreadableYaml, readYaml } from '../../shared/yaml.ts';
import { Contents } from '../contents.ts';
import type { DiskFolder } from './disk-folder.ts';
import type { FolderSpecs } from './folder-specs.ts';
import { type FolderProblem, noSafeAddress } from './problem.ts';
import { type PageWithReference, withReferencePages } from './reference-pages.ts';

/** A page of a space, with its file as a path from the whole folder. */
export interface FolderPage extends PageWithReference {
  space: SpaceFolder;
  /** Relative to the address of the space; "" for the first page. */
  address: string;
}

export interface SpaceOptions {
  /** From the whole folder; "" for the whole folder. */
  directory: string;
  /** Folders inside it that are other spaces. */
  without: readonly string[];
  /** Descriptions in the whole folder. */
  specs: FolderSpecs;
}

/** A space of a folder: its settings, and the order and titles of its pages. It does not cache texts. */
export class SpaceFolder {
  readonly directory: string;
  readonly #disk: DiskFolder;
  readonly #without: readonly string[];
  readonly #specs: FolderSpecs;
  readonly #infos = new Map<string, PageInfo>();
  #root = '';
  #settings: FolderSettings = { root: '', summary: 'SUMMARY.md', readme: 'README.md' };
  #redirects: readonly Redirect[] = [];
  #redirectsFile = '';
  #redirectsBySource: ReadonlyMap<string, Redirect> = new Map();
  #unreadable: string[] = [];
  #contents = new Contents<FolderPage>([]);
  #byFile = new Map<string, FolderPage>();
  #byAddress = new Map<string, FolderPage>();
  #problems: FolderProblem[] = [];

  /** @throws SettingsError if the settings name a folder outside it */
  constructor(disk: DiskFolder, { directory, without, specs }: SpaceOptions) {
    this.#disk = disk;
    this.directory = directory;
    this.#without = without;
    this.#specs = specs;
    this.#read();
  }

  /** The folder of the pages according to the settings, from the whole folder. */
  get root(): string {
    return this.#root;
  }

  get summaryFile(): string {
    return this.#inFolder(this.#settings.summary);
  }

  /** Depth first. */
  get pages(): readonly FolderPage[] {
    return this.#contents.pages;
  }

  get contents(): Contents<FolderPage> {
    return this.#contents;
  }

  get redirects(): readonly Redirect[] {
    return this.#redirects;
  }

  /** The first redirect from an address. */
  redirectFrom(source: string): Redirect | undefined {
    return this.#redirectsBySource.get(source);
  }

  /** The settings file with the redirects. */
  get redirectsFile(): string {
    return this.#redirectsFile;
  }

  /** Markdown that is not UTF-8. */
  get unreadableFiles(): readonly string[] {
    return this.#unreadable;
  }

  /** Problems of the settings, `SUMMARY.md` and front matter. Paths are from the whole folder. */
  get problems(): readonly FolderProblem[] {
    return this.#problems;
  }

  /** Whether a file could be a page if `SUMMARY.md` listed it. */
  isPageFile(file: string): boolean {
    return this.#infos.has(file);
  }

  pageOfFile(file: string): FolderPage | undefined {
    return this.#byFile.get(file);
  }

  pageOfKey(key: string): FolderPage | undefined {
    return this.#contents.find(key);
  }

  /** Whether the folder has the description for the API reference in an entry of `SUMMARY.md`. */
  hasReferenceUnder(key: string): boolean {
    return this.pages.some(({ reference }) => reference?.base === key);
  }

  /** @param address without slashes at its ends */
  pageAt(address: string): FolderPage | undefined {
    return this.#byAddress.get(address);
  }

  /** Whether a path from the whole folder belongs to this space. */
  holds(path: string): boolean {
    return isBelow(path, this.directory) && !this.#without.some((other) => isBelow(path, other));
  }

  /** Reads the space again if it depends on these files. @throws SettingsError */
  update(changed: ReadonlySet<string>): void {
    const own = [...changed].filter((path) => this.holds(path));
    let isOther = own.some((path) => path === this.summaryFile || settingsFiles.includes(path.split('/').at(-1) ?? ''));
    for (const path of own.filter(isMarkdown)) {
      const before = JSON.stringify(this.#infos.get(path));
      const info = this.#infoOf(path);
      if (info) this.#infos.set(path, info);
      else this.#infos.delete(path);
      // Sorting again puts new files into their places.
      if (JSON.stringify(info) !== before) isOther = true;
    }
    const hasReference = this.pages.some(({ generated }) => generated !== undefined);
    if (hasReference && [...changed].some((path) => /\.(?:json|ya?ml)$/i.test(path))) isOther = true;
    if (isOther) this.#read();
  }

  #read(): void {
    const problems: FolderProblem[] = [];
    const settings = this.#readSettings(problems);
    this.#settings = settings;
    this.#root = [this.directory, settings.root].filter(Boolean).join('/');
    const infos = new Map<string, PageInfo>();
    this.#unreadable = [];
    for (const path of this.#disk.files) {
      if (!this.holds(path) || !isBelow(path, this.#root) || path === this.summaryFile) continue;
      const info = this.#infos.get(path) ?? this.#infoOf(path);
      if (!info && isPagePath(this.#inRoot(path))) this.#unreadable.push(path);
      if (!info) continue;
      this.#infos.set(path, info);
      infos.set(this.#inRoot(path), info);
      if (info.problem) problems.push(frontMatterProblem(path, info.problem));
      if (info.conflict !== undefined) problems.push(conflictProblem(path, info.conflict));
    }
    for (const path of this.#infos.keys()) if (!infos.has(this.#inRoot(path))) this.#infos.delete(path);
    const summary = this.#disk.textOnce(this.summaryFile) ?? null;
    const conflict = conflictLine(summary ?? '', { isMarkdown: true });
    if (conflict !== undefined) problems.push(conflictProblem(this.summaryFile, conflict));
    const treeProblems: Problem[] = [];
    const tree = treeOf({ infos, summary, settings, problems: treeProblems });
    for (const problem of treeProblems) problems.push(this.#problemOf(problem));
    const linked = tree.map((page) => {
      if (page.href === undefined || isSafeAddress(page.href)) return page;
      const place = { file: this.summaryFile, ...(page.line === undefined ? {} : { line: page.line }) };
      const message = `${page.href} ${noSafeAddress}; "${page.title}" is not a link.`;
      problems.push({ ...place, rule: 'summary-address', level: 'error', message });
      return { ...page, href: undefined };
    });
    this.#place(
      withReferencePages(linked, this.#specs, ({ line }, message) => {
        const place = { file: this.summaryFile, ...(line === undefined ? {} : { line }) };
        problems.push({ ...place, rule: 'settings', level: 'error', message });
      }),
    );
    this.#problems = problems;
  }

  #place(tree: readonly PageWithReference[]): void {
    const first = tree.find(({ type }) => type === 'document');
    const pages = tree.map((page) => ({
      ...page,
      file: page.file === null ? null : this.#inFolder(page.file),
      space: this,
      address: page === first ? '' : page.path,
    }));
    this.#contents = new Contents<FolderPage>(pages);
    const named = this.pages.filter(({ type }) => type === 'document');
    this.#byFile = new Map(named.flatMap((page) => (page.file === null ? [] : [[page.file, page]])));
    this.#byAddress = new Map(
      named.flatMap((page) => [
        [page.path, page],
        [page.address, page],
      ]),
    );
  }

  /** The front matter and title of a file; undefined if it cannot be a page. */
  #infoOf(path: string): PageInfo | undefined {
    if (!isPagePath(this.#inRoot(path))) return undefined;
    const text = this.#disk.textOnce(path);
    return text === undefined ? undefined : readInfo(text);
  }

  /** @throws SettingsError */
  #readSettings(problems: FolderProblem[]): FolderSettings {
    const files = new Map<string, Uint8Array>();
    this.#redirects = [];
    this.#redirectsBySource = new Map();
    for (const name of settingsFiles) {
      const path = [this.directory, name].filter(Boolean).join('/');
      const text = this.#disk.textOnce(path);
      if (text === undefined) continue;
      const read = readRedirects(path, text);
      for (const problem of read.problems) problems.push(problem);
      files.set(name, Buffer.from(read.text));
      if (read.redirects.length > 0) {
        this.#redirects = read.redirects;
        this.#redirectsBySource = new Map(read.redirects.toReversed().map((redirect) => [redirect.source, redirect]));
        this.#redirectsFile = path;
      }
    }
    const { problems: own, ...settings } = readSettings(files);
    for (const { file, line, rule = 'settings', message } of own) {
      const path = [this.directory, file].filter(Boolean).join('/');
      problems.push({ file: path, ...(line !== undefined && { line }), rule, level: 'error', message });
    }
    return settings;
  }

  #problemOf({ file, line, rule = 'summary', message }: Problem): FolderProblem {
    const level = rule === 'summary-missing' ? 'error' : 'warning';
    return { file: this.#inFolder(file), ...(line === undefined ? {} : { line }), rule, level, message };
  }

  #inFolder(path: string): string {
    return this.#root === '' ? path : `${this.#root}/${path}`;
  }

  #inRoot(path: string): string {
    return this.#root === '' ? path : path.slice(this.#root.length + 1);
  }
}

function frontMatterProblem(file: string, { line, message }: FrontMatterProblem): FolderProblem {
  return { file, line, rule: 'front-matter', level: 'error', message: `The front matter cannot be read: ${message}` };
}

export const conflictProblem = (file: string, line: number): FolderProblem => ({
  file,
  line,
  rule: conflictRule,
  level: 'error',
  message: conflictMessage,
});

const isBelow = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`);

/** A redirect from an old address. */
interface Redirect {
  /** Without slashes at its ends. */
  source: string;
  /** A file from the root of the space, possibly with an anchor, or an address. */
  target: string;
  line: number;
}

/**
 * Reads the redirects of a `.gitbook.yaml`. Returns its text without repeated sources, which are not valid YAML.
 */
function readRedirects(file: string, text: string): { redirects: Redirect[]; text: string; problems: FolderProblem[] } {
  const lines = text.split(/\r?\n/);
  const problems: FolderProblem[] = [];
  const places = new Map<string, number>();
  for (const { source, line } of redirectLines(lines)) {
    const first = places.get(source);
    if (first === undefined) {
      places.set(source, line);
      continue;
    }
    lines[line - 1] = '';
    const message = `The redirect of ${source} is already on line ${first}.`;
    problems.push({ file, line, rule: 'redirect-repeated', level: 'error', message });
  }
  const left = lines.join('\n');
  const redirects = valuesIn(left).flatMap(([key, target]): Redirect[] => {
    const source = normalSource(key);
    return typeof target === 'string' ? [{ source, target, line: places.get(source) ?? 1 }] : [];
  });
  return { redirects, text: left, problems };
}

const normalSource = (source: string): string => trimSlashes(decodeAddress(source));

function valuesIn(text: string): [string, unknown][] {
  try {
    const value = readYaml(text);
    return isObject(value) && isObject(value.redirects) ? Object.entries(value.redirects) : [];
  } catch (error) {
    // The reader of the other settings reports it.
    if (error instanceof UnreadableYaml) return [];
    throw error;
  }
}

/** The keys below `redirects:`, with their lines. */
function* redirectLines(lines: readonly string[]): Generator<{ source: string; line: number }> {
  const start = lines.findIndex((line) => /^redirects:\s*(?:#.*)?$/.test(line));
  if (start === -1) return;
  for (const [index, text] of lines.entries()) {
    if (index <= start || /^\s*(?:#.*)?$/.test(text)) continue;
    if (!/^\s/.test(text)) return;
    const key = /^(?:"([^"]*)" *:|'([^']*)' *:|([^\s"'#:][^:]*):)(?:\s|$)/.exec(text.trim());
    if (key) yield { source: normalSource(key[1] ?? key[2] ?? key[3]?.trim() ?? ''), line: index + 1 };
  }
}
