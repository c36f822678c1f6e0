import { join, relative } from 'node:path';
import { parentPath } from '../content/markdown/links.ts';
import { spacesAt } from '../site/contents.ts';
import type { SiteFolder, SiteSpace } from '../site/folder/site-folder.ts';
import type { FolderPage, SpaceFolder } from '../site/folder/space-folder.ts';
import type { LinkFinding } from './findings.ts';
import type { ReadFolder } from './folder-world.ts';
import { samePlace } from './proposals.ts';
import { Renames } from './renames.ts';
import type { PublishedAddress, SiteAddresses } from './snapshot.ts';

/** The rules about addresses, with their descriptions. */
export const addressRules = {
  'lost-address': 'A published address that has neither a page nor a redirect.',
  'lost-anchor': 'A heading of a published page that no longer exists.',
  'reused-address': 'A published address that now has another page.',
  'redirect-chain': 'A redirect to an address that is redirected.',
  'redirect-loop': 'Redirects that lead to each other.',
} as const satisfies Record<string, string>;

/** A redirect that keeps an address alive. */
export interface ProposedRedirect {
  space: SpaceFolder;
  /** From the root of the space. */
  source: string;
  /** A file from the root of the space; undefined to remove the redirect. */
  target: string | undefined;
  /** Both from the root of the site. */
  address: string;
  destination: string;
}

export interface AddressCheck {
  findings: LinkFinding[];
  /** By their findings. */
  redirects: Map<LinkFinding, ProposedRedirect>;
  /** How many addresses were checked. */
  addresses: number;
}

/** All addresses of the site in a folder, with their anchors. Redirected addresses are published, too. */
export async function addressesOf({ docs, site, spaces }: ReadFolder): Promise<SiteAddresses> {
  const addresses = new Map<string, PublishedAddress>();
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
      const page = site.links.redirectTarget(target, folder);
      if (page?.kind !== 'page' || page.page.file === null || addresses.has(address)) continue;
      addresses.set(address, { address, page: page.page.file, anchors: [] });
    }
  }
  return { site: docs.name, addresses: [...addresses.values()] };
}

/** Compares the addresses of a folder with those in a snapshot. */
export async function checkAddresses(folder: ReadFolder, snapshot: SiteAddresses): Promise<AddressCheck> {
  const check = new Check(folder);
  for (const published of snapshot.addresses) await check.address(published);
  check.chains();
  return { findings: check.findings, redirects: check.redirects, addresses: snapshot.addresses.length };
}

class Check {
  readonly findings: LinkFinding[] = [];
  readonly redirects = new Map<LinkFinding, ProposedRedirect>();
  readonly #folder: ReadFolder;
  readonly #site: SiteFolder;
  readonly #renames = new Renames();

  constructor(folder: ReadFolder) {
    this.#folder = folder;
    this.#site = folder.site;
  }

  async address(published: PublishedAddress): Promise<void> {
    const { address, page: file } = published;
    const found = this.#site.find(address);
    if (found?.kind === 'page') return this.#page(published, found.page);
    if (found?.kind === 'redirect') return;
    const page = await this.#pageNow(file);
    const near = page
      ? undefined
      : samePlace(
          address,
          this.#folder.spaces.flatMap(({ pages }) => pages),
        );
    const addressIn = (own: FolderPage) => `/${this.#site.addressOf(own)}`;
    const own = this.#folder.spaces.flatMap(({ pages }) => pages).find((each) => each === near)?.own;
    const hint = page ? ` Redirect it to ${addressIn(page)}.` : own ? ` Did you mean ${addressIn(own)}?` : '';
    const message = `/${address} was published and has neither a page nor a redirect.${hint}`;
    this.#add({ rule: 'lost-address', level: 'error', message }, address, page);
  }

