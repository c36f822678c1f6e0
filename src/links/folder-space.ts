import { join, relative } from 'node:path';
import { isMarkdown, isSpaceFile } from '../content/folder/file-names.ts';
import { joinPath, parentPath, relativeAddress, spellingsOf } from '../content/markdown/links.ts';
import { slugify } from '../content/markdown/slug.ts';
import GithubSlugger from 'github-slugger';
import { conflictRule } from '../shared/conflict-marks.ts';
import { FolderPages } from '../site/folder/folder-pages.ts';
import { rootAddresses } from '../site/folder/root-addresses.ts';
import type { FolderProblem } from '../site/folder/problem.ts';
import { folderProblems } from '../site/folder/check-folder.ts';
import type { SiteFolder, SiteSpace } from '../site/folder/site-folder.ts';
import type { FolderPage, SpaceFolder } from '../site/folder/space-folder.ts';
import { readContentsFacts, type TextFacts, type TextLink } from './facts.ts';
import type { LinkedPage, LinkedSpace, LinkedText, LinkTarget, Place, SpaceProblem } from './model.ts';
import { lastOf } from './proposals.ts';
import { referenceTarget } from './reference-target.ts';
import type { Renames } from './renames.ts';

/** What the spaces of one folder share. */
export interface FolderContext {
  site: SiteFolder;
  pages: FolderPages;
  renames: Renames;
  /** Facts by the text, from the check before. */
  factsOf: (text: string) => TextFacts;
  /** The page of a whole path, in any folder. */
  pageOfFile: (file: string) => LinkedPage | undefined;
}

export const folderContext = (site: SiteFolder, shared: Omit<FolderContext, 'site' | 'pages'>): FolderContext => ({
  site,
  pages: new FolderPages(site, rootAddresses(site)),
  ...shared,
});

interface SpaceInFolder {
  name: string;
  id: string | undefined;
  /** Paths of pages by their IDs, as they were last synchronized. */
  ids: ReadonlyMap<string, string>;
}

/** A page of a folder, with what the folder knows of it. */
interface PageOfFolder extends LinkedPage {
  own: FolderPage;
}

/** Rules of the folder that are about navigation, addresses, and files whose links cannot be read. */
const navigationRules = new Set([
  conflictRule,
  'settings',
  'front-matter',
  'symbolic-link',
  'unreadable-file',
  'summary-missing',
  'summary-repeated',
  'summary-address',
  'not-in-summary',
  'redirect-repeated',
  'redirect-target',
  'redirect-hides-page',
]);

/** A space of a folder. */
export class FolderSpace implements LinkedSpace {
  readonly name: string;
  readonly id: string | undefined;
  readonly pages: PageOfFolder[] = [];
  readonly texts: LinkedText[] = [];
  readonly #context: FolderContext;
  readonly #space: SpaceFolder;
  readonly #isFirst: boolean;
  readonly #ids: ReadonlyMap<string, string>;
  readonly #byOwn = new Map<FolderPage, PageOfFolder>();
  readonly #byKey = new Map<string, PageOfFolder>();
  readonly #byFile = new Map<string, LinkedText>();
  readonly #anchors = new Map<string, Promise<ReadonlySet<string>>>();

  #formerNames: Promise<ReadonlyMap<string, string[]>> | undefined;
  #names: Set<string> | undefined;
  #contentsMoves: Promise<ReadonlySet<string>> | undefined;

