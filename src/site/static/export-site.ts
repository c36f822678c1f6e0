import MiniSearch from 'minisearch';
import { decodeAddress } from '../../shared/decode.ts';
import { mapInOrder } from '../../shared/map-in-order.ts';
import { ownText } from '../../shared/own-text.ts';
import { sortProblems } from '../folder/check-folder.ts';
import type { FolderProblem } from '../folder/problem.ts';
import { html } from '../html.ts';
import { type ListedPage, llmsText, robots, rssFeed, sitemap, updatesIn, withIndexNote } from '../machine-files.ts';
import { exportPolicy, searchHref, searchIndexFile } from '../own-files.ts';
import { type Entry, type IndexedPage, type SearchIndex, searchOptions } from '../search-index.ts';
import { CheckedLinks } from './check-links.ts';
import { hashOf } from './content-hash.ts';
import { DocumentLinker, hashIn } from './link-documents.ts';
import { linkMarkdown } from './link-markdown.ts';
import type { OutputFolder, OutputResult } from './output-folder.ts';
import { OutputNames, relativeAddress } from './output-names.ts';
import type { KeptPage, KeptPages, PageWriter } from './page-memory.ts';
import { SocialFiles } from './social-files.ts';
import type { HeadingLink, StaticPage, StaticSource, StaticText } from './static-source.ts';

export interface ExportOptions {
  /** Without a slash at its end. */
  baseUrl: string | undefined;
  /** A hash of everything that the files depend on. */
  fingerprint: string;
  /** A hash of the program, because another version renders all pages again. */
  renderer: string;
  /** Called for each page; may throw to stop. */
  onPage(page: StaticPage, number: number): void | Promise<void>;
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

/** What is needed of a page until all are written. */
interface WrittenPage {
  page: StaticPage;
  problems: FolderProblem[];
  headingLinks: HeadingLink[];
  missing: readonly string[];
}

class SiteExport {
  readonly #source: StaticSource;
  readonly #output: OutputFolder;
  readonly #options: ExportOptions;
  readonly #names: OutputNames;
  readonly #linker: DocumentLinker;
  readonly #links: CheckedLinks;
  readonly #social: SocialFiles;
  readonly #kept: KeptPages;
  readonly #pages: PageWriter | undefined;
  readonly #anchors = new Map<string, ReadonlySet<string>>();
  readonly #index = new SearchIndexBuilder();
  /** Parts of `llms-full.txt`. */
  readonly #texts: string[] = [];

  constructor(source: StaticSource, output: OutputFolder, options: ExportOptions) {
    this.#source = source;
    this.#output = output;
    this.#options = options;
    this.#kept = output.keptPages(options.renderer);
    this.#pages = output.pageWriter(options.renderer);
    this.#names = new OutputNames(source.pages);
    this.#linker = new DocumentLinker(source, this.#names, (path, bytes) => output.write(path, bytes));
    this.#links = new CheckedLinks(source);
    const site = options.baseUrl === undefined ? undefined : source.social;
    this.#social = new SocialFiles(site, (path, bytes) => ({ path, hash: output.write(path, bytes) }));
  }