  /** Redirects to addresses that are redirected, and those that lead nowhere because of it. */
  chains(): void {
    for (const siteSpace of this.#site.spaces) {
      const space = this.#site.folderOf(siteSpace);
      const targets = new Map(space.redirects.map(({ source, target }) => [source, target]));
      for (const { source, target, line } of space.redirects) {
        if (space.pageAt(source)) this.#hidden(siteSpace, source, line);
        const next = sourceOf(target);
        if (!targets.has(next) || space.pageAt(next) || this.#isFile(target, space)) continue;
        const isLoop = isInLoop(source, targets);
        const rule = isLoop ? 'redirect-loop' : 'redirect-chain';
        const message = isLoop
          ? `The redirect of ${source} leads back to itself.`
          : `The redirect of ${source} leads to ${next}, which is redirected to ${targets.get(next)}.`;
        const file = this.#nameOf(space.redirectsFile);
        this.findings.push({ file, line, rule, level: isLoop ? 'error' : 'warning', message });
      }
    }
  }

  #hidden(siteSpace: SiteSpace, source: string, line: number): void {
    const space = this.#site.folderOf(siteSpace);
    const address = `/${[siteSpace.address, source].filter(Boolean).join('/')}`;
    const message = `The redirect of ${source} hides a page. Remove it.`;
    const file = this.#nameOf(space.redirectsFile);
    const finding: LinkFinding = { file, line, rule: 'redirect-hides-page', level: 'error', message, url: address };
    this.findings.push(finding);
    this.redirects.set(finding, { space, source, target: undefined, address, destination: address });
  }

  #isFile(target: string, space: SpaceFolder): boolean {
    const path = [space.root, sourceOf(target)].filter(Boolean).join('/');
    return space.pageOfFile(path) !== undefined;
  }

  async #page({ address, page: file, anchors }: PublishedAddress, page: FolderPage): Promise<void> {
    if (page.file !== file) {
      const moved = await this.#pageNow(file);
      if (moved && moved !== page) {
        const message = `/${address} was ${file} and is now ${page.file ?? page.title}; ${moved.file ?? file} is at /${this.#site.addressOf(moved)}.`;
        this.#add({ rule: 'reused-address', level: 'warning', message }, address);
        return;
      }
    }
    if (anchors.length === 0) return;
    const space = this.#folder.spaces.find(({ pages }) => pages.some(({ own }) => own === page));
    const linked = space?.pages.find(({ own }) => own === page);
    const present = space && linked ? await space.anchorsOf(linked) : new Set<string>();
    for (const anchor of anchors) {
      if (present.has(anchor)) continue;
      const message = `/${address}#${anchor} was published, and the page has no such heading now.`;
      this.#add({ rule: 'lost-anchor', level: 'warning', message }, address);
    }
  }

  /** The page that a published file is now. */
  async #pageNow(file: string): Promise<FolderPage | undefined> {
    const { disk } = this.#site;
    const own = this.#site.spaceOf(file)?.pageOfFile(file);
    if (own) return own;
    const now = await this.#renames.follow(join(disk.path, file));
    const path = now === undefined ? undefined : relative(disk.path, now).replaceAll('\\', '/');
    return path === undefined ? undefined : this.#site.spaceOf(path)?.pageOfFile(path);
  }

  #add(problem: Pick<LinkFinding, 'rule' | 'level' | 'message'>, address: string, page?: FolderPage): void {
    const place = spacesAt<SiteSpace>(this.#site.spaces, address)[0];
    const space = place && this.#site.folderOf(place[0]);
    const file = this.#nameOf(space?.redirectsFile || [space?.directory, '.gitbook.yaml'].filter(Boolean).join('/'));
    const finding: LinkFinding = { file, ...problem, url: `/${address}` };
    this.findings.push(finding);
    if (!page || !place || !space || page.file === null) return;
    const destination = `/${this.#site.addressOf(page)}`;
    Object.assign(finding, { target: destination, certain: true });
    const target = relativePath(space.root, page.file);
    this.redirects.set(finding, { space, source: place[1], target, address: `/${address}`, destination });
  }

  #nameOf(file: string): string {
    return relative(process.cwd(), join(this.#site.disk.path, file));
  }
}

/** The address that the target of a redirect names. */
const sourceOf = (target: string): string => target.replace(/^\/+/, '').replace(/[?#].*$/s, '');

function isInLoop(source: string, targets: ReadonlyMap<string, string>): boolean {
  const visited = new Set<string>();
  for (
    let next: string | undefined = source;
    next !== undefined;
    next = sourceOf(targets.get(next) ?? '') || undefined
  ) {
    if (visited.has(next)) return next === source;
    visited.add(next);
  }
  return false;
}

/** The path of a file from a folder. */
function relativePath(folder: string, file: string): string {
  const steps: string[] = [];
  for (let outer = folder; outer !== '' && !file.startsWith(`${outer}/`); outer = parentPath(outer)) steps.push('..');
  const inside = folder
    .split('/')
    .filter(Boolean)
    .slice(0, folder.split('/').filter(Boolean).length - steps.length);
  return [...steps, inside.length === 0 ? file : file.slice(inside.join('/').length + 1)].join('/');
}
