import { isObject } from '../../shared/is-object.ts';
import { readYaml, readYamlTexts, UnreadableYaml } from '../../shared/yaml.ts';
import { scalar } from '../../content/markdown/markdown.ts';
import { spacesAt } from '../contents.ts';
import { DiskFolder } from './disk-folder.ts';
import { FolderLinks } from './folder-links.ts';
import { FolderSpecs } from './folder-specs.ts';
import type { FolderProblem } from './problem.ts';
import { readSiteFile, type SectionEntry, type SiteFile, siteFileNames, type SpaceEntry } from './site-file.ts';
import { type FolderPage, SpaceFolder } from './space-folder.ts';

/** A space with its place in the site. */
export interface SiteSpace {
  section: SectionEntry;
  entry: SpaceEntry;
  /** The part before the addresses of its pages; "" for the default space. */
  address: string;
}

/** What an address of the site leads to. */
export type FoundAddress =
  | { kind: 'page'; page: FolderPage }
  /** To an address of the site, or of another host. */
  | { kind: 'redirect'; to: string };

export interface SpaceVariables {
  variables: Record<string, unknown>;
  tags: ReadonlyMap<string, { label: string; icon?: string }>;
}

/** A folder of Markdown as a site with one space, or with those of its `docs.yaml`. It reads spaces on demand. */
export class SiteFolder {
  readonly disk: DiskFolder;
  readonly links: FolderLinks;
  readonly specs: FolderSpecs;
  #site: SiteFile | undefined;
  #spaces: SiteSpace[] = [];
  #folders = new Map<SiteSpace, SpaceFolder>();
  #siteProblems: FolderProblem[] = [];
  readonly #variables = new Map<string, SpaceVariables & { problems: FolderProblem[] }>();

  /** @param texts that files have instead of their own. @throws UnreadableFolder, SettingsError */
  constructor(path: string, texts?: ReadonlyMap<string, string>) {
    this.disk = new DiskFolder(path, texts);
    this.specs = new FolderSpecs(this.disk);
    this.links = new FolderLinks({ disk: this.disk, spaceOf: (file) => this.spaceOf(file) });
    this.#readSite();
  }

  /** The title in `docs.yaml`. */
  get title(): string | undefined {
    return this.#site?.title;
  }

  get spaces(): readonly SiteSpace[] {
    return this.#spaces;
  }

