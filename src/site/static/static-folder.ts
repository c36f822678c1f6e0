import { createHash } from 'node:crypto';
import { readFrontMatter } from '../../content/markdown/front-matter.ts';
import { siteAssets } from '../assets.ts';
import { folderProblems } from '../folder/check-folder.ts';
import { FolderPages } from '../folder/folder-pages.ts';
import { ancestorsOf, isHiddenPage, nameOfFolder, pageOf, siteAround } from '../folder/folder-site.ts';
import type { FolderProblem } from '../folder/problem.ts';
import { markdownOfReference } from '../folder/reference-pages.ts';
import { isPrivateFile, rootAddresses } from '../folder/root-addresses.ts';
import { SiteFolder } from '../folder/site-folder.ts';
import type { FolderPage } from '../folder/space-folder.ts';
import { titledMarkdown } from '../machine-files.ts';
import type { Site } from '../model.ts';
import { ownPath } from '../own-path.ts';
import { pageDocument } from '../page-document.ts';
import { notFoundPage } from '../templates/special-pages.ts';
import { searchHref } from './output-names.ts';
import type { DocumentOptions, StaticDocument, StaticPage, StaticRedirect, StaticSource } from './static-source.ts';

/** A folder of Markdown as a site to export. */
export class StaticFolder implements StaticSource {
  readonly isListed = true;
  readonly title: string;
  readonly pages: readonly StaticPage[];
  readonly redirects: readonly StaticRedirect[];
  readonly #folder: SiteFolder;
  readonly #pages: FolderPages;
  readonly #byKey = new Map<string, FolderPage>();

  /** @throws UnreadableFolder, SettingsError */
  constructor(path: string) {
    this.#folder = new SiteFolder(path);
    const folder = this.#folder;
    this.#pages = new FolderPages(folder, rootAddresses(folder));
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
    for (const file of disk.files) {
      hash.update(`${file}\0`);
      hash.update(
        createHash('sha256')
          .update(disk.bytes(file) ?? '')
          .digest(),
      );
    }
    return hash.digest('hex');
  }

  async render({ key }: StaticPage, { canonical, hasFeed, missing }: DocumentOptions): Promise<StaticDocument> {
    const page = this.#page(key);
    const { links: _, anchors, headingLinks, sections, problems, ...rendered } = await this.#pages.once(page, missing);
    const folder = this.#folder;
    const addresses = rootAddresses(folder);
    const isFeed = hasFeed && rendered.html.includes('class="updates"');
    const html = pageDocument(this.#siteAround(page), {
      ...pageOf(folder, page, addresses),
      ...rendered,
      canonical,
      ...(isFeed ? { feedHref: `${addresses.page(page).replace(/\/$/, '')}/rss.xml` } : {}),
    });
    const text = page.reference
      ? markdownOfReference(folder.specs, page.reference)
      : page.file === null
        ? ''
        : (folder.disk.textOnce(page.file) ?? '');
    return {
      html,
      body: rendered.html,
      markdown: titledMarkdown(page.title, page.description, text.slice(readFrontMatter(text).bodyAt).trimStart()),
      sections: sections.map(({ heading, text: content }) => ({
        id: heading?.id,
        title: heading?.text,
        text: content,
      })),
      problems,
      anchors,
      headingLinks: headingLinks.map(({ page: target, ...link }) => ({ ...link, page: keyOf(target) })),
    };
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
    if (kind === 'assets') return Promise.resolve(siteAssets().find((asset) => asset.name === name)?.bytes);
    const isContent = kind === 'files' && !isPrivateFile(name);
    return Promise.resolve(isContent ? this.#folder.disk.bytes(name) : undefined);
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
      noIndex: page.noIndex === true,
      noRobotsIndex: page.noRobotsIndex === true,
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

  #siteAround(page: FolderPage): Site {
    return siteAround(this.#folder, page, rootAddresses(this.#folder), {
      name: this.title,
      assets: { folder: `${ownPath}assets/` },
      search: { kind: 'index', href: searchHref },
    });
  }
}

/** A page by its file, or by its entry in the table of contents where it has none. */
const keyOf = (page: FolderPage): string => page.file ?? `${page.space.directory}\n${page.key}`;
