import { createHash } from 'node:crypto';
import { findDiagrams, loadedByAsset } from '../diagrams.ts';
import { folderProblems } from '../folder/check-folder.ts';
import type { OnFile } from '../folder/check-tasks.ts';
import { FolderSite, pageOf } from '../folder/folder-site.ts';
import { withoutStates } from '../folder/folder-source.ts';
import type { FolderProblem } from '../folder/problem.ts';
import type { SiteSpace } from '../folder/site-folder.ts';
import type { FolderPage } from '../folder/space-folder.ts';
import { standardLook } from '../look.ts';
import type { SocialSite } from '../social/social-picture.ts';
import type { ExportForm } from '../model.ts';
import { hashOf } from './content-hash.ts';
import {
  type DocumentOptions,
  indexedSections,
  lineOf,
  type StaticPage,
  staticPageOf,
  type StaticRedirect,
  type StaticSource,
  type StaticText,
} from './static-source.ts';

/** An export of a folder of Markdown. */
export class StaticFolder implements StaticSource {
  readonly isListed = true;
  readonly title: string;
  readonly pages: readonly StaticPage[];
  readonly redirects: readonly StaticRedirect[];
  readonly #form: ExportForm;
  readonly #onFile: OnFile;
  readonly #site: FolderSite;
  readonly #byKey = new Map<string, FolderPage>();
  readonly #hashes = new Map<string, string>();
  #frameHash: string | undefined;
  #current: FolderPage | undefined;

  /** @param onFile called with each file before its text is read; may throw to stop. @throws UnreadableFolder, SettingsError */
  constructor(path: string, form: ExportForm = { hasSystemFonts: false }, onFile: OnFile = () => {}) {
    this.#form = form;
    this.#onFile = onFile;
    this.#site = new FolderSite(path, form, (file) => this.#hashOfFile(file));
    this.#site.folder.disk.onRead = onFile;
    this.title = this.#site.title;
    const { folder } = this.#site;
    this.pages = folder.spaces.flatMap((siteSpace) => {
      const documents = folder.folderOf(siteSpace).pages.filter(({ type }) => type === 'document');
      return documents.map((page) => this.#add(page, siteSpace.entry.title || this.title));
    });
    this.redirects = folder.spaces.flatMap((siteSpace) => this.#redirectsOf(siteSpace));
    folder.disk.onRead = () => {};
  }

  /** Covers the names and bytes of all files, because a page may show any of them. */
  get fingerprint(): string {
    const hash = createHash('sha256');
    for (const file of this.#site.folder.disk.files) hash.update(`${file}\0${this.#hashOfFile(file)}\0`);
    hash.update(findDiagrams(this.#site.path)?.folder ?? '');
    return hash.digest('hex');
  }

  async render({ key, file }: StaticPage, missing: readonly string[]): Promise<StaticText> {
    this.#onFile(file);
    const page = this.#page(key);
    const { links: _, headingLinks, sections, questions, ...rendered } = await this.#site.pages.once(page, missing);
    const text = this.#textOf(page);
    return {
      ...rendered,
      missing: [...missing],
      madeOf: { own: ownHash(page, text), questions },
      markdown: await this.#site.markdown(page, text),
      sections: indexedSections(sections),
      headingLinks: headingLinks.map(({ page: target, ...link }) => ({ ...link, page: keyOf(target) })),
    };
  }

  async isCurrent({ key, file }: StaticPage, { madeOf }: StaticText): Promise<boolean> {
    this.#onFile(file);
    const page = this.#page(key);
    return (
      madeOf.own === ownHash(page, this.#textOf(page)) &&
      (await this.#site.pages.areAnsweredAlike(page, madeOf.questions))
    );
  }

  frameOf({ key }: StaticPage): string {
    const { folder, addresses } = this.#site;
    return hashOf(this.#frame() + JSON.stringify(pageOf(folder, this.#page(key), addresses)));
  }

  async document({ key }: StaticPage, text: StaticText, { hasFeed, ...addresses }: DocumentOptions): Promise<string> {
    const page = this.#page(key);
    const feedHref = hasFeed ? `${this.#site.addresses.page(page).replace(/\/$/, '')}/rss.xml` : undefined;
    const { html } = await this.#site.document(page, text, { ...addresses, feedHref });
    return html;
  }

  notFound(): Promise<string> {
    return this.#site.notFound();
  }

  async file(path: string): Promise<Uint8Array | undefined> {
    return (await this.#site.file(path))?.bytes;
  }

  get social(): SocialSite {
    return { title: this.title, color: standardLook.primaryColor.light };
  }

  get drawsDiagrams(): boolean {
    return findDiagrams(this.#site.path) !== undefined;
  }

  loadedBy(path: string): readonly string[] {
    return loadedByAsset(path, this.#form, this.#site.path);
  }

  problems(): FolderProblem[] {
    return folderProblems(this.#site.folder);
  }

  async lineOf({ file }: StaticPage, text: string): Promise<number> {
    return lineOf(this.#site.folder.disk.textOnce(file) ?? '', text);
  }

  #add(page: FolderPage, space: string): StaticPage {
    const key = keyOf(page);
    this.#byKey.set(key, page);
    return staticPageOf(page.space.contents, page, {
      key,
      address: this.#site.folder.addressOf(page),
      isFirst: page.address === '',
      space,
      file: page.file ?? page.space.summaryFile,
    });
  }

  #redirectsOf(siteSpace: SiteSpace): StaticRedirect[] {
    const { folder } = this.#site;
    const { redirects, redirectsFile: file } = folder.folderOf(siteSpace);
    return redirects.flatMap(({ source, line }): StaticRedirect[] => {
      const from = [siteSpace.address, source].filter(Boolean).join('/');
      const target = folder.find(from);
      return target?.kind === 'redirect' ? [{ from, file, line, to: encodeURI(target.to) }] : [];
    });
  }

  /** Only the text of this page stays in memory. */
  #page(key: string): FolderPage {
    const page = this.#byKey.get(key);
    if (!page) throw new Error(`There is no page ${key}.`);
    const before = this.#current?.file;
    if (page !== this.#current && typeof before === 'string') this.#site.folder.disk.forget([before]);
    this.#current = page;
    return page;
  }

  #textOf({ file }: FolderPage): string {
    return file === null ? '' : (this.#site.folder.disk.text(file) ?? '');
  }

  #hashOfFile(file: string): string {
    const hash = this.#hashes.get(file) ?? hashOf(this.#site.folder.disk.bytes(file) ?? '');
    this.#hashes.set(file, hash);
    return hash;
  }

  /** Covers the tables of contents, tabs and pickers of all pages. */
  #frame(): string {
    const { folder, path } = this.#site;
    const spaces = folder.spaces.map((space) => [space, folder.folderOf(space).pages]);
    this.#frameHash ??= hashOf(
      JSON.stringify([this.title, folder.title, findDiagrams(path)?.folder, spaces], withoutStates),
    );
    return this.#frameHash;
  }
}

/** Identifies a page by its file, or else by its entry in the table of contents. */
const keyOf = (page: FolderPage): string => page.file ?? `${page.space.directory}\n${page.key}`;

/** Covers what a page depends on besides the answers to its questions. */
const ownHash = ({ title, description, file, space }: FolderPage, text: string): string =>
  hashOf(JSON.stringify([title, description, file ?? space.summaryFile, text]));
