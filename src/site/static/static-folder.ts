import { createHash } from 'node:crypto';
import { readFrontMatter } from '../../content/markdown/front-matter.ts';
import { siteAssets } from '../assets.ts';
import { folderProblems } from '../folder/check-folder.ts';
import { FolderPages } from '../folder/folder-pages.ts';
import { ancestorsOf, isHiddenPage, isMarkedPage } from '../folder/folder-navigation.ts';
import { withoutStates } from '../folder/folder-source.ts';
import { type FolderAddresses, nameOfFolder, pageOf, siteAround } from '../folder/folder-site.ts';
import type { FolderProblem } from '../folder/problem.ts';
import { markdownOfReference } from '../folder/reference-pages.ts';
import { rootAddresses } from '../folder/root-addresses.ts';
import { SiteFolder } from '../folder/site-folder.ts';
import type { FolderPage } from '../folder/space-folder.ts';
import { titledMarkdown } from '../machine-files.ts';
import { findDiagrams, loadedByAsset } from '../diagrams.ts';
import type { Site } from '../model.ts';
import { ownPath } from '../own-path.ts';
import { pageDocument } from '../page-document.ts';
import { notFoundPage } from '../templates/special-pages.ts';
import { hashOf } from './content-hash.ts';
import { searchHref } from './output-names.ts';
import { exportPolicy } from './site-files.ts';
import type { DocumentOptions, StaticText, StaticPage, StaticRedirect, StaticSource } from './static-source.ts';

/** A folder of Markdown as a site to export. */
export class StaticFolder implements StaticSource {
  readonly isListed = true;
  readonly title: string;
  readonly pages: readonly StaticPage[];
  readonly redirects: readonly StaticRedirect[];
  readonly #folder: SiteFolder;
  readonly #pages: FolderPages;
  readonly #addresses: FolderAddresses;
  readonly #byKey = new Map<string, FolderPage>();
  readonly #hashes = new Map<string, string>();
  #frameHash: string | undefined;