  async run(): Promise<FolderProblem[]> {
    const redirects = this.#redirects();
    const written: WrittenPage[] = [];
    const { pages, parallel = 1 } = this.#source;
    const texts = mapInOrder(pages, parallel, async (page) => ({ page, ...(await this.#textOf(page)) }));
    for await (const { page, text, kept } of texts) {
      await this.#options.onPage(page, written.length);
      this.#anchors.set(page.key, new Set(text.anchors));
      await this.#addToIndex(page, text);
      if (!kept || !(await this.#keep(page, kept))) await this.#write(page, text);
      const { problems, headingLinks, missing } = text;
      written.push({ page, problems, headingLinks, missing });
    }
    for (const entry of written) await this.#markMissing(entry);
    await this.#writeNotFound();
    for (const redirect of redirects) this.#output.write(redirect.file, redirectPage(redirect));
    if (redirects.length > 0) this.#output.write('_redirects', redirectsFile(redirects, this.#options.baseUrl));
    this.#writeLists();
    const own = written.flatMap(({ problems }) => problems);
    return sortProblems([...own, ...this.#source.problems(), ...(await this.#links.problems(own))]);
  }

  /** The text of the last export if it is current, or else a new one. */
  async #textOf(page: StaticPage): Promise<{ text: StaticText; kept?: KeptPage }> {
    const kept = this.#kept.page(page.key);
    if (kept && (await this.#source.isCurrent(page, kept.text))) return { text: kept.text, kept };
    return { text: await this.#source.render(page, []) };
  }

  /** Renders the page again if different links than before lead to missing headings. */
  async #markMissing(entry: WrittenPage): Promise<void> {
    const links = entry.headingLinks
      .filter(({ page, anchor }) => !this.#anchors.get(page)?.has(anchor))
      .map(({ link }) => link);
    if (links.join('\n') === entry.missing.join('\n')) return;
    const text = await this.#source.render(entry.page, links);
    await this.#write(entry.page, text);
    Object.assign(entry, { problems: text.problems });
  }

  /** Keeps the files of a page; false if its document or an address in it would change. */
  async #keep(page: StaticPage, kept: KeptPage): Promise<boolean> {
    const { frame, files, links, ids } = kept;
    const { html } = this.#names.of(page);
    if (frame !== this.#frameOf(page) || files[0]?.path !== html) return false;
    for (const link of links) if ((await this.#linker.fileOf(link.address, html)) !== link.file) return false;
    if (!this.#output.keep(files)) return false;
    this.#links.add(page, html, { links, ids });
    const entry = this.#kept.entry(page.key);
    if (entry) this.#pages?.addEntry(page.key, entry);
    return true;
  }

  async #write(page: StaticPage, text: StaticText): Promise<void> {
    const { baseUrl } = this.#options;
    const names = this.#names.of(page);
    const canonical = baseUrl === undefined ? undefined : absoluteAddress(baseUrl, names.html);
    const hasFeed = baseUrl !== undefined && text.html.includes('class="updates"');
    const llmsHref = baseUrl === undefined ? undefined : absoluteAddress(baseUrl, 'llms.txt');
    const picture = await this.#social.fileOf(page.title);
    const socialHref = picture && baseUrl !== undefined ? absoluteAddress(baseUrl, picture.path) : undefined;
    const document = await this.#source.document(page, text, { canonical, llmsHref, socialHref, hasFeed });
    const linked = await this.#linker.link(document, names.html);
    const own = await this.#markdownOf(text, names.markdown);
    const markdown = llmsHref === undefined ? own : withIndexNote(own, llmsHref);
    const files = [this.#writeFile(names.html, linked.html), this.#writeFile(names.markdown, markdown)];
    if (hasFeed) {
      const whole = await this.#linker.link(text.html, names.html, (to) => absoluteAddress(baseUrl, to));
      const feed = feedOf(page, whole.html, absoluteAddress(baseUrl, names.html));
      if (feed !== undefined) files.push(this.#writeFile(names.feed, feed));
    }
    if (picture) files.push(picture);
    const { links, ids } = linked;
    this.#links.add(page, names.html, linked);
    this.#pages?.add(page.key, { text, frame: this.#frameOf(page), files, links, ids });
  }

  /** With links to the Markdown of other pages. @param from the file that it is in */
  #markdownOf({ markdown }: StaticText, from: string): Promise<string> {
    const { baseUrl } = this.#options;
    return linkMarkdown(markdown, async (address) => {
      const file = await this.#linker.fileOf(address, from);
      if (file === undefined) return undefined;
      const target = this.#names.markdownOf(file) ?? file;
      const href = baseUrl === undefined ? relativeAddress(from, target) : absoluteAddress(baseUrl, target);
      return href + hashIn(address);
    });
  }

  #writeFile(path: string, content: string): KeptPage['files'][number] {
    return { path, hash: this.#output.write(path, content) };
  }

  #frameOf(page: StaticPage): string {
    return hashOf(JSON.stringify([this.#source.frameOf(page), this.#options.baseUrl, this.#source.isListed]));
  }

  async #addToIndex(page: StaticPage, text: StaticText): Promise<void> {
    if (page.isHidden || page.noIndex) return;
    const { sections } = text;
    const { baseUrl } = this.#options;
    const file = this.#names.of(page).html;
    const { title, description, icon, emoji, trail } = page;
    const href = relativeAddress(searchIndexFile, file);
    this.#index.add({ title, description, icon, emoji, trail, href, sections });
    this.#links.addOther(
      { page },
      sections.flatMap(({ id }) => (id === undefined ? [] : [{ address: `${searchHref}: #${id}`, file, anchor: id }])),
    );
    const address = baseUrl === undefined ? relativeAddress('', file) : absoluteAddress(baseUrl, file);
    const markdown = await this.#markdownOf(text, 'llms-full.txt');
    this.#texts.push(`${markdown.trimEnd()}\n\nSource: ${address}\n`);
  }

  async #writeNotFound(): Promise<void> {
    // Hosts show it at any address, so its links cannot be relative.
    const root = pathOf(this.#options.baseUrl);
    const document = await this.#source.notFound();
    const linked = await this.#linker.link(document, '404.html', (to) => `${root}/${relativeAddress('', to)}`);
    this.#links.addOther({ file: '404.html' }, linked.links);
    this.#output.write('404.html', linked.html);
  }

  #writeLists(): void {
    const { baseUrl } = this.#options;
    for (const [name, text] of listFiles({ source: this.#source, names: this.#names, baseUrl })) {
      this.#output.write(name, text);
    }
    this.#output.write('llms-full.txt', this.#texts.join('\n---\n\n'));
    this.#output.write(searchIndexFile, JSON.stringify(this.#index.finish()));
  }

  #redirects(): OutputRedirect[] {
    return this.#source.redirects.flatMap(({ from, to, file: origin, line }): OutputRedirect[] => {
      if (!to.startsWith('/')) {
        const file = this.#names.redirect(from);
        return file === undefined ? [] : [{ from, to: { url: to }, file }];
      }
      const [path = '', anchor] = to.split('#', 2);
      const target = this.#names.at(path);
      // Redirects that hide a page or have no target are problems of the folder.
      const file = target === undefined ? undefined : this.#names.redirect(from);
      if (target === undefined || file === undefined) return [];
      this.#names.add(from, file);
      this.#links.addOther({ file: origin, line }, [
        { address: to, file: target, anchor: decodeAddress(anchor ?? '') },
      ]);
      return [{ from, to: { file: target, anchor: anchor === undefined ? '' : `#${anchor}` }, file }];
    });
  }
}

const keptCharacters = 160;

/** Builds the search index without keeping the texts of pages. */
class SearchIndexBuilder {
  readonly #engine = new MiniSearch<Entry>(searchOptions);
  readonly #pages: IndexedPage[] = [];

  add(page: IndexedPage): void {
    const { title, sections } = page;
    const pageNumber = this.#pages.length;
    this.#engine.add({
      id: `${pageNumber}`,
      title,
      heading: '',
      text: sections[0]?.id === undefined ? (sections[0]?.text ?? '') : '',
    });
    for (const [number, { id, title: heading = '', text }] of sections.entries()) {
      if (id !== undefined) this.#engine.add({ id: `${pageNumber}#${number}`, title: '', heading, text });
    }
    this.#pages.push({ ...page, sections: sections.map(beginning) });
  }

  finish(): SearchIndex {
    return { pages: this.#pages, index: this.#engine.toJSON() };
  }
}

const beginning = (section: IndexedPage['sections'][number]) => ({
  ...section,
  text: ownText(
    section.text.length > keptCharacters
      ? `${section.text.slice(0, keptCharacters).replace(/\s\S*$/, '')}…`
      : section.text,
  ),
});

/** The absolute address of an exported file. `index.html` has the address of its folder. */
const absoluteAddress = (baseUrl: string, file: string): string =>
  `${baseUrl}/${relativeAddress('', file).replace(/(^|\/)index\.html$/, '$1')}`;

interface ListOptions {
  source: Pick<StaticSource, 'title' | 'pages' | 'isListed' | 'drawsDiagrams'>;
  names: OutputNames;
  /** Without a slash at its end. */
  baseUrl: string | undefined;
}

/** Files for programs, by name. Those that need absolute addresses are only created with a base URL. */
function* listFiles({ source, names, baseUrl }: ListOptions): Generator<[name: string, text: string]> {
  const addressOf = (file: string) =>
    baseUrl === undefined ? relativeAddress('', file) : absoluteAddress(baseUrl, file);
  const listed = (page: StaticPage): ListedPage => {
    const { title, description, updatedAt } = page;
    const { html: file, markdown } = names.of(page);
    return { title, description, updatedAt, href: addressOf(file), markdownHref: addressOf(markdown) };
  };
  const shown = source.pages.filter(({ isHidden }) => !isHidden);
  const spaces = Map.groupBy(
    shown.filter(({ noIndex }) => !noIndex),
    ({ space }) => space,
  );
  const sections = [...spaces].map(([title, pages]) => ({ title, pages: pages.map(listed) }));
  yield ['llms.txt', llmsText(source.title, sections)];
  yield ['robots.txt', robots(source.isListed, baseUrl === undefined ? undefined : `${baseUrl}/sitemap.xml`)];
  if (baseUrl !== undefined) {
    yield ['sitemap.xml', sitemap(shown.filter(({ noRobotsIndex }) => !noRobotsIndex).map(listed))];
  }
  // Jekyll on GitHub Pages would skip names that start with an underscore.
  yield ['.nojekyll', ''];
  yield ['_headers', headersFile(source.drawsDiagrams === true)];
}

/**
 * Gives sites the same protection as the local instance, on hosts that read this file. Some hosts combine the rules for all
 * paths and for one path. With diagrams, this policy therefore allows what their frame needs, and pages contain a stricter
 * one.
 */
const headersFile = (drawsDiagrams: boolean) => `/*
  Content-Security-Policy: ${drawsDiagrams ? `${exportPolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")}; frame-src 'self'; frame-ancestors 'self'` : `${exportPolicy}; frame-ancestors 'none'`}
  Referrer-Policy: no-referrer
  X-Content-Type-Options: nosniff
/assets/files/*
  Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox
`;

/** The feed of a page; undefined if it has no updates. */
function feedOf(page: StaticPage, body: string, href: string): string | undefined {
  const updates = body.includes('class="updates"') ? updatesIn(body) : [];
  return updates.length === 0 ? undefined : rssFeed(page.title, href, updates);
}

interface OutputRedirect {
  from: string;
  /** The file of a page, or the address of another host. */
  to: { file: string; anchor: string } | { url: string };
  /** The file of its page. */
  file: string;
}

/** The format of Netlify, Cloudflare Pages and GitLab Pages. */
function redirectsFile(redirects: readonly OutputRedirect[], baseUrl: string | undefined): string {
  const prefix = pathOf(baseUrl);
  return redirects
    .map(({ from, to }) => {
      const target = 'url' in to ? to.url : `${prefix}/${relativeAddress('', to.file)}${to.anchor}`;
      return `${prefix}/${relativeAddress('', from)} ${target} 301\n`;
    })
    .join('');
}

const pathOf = (baseUrl: string | undefined): string =>
  baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/$/, '');

/** A page that redirects, for hosts without redirects. */
function redirectPage({ to, file }: OutputRedirect): string {
  const href = 'url' in to ? to.url : `${relativeAddress(file, to.file)}${to.anchor}`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Moved</title>
        <meta name="robots" content="noindex" />
        <meta http-equiv="refresh" content="0; url=${href}" />
      </head>
      <body>
        <p><a href="${href}">The page has moved.</a></p>
      </body>
    </html> `.text;
}
