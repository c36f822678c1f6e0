import { contentTypeOf } from '../../content/folder/files.ts';
import { assetName, siteAssets } from '../../site/assets.ts';
import { findDiagrams } from '../../site/diagrams.ts';
import { type CheckedPage, FolderPages } from '../../site/folder/folder-pages.ts';
import { type FolderAddresses, nameOfFolder, pageOf, siteAround } from '../../site/folder/folder-site.ts';
import { rootAddresses } from '../../site/folder/root-addresses.ts';
import { ownPath } from '../../site/own-path.ts';
import type { FolderProblem } from '../../site/folder/problem.ts';
import { markdownOfReference } from '../../site/folder/reference-pages.ts';
import { titledMarkdown } from '../../site/machine-files.ts';
import { SiteFolder } from '../../site/folder/site-folder.ts';
import type { FolderPage } from '../../site/folder/space-folder.ts';
import { searchFolder } from '../../site/folder/search-folder.ts';
import type { SearchAnswer, Site } from '../../site/model.ts';
import { notFoundPage } from '../../site/templates/special-pages.ts';
import { hasDiagrams, pageDocument } from '../../site/page-document.ts';
import { versionMark } from './preview-server.ts';
import type { PreviewAnswer, PreviewFile, PreviewSource } from './source.ts';
import type { FolderChange } from './watch-folder.ts';

export interface FolderPreviewOptions {
  /** The name of the folder, as it was given: problems are named from it. */
  name: string;
  /** Told of the problems of a page that was rendered, and of the folder. */
  onProblems(subject: string, problems: readonly FolderProblem[]): void;
  /** Told of each page with diagrams that nothing can draw. */
  onMissingMermaid(): void;
}

/** A folder of Markdown as its readers will see it. */
export class FolderPreview implements PreviewSource {
  readonly #folder: SiteFolder;
  readonly #pages: FolderPages;
  readonly #addresses: FolderAddresses;
  readonly #options: FolderPreviewOptions;
  readonly #listeners = new Set<() => void>();
  #onFirstPage: (() => void) | undefined;
  /** The files of pages by the addresses they have had. */
  readonly #formerFiles = new Map<string, string>();