  /** Problems of symbolic links, of `docs.yaml` and of the spaces read so far. */
  get problems(): FolderProblem[] {
    const inSpaces = [...this.#folders.values()].flatMap(({ problems }) => problems);
    const inVariables = [...this.#variables.values()].flatMap(({ problems }) => problems);
    return [...linksLeftOut(this.disk), ...this.#siteProblems, ...inSpaces, ...inVariables];
  }

  /** Markdown that is not UTF-8, in the spaces read so far. */
  get unreadableFiles(): string[] {
    return [...this.#folders.values()].flatMap(({ unreadableFiles }) => unreadableFiles);
  }

  /** @throws SettingsError */
  folderOf(space: SiteSpace): SpaceFolder {
    const read = this.#folders.get(space);
    if (read) return read;
    const { directory } = space.entry;
    const others = this.#spaces.map(({ entry }) => entry.directory).filter((other) => isInside(other, directory));
    const folder = new SpaceFolder(this.disk, { directory, without: others, specs: this.specs });
    this.#folders.set(space, folder);
    return folder;
  }

  /** The innermost space of a path from the whole folder. @throws SettingsError */
  spaceOf(path: string): SpaceFolder | undefined {
    const space = this.siteSpaceOf(path);
    return space && this.folderOf(space);
  }

  siteSpaceOf(path: string): SiteSpace | undefined {
    const holding = this.#spaces.filter(
      ({ entry: { directory } }) => directory === '' || path.startsWith(`${directory}/`),
    );
    return holding.toSorted((one, other) => other.entry.directory.length - one.entry.directory.length)[0];
  }

  siteSpaceOfFolder(folder: SpaceFolder): SiteSpace | undefined {
    return this.#spaces.find((space) => this.#folders.get(space) === folder);
  }

  /** The address of a page from the root of the site, without slashes at its ends. */
  addressOf(page: FolderPage): string {
    const space = this.siteSpaceOfFolder(page.space);
    return [space?.address ?? '', page.address].filter(Boolean).join('/');
  }

  /** @param address from the root of the site, decoded, without slashes at its ends */
  find(address: string): FoundAddress | undefined {
    for (const [space, rest] of spacesAt(this.#spaces, address)) {
      const folder = this.folderOf(space);
      const page = folder.pageAt(rest);
      if (page) return { kind: 'page', page };
      const redirect = folder.redirectFrom(rest);
      const target = redirect && this.links.redirectTarget(redirect.target, folder);
      if (target?.kind === 'external') return { kind: 'redirect', to: target.url };
      if (target?.kind === 'page') {
        return { kind: 'redirect', to: `/${this.addressOf(target.page)}${target.anchor && `#${target.anchor}`}` };
      }
    }
    return undefined;
  }

  /** The variables and tags for the pages of a space. */
  variablesOf(space: SpaceFolder): SpaceVariables {
    const read = this.#variables.get(space.directory);
    if (read) return read;
    const problems: FolderProblem[] = [];
    const variables = this.#yamlIn(space, 'vars', readYaml, problems);
    const tags = this.#yamlIn(space, 'tags', readYamlTexts, problems);
    const entry = { variables: isObject(variables) ? variables : {}, tags: tagsIn(tags), problems };
    this.#variables.set(space.directory, entry);
    return entry;
  }

  /**
   * Reads changed files again.
   *
   * @param changed paths of files that were changed, added or removed
   * @param hasOtherNames whether any were added or removed
   * @throws SettingsError
   */
  update(changed: ReadonlySet<string>, hasOtherNames: boolean): void {
    this.disk.forget(changed);
    if (hasOtherNames) this.disk.refresh();
    if ([...changed].some((path) => siteFileNames.includes(path))) {
      this.#readSite();
    } else for (const folder of this.#folders.values()) folder.update(changed);
    if ([...changed].some((path) => /(?:^|\/)\.gitbook\/(?:vars|tags)\.ya?ml$/.test(path))) this.#variables.clear();
  }

  #readSite(): void {
    this.#siteProblems = [];
    this.#folders = new Map();
    this.#variables.clear();
    const file = siteFileNames.find((name) => this.disk.files.has(name));
    const text = file === undefined ? undefined : this.disk.textOnce(file);
    this.#site = file === undefined || text === undefined ? undefined : readSiteFile(file, text, this.#siteProblems);
    const sections = this.#site?.sections.flatMap((section) => this.#existing(section, file ?? '')) ?? [];
    this.#spaces = sections.flatMap((section) =>
      section.spaces.map((entry) => ({
        section,
        entry,
        address: [section.path, entry.path].filter(Boolean).join('/'),
      })),
    );
    if (this.#spaces.length > 0) return;
    const entry: SpaceEntry = { title: '', path: '', directory: '' };
    const section: SectionEntry = { title: '', path: '', isHidden: false, groups: [], spaces: [entry] };
    this.#spaces = [{ section, entry, address: '' }];
  }

  /** The section with the spaces whose folders exist; nothing if there are none. */
  #existing(section: SectionEntry, file: string): SectionEntry[] {
    const spaces = section.spaces.filter(({ directory }) => {
      if (directory === '' || [...this.disk.files].some((path) => path.startsWith(`${directory}/`))) return true;
      const message = `The directory "${directory}" of "${section.title}" does not exist.`;
      this.#siteProblems.push({ file, rule: 'settings', level: 'error', message });
      return false;
    });
    return spaces.length === 0 ? [] : [{ ...section, spaces }];
  }

  /** The file `.gitbook/<name>.yaml` at the root of the pages, of the space, or of the whole folder. */
  #yamlIn(
    { root, directory }: SpaceFolder,
    name: string,
    read: (text: string) => unknown,
    problems: FolderProblem[],
  ): unknown {
    const files = [root, directory, ''].flatMap((folder) =>
      ['yaml', 'yml'].map((extension) => `${folder === '' ? '' : `${folder}/`}.gitbook/${name}.${extension}`),
    );
    const file = files.find((path) => this.disk.files.has(path));
    const text = file === undefined ? undefined : this.disk.textOnce(file);
    if (file === undefined || text === undefined) return undefined;
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof UnreadableYaml)) throw error;
      const line = error.line === undefined ? {} : { line: error.line };
      const message = `The file is not valid YAML: ${error.message}.`;
      problems.push({ file, ...line, rule: 'settings', level: 'error', message });
      return undefined;
    }
  }
}

const linksLeftOut = ({ leftOut }: DiskFolder): FolderProblem[] =>
  [...leftOut].map(([file, reason]) => {
    const message = `The symbolic link ${reason} and is skipped.`;
    return { file, rule: 'symbolic-link', level: 'warning', message };
  });

/** Whether a folder is inside another one. */
const isInside = (folder: string, outer: string): boolean =>
  folder !== outer && (outer === '' || folder.startsWith(`${outer}/`));

function tagsIn(value: unknown): ReadonlyMap<string, { label: string; icon?: string }> {
  const entries = Array.isArray(value) ? value.filter(isObject) : [];
  return new Map(
    entries.flatMap(({ tag, label, icon }): [string, { label: string; icon?: string }][] => {
      const name = scalar(tag);
      const drawing = scalar(icon);
      return name === undefined
        ? []
        : [[name, { label: scalar(label) ?? name, ...(drawing === undefined ? {} : { icon: drawing }) }]];
    }),
  );
}
