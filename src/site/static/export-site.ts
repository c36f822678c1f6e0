import { mapInOrder } from '../../shared/map-in-order.ts';
import { sortProblems } from '../folder/check-folder.ts';
import type { FolderProblem } from '../folder/problem.ts';
import { buildSearchIndex, type IndexedPage } from '../search-index.ts';
import { CheckedLinks } from './check-links.ts';
import { DocumentLinker, type LinkedDocument } from './link-documents.ts';
import type { OutputFolder, OutputResult } from './output-folder.ts';
import { OutputNames, relativeAddress, searchIndexFile } from './output-names.ts';
import {
  absoluteAddress,
  feedOf,
  listFiles,
  type OutputRedirect,
  pathOf,
  redirectPage,
  redirectsFile,
} from './site-files.ts';
import type { HeadingLink, StaticDocument, StaticPage, StaticSource } from './static-source.ts';

export interface ExportOptions {
  /** Without a slash at its end. */
  baseUrl: string | undefined;
  /** Of everything that the files are made of. */
  fingerprint: string;
  /** Called for each page; may throw to stop. */
  onPage(page: StaticPage, number: number): void;
}

export interface Exported extends OutputResult {
  problems: FolderProblem[];
}

/** Writes a site into a folder. */
export async function exportSite(
  source: StaticSource,
  output: OutputFolder,
  options: ExportOptions,
): Promise<Exported> {
  output.begin();
  try {
    const problems = await new SiteExport(source, output, options).run();
    return { problems, ...output.commit(options.fingerprint, problems) };
  } finally {
    output.close();
  }
}

/** What later pages need to know of one that is written. */
interface WrittenPage {
  page: StaticPage;
  problems: FolderProblem[];
  headingLinks: HeadingLink[];
}

class SiteExport {
  readonly #source: StaticSource;
  readonly #output: OutputFolder;
  readonly #options: ExportOptions;
  readonly #names: OutputNames;
  readonly #linker: DocumentLinker;
  readonly #links: CheckedLinks;
  readonly #anchors = new Map<string, ReadonlySet<string>>();
  readonly #indexed: IndexedPage[] = [];
  /** Parts of `llms-full.txt`. */
  readonly #texts: string[] = [];

  constructor(source: StaticSource, output: OutputFolder, options: ExportOptions) {
    this.#source = source;
    this.#output = output;
    this.#options = options;
    this.#names = new OutputNames(source.pages);
    this.#linker = new DocumentLinker(source, this.#names, (path, bytes) => output.write(path, bytes));
    this.#links = new CheckedLinks(source);
  }

  async run(): Promise<FolderProblem[]> {
    const redirects = this.#redirects();
    const written: WrittenPage[] = [];
    const { pages, parallel = 1 } = this.#source;
    const rendered = mapInOrder(pages, parallel, async (page) => ({ page, document: await this.#render(page) }));
    for await (const { page, document } of rendered) {
      this.#options.onPage(page, written.length);
      this.#anchors.set(page.key, new Set(document.anchors));
      this.#index(page, document);
      written.push({ page, ...(await this.#write(page, document)) });
    }
    for (const entry of written) await this.#markMissing(entry);
    await this.#writeNotFound();
    for (const redirect of redirects) this.#output.write(redirect.file, redirectPage(redirect));
    if (redirects.length > 0) this.#output.write('_redirects', redirectsFile(redirects, this.#options.baseUrl));
    this.#writeLists();
    const own = written.flatMap(({ problems }) => problems);
    return sortProblems([...own, ...this.#source.problems(), ...(await this.#links.problems(own))]);
  }

  #render(page: StaticPage, missing?: string[]): Promise<StaticDocument> {
    const { baseUrl } = this.#options;
    const canonical = baseUrl === undefined ? undefined : absoluteAddress(baseUrl, this.#names.of(page).html);
    return this.#source.render(page, { canonical, hasFeed: baseUrl !== undefined, missing });
  }

  /** The page is rendered again where links of it lead to headings that are not there: they are marked. */
  async #markMissing(entry: WrittenPage): Promise<void> {
    const missing = entry.headingLinks.filter(({ page, anchor }) => !this.#anchors.get(page)?.has(anchor));
    if (missing.length === 0) return;
    const links = missing.map(({ link }) => link);
    Object.assign(entry, await this.#write(entry.page, await this.#render(entry.page, links)));
  }

  async #write(page: StaticPage, document: StaticDocument): Promise<Omit<WrittenPage, 'page'>> {
    const { baseUrl } = this.#options;
    const names = this.#names.of(page);
    const linked: LinkedDocument = await this.#linker.link(document.html, names.html);
    this.#links.add(page, names.html, linked);
    this.#output.write(names.html, linked.html);
    this.#output.write(names.markdown, document.markdown);
    if (baseUrl !== undefined) {
      const whole = await this.#linker.link(document.body, names.html, (to) => absoluteAddress(baseUrl, to));
      const feed = feedOf(page, whole.html, absoluteAddress(baseUrl, names.html));
      if (feed !== undefined) this.#output.write(names.feed, feed);
    }
    const { problems, headingLinks } = document;
    return { problems, headingLinks };
  }

  #index(page: StaticPage, { sections, markdown }: StaticDocument): void {
    if (page.isHidden || page.noIndex) return;
    const { baseUrl } = this.#options;
    const file = this.#names.of(page).html;
    const { title, description, icon, emoji, trail } = page;
    const href = relativeAddress(searchIndexFile, file);
    this.#indexed.push({ title, description, icon, emoji, trail, href, sections });
    const address = baseUrl === undefined ? relativeAddress('', file) : absoluteAddress(baseUrl, file);
    this.#texts.push(`${markdown.trimEnd()}\n\nSource: ${address}\n`);
  }

  async #writeNotFound(): Promise<void> {
    // Hosts show it at any address, so nothing in it can be relative.
    const root = pathOf(this.#options.baseUrl);
    const document = await this.#source.notFound();
    const { html } = await this.#linker.link(document, '404.html', (to) => `${root}/${relativeAddress('', to)}`);
    this.#output.write('404.html', html);
  }

  #writeLists(): void {
    const { baseUrl } = this.#options;
    for (const [name, text] of listFiles({ source: this.#source, names: this.#names, baseUrl })) {
      this.#output.write(name, text);
    }
    this.#output.write('llms-full.txt', this.#texts.join('\n---\n\n'));
    this.#output.write(searchIndexFile, JSON.stringify(buildSearchIndex(this.#indexed)));
  }

  #redirects(): OutputRedirect[] {
    return this.#source.redirects.flatMap(({ from, to }): OutputRedirect[] => {
      if (!to.startsWith('/')) {
        const file = this.#names.redirect(from);
        return file === undefined ? [] : [{ from, to: { url: to }, file }];
      }
      const [path = '', anchor] = to.split('#', 2);
      const target = this.#names.at(path);
      // What hides a page or leads nowhere is a problem of the folder.
      const file = target === undefined ? undefined : this.#names.redirect(from);
      if (target === undefined || file === undefined) return [];
      this.#names.add(from, file);
      return [{ from, to: { file: target, anchor: anchor === undefined ? '' : `#${anchor}` }, file }];
    });
  }
}