  /** @throws UnreadableFolder, SettingsError */
  constructor(path: string, options: FolderPreviewOptions) {
    this.#folder = new SiteFolder(path);
    const addresses = rootAddresses(this.#folder);
    // A picture that changed has another address: else a page that shows it would be the same as before.
    const changed = (file: string) => Math.round(this.#folder.disk.stat(file)?.changedMs ?? 0).toString(36);
    this.#addresses = { ...addresses, file: (file) => `${addresses.file(file)}?${changed(file)}` };
    this.#pages = new FolderPages(this.#folder, this.#addresses);
    this.#options = options;
  }

  get path(): string {
    return this.#folder.disk.path;
  }

  /** What the first page needs besides itself; also finds problems of the settings. @throws SettingsError */
  prepare(): void {
    const [first] = this.#folder.spaces;
    if (first) this.#folder.folderOf(first);
    this.#reportFolder();
  }

  /** Calls once, when a page was answered. */
  onFirstPage(listener: () => void): void {
    this.#onFirstPage = listener;
  }

  async answer(path: string): Promise<PreviewAnswer> {
    const answer = await this.#answer(path);
    this.#onFirstPage?.();
    this.#onFirstPage = undefined;
    return answer;
  }

  async #answer(path: string): Promise<PreviewAnswer> {
    const found = this.#folder.find(path);
    if (found?.kind === 'redirect') return { kind: 'redirect', to: encodeURI(found.to) };
    if (found?.kind === 'page') {
      const { page } = found;
      if (page.file !== null) this.#formerFiles.set(path, page.file);
      return this.#document(page);
    }
    const markdown = this.#markdownAt(path);
    if (markdown) return markdown;
    const former = this.#movedTo(path);
    return former === undefined ? this.#notFound() : { kind: 'redirect', to: former };
  }

  asset(path: string): Promise<PreviewFile | undefined> {
    return Promise.resolve(this.#asset(path));
  }

  search(query: string): Promise<SearchAnswer> {
    return searchFolder(this.#folder, this.#pages, this.#addresses, query);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes in what changed on the disk. @throws SettingsError */
  update({ paths, hasOtherNames }: FolderChange): void {
    this.#folder.update(paths, hasOtherNames);
    this.#reportFolder();
    for (const listener of this.#listeners) listener();
  }

  /** Reads everything anew that may have changed while nobody watched. @throws SettingsError */
  catchUp(sinceMs: number): void {
    const before = this.#folder.disk.files;
    this.#folder.disk.refresh();
    const { disk } = this.#folder;
    const paths = new Set([...disk.files].filter((path) => (disk.stat(path)?.changedMs ?? 0) >= sinceMs));
    for (const path of before) if (!disk.files.has(path)) paths.add(path);
    for (const path of disk.files) if (!before.has(path)) paths.add(path);
    if (paths.size > 0) this.update({ paths, hasOtherNames: true });
  }

  async #document(page: FolderPage): Promise<PreviewAnswer> {
    const checked = await this.#pages.page(page);
    const { html, headings, hasMermaid } = checked;
    if (page.file !== null) this.#options.onProblems(page.file, checked.problems);
    const site = this.#siteAround(page, hasMermaid);
    const hasFrames = hasDiagrams(site, checked);
    if (hasMermaid && !hasFrames) this.#options.onMissingMermaid();
    const document = pageDocument(site, {
      ...pageOf(this.#folder, page, this.#addresses),
      html,
      headings,
      hasMermaid,
      problems: this.#shownProblems(page, checked),
    });
    return { kind: 'page', html: document, hasFrames };
  }

  #siteAround(page: FolderPage, hasMermaid = false): Site {
    const diagrams = hasMermaid ? findDiagrams(this.path) : undefined;
    return siteAround(this.#folder, page, this.#addresses, {
      name: nameOfFolder(this.#folder.folderOf(this.#folder.spaces[0] ?? notASpace()), this.path),
      assets: {
        folder: `${ownPath}assets/`,
        ...(diagrams ? { diagrams: `${ownPath}assets/${diagrams.script}` } : {}),
        scripts: [`${ownPath}assets/${assetName('live.js')}?version=${versionMark}`],
      },
      search: { kind: 'service', href: `${ownPath}search` },
    });
  }

  /** Those of the page, and those of the folder that are about its file. */
  #shownProblems(page: FolderPage, { problems }: CheckedPage) {
    const own = this.#folder.problems.filter(({ file }) => file === page.file);
    return [...own, ...problems].map(({ file, line, message, level }) => ({
      message,
      place: line === undefined ? file : `${file}:${line}`,
      level,
    }));
  }

  #asset(path: string): PreviewFile | undefined {
    const [kind, ...rest] = path.split('/');
    const name = rest.join('/');
    if (kind === 'assets') {
      const asset = siteAssets().find((each) => each.name === name) ?? findDiagrams(this.path)?.file(name);
      return asset && { ...asset, isImmutable: true };
    }
    if (kind !== 'files') return undefined;
    const bytes = this.#folder.disk.shownBytes(name);
    return bytes && { contentType: contentTypeOf(name, bytes), bytes };
  }

  #markdownAt(path: string): PreviewAnswer | undefined {
    if (!path.endsWith('.md')) return undefined;
    const address = path.slice(0, -'.md'.length);
    const found = this.#folder.find(address === 'index' ? '' : address);
    const page = found?.kind === 'page' ? found.page : undefined;
    if (page?.reference) {
      const text = titledMarkdown(
        page.title,
        page.description,
        markdownOfReference(this.#folder.specs, page.reference),
      );
      return { kind: 'file', contentType: 'text/markdown; charset=utf-8', bytes: Buffer.from(text) };
    }
    const file = page?.file ?? null;
    const bytes = file === null ? undefined : this.#folder.disk.bytes(file);
    return bytes && { kind: 'file', contentType: 'text/markdown; charset=utf-8', bytes };
  }

  /** Where the page is that was at this address. */
  #movedTo(path: string): string | undefined {
    const file = this.#formerFiles.get(path);
    const page = file === undefined ? undefined : this.#folder.spaceOf(file)?.pageOfFile(file);
    return page && this.#addresses.page(page);
  }

  #notFound(): PreviewAnswer {
    const [space] = this.#folder.spaces;
    const first = space && this.#folder.folderOf(space).pages.find(({ type }) => type === 'document');
    if (!first) return { kind: 'not-found', html: '' };
    const site = this.#siteAround(first);
    return { kind: 'not-found', html: pageDocument(site, notFoundPage(site)) };
  }

  #reportFolder(): void {
    this.#options.onProblems('', this.#folder.problems);
  }
}

function notASpace(): never {
  throw new Error('The folder has no space.');
}
