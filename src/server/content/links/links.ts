import type { PageRow } from '../../../store/content.ts';
import { findPage } from '../../../store/content.ts';
import { documentsLinking, type LinkRow, linksOf } from '../../../store/documents.ts';
import { allFiles, type FileRow } from '../../../store/files.ts';
import { findCollection, findMember, findSpace, findUser, lookup } from '../../../store/lookups.ts';
import { asking } from '../spaces/placement.ts';
import type { Scope } from '../../engine/context.ts';
import { levelOn } from '../../organizations/levels.ts';
import { linkKeyOfName } from './link-keys.ts';
import { type LinkedContent, LocalLinks, type LocalTarget } from './local-links.ts';
import type { Outline } from '../pages/outline.ts';
import type { Key } from '../../engine/paging.ts';
import { type Content, mainContent, outlineAt } from '../find-content.ts';
import type { Target } from './references.ts';

export type LinkStatus = 'ok' | 'broken' | 'in-app';

/** What the links of a content's texts can lead to within it. */
export const linkedContent = (outline: Outline, files: readonly FileRow[]): LinkedContent => ({
  pages: outline.rows.filter((row) => row.slug !== '').map(({ page }) => ({ id: page, path: outline.pathOf(page) })),
  files: files.map(({ file, name }) => ({ id: file, name })),
});

/** What became of one address: `key` is the same for all addresses that lead to the same. */
interface Resolved {
  status: LinkStatus;
  key: string;
  target?: Target;
}

type Outside = Extract<LocalTarget, { kind: 'reference' }>['reference'];

const specOf = lookup('openapi_spec', 'organization', 'slug');

/** Finds what the links of a content lead to. */
export class Resolver {
  readonly #scope: Scope;
  readonly content: Content;
  readonly outline: Outline;
  readonly #local: LocalLinks;
  readonly #files: Map<string, FileRow>;
  readonly #elsewhere = new Map<string, Promise<Resolved>>();

  private constructor(scope: Scope, content: Content, outline: Outline, files: FileRow[]) {
    this.#scope = scope;
    this.content = content;
    this.outline = outline;
    this.#local = new LocalLinks(linkedContent(outline, files));
    this.#files = new Map(files.map((file) => [file.file, file]));
  }

  static async over(scope: Scope, content: Content): Promise<Resolver> {
    const { db } = scope;
    return new Resolver(scope, content, await outlineAt(db, content.at), await allFiles(db, content.at));
  }

  /** @param url as it stands in the text of `page` */
  async resolve(page: PageRow, url: string): Promise<Resolved> {
    const found = this.#local.resolve(url, page.page);
    switch (found.kind) {
      case 'external': {
        const { base } = this.#scope;
        const inside = url === base || url.startsWith(`${base}/`);
        return { status: inside ? 'in-app' : 'ok', key: `url ${url}`, target: { kind: 'url', url } };
      }
      case 'page':
        return this.#toPage(this.outline.find(found.page)!, found.anchor);
      case 'anchor':
        return this.#toPage(page, found.anchor);
      case 'file':
        return this.#toFile(this.#files.get(found.file)!);
      case 'reference':
        return this.#byReference(url, found.reference);
      case 'missing':
        return broken(url);
    }
  }

  #toPage(page: PageRow, anchor?: string): Resolved {
    const key = `page ${page.page}${anchor === undefined ? '' : `#${anchor}`}`;
    return { status: 'ok', key, target: { kind: 'page', content: this.content, page, anchor } };
  }

  #toFile(file: FileRow): Resolved {
    return { status: 'ok', key: `file ${file.file}`, target: { kind: 'file', content: this.content, file } };
  }

  #byReference(url: string, reference: Outside): Promise<Resolved> | Resolved {
    const page = reference.kind === 'page' || reference.kind === 'anchor' ? reference.page : undefined;
    if (page === undefined || !('space' in reference) || reference.space !== this.content.space.id) {
      return this.#outside(url, reference);
    }
    const own = this.outline.find(page);
    return own ? this.#toPage(own, reference.kind === 'anchor' ? reference.anchor : undefined) : broken(url);
  }

  #outside(url: string, reference: Outside): Promise<Resolved> {
    let known = this.#elsewhere.get(url);
    if (!known) this.#elsewhere.set(url, (known = this.#lookUp(url, reference)));
    return known;
  }

  /** What is there but not the caller's to see is no broken link: it only is not shown. */
  async #lookUp(url: string, reference: Outside): Promise<Resolved> {
    const { db, caller, base } = this.#scope;
    const { org } = this.content;
    const found = (target?: Target): Resolved => ({ status: 'ok', key: `url ${url}`, ...(target ? { target } : {}) });
    switch (reference.kind) {
      case 'user': {
        const member = await findMember(db, org.id, reference.user);
        const user = member && (await findUser(db, reference.user));
        return user ? found({ kind: 'user', user }) : broken(url);
      }
      case 'collection': {
        const collection = await findCollection(db, reference.collection);
        if (collection?.organization !== org.id) return broken(url);
        const level = await levelOn(db, asking(org, caller.id), 'collection', collection);
        return found(level === null ? undefined : { kind: 'collection', collection: { ...collection, level } });
      }
      case 'openapi': {
        const spec = await specOf(db, org.id, reference.spec);
        return spec ? found({ kind: 'openapi', spec }) : broken(url);
      }
      case 'space':
      case 'page':
      case 'anchor': {
        const row = reference.space === undefined ? undefined : await findSpace(db, reference.space);
        if (row?.organization !== org.id || row.deleted_at !== null) return broken(url);
        const level = await levelOn(db, asking(org, caller.id), 'space', row);
        const id = reference.kind === 'space' ? undefined : reference.page;
        if (id === undefined) return found(level === null ? undefined : { kind: 'space', space: { ...row, level } });
        const content = await mainContent({ db, base, at: { org, space: { ...row, level: level ?? 'read' } } });
        const page = await findPage(db, content.at, id);
        if (!page) return broken(url);
        const anchor = reference.kind === 'anchor' ? reference.anchor : undefined;
        return found(level === null ? undefined : { kind: 'page', content, page, anchor });
      }
      default:
        return broken(url);
    }
  }
}

