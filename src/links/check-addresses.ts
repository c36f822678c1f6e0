import { join, posix, relative } from 'node:path';
import { isAbsoluteAddress } from '../site/folder/folder-links.ts';
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
  /** A file from the root of the space, or another website; undefined to remove the redirect. */
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

/** Compares the addresses of a folder with those in a snapshot. */
export async function checkAddresses(folder: ReadFolder, snapshot: SiteAddresses): Promise<AddressCheck> {
  const check = new Check(folder);
  for (const published of snapshot.addresses) await check.address(published);
  check.chains();
  return { findings: check.findings, redirects: check.redirects, addresses: snapshot.addresses.length };
}

/** Where a redirect leads. */
interface Redirection {
  /** For the settings of a space. */
  target: (space: SpaceFolder) => string;
  destination: string;
}

class Check {
  readonly findings: LinkFinding[] = [];
  readonly redirects = new Map<LinkFinding, ProposedRedirect>();
  readonly #site: SiteFolder;
  readonly #renames = new Renames();
  readonly #pages: ReadFolder['spaces'][number]['pages'];
  readonly #byOwn: ReadonlyMap<FolderPage, ReadFolder['spaces'][number]['pages'][number]>;

  constructor({ site, spaces }: ReadFolder) {
    this.#site = site;
    this.#pages = spaces.flatMap(({ pages }) => pages);
    this.#byOwn = new Map(this.#pages.map((page) => [page.own, page]));
  }

  async address(published: PublishedAddress): Promise<void> {
    const { address, page: file } = published;
    const found = this.#site.find(address);
    if (found?.kind === 'page') return this.#page(published, found.page);
    if (found?.kind === 'redirect') return;
    const message = `/${address} was published and has neither a page nor a redirect.`;
    const problem = (hint: string) => ({ rule: 'lost-address', level: 'error', message: message + hint }) as const;
    if (isAbsoluteAddress(file)) {
      return this.#add(problem(` It led to ${file}.`), address, { target: () => file, destination: file });
    }
    const page = await this.#pageNow(file);
    if (page) return this.#add(problem(` Redirect it to ${this.#addressOf(page)}.`), address, this.#redirectTo(page));
    const near = samePlace(address, this.#pages);
    return this.#add(problem(near ? ` Did you mean ${this.#addressOf(near.own)}?` : ''), address);
  }

  /** Redirects to addresses that are redirected, and those that lead nowhere because of it. */
  chains(): void {
    for (const siteSpace of this.#site.spaces) {
      const space = this.#site.folderOf(siteSpace);
      const targets = new Map(space.redirects.map(({ source, target }) => [source, target]));
      const loops = loopsIn(targets);
      for (const { source, target, line } of space.redirects) {
        if (space.pageAt(source)) this.#hidden(siteSpace, source, line);
        const next = sourceOf(target);
        if (!targets.has(next) || space.pageAt(next) || this.#isFile(target, space)) continue;
        const isLoop = loops.has(source);
        const rule = isLoop ? 'redirect-loop' : 'redirect-chain';
        const message = isLoop
          ? `The redirect of ${source} leads back to itself.`
          : `The redirect of ${source} leads to another redirect, of ${next} to ${targets.get(next)}. Redirect ${source} there.`;
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
        const message = `/${address} now shows ${page.file ?? page.title}. The page that was published there has moved to ${this.#addressOf(moved)}.`;
        this.#add({ rule: 'reused-address', level: 'warning', message }, address);
        return;
      }
    }
    if (anchors.length === 0) return;
    const linked = this.#byOwn.get(page);
    const present = (await linked?.space.anchorsOf(linked)) ?? new Set();
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

  #addressOf(page: FolderPage): string {
    return `/${this.#site.addressOf(page)}`;
  }

  #redirectTo(page: FolderPage): Redirection | undefined {
    const { file } = page;
    if (file === null) return undefined;
    return { target: ({ root }) => posix.relative(root, file), destination: this.#addressOf(page) };
  }

  #add(problem: Pick<LinkFinding, 'rule' | 'level' | 'message'>, address: string, to?: Redirection): void {
    const place = spacesAt<SiteSpace>(this.#site.spaces, address)[0];
    const space = place && this.#site.folderOf(place[0]);
    const file = this.#nameOf(space?.redirectsFile || [space?.directory, '.gitbook.yaml'].filter(Boolean).join('/'));
    const finding: LinkFinding = { file, ...problem, url: `/${address}` };
    this.findings.push(finding);
    if (!to || !place || !space) return;
    const { destination, target } = to;
    Object.assign(finding, { target: destination, certain: true });
    this.redirects.set(finding, {
      space,
      source: place[1],
      target: target(space),
      address: `/${address}`,
      destination,
    });
  }

  #nameOf(file: string): string {
    return relative(process.cwd(), join(this.#site.disk.path, file));
  }
}

/** The address that the target of a redirect names. */
const sourceOf = (target: string): string => target.replace(/^\/+/, '').replace(/[?#].*$/s, '');

/** The sources of redirects that lead back to themselves. */
function loopsIn(targets: ReadonlyMap<string, string>): ReadonlySet<string> {
  const visited = new Set<string>();
  const loops = new Set<string>();
  for (const source of targets.keys()) {
    const path: string[] = [];
    let next = source;
    for (; targets.has(next) && !visited.has(next); next = sourceOf(targets.get(next) ?? '')) {
      visited.add(next);
      path.push(next);
    }
    const start = path.indexOf(next);
    if (start >= 0) for (const each of path.slice(start)) loops.add(each);
  }
  return loops;
}
