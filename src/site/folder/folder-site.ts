import { basename } from 'node:path';
import { contentTypeOf } from '../../content/folder/files.ts';
import { findDiagrams } from '../diagrams.ts';
import type { ExportForm, PageLayout, Site, SitePage, SiteSearch, SiteVariant } from '../model.ts';
import { ownFiles } from '../own-files.ts';
import { hasDiagrams, pageDocument } from '../page-document.ts';
import type { PreviewFile } from '../preview/source.ts';
import { type AssetPlace, findAsset, siteAround, type SiteSection } from '../site-around.ts';
import { siteMarkdown, type SiteMarkdown } from '../static/link-markdown.ts';
import { notFoundPage } from '../templates/special-pages.ts';
import { FolderPages } from './folder-pages.ts';
import { type FolderAddresses, rootAddresses } from './root-addresses.ts';
import { readFrontMatter } from '../../content/markdown/front-matter.ts';
import { nameTitle } from '../../content/folder/page-tree.ts';
import { isObject } from '../../shared/is-object.ts';
import { markdownOfReference } from './reference-pages.ts';
import { SiteFolder, type SiteSpace } from './site-folder.ts';
import type { FolderPage } from './space-folder.ts';

/** A rendered page, without the site around it. */
export type DrawnText = Pick<SitePage, 'html' | 'headings' | 'hasMermaid'>;

/** A folder as a site that a preview serves or an export writes. */
export class FolderSite {
  readonly folder: SiteFolder;
  readonly addresses: FolderAddresses;
  readonly pages: FolderPages;
  readonly #form: ExportForm | undefined;

  /**
   * @param form of an export; absent for a preview
   * @param stateOf a value that changes with the content of a file; by default the time of its last change
   * @throws UnreadableFolder, SettingsError
   */
  constructor(path: string, form?: ExportForm, stateOf?: (file: string) => unknown) {
    this.#form = form;
    this.folder = new SiteFolder(path);
    const { disk } = this.folder;
    const addresses = rootAddresses(this.folder);
    // With the same address, a page would not change with a picture on it, and would not be reloaded.
    const changed = (file: string) => Math.round(disk.stat(file)?.changedMs ?? 0).toString(36);
    this.addresses = form ? addresses : { ...addresses, file: (file) => `${addresses.file(file)}?${changed(file)}` };
    this.pages = new FolderPages(this.folder, this.addresses, { stateOf });
  }

  /** The real path of the folder. */
  get path(): string {
    return this.folder.disk.path;
  }

  /** The title in `docs.yaml`, or that of the first page, or the name of the folder. */
  get title(): string {
    return this.folder.title ?? this.#first?.title ?? nameTitle(basename(this.path) || 'Documentation');
  }

  async document(page: FolderPage, text: DrawnText, more: Partial<SitePage>) {
    const { html, headings, hasMermaid } = text;
    const site = await this.#siteAround(page, hasMermaid);
    const whole = { ...pageOf(this.folder, page, this.addresses), html, headings, hasMermaid, ...more };
    return { html: pageDocument(site, whole), hasFrames: hasDiagrams(site, text) };
  }

  /** The page as Markdown, with its title and the addresses of the site. @param text its file */
  async markdown(page: FolderPage, text = this.#textOf(page)): Promise<SiteMarkdown> {
    if (page.reference) return siteMarkdown(page, markdownOfReference(this.folder.specs, page.reference));
    const body = text.slice(readFrontMatter(text).bodyAt).trimStart();
    return siteMarkdown(page, body, await this.pages.sourceOf(page, text));
  }

  #textOf({ file }: FolderPage): string {
    return file === null ? '' : (this.folder.disk.text(file) ?? '');
  }

  /** The document for addresses without a page; "" if the folder has no pages. */
  async notFound(): Promise<string> {
    if (!this.#first) return '';
    const site = await this.#siteAround(this.#first);
    const navigation = site.navigation.map((item) => ({ ...item, isCurrent: false }));
    return pageDocument({ ...site, navigation }, notFoundPage(site));
  }

  /** The file at a path below `ownPath`. */
  async file(path: string): Promise<PreviewFile | undefined> {
    const [kind, ...rest] = path.split('/');
    const name = rest.join('/');
    if (kind === 'assets') {
      const asset = findAsset(name, { folder: this.path });
      return asset && { ...asset, isImmutable: true };
    }
    if (kind === 'specifications') return this.#specification(name);
    const bytes = kind === 'files' ? this.folder.disk.shownBytes(name) : undefined;
    return bytes && { contentType: contentTypeOf(name, bytes), bytes };
  }

  /** @param name the path of a description, followed by the format that it is written in */
  async #specification(name: string): Promise<PreviewFile | undefined> {
    const [, file = '', format] = /^(.*)\.(json|yaml)$/s.exec(name) ?? [];
    if (format !== 'json' && format !== 'yaml') return undefined;
    const { disk, specs } = this.folder;
    const reference = disk.shows(file) ? specs.reference(file) : undefined;
    if (!reference) return undefined;
    const { descriptionText } = await import('../../openapi/reference/index.ts');
    const bytes = Buffer.from(await descriptionText(reference.document, format));
    return { contentType: `application/${format}; charset=utf-8`, bytes };
  }

  get #first(): FolderPage | undefined {
    const [space] = this.folder.spaces;
    return space && this.folder.folderOf(space).pages.find(({ type }) => type === 'document');
  }

  #siteAround(page: FolderPage, hasMermaid = false): Promise<Site> {
    // Looking for the package takes time, and the policy of an export depends on it.
    const diagrams = hasMermaid || this.#form ? findDiagrams(this.path) : undefined;
    const files = ownFiles(this.#form, diagrams);
    return folderSiteAround(this.folder, page, this.addresses, { name: this.title, ...files });
  }
}

