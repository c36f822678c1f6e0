import type { AnswerOf, ItemOf } from '../../../contract/endpoint.ts';
import type { content } from '../../../contract/content.ts';
import type { PageRow } from '../../../store/content.ts';
import type { FileRow } from '../../../store/files.ts';
import type { SpecRow } from '../../../store/openapi.ts';
import type { Row } from '../../../store/tables.ts';
import { presentChangeRequest } from '../change-requests/present-change-requests.ts';
import { presentCollection } from '../spaces/collections.ts';
import type { LoadedCollection, LoadedOrg, Scope, LoadedSpace } from '../../engine/context.ts';
import { presentSpec } from '../../openapi/openapi.ts';
import { presentOrganization } from '../../organizations/orgs.ts';
import { presentBarePage, presentFile } from '../pages/pages.ts';
import type { Content } from '../find-content.ts';
import { presentBareRevision } from '../read-content.ts';
import { presentSpace } from '../spaces/spaces.ts';
import { presentUser } from '../../organizations/users.ts';

type Reference = ItemOf<typeof content.pageLinks>['locationReferences'][number];
export type Backlink = ItemOf<typeof content.fileBacklinks>;
type VersionContext = NonNullable<Backlink['versionContext']>;

/** What a link leads to. */
export type Target =
  | { kind: 'url'; url: string }
  | { kind: 'page'; content: Content; page: PageRow; anchor?: string | undefined }
  | { kind: 'file'; content: Content; file: FileRow }
  | { kind: 'user'; user: Row<'user'> }
  | { kind: 'space'; space: LoadedSpace }
  | { kind: 'collection'; collection: LoadedCollection }
  | { kind: 'openapi'; spec: SpecRow };

interface InSpace {
  organization: Awaited<ReturnType<typeof presentOrganization>>;
  space: Awaited<ReturnType<typeof presentSpace>>;
  versionContext: VersionContext;
}

/** Presents references with the whole objects that they contain. Each object is presented once. */
export class References {
  readonly #scope: Scope;
  readonly #org: LoadedOrg;
  #organization: Promise<InSpace['organization']> | undefined;
  readonly #contents = new Map<Content, Promise<InSpace>>();
  readonly #pages = new Map<PageRow, ReturnType<typeof presentBarePage>>();

  constructor(scope: Scope, org: LoadedOrg) {
    this.#scope = scope;
    this.#org = org;
  }

  async present(target: Target): Promise<Reference> {
    const { base } = this.#scope;
    switch (target.kind) {
      case 'url':
        return target;
      case 'page':
        return {
          kind: 'page',
          ...(await this.#inSpace(target.content)),
          page: await this.#page(target.content, target.page),
          internalLocation: target.anchor === undefined ? undefined : { type: 'anchor', anchor: target.anchor },
        };
      case 'file':
        return { kind: 'file', ...(await this.#inSpace(target.content)), file: presentFile(base, target.file) };
      case 'user':
        return { kind: 'user', user: presentUser(base, target.user) };
      case 'space':
        return {
          kind: 'space',
          organization: await this.#presentOrganization(),
          space: await presentSpace(this.#scope, target.space),
        };
      case 'collection':
        return {
          kind: 'collection',
          organization: await this.#presentOrganization(),
          collection: presentCollection(base, target.collection),
        };
      case 'openapi':
        return {
          kind: 'openapi',
          organization: await this.#presentOrganization(),
          openAPISpec: presentSpec(base, this.#org, target.spec),
        };
    }
  }

  /** Where a link is: the page and the block of its text, `''` for the front matter. */
  async location(content: Content, page: PageRow, node: string): Promise<Reference> {
    return {
      kind: 'page',
      ...(await this.#inSpace(content)),
      page: await this.#page(content, page),
      ...(node !== '' && { internalLocation: { type: 'node' as const, node } }),
    };
  }

  /** A page with a link to another page, or to the file. */
  async backlink(content: Content, page: PageRow, file?: FileRow): Promise<Backlink> {
    return {
      kind: 'page',
      ...(await this.#inSpace(content)),
      page: await this.#page(content, page),
      file: file && presentFile(this.#scope.base, file),
    };
  }

  #presentOrganization() {
    return (this.#organization ??= presentOrganization(this.#scope, this.#org));
  }

  #inSpace(content: Content): Promise<InSpace> {
    let presented = this.#contents.get(content);
    if (!presented) this.#contents.set(content, (presented = this.#presentSpace(content)));
    return presented;
  }

  async #presentSpace(content: Content): Promise<InSpace> {
    const { space, changeRequest } = content;
    return {
      organization: await this.#presentOrganization(),
      space: await presentSpace(this.#scope, space),
      versionContext: changeRequest
        ? {
            type: 'changeRequest',
            changeRequest: await presentChangeRequest(this.#scope, space, changeRequest),
          }
        : { type: 'revision', revision: await presentBareRevision(this.#scope, content, true) },
    };
  }

  #page(content: Content, page: PageRow) {
    let presented = this.#pages.get(page);
    if (!presented) {
      presented = presentBarePage(this.#scope.db, content.snapshot, page, { app: content.app, metadata: true });
      this.#pages.set(page, presented);
    }
    return presented;
  }
}

export type LinkItem = AnswerOf<typeof content.links>['items'][number];