/** A broken link shows the address as it is written: there is nothing else to find it by. */
const broken = (url: string): Resolved => ({
  status: 'broken',
  key: `broken ${url}`,
  target: { kind: 'url', url },
});

interface Place {
  page: PageRow;
  url: string;
  node: string;
}

/** Links that lead to the same in the same way. */
export interface Link extends Omit<Resolved, 'key'> {
  relation: 'reference' | 'dependsOn';
  places: Place[];
  /** Where it comes first, for paging. */
  key: Key;
}

/** The links of these pages, in the order in which they first occur. */
export async function linksIn(scope: Scope, resolver: Resolver, pages: readonly PageRow[]): Promise<Link[]> {
  const rows = await rowsOf(scope, pages);
  const links = new Map<string, Link>();
  for (const page of pages) {
    for (const row of rows.get(page.document!) ?? []) {
      const { key, ...resolved } = await resolver.resolve(page, row.url);
      // A page without a picture it shows is not whole; without what it links to it is.
      const relation = row.kind === 'image' && resolved.target?.kind === 'file' ? 'dependsOn' : 'reference';
      const place = { page, url: row.url, node: row.node };
      const known = links.get(`${relation} ${key}`);
      if (known) known.places.push(place);
      else {
        const order: Key = [resolver.outline.orderOf(page.page), row.position];
        links.set(`${relation} ${key}`, { ...resolved, relation, places: [place], key: order });
      }
    }
  }
  return [...links.values()];
}

const rowsOf = (scope: Scope, pages: readonly PageRow[]): Promise<Map<string, LinkRow[]>> =>
  linksOf(scope.db, [...new Set(pages.flatMap(({ document }) => document ?? []))]);

/**
 * Which of a request's broken links are broken by the request: those that main content, as the request knows it, does
 * not have, or not broken.
 */
export async function brokenByRequest(scope: Scope, content: Content, links: Link[]): Promise<Set<Link>> {
  const broken = links.filter((link) => link.status === 'broken');
  if (broken.length === 0) return new Set();
  const before = { ...content, at: { ...content.at, line: '', own: 0 } };
  const resolver = await Resolver.over(scope, before);
  const pages = [...new Set(broken.flatMap((link) => link.places.map(({ page }) => page.page)))];
  const rows = pages.flatMap((page) => resolver.outline.find(page) ?? []);
  const brokenBefore = new Set<string>();
  for (const link of await linksIn(scope, resolver, rows)) {
    if (link.status !== 'broken') continue;
    for (const { page, url } of link.places) brokenBefore.add(`${page.page} ${url}`);
  }
  return new Set(
    broken.filter((link) => link.places.some(({ page, url }) => !brokenBefore.has(`${page.page} ${url}`))),
  );
}

/** The pages with a link to a page or file, in page order. */
export async function pagesUsing(
  scope: Scope,
  content: Content,
  target: { page: PageRow } | { file: FileRow },
): Promise<{ page: PageRow; key: Key }[]> {
  const { db } = scope;
  const endings = ('page' in target ? [target.page.page, target.page.slug] : [target.file.file, target.file.name]).map(
    linkKeyOfName,
  );
  const documents = await documentsLinking(db, [...endings, '']);
  const resolver = await Resolver.over(scope, content);
  const candidates = resolver.outline.rows.filter((row) => row.document !== null && documents.has(row.document));
  const rows = await rowsOf(scope, candidates);
  const wanted = 'page' in target ? `page ${target.page.page}` : `file ${target.file.file}`;
  const users: { page: PageRow; key: Key }[] = [];
  for (const page of candidates) {
    if ('page' in target && page.page === target.page.page) continue;
    for (const { url, ending } of rows.get(page.document!) ?? []) {
      if (ending !== '' && !endings.includes(ending)) continue;
      const { key } = await resolver.resolve(page, url);
      if (key !== wanted && !key.startsWith(`${wanted}#`)) continue;
      users.push({ page, key: [resolver.outline.orderOf(page.page)] });
      break;
    }
  }
  return users;
}
