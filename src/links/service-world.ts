import GithubSlugger from 'github-slugger';
import { withoutEndSlashes } from '../client/address.ts';
import type { Client } from '../client/client.ts';
import { pagesById } from '../change-requests/compare-content.ts';
import { currentMain, readSides, type Side } from '../change-requests/read-sides.ts';
import { isMarkdown, isOwnFile, isSpaceFile } from '../content/folder/file-names.ts';
import { isSafeAddress } from '../content/html/safe-address.ts';
import { addressOf } from '../content/markdown/references.ts';
import { changeRequests } from '../contract/change-requests.ts';
import type { DocumentPage } from '../contract/pages.ts';
import { sites } from '../contract/sites.ts';
import { spaces } from '../contract/spaces.ts';
import { eachOf } from '../shared/each-of.ts';
import { isHiddenSpace } from '../shared/state-title.ts';
import { trimSlashes } from '../shared/trim-slashes.ts';
import { idsIn } from '../site/folder/folder-pages.ts';
import { noSafeAddress } from '../site/folder/problem.ts';
import { readSite, RemoteFiles, type ServicePort } from '../site/service/open-remote.ts';
import { openContent, type RemoteContent } from '../site/service/remote-content.ts';
import { RemoteSpace } from '../site/service/remote-space.ts';
import { RemoteSpecs } from '../site/service/remote-specs.ts';
import { earlierRevisions } from './earlier-revisions.ts';
import { readFacts, type TextFacts, type TextLink } from './facts.ts';
import type { LinkedPage, LinkedSpace, LinkedText, LinkedWorld, LinkTarget, PublishedPlace } from './model.ts';
import { referenceTarget } from './reference-target.ts';

/** What reading an organization needs. */
export interface ReadPort extends ServicePort {
  signal: AbortSignal;
  progress: { say(text: string): void; count(done: number, total?: number): void };
}

const readers = 8;

/** Reads all spaces of an organization that the caller can see, and the sites that publish them. */
export async function readService(port: ReadPort, orgId: string): Promise<ServiceWorld> {
  const { client, progress } = port;
  const specs = new RemoteSpecs(client, orgId);
  const listed = await Array.fromAsync(client.items(spaces.list, { params: { orgId } }));
  const read: ServiceSpace[] = [];
  for (const { id, title } of listed.filter((space) => !isHiddenSpace(space))) {
    progress.say(`Reading ${title}`);
    read.push(await ServiceSpace.read(port, { id, title }, specs));
  }
  return { spaces: read, places: await readPlaces(port, orgId, read), isComplete: true };
}

/** Reads spaces whose content was read before. */
export async function worldOfSides(
  port: ReadPort,
  orgId: string,
  sides: readonly { space: { id: string; title: string }; side: Side }[],
): Promise<ServiceWorld> {
  const specs = new RemoteSpecs(port.client, orgId);
  const read: ServiceSpace[] = [];
  for (const { space, side } of sides) read.push(await ServiceSpace.read(port, space, specs, side));
  return { spaces: read, places: await readPlaces(port, orgId, read), isComplete: true };
}

/** Where published sites have these spaces. */
async function readPlaces(port: ReadPort, orgId: string, read: readonly ServiceSpace[]): Promise<PublishedPlace[]> {
  const byId = new Map(read.map((space) => [space.id, space]));
  const places: PublishedPlace[] = [];
  for await (const { id, published, visibility, urls } of port.client.items(sites.list, { params: { orgId } })) {
    if (!published || urls.published === undefined) continue;
    const isPublic = visibility === 'public' || visibility === 'unlisted';
    const site = { id, url: withoutEndSlashes(urls.published) };
    const { places: all } = await readSite(port, { orgId, siteId: id });
    for (const { siteSpace, address } of all) {
      const space = byId.get(siteSpace.space.id);
      const { published: url } = siteSpace.urls;
      if (space && url !== undefined) places.push({ url: withoutEndSlashes(url), space, isPublic, site, address });
    }
  }
  return places;
}

