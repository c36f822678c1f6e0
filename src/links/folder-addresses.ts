import { join, posix, relative } from 'node:path';
import { spacesAt } from '../site/contents.ts';
import type { SiteFolder, SiteSpace } from '../site/folder/site-folder.ts';
import type { FolderPage, SpaceFolder } from '../site/folder/space-folder.ts';
import {
  type AddressedSite,
  chainProblem,
  hiddenMessage,
  loopsIn,
  type ProposedRedirect,
  sourceOf,
} from './check-addresses.ts';
import type { ReadFolder } from './folder-world.ts';
import type { LinkedPage, Place } from './model.ts';
import { Renames } from './renames.ts';
import type { PublishedAddress, SiteAddresses } from './snapshot.ts';
import type { FolderRedirect } from './write-redirects.ts';

/** All addresses of the site in a folder, with their anchors. Redirected addresses are published, too. */
export async function addressesOfFolder({ docs, site, spaces }: ReadFolder): Promise<SiteAddresses> {
  const addresses = new Map<string, PublishedAddress>();
  const add = (address: string, page: string) => {
    if (!addresses.has(address)) addresses.set(address, { address, page, anchors: [] });
  };
  for (const space of spaces) {
    for (const page of space.pages) {
      const anchors = [...(await space.anchorsOf(page))].toSorted();
      const address = site.addressOf(page.own);
      addresses.set(address, { address, page: page.key, anchors });
    }
  }
  for (const siteSpace of site.spaces) {
    const folder = site.folderOf(siteSpace);
    for (const { source, target } of folder.redirects) {
      const address = [siteSpace.address, source].filter(Boolean).join('/');
      const resolved = site.links.redirectTarget(target, folder);
      if (resolved?.kind === 'external') add(address, resolved.url);
      if (resolved?.kind === 'page' && resolved.page.file !== null) add(address, resolved.page.file);
    }
  }
  return { site: docs.name, addresses: [...addresses.values()] };
}

/** The site in a folder. */
export class AddressedFolder implements AddressedSite {
  readonly name: string;
  readonly pages: ReadFolder['spaces'][number]['pages'];
  readonly site: SiteFolder;
  readonly #renames = new Renames();
  readonly #byOwn: ReadonlyMap<FolderPage, LinkedPage>;
  readonly #owns: ReadonlyMap<LinkedPage, FolderPage>;

  constructor({ docs, site, spaces }: ReadFolder) {
    this.name = docs.name;
    this.site = site;
    this.pages = spaces.flatMap(({ pages }) => pages);
    this.#byOwn = new Map(this.pages.map((page) => [page.own, page]));
    this.#owns = new Map(this.pages.map((page) => [page, page.own]));
  }

  find(address: string): LinkedPage | 'redirect' | undefined {
    const found = this.site.find(address);
    return found?.kind === 'page' ? this.#byOwn.get(found.page) : found?.kind;
  }

  addressOf(page: LinkedPage): string {
    const own = this.#owns.get(page);
    return own ? `/${this.site.addressOf(own)}` : '';
  }

  keyOf({ key }: LinkedPage): string {
    return key;
  }

  async pageNow(file: string): Promise<LinkedPage | undefined> {
    const { disk } = this.site;
    const own = this.site.spaceOf(file)?.pageOfFile(file);
    if (own) return this.#byOwn.get(own);
    const now = await this.#renames.follow(join(disk.path, file));
    const path = now === undefined ? undefined : relative(disk.path, now).replaceAll('\\', '/');
    const page = path === undefined ? undefined : this.site.spaceOf(path)?.pageOfFile(path);
    return page && this.#byOwn.get(page);
  }

  placeOf(address: string): Place {
    const place = spacesAt<SiteSpace>(this.site.spaces, address)[0];
    const space = place && this.site.folderOf(place[0]);
    const file = space?.redirectsFile || [space?.directory, '.gitbook.yaml'].filter(Boolean).join('/');
    return { file: this.#nameOf(file) };
  }

  /** Redirects to addresses that are redirected, those that lead nowhere because of it, and those that hide a page. */
  redirectProblems(): ProposedRedirect[] {
    return this.site.spaces.flatMap((siteSpace) => {
      const space = this.site.folderOf(siteSpace);
      const targets = new Map(space.redirects.map(({ source, target }) => [source, target]));
      const loops = loopsIn(targets);
      return space.redirects.flatMap(({ source, target, line }): ProposedRedirect[] => {
        const address = [siteSpace.address, source].filter(Boolean).join('/');
        const place = { file: this.#nameOf(space.redirectsFile), line };
        const hidden = { rule: 'redirect-hides-page', level: 'error', message: hiddenMessage(source) } as const;
        const isPage = space.pageAt(sourceOf(target)) || this.#isFile(target, space);
        const chain = isPage ? undefined : chainProblem(source, targets, loops);
        return [
          ...(space.pageAt(source)
            ? [{ finding: { ...place, ...hidden, url: `/${address}` }, address, target: undefined }]
            : []),
          ...(chain ? [{ finding: { ...place, ...chain }, address, target: null }] : []),
        ];
      });
    });
  }

  /** The redirect as its settings file has it. */
  redirectOf({ address, target }: ProposedRedirect): FolderRedirect | undefined {
    const place = spacesAt<SiteSpace>(this.site.spaces, address)[0];
    if (!place || target === null) return undefined;
    const [space, source] = [this.site.folderOf(place[0]), place[1]];
    if (target === undefined || typeof target === 'string') return { space, source, target };
    const file = this.#owns.get(target)?.file;
    return file ? { space, source, target: posix.relative(space.root, file) } : undefined;
  }

  #isFile(target: string, space: SpaceFolder): boolean {
    const path = [space.root, sourceOf(target)].filter(Boolean).join('/');
    return space.pageOfFile(path) !== undefined;
  }

  #nameOf(file: string): string {
    return relative(process.cwd(), join(this.site.disk.path, file));
  }
}
