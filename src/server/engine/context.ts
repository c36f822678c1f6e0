import type { ObjectKey, ObjectParam, objects } from '../../contract/objects.ts';
import type { RoleName } from '../../contract/access.ts';
import type { BodyOf, Endpoint, ParamsOf, PathOf, QueryOf } from '../../contract/endpoint.ts';
import type { OrganizationRow } from '../../store/lookups.ts';
import type { Db } from '../../store/store.ts';
import type { Row } from '../../store/tables.ts';
import type { Instance } from './instance.ts';
import type { PageRequest } from './paging.ts';
import type { RequestTexts } from './request-texts.ts';

/** An organization with what the caller is in it. */
export type OrgAt = OrganizationRow;
/** A space or collection with the caller's level on it. */
export type SpaceAt = Row<'space'> & { level: RoleName };
export type CollectionAt = Row<'collection'> & { level: RoleName };
export type MemberAt = Row<'member'> & { display_name: string; email: string; photo_url: string | null };
/** `owns`: the caller is one of its owners. */
export type TeamAt = Row<'team'> & { owns: boolean };

/** What path parameters name, loaded and visible to the caller before a handler runs. */
export interface Objects extends Record<ObjectKey, object> {
  org: OrgAt;
  space: SpaceAt;
  collection: CollectionAt;
  member: MemberAt;
  team: TeamAt;
  invite: Row<'invite'>;
  provider: Row<'saml_provider'>;
  site: Row<'site'>;
  section: Row<'site_section'>;
  sectionGroup: Row<'site_section_group'>;
  siteSpace: Row<'site_space'>;
  shareLink: Row<'share_link'>;
  changeRequest: Row<'change_request'>;
  comment: Row<'comment'>;
  reply: Row<'comment_reply'>;
  field: Row<'custom_field'>;
  spec: Row<'openapi_spec'>;
  translation: Row<'translation'>;
}

type Named<Param> = Param extends ObjectParam
  ? (typeof objects)[Param] extends { key: infer Key extends ObjectKey }
    ? Key
    : never
  : never;
type Implied<Param> = Param extends 'spaceId' | 'collectionId' ? 'org' : never;
type LoadedBy<Params> = Named<keyof Params> | Implied<keyof Params>;

/** The objects an endpoint's path loads; all of them where the path is built from a prefix. */
export type At<E> = string extends PathOf<E> ? Objects : Pick<Objects, LoadedBy<ParamsOf<E>>>;

export type Caller = Row<'user'>;

/** What a handler gets. For a write, `db` is already the transaction. */
export interface Context<E = Endpoint> {
  db: Db;
  caller: Caller;
  at: At<E>;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** The one time of this request, ISO 8601 with milliseconds. */
  now: string;
  /** Base address of the instance as the caller sees it, without a slash at its end. */
  base: string;
  page: PageRequest;
  instance: Instance;
  texts: Pick<RequestTexts, 'run'>;
  /** Set by a handler whose answer has no `urls.location`, or another status than the contract's. */
  reply: { location?: string; status?: 200 | 201 };
}

/** What most helpers of the rules need of a context. */
export type Scope = Pick<Context, 'db' | 'caller' | 'base' | 'now'>;