/** Where the space of a change request is published, with the main content that it started from and with its own. */
export async function readRequestPlaces(
  port: ReadPort,
  spaceId: string,
  changeRequestId: string,
): Promise<{ before: PublishedPlace[]; after: PublishedPlace[] }> {
  const { client } = port;
  const space = await client.call(spaces.view, { params: { spaceId } });
  const request = await client.call(changeRequests.view, { params: { spaceId: space.id, changeRequestId } });
  const specs = new RemoteSpecs(client, space.organization);
  const sides = await readSides(client, space.id, request);
  const before = await ServiceSpace.read(port, space, specs, sides.before);
  const after = await ServiceSpace.read(port, space, specs, sides.after);
  const places = await readPlaces(port, space.organization, [before]);
  return { before: places, after: places.map((place) => ({ ...place, space: after })) };
}

export interface ServiceWorld extends LinkedWorld {
  spaces: readonly ServiceSpace[];
}

interface ServicePage extends LinkedPage {
  own: DocumentPage;
}

/** The main content of a space of the service. */
export class ServiceSpace implements LinkedSpace {
  readonly name: string;
  readonly id: string;
  readonly pages: ServicePage[] = [];
  readonly texts: LinkedText[] = [];
  readonly #content: RemoteContent;
  readonly #remote: RemoteSpace;
  readonly #byId = new Map<string, ServicePage>();
  readonly #byPath = new Map<string, ServicePage>();
  readonly #included = new Map<string, LinkedText>();
  readonly #textsOfPages = new Map<string, LinkedText>();
  readonly #anchors = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #client: Client;
  #formerPaths: Promise<ReadonlyMap<string, string>> | undefined;

  private constructor({ id, title }: { id: string; title: string }, content: RemoteContent, client: Client) {
    this.#client = client;
    this.id = id;
    this.name = title;
    this.#content = content;
    this.#remote = new RemoteSpace(content, { address: '', elsewhere: () => undefined });
    for (const { page: own } of this.#remote.placed.values()) {
      if (own.type !== 'document') continue;
      const address = own === this.#remote.first ? '' : own.path;
      const { id: key, title: name, path, updatedAt } = own;
      const page = { space: this, key, title: name, path, address, updatedAt, own };
      this.pages.push(page);
      this.#byId.set(own.id, page);
      this.#byPath.set(own.path, page).set(address, page);
    }
  }

  /** @param content main content, or that of a change request */
  static async read(
    port: ReadPort,
    space: { id: string; title: string },
    specs: RemoteSpecs,
    content?: Side,
  ): Promise<ServiceSpace> {
    const side = content ?? (await currentMain(port.client, space.id));
    const files = new RemoteFiles(port.download);
    files.add(side.revision.files);
    const opened = await openContent(side, { specs, bytesOf: (id) => files.bytesOf(id) });
    const read = new ServiceSpace(space, opened, port.client);
    await read.#readTexts(port);
    return read;
  }

  /** The content as it was read. */
  get side(): Side {
    return this.#content.side;
  }

  /** Files that pages can use. */
  get files(): { id: string; name: string; size: number }[] {
    return this.side.revision.files.filter(({ name }) => !isOwnFile(name) && !isMarkdown(name));
  }

  resolve(link: TextLink, text: LinkedText): LinkTarget {
    const { url } = link;
    if (!isSafeAddress(url)) return { kind: 'missing', reason: noSafeAddress };
    const target = this.#content.links.resolve(url, text.page?.key ?? '');
    switch (target.kind) {
      case 'page': {
        const page = this.#byId.get(target.page);
        return page ? { kind: 'page', page, anchor: target.anchor ?? '' } : { kind: 'missing', reason: missing };
      }
      case 'anchor':
        return text.page ? { kind: 'page', page: text.page, anchor: target.anchor } : { kind: 'unchecked' };
      case 'file': {
        if (link.tag !== 'include') return target;
        const included = this.#included.get(target.file);
        return included ? { kind: 'include', text: included } : { kind: 'missing', reason: 'is not a Markdown file' };
      }
      case 'external':
        return target;
      case 'reference':
        return this.#reference(url);
      case 'missing':
        return { kind: 'missing', reason: missing };
    }
  }

  pageAt(path: string): LinkedPage | undefined {
    return this.#byPath.get(path);
  }

  pageOf(id: string): LinkedPage | undefined {
    return this.#byId.get(id);
  }

  anchorsOf({ key }: LinkedPage): Promise<ReadonlySet<string>> {
    const anchors = this.#anchors.get(key) ?? this.#readAnchors(key);
    this.#anchors.set(key, anchors);
    return anchors;
  }