  /** @throws UnreadableFolder, SettingsError */
  constructor(path: string) {
    this.#folder = new SiteFolder(path);
    const folder = this.#folder;
    this.#addresses = rootAddresses(folder);
    this.#pages = new FolderPages(folder, this.#addresses, (file) => this.#hashOfFile(file));
    const [first] = folder.spaces;
    this.title = folder.title ?? nameOfFolder(first && folder.folderOf(first), path);
    this.pages = folder.spaces.flatMap((siteSpace) =>
      folder
        .folderOf(siteSpace)
        .pages.filter(({ type }) => type === 'document')
        .map((page) => this.#add(page, siteSpace.entry.title || this.title)),
    );
    this.redirects = folder.spaces.flatMap((siteSpace) => this.#redirectsOf(siteSpace));
  }

  /** Of the names and the bytes of all files: any of them may be part of a page. */
  get fingerprint(): string {
    const hash = createHash('sha256');
    const { disk } = this.#folder;
    for (const file of disk.files) hash.update(`${file}\0${this.#hashOfFile(file)}\0`);
    hash.update(findDiagrams(disk.path)?.folder ?? '');
    return hash.digest('hex');
  }

  async render({ key }: StaticPage, missing: readonly string[]): Promise<StaticText> {
    const page = this.#page(key);
    const { links: _, headingLinks, sections, questions, ...rendered } = await this.#pages.once(page, missing);
    const text = this.#textOf(page);
    // The texts of a large folder take much memory.
    if (page.file !== null) this.#folder.disk.forget([page.file]);
    return {
      ...rendered,
      missing: [...missing],
      madeOf: { own: ownHash(page, text), questions },
      markdown: titledMarkdown(page.title, page.description, this.#markdownOf(page, text)),
      sections: sections.map(({ heading, text: content }) => ({
        id: heading?.id,
        title: heading?.text,
        text: content,
      })),
      headingLinks: headingLinks.map(({ page: target, ...link }) => ({ ...link, page: keyOf(target) })),
    };
  }

  async isCurrent({ key }: StaticPage, { madeOf }: StaticText): Promise<boolean> {
    const page = this.#page(key);
    const isSame =
      madeOf.own === ownHash(page, this.#textOf(page)) && (await this.#pages.areAnsweredAlike(page, madeOf.questions));
    if (page.file !== null) this.#folder.disk.forget([page.file]);
    return isSame;
  }

  frameOf({ key }: StaticPage): string {
    return hashOf(this.#frame() + JSON.stringify(pageOf(this.#folder, this.#page(key), this.#addresses)));
  }

  document({ key }: StaticPage, text: StaticText, { canonical, hasFeed }: DocumentOptions): Promise<string> {
    const page = this.#page(key);
    const { html, headings, hasMermaid } = text;
    const document = pageDocument(this.#siteAround(page), {
      ...pageOf(this.#folder, page, this.#addresses),
      html,
      headings,
      hasMermaid,
      canonical,
      ...(hasFeed ? { feedHref: `${this.#addresses.page(page).replace(/\/$/, '')}/rss.xml` } : {}),
    });
    if (page.file !== null) this.#folder.disk.forget([page.file]);
    return Promise.resolve(document);
  }

  async notFound(): Promise<string> {
    const [first] = this.#byKey.values();
    if (!first) throw new Error('The folder has no pages.');
    const site = this.#siteAround(first);
    const around = { ...site, navigation: site.navigation.map((item) => ({ ...item, isCurrent: false })) };
    return pageDocument(around, notFoundPage(site));
  }

  file(path: string): Promise<Uint8Array | undefined> {
    const [kind, ...rest] = path.split('/');
    const name = rest.join('/');
    if (kind === 'assets') {
      const asset = siteAssets().find((each) => each.name === name) ?? findDiagrams(this.#folder.disk.path)?.file(name);
      return Promise.resolve(asset?.bytes);
    }
    return Promise.resolve(kind === 'files' ? this.#folder.disk.shownBytes(name) : undefined);
  }

  get drawsDiagrams(): boolean {
    return findDiagrams(this.#folder.disk.path) !== undefined;
  }

  loadedBy(path: string): readonly string[] {
    return loadedByAsset(path, this.#folder.disk.path);
  }

  problems(): FolderProblem[] {
    return folderProblems(this.#folder);
  }

  lineOf({ file }: StaticPage, text: string): Promise<number> {
    const source = this.#folder.disk.textOnce(file) ?? '';
    const at = source.indexOf(text);
    return Promise.resolve(at === -1 ? 1 : source.slice(0, at).split('\n').length);
  }

  #add(page: FolderPage, space: string): StaticPage {
    const key = keyOf(page);
    this.#byKey.set(key, page);
    const { title, description, icon, emoji } = page;
    return {
      key,
      address: this.#folder.addressOf(page),
      isFirst: page.address === '',
      title,
      description,
      icon,
      emoji,
      space,
      trail: ancestorsOf(page).map((above) => above.title),
      isHidden: isHiddenPage(page),
      noIndex: isMarkedPage(page, 'noIndex'),
      noRobotsIndex: isMarkedPage(page, 'noRobotsIndex'),
      file: page.file ?? page.space.summaryFile,
    };
  }

  #redirectsOf(siteSpace: SiteFolder['spaces'][number]): StaticRedirect[] {
    const folder = this.#folder;
    const space = folder.folderOf(siteSpace);
    return space.redirects.flatMap(({ source, line }): StaticRedirect[] => {
      const from = [siteSpace.address, source].filter(Boolean).join('/');
      const found = folder.find(from);
      const place = { from, file: space.redirectsFile, line };
      return found?.kind === 'redirect' ? [{ ...place, to: encodeURI(found.to) }] : [];
    });
  }

  #page(key: string): FolderPage {
    const page = this.#byKey.get(key);
    if (!page) throw new Error(`There is no page ${key}.`);
    return page;
  }

  #textOf({ file }: FolderPage): string {
    return file === null ? '' : (this.#folder.disk.text(file) ?? '');
  }

  #markdownOf({ reference }: FolderPage, text: string): string {
    if (reference) return markdownOfReference(this.#folder.specs, reference);
    return text.slice(readFrontMatter(text).bodyAt).trimStart();
  }

  #hashOfFile(file: string): string {
    const hash = this.#hashes.get(file) ?? hashOf(this.#folder.disk.bytes(file) ?? '');
    this.#hashes.set(file, hash);
    return hash;
  }

  /** What the tables of contents, tabs and pickers of all pages are made of. */
  #frame(): string {
    this.#frameHash ??= hashOf(
      JSON.stringify(
        [
          this.title,
          this.#folder.title,
          findDiagrams(this.#folder.disk.path)?.folder,
          this.#folder.spaces.map((space) => [space, this.#folder.folderOf(space).pages]),
        ],
        withoutStates,
      ),
    );
    return this.#frameHash;
  }

  #siteAround(page: FolderPage): Site {
    const diagrams = findDiagrams(this.#folder.disk.path);
    return siteAround(this.#folder, page, this.#addresses, {
      name: this.title,
      assets: {
        folder: `${ownPath}assets/`,
        ...(diagrams ? { policy: exportPolicy, diagrams: `${ownPath}assets/${diagrams.script}` } : {}),
      },
      search: { kind: 'index', href: searchHref },
    });
  }
}

/** A page by its file, or by its entry in the table of contents where it has none. */
const keyOf = (page: FolderPage): string => page.file ?? `${page.space.directory}\n${page.key}`;

/** Of what a page is made of besides the answers to its questions. */
const ownHash = ({ title, description, file, space }: FolderPage, text: string): string =>
  hashOf(JSON.stringify([title, description, file ?? space.summaryFile, text]));