export interface SiteParts {
  /** The title, unless `docs.yaml` has one. */
  name: string;
  assets: AssetPlace;
  search?: SiteSearch | undefined;
}

/** The site around a page of a folder. */
export function folderSiteAround(
  folder: SiteFolder,
  page: FolderPage,
  addresses: FolderAddresses,
  { name, assets, search }: SiteParts,
): Promise<Site> {
  const space = folder.siteSpaceOfFolder(page.space);
  const source = {
    title: folder.title ?? name,
    locale: space?.entry.language,
    home: homeOf(folder, folder.spaces[0], addresses) ?? addresses.page(page),
    space: { contents: page.space.contents, hrefOf: addresses.page },
    sections: space ? sectionsOf(folder, space, addresses) : [],
    variants: space ? variantsOf(folder, space, addresses) : [],
    assets,
    search,
  };
  return siteAround(source, page);
}

/** Everything on a page except its text, from its front matter and its place among the others. */
export function pageOf(
  folder: SiteFolder,
  page: FolderPage,
  addresses: FolderAddresses,
): Omit<SitePage, 'html' | 'headings'> {
  const text = page.file === null ? undefined : folder.disk.text(page.file);
  const { data } = readFrontMatter(text ?? '');
  return {
    layout: layoutOf(data),
    ...page.space.contents.around(page, addresses.page),
    ...coverOf(folder, page, data, addresses),
    ...(page.file === null && !page.reference ? {} : { markdownHref: addresses.markdown(page) }),
  };
}

/** The first page of a space. */
function homeOf(folder: SiteFolder, space: SiteSpace | undefined, addresses: FolderAddresses): string | undefined {
  const first = space && folder.folderOf(space).pages.find(({ type }) => type === 'document');
  return first && addresses.page(first);
}

function sectionsOf(folder: SiteFolder, current: SiteSpace, addresses: FolderAddresses): SiteSection[] {
  const sections = [...new Set(folder.spaces.map(({ section }) => section))];
  if (sections.length < 2) return [];
  return sections.flatMap((section): SiteSection[] => {
    const isCurrent = section === current.section;
    if (section.isHidden && !isCurrent) return [];
    const { title, icon, description } = section;
    const space = folder.spaces.find((each) => each.section === section);
    // Menus have only one level, so the outermost group counts.
    const [group] = section.groups;
    return [
      {
        title,
        icon,
        description,
        href: homeOf(folder, space, addresses),
        isCurrent,
        group: group && { ...group, key: group.title },
      },
    ];
  });
}

function variantsOf(folder: SiteFolder, current: SiteSpace, addresses: FolderAddresses): SiteVariant[] {
  const spaces = folder.spaces.filter(({ section }) => section === current.section);
  return spaces.flatMap((space): SiteVariant[] => {
    const { title, language } = space.entry;
    const href = homeOf(folder, space, addresses);
    return href === undefined ? [] : [{ title, href, isCurrent: space === current, ...(language ? { language } : {}) }];
  });
}

function coverOf(
  folder: SiteFolder,
  page: FolderPage,
  { cover, coverDark, coverY, coverHeight }: Record<string, unknown>,
  addresses: FolderAddresses,
): Pick<SitePage, 'cover'> {
  const light = pictureOf(folder, page, cover, addresses);
  if (light === undefined) return {};
  const dark = pictureOf(folder, page, coverDark, addresses);
  const yPos = typeof coverY === 'number' ? { yPos: coverY } : {};
  const isHeight = typeof coverHeight === 'number' && coverHeight >= 40 && coverHeight <= 2000;
  return { cover: { picture: { light, dark }, ...yPos, ...(isHeight && { height: coverHeight }) } };
}

/** The address of a picture in the folder. Pictures of other hosts are not shown. */
function pictureOf(
  { links }: SiteFolder,
  page: FolderPage,
  url: unknown,
  addresses: FolderAddresses,
): string | undefined {
  if (typeof url !== 'string' || page.file === null) return undefined;
  const target = links.file(url, { file: page.file, space: page.space, page });
  return target.kind === 'file' ? addresses.file(target.file) : undefined;
}

const layoutParts = ['cover', 'title', 'description', 'tableOfContents', 'outline', 'pagination', 'metadata'] as const;

function layoutOf({ layout }: Record<string, unknown>): Partial<PageLayout> {
  if (!isObject(layout)) return {};
  const shown: Partial<PageLayout> = {};
  for (const part of layoutParts) {
    const setting = layout[part];
    if (isObject(setting) && typeof setting.visible === 'boolean') shown[part] = setting.visible;
  }
  const size = isObject(layout.cover) ? layout.cover.size : undefined;
  if (size === 'full' || size === 'hero' || size === 'background') shown.coverSize = size;
  return shown;
}
