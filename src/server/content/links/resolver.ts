import type { PageRow } from '../../../store/content.ts';
import { findPage } from '../../../store/content.ts';
import { allFiles, type FileRow } from '../../../store/files.ts';
import { findCollection, findMember, findSpace, findUser, lookup } from '../../../store/lookups.ts';
import type { Scope } from '../../engine/context.ts';
import { levelOn } from '../../organizations/levels.ts';
import { viewerIn } from '../../organizations/viewer.ts';
import { type Content, mainContent, outlineAt } from '../find-content.ts';
import type { Outline } from '../pages/outline.ts';
import { linkedContent } from './linked-content.ts';
import { type LinkedContent, ContentLinks, type ContentTarget } from '../../../content/markdown/content-links.ts';
import type { Target } from './references.ts';

export type LinkStatus = 'ok' | 'broken' | 'in-app';

/** Where an address leads. `key` is the same for all addresses that lead to the same. */
export interface Resolved {
  status: LinkStatus;
  key: string;
  target?: Target | undefined;
}

type Reference = Extract<ContentTarget, { kind: 'reference' }>['reference'];
type SpaceReference = Extract<Reference, { kind: 'space' | 'page' | 'anchor' }>;

const findSpec = lookup('openapi_spec', 'organization', 'slug');

/** A broken link shows the address as it is written: nothing else is known of it. */
const broken = (url: string): Resolved => ({ status: 'broken', key: `broken ${url}`, target: { kind: 'url', url } });

const resolvedFrom = (url: string, target?: Target): Resolved => ({ status: 'ok', key: `url ${url}`, target });

/** Finds what the links of a content lead to. */
export class Resolver {
  readonly #scope: Scope;
  readonly content: Content;
  readonly outline: Outline;
  readonly #localLinks: ContentLinks;
  readonly #files: Map<string, FileRow>;
  /** References to other contents and objects, by address. */
  readonly #references = new Map<string, Promise<Resolved>>();

  private constructor(scope: Scope, content: Content, outline: Outline, files: FileRow[], linked: LinkedContent) {
    this.#scope = scope;
    this.content = content;
    this.outline = outline;
    this.#localLinks = new ContentLinks(linked);
    this.#files = new Map(files.map((file) => [file.file, file]));
  }

  static async over(scope: Scope, content: Content): Promise<Resolver> {
    const { db } = scope;
    const outline = await outlineAt(db, content.snapshot);
    const files = await allFiles(db, content.snapshot);
    return new Resolver(scope, content, outline, files, await linkedContent(db, outline, files));
  }

  /** @param url as it is written in the text of `page` */
  async resolve(page: PageRow, url: string): Promise<Resolved> {
    const local = this.#localLinks.resolve(url, page.page);
    switch (local.kind) {
      case 'external': {
        const { base } = this.#scope;
        const isInApp = url === base || url.startsWith(`${base}/`);
        return { ...resolvedFrom(url, { kind: 'url', url }), status: isInApp ? 'in-app' : 'ok' };
      }
      case 'page':
        return this.#toPage(url, this.outline.find(local.page), local.anchor);
      case 'anchor':
        return this.#toPage(url, page, local.anchor);
      case 'file':
        return this.#toFile(url, this.#files.get(local.file));
      case 'reference':
        return this.#byReference(url, local.reference);
      case 'missing':
        return broken(url);
    }
  }

  #toPage(url: string, page: PageRow | undefined, anchor?: string): Resolved {
    if (!page) return broken(url);
    const key = `page ${page.page}${anchor === undefined ? '' : `#${anchor}`}`;
    return { status: 'ok', key, target: { kind: 'page', content: this.content, page, anchor } };
  }

  #toFile(url: string, file: FileRow | undefined): Resolved {
    if (!file) return broken(url);
    return { status: 'ok', key: `file ${file.file}`, target: { kind: 'file', content: this.content, file } };
  }

  #byReference(url: string, reference: Reference): Promise<Resolved> | Resolved {
    if (reference.kind === 'page' || reference.kind === 'anchor') {
      const { page, space } = reference;
      if (page !== undefined && space === this.content.space.id)
        return this.#toPage(url, this.outline.find(page), anchorOf(reference));
    }
    let resolved = this.#references.get(url);
    if (!resolved) this.#references.set(url, (resolved = this.#lookUp(url, reference)));
    return resolved;
  }

  /** A link to what exists but is invisible to the caller is not broken: it only has no target. */
  async #lookUp(url: string, reference: Reference): Promise<Resolved> {
    const { db, caller } = this.#scope;
    const { org } = this.content;
    switch (reference.kind) {
      case 'user': {
        const member = await findMember(db, org.id, reference.user);
        const user = member && (await findUser(db, reference.user));
        return user ? resolvedFrom(url, { kind: 'user', user }) : broken(url);
      }
      case 'collection': {
        const row = await findCollection(db, reference.collection);
        if (row?.organization !== org.id) return broken(url);
        const level = await levelOn(db, viewerIn(org, caller.id), 'collection', row);
        return resolvedFrom(url, level === null ? undefined : { kind: 'collection', collection: { ...row, level } });
      }
      case 'openapi': {
        const spec = await findSpec(db, org.id, reference.spec);
        return spec ? resolvedFrom(url, { kind: 'openapi', spec }) : broken(url);
      }
      case 'space':
      case 'page':
      case 'anchor':
        return this.#lookUpInSpace(url, reference);
      default:
        return broken(url);
    }
  }

  async #lookUpInSpace(url: string, reference: SpaceReference): Promise<Resolved> {
    const { db, caller, base } = this.#scope;
    const { org } = this.content;
    const row = reference.space === undefined ? undefined : await findSpace(db, reference.space);
    if (row?.organization !== org.id || row.deleted_at !== null) return broken(url);
    const level = await levelOn(db, viewerIn(org, caller.id), 'space', row);
    const pageId = reference.kind === 'space' ? undefined : reference.page;
    if (pageId === undefined)
      return resolvedFrom(url, level === null ? undefined : { kind: 'space', space: { ...row, level } });
    const content = await mainContent({ db, base, objects: { org, space: { ...row, level: level ?? 'read' } } });
    const page = await findPage(db, content.snapshot, pageId);
    if (!page) return broken(url);
    return resolvedFrom(url, level === null ? undefined : { kind: 'page', content, page, anchor: anchorOf(reference) });
  }
}

const anchorOf = (reference: SpaceReference) => (reference.kind === 'anchor' ? reference.anchor : undefined);