  constructor(context: FolderContext, siteSpace: SiteSpace, { name, id, ids }: SpaceInFolder) {
    this.#context = context;
    this.name = name;
    this.id = id;
    this.#ids = ids;
    this.#space = context.site.folderOf(siteSpace);
    this.#isFirst = context.site.spaces[0] === siteSpace;
    for (const own of this.#space.pages) {
      if (own.type !== 'document') continue;
      const { title, path, address } = own;
      const page = { space: this, key: own.file ?? own.key, title, path, address, own };
      this.pages.push(page);
      this.#byOwn.set(own, page);
      this.#byKey.set(page.key, page);
      if (own.file !== null) this.#addText(own.file, 'page', page);
    }
    const { disk } = context.site;
    if (disk.files.has(this.#space.summaryFile)) this.#addText(this.#space.summaryFile, 'contents');
    for (const file of disk.files) if (this.#isReusable(file)) this.#addText(file, 'include');
  }

  resolve(link: TextLink, text: LinkedText): LinkTarget {
    const { links } = this.#context.site;
    const start = this.#startOf(text);
    if (link.tag === 'include') return this.#include(link.url, text);
    const reference = referenceTarget(link.url);
    if (reference) return reference.kind === 'reference' && reference.space === '' ? this.#ofId(reference) : reference;
    if (link.kind === 'image' || link.tag === 'file') {
      const target = links.file(link.url, start);
      return target;
    }
    if (text.kind === 'include' && link.url.startsWith('#')) return { kind: 'unchecked' };
    const target = links.resolve(link.url, start);
    if (target.kind !== 'page') return target;
    const { file } = target.page;
    const page =
      file === null ? this.#byOwn.get(target.page) : this.#context.pageOfFile(join(this.#context.site.disk.path, file));
    return page ? { kind: 'page', page, anchor: target.anchor } : { kind: 'file' };
  }

  pageAt(path: string): LinkedPage | undefined {
    const own = this.#space.pageAt(path);
    return own && this.#byOwn.get(own);
  }

  pageOf(id: string): LinkedPage | undefined {
    const path = this.#ids.get(id);
    return path === undefined ? undefined : this.#byKey.get(path);
  }

  anchorsOf({ key }: LinkedPage): Promise<ReadonlySet<string>> {
    const anchors = this.#anchors.get(key) ?? this.#readAnchors(key);
    this.#anchors.set(key, anchors);
    return anchors;
  }

  addressFor(page: LinkedPage, text: LinkedText): string {
    return relativeAddress(parentPath(text.key), page.key);
  }

  async moved({ url }: TextLink, text: LinkedText): Promise<string | undefined> {
    const { site } = this.#context;
    const file = await this.#movedFile(url, text);
    if (file === undefined) return undefined;
    const isPage = site.spaceOf(file)?.pageOfFile(file) !== undefined;
    const isUsable =
      isPage || !isMarkdown(file) || text.kind === 'contents' || (await this.#movedInContents()).has(file);
    return isUsable ? relativeAddress(parentPath(text.key), file) : undefined;
  }

  async movedPage(path: string): Promise<LinkedPage | undefined> {
    const { pageOfFile } = this.#context;
    const name = lastOf(path);
    if ((this.#names ??= new Set(this.pages.map((page) => lastOf(page.path)))).has(name)) return undefined;
    const [only, ...others] = (await this.#moves()).get(name) ?? [];
    return only === undefined || others.length > 0 ? undefined : pageOfFile(only);
  }

  problems(): SpaceProblem[] {
    // The problems of a folder are those of all its spaces.
    const all = this.#isFirst ? folderProblems(this.#context.site) : [];
    return all.flatMap(({ file, ...problem }: FolderProblem) =>
      navigationRules.has(problem.rule) ? [{ ...problem, place: this.#placeOf(file) }] : [],
    );
  }

  /** The file of the folder that an address led to before. */
  async #movedFile(url: string, text: LinkedText): Promise<string | undefined> {
    const { site, renames } = this.#context;
    for (const path of this.#pathsOf(url, text)) {
      for (const former of [path, `${path}.md`, `${path}/README.md`]) {
        const now = await renames.follow(join(site.disk.path, former));
        if (now === undefined) continue;
        const file = relative(site.disk.path, now).replaceAll('\\', '/');
        // In another folder, it is a page of another space.
        if (site.disk.shows(file)) return file;
      }
    }
    return undefined;
  }

  /** Files that become pages if the table of contents is fixed. */
  #movedInContents(): Promise<ReadonlySet<string>> {
    return (this.#contentsMoves ??= this.#readContentsMoves());
  }

  async #readContentsMoves(): Promise<ReadonlySet<string>> {
    const contents = this.#byFile.get(this.#space.summaryFile);
    const files = new Set<string>();
    if (!contents) return files;
    for (const { url } of contents.facts().links) {
      const file = await this.#movedFile(url, contents);
      if (file !== undefined) files.add(file);
    }
    return files;
  }

  /** Where files of this space are now, by the last part of their former addresses. */
  #moves(): Promise<ReadonlyMap<string, string[]>> {
    return (this.#formerNames ??= this.#readMoves());
  }

  async #readMoves(): Promise<ReadonlyMap<string, string[]>> {
    const { site, renames } = this.#context;
    const pairs = await renames.below(join(site.disk.path, this.#space.root));
    const names = Map.groupBy(pairs, ([from]) =>
      slugify(lastOf(from.replace(/\/(?:readme|index)\.\w+$/i, '')).replace(/\.\w+$/, '')),
    );
    return new Map([...names].map(([name, own]) => [name, own.map(([, to]) => to)]));
  }

  #isReusable(file: string): boolean {
    const { root } = this.#space;
    const inside = root === '' ? file : file.startsWith(`${root}/`) ? file.slice(root.length + 1) : '';
    return isSpaceFile(inside) && isMarkdown(inside);
  }

  #placeOf(file: string): Place {
    return { file: relative(process.cwd(), join(this.#context.site.disk.path, file)) };
  }

  #addText(file: string, kind: LinkedText['kind'], page?: LinkedPage): LinkedText {
    const { site, factsOf } = this.#context;
    let facts: TextFacts | undefined;
    const text: LinkedText = {
      space: this,
      key: file,
      kind,
      page,
      place: this.#placeOf(file),
      facts: () => (facts ??= (kind === 'contents' ? readContentsFacts : factsOf)(site.disk.textOnce(file) ?? '')),
      source: () => site.disk.textOnce(file) ?? '',
    };
    this.texts.push(text);
    this.#byFile.set(file, text);
    return text;
  }

  #startOf({ key, page }: LinkedText) {
    return { file: key, space: this.#space, page: page && this.#space.pageOfFile(page.key) };
  }

  #include(url: string, text: LinkedText): LinkTarget {
    const target = this.#context.site.links.file(url, this.#startOf(text));
    if (target.kind !== 'file')
      return target.kind === 'external' ? { kind: 'missing', reason: 'is not a file' } : target;
    if (!isMarkdown(target.file)) return { kind: 'missing', reason: 'is not a Markdown file' };
    return { kind: 'include', text: this.#byFile.get(target.file) ?? this.#addText(target.file, 'include') };
  }

  #ofId({ page: id = '', anchor }: { page: string | undefined; anchor: string }): LinkTarget {
    const page = this.pageOf(id);
    return page ? { kind: 'page', page, anchor } : { kind: 'unchecked' };
  }

  async #readAnchors(key: string): Promise<ReadonlySet<string>> {
    const page = this.#byKey.get(key);
    const facts = this.#byFile.get(key)?.facts();
    if (page && facts?.isExact) return new Set([new GithubSlugger().slug(page.title), ...facts.anchors]);
    return page ? new Set((await this.#context.pages.once(page.own)).anchors) : new Set();
  }

  /** The paths from the whole folder that an address can mean. */
  #pathsOf(url: string, text: LinkedText): string[] {
    const starts = url.startsWith('/') ? [this.#space.root, this.#space.directory, ''] : [parentPath(text.key)];
    const paths = spellingsOf(url).flatMap((each) =>
      starts.flatMap((start) => joinPath(start, each.replace(/^\/+/, ''))?.join('/') ?? []),
    );
    return [...new Set(paths)];
  }
}