  addressFor({ key }: LinkedPage): string {
    return `/pages/${key}`;
  }

  // Links to pages have their IDs, which renames do not change.
  async moved(): Promise<undefined> {}

  async movedPage(path: string): Promise<LinkedPage | undefined> {
    const id = (await (this.#formerPaths ??= this.#readFormerPaths())).get(path);
    return id === undefined ? undefined : this.#byId.get(id);
  }

  problems(): [] {
    return [];
  }

  #reference(url: string): LinkTarget {
    const target = referenceTarget(url);
    if (target?.kind !== 'reference' || target.space !== '') return target ?? { kind: 'unchecked' };
    return { kind: 'missing', reason: missing };
  }

  /** IDs of pages by the paths that they had in earlier revisions; the last page of a path wins. */
  async #readFormerPaths(): Promise<ReadonlyMap<string, string>> {
    const ids = new Map<string, string>();
    for await (const { revision } of earlierRevisions(this.#client, this.id, this.side.revision)) {
      for (const { page } of pagesById(revision.pages).values()) {
        if ('path' in page && !ids.has(page.path)) ids.set(page.path, page.id);
      }
    }
    return ids;
  }

  async #readTexts({ signal, progress }: ReadPort): Promise<void> {
    const texts = new Map<string, string>();
    const read = async (page: ServicePage) => {
      signal.throwIfAborted();
      texts.set(page.key, await this.#remote.textOf(page.own));
      progress.count(texts.size, this.pages.length);
    };
    await eachOf(this.pages, read, readers);
    for (const page of this.pages) {
      // Pages of an API reference are generated.
      if (this.#remote.references.has(page.key)) continue;
      const text = this.#addText(texts.get(page.key) ?? '', { key: page.key, name: page.path, kind: 'page', page });
      this.#textsOfPages.set(page.key, text);
    }
    this.#addContents();
    await this.#readIncludes();
  }

  async #readIncludes(): Promise<void> {
    const { files } = this.side.revision;
    const waiting = files.flatMap(({ id, name }) => (isSpaceFile(name) && isMarkdown(name) ? [id] : []));
    const names = new Map(files.map(({ id, name }) => [id, name]));
    for (const text of this.texts) {
      // Other texts need not be parsed yet.
      for (const link of text.source().includes('include') ? text.facts().links : []) {
        const target = link.tag === 'include' ? this.#content.links.resolve(link.url, text.page?.key ?? '') : undefined;
        if (target?.kind === 'file') waiting.push(target.file);
      }
      // Included texts are added while this loop runs, and may include others.
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        const name = names.get(id);
        if (name === undefined || this.#included.has(id) || !isMarkdown(name)) continue;
        const markdown = (await this.#content.fileText(id)) ?? '';
        this.#included.set(id, this.#addText(markdown, { key: id, name, kind: 'include' }));
      }
    }
  }

  /** The links in the table of contents. */
  #addContents(): void {
    const links: TextLink[] = [];
    for (const { page } of this.#remote.placed.values()) {
      if (page.type !== 'link') continue;
      const url = page.href ?? addressOf(page.target);
      links.push({ url, kind: 'link', offset: links.length, line: links.length + 1, column: 1 });
    }
    const facts = { links, anchors: [], isExact: true };
    this.texts.push({
      space: this,
      key: '',
      kind: 'contents',
      place: { subject: `${this.name}: table of contents` },
      facts: () => facts,
      source: () => '',
    });
  }

  #addText(
    markdown: string,
    { name, ...rest }: { key: string; name: string; kind: LinkedText['kind']; page?: LinkedPage },
  ): LinkedText {
    let facts: TextFacts | undefined;
    const place = { subject: `${this.name}: ${trimSlashes(name)}` };
    const text = { space: this, place, facts: () => (facts ??= readFacts(markdown)), source: () => markdown, ...rest };
    this.texts.push(text);
    return text;
  }

  async #readAnchors(key: string): Promise<ReadonlySet<string>> {
    const page = this.#byId.get(key);
    if (!page) return new Set();
    const facts = this.#textsOfPages.get(key)?.facts();
    if (facts?.isExact) return new Set([new GithubSlugger().slug(page.title), ...facts.anchors]);
    return idsIn(await this.#remote.render(page.own), page.title);
  }
}

const missing = 'does not lead to a page or file of the space';
