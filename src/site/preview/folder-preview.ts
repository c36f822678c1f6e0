import { isListed } from '../contents.ts';
import type { OnFile } from '../folder/check-tasks.ts';
import { type CheckedPage } from '../folder/folder-pages.ts';
import { FolderSite } from '../folder/folder-site.ts';
import type { FolderProblem } from '../folder/problem.ts';
import type { FolderAddresses } from '../folder/root-addresses.ts';
import type { FolderSearch } from '../folder/search-folder.ts';
import type { FolderPage } from '../folder/space-folder.ts';
import type { SearchAnswer } from '../model.ts';
import type { SiteMarkdown } from '../static/link-markdown.ts';
import { llmsHref, type PreviewAnswer, type PreviewFile, type PreviewOutline, type PreviewPage } from './source.ts';
import type { FolderChange } from './watch-folder.ts';

export interface FolderPreviewOptions {
  /** Called with the problems of each rendered page, and of the folder with the subject "". */
  onProblems(subject: string, problems: readonly FolderProblem[]): void;
  /** Called for each page with diagrams if Mermaid is not installed. */
  onMissingMermaid(): void;
}

/** A preview of a folder of Markdown. */
export class FolderPreview {
  readonly #site: FolderSite;
  readonly #options: FolderPreviewOptions;
  #search: FolderSearch | undefined;
  #onFile: OnFile = () => {};
  /** The files of pages, by all addresses that the pages have had. */
  readonly #formerFiles = new Map<string, string>();

  /** @throws UnreadableFolder, SettingsError */
  constructor(path: string, options: FolderPreviewOptions) {
    this.#site = new FolderSite(path);
    this.#options = options;
  }

  /** @param onFile called with each file before its text is read */
  set onFile(onFile: OnFile) {
    this.#onFile = onFile;
    this.#site.folder.disk.onRead = onFile;
  }

  /** Reads the first space and reports problems of the settings. @throws SettingsError */
  prepare(): void {
    const { folder } = this.#site;
    const [first] = folder.spaces;
    if (first) folder.folderOf(first);
    this.#reportFolder();
  }

  async answer(path: string): Promise<PreviewAnswer> {
    const target = this.#site.folder.find(path);
    if (target?.kind === 'redirect') return { kind: 'redirect', to: encodeURI(target.to) };
    if (target) {
      const { page } = target;
      if (page.file !== null) this.#formerFiles.set(path, page.file);
      return this.#document(page);
    }
    const former = this.#movedTo(path);
    if (former !== undefined) return { kind: 'redirect', to: former };
    return { kind: 'not-found', html: await this.#site.notFound() };
  }

  async asset(path: string): Promise<PreviewFile | undefined> {
    return this.#site.file(path);
  }

  async search(query: string): Promise<SearchAnswer> {
    const { folder, pages, addresses } = this.#site;
    const { FolderSearch } = await import('../folder/search-folder.ts');
    this.#search ??= new FolderSearch();
    return this.#search.search({ folder, pages, addresses }, query);
  }

  outline(): PreviewOutline {
    const { folder, addresses, title } = this.#site;
    const sections = folder.spaces.map((space) => {
      const { contents } = folder.folderOf(space);
      const pages = contents.pages.filter(({ type }) => type === 'document');
      return { title: space.entry.title || title, pages: pages.map((page) => this.#listed(page, addresses)) };
    });
    return { title, sections };
  }

  #listed(page: FolderPage, addresses: FolderAddresses): PreviewPage {
    const { title, description } = page;
    return {
      title,
      description,
      href: addresses.page(page),
      markdownHref: addresses.markdown(page),
      isListed: isListed(page.space.contents, page),
      markdown: () => this.#site.markdown(page),
    };
  }

  /** The page at an address as Markdown. */
  async markdown(href: string): Promise<SiteMarkdown> {
    const { folder, addresses } = this.#site;
    const pages = folder.spaces.flatMap((space) => folder.folderOf(space).contents.pages);
    const page = pages.find((each) => each.type === 'document' && addresses.page(each) === href);
    if (!page) throw new Error(`There is no page ${href}.`);
    this.#onFile(page.file ?? '');
    return this.#site.markdown(page);
  }

  /** Reads changed files again. @throws SettingsError */
  update({ paths, hasOtherNames }: FolderChange): void {
    this.#site.folder.update(paths, hasOtherNames);
    this.#reportFolder();
  }

  /** Reads everything again that may have changed before the folder was watched. @returns whether anything has @throws SettingsError */
  catchUp(sinceMs: number): boolean {
    const { disk } = this.#site.folder;
    const before = disk.files;
    disk.refresh();
    const isChanged = (path: string) =>
      !before.has(path) || !disk.files.has(path) || (disk.stat(path)?.changedMs ?? 0) >= sinceMs;
    const paths = new Set([...before, ...disk.files].filter(isChanged));
    if (paths.size > 0) this.update({ paths, hasOtherNames: true });
    return paths.size > 0;
  }

  async #document(page: FolderPage): Promise<PreviewAnswer> {
    if (page.file !== null) this.#onFile(page.file);
    const checked = await this.#site.pages.page(page);
    if (page.file !== null) this.#options.onProblems(page.file, checked.problems);
    const document = await this.#site.document(page, checked, {
      problems: this.#shownProblems(page, checked),
      llmsHref,
    });
    if (checked.hasMermaid && !document.hasFrames) this.#options.onMissingMermaid();
    return { kind: 'page', ...document };
  }

  /** The problems of the page and of its file. */
  #shownProblems(page: FolderPage, { problems }: CheckedPage) {
    const own = this.#site.folder.problems.filter(({ file }) => file === page.file);
    return [...own, ...problems].map(({ file, line, message, level }) => ({
      message,
      place: line === undefined ? file : `${file}:${line}`,
      level,
    }));
  }

  /** The new address of a page that was at this address. */
  #movedTo(path: string): string | undefined {
    const file = this.#formerFiles.get(path);
    const page = file === undefined ? undefined : this.#site.folder.spaceOf(file)?.pageOfFile(file);
    return page && this.#site.addresses.page(page);
  }

  #reportFolder(): void {
    this.#options.onProblems('', this.#site.folder.problems);
  }
}
