import type { Generated, Selectable } from 'kysely';
import type { RoleName } from '../contract/access.ts';
import type { changeRequests } from '../contract/change-requests.ts';
import type { comments } from '../contract/comments.ts';
import type { FieldType, FieldValue } from '../contract/custom-fields.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import type { openapi } from '../contract/openapi.ts';
import type { orgs } from '../contract/orgs.ts';
import type { siteCustomization } from '../contract/site-customization.ts';
import type { siteSchema } from '../contract/site-schema.ts';
import type { sites } from '../contract/sites.ts';
import type { spaces } from '../contract/spaces.ts';
import type { translations } from '../contract/translations.ts';
import type { DocumentPage, LinkPage, Page } from '../contract/pages.ts';
import type { revisions } from '../contract/revisions.ts';
import type { JsonText } from './json.ts';

type Organization = AnswerOf<typeof orgs.view>;
type Revision = AnswerOf<typeof revisions.view>;
type Space = AnswerOf<typeof spaces.view>;
type Site = AnswerOf<typeof sites.view>;
type Customization = AnswerOf<typeof siteCustomization.view>;
type Comment = AnswerOf<typeof comments.view>;
type Spec = AnswerOf<typeof openapi.view>;

/** A member of a response as it is stored in a column: null if the response omits it. */
type Column<T> = Exclude<T, undefined> | null;

/** The page of a comment as it was when the comment was posted. */
export interface PageSnapshot {
  page: Omit<NonNullable<Comment['target']['page']>, 'outdated'>;
  /** Differs from the current document if the page has changed since. */
  state: string;
}

/** Members that only some pages have. */
export type PageExtra = Partial<
  Pick<DocumentPage, 'layout' | 'cover' | 'git' | 'computed' | 'computedSeed'> &
    Pick<LinkPage, 'target' | 'href'> & { origin: PageOrigin }
>;

/** The source of an imported page and its content at that time, so that a later import of the same address can replace it. */
export interface PageOrigin {
  /** The kind of source and its address. */
  address: string;
  /** The page at its source. */
  key: string;
  /** Null for a page of the top level of the import. */
  parent: string | null;
  title: string;
  description: string | null;
  document: string | null;
  /** Hash of its title, description and text. */
  hash: string;
}

/** Rows as the tables hold them: text IDs, ISO 8601 times, JSON as text, booleans as 0 and 1. */
export interface Tables {
  setting: {
    key: string;
    value: string;
  };
  user: {
    seq: Generated<number>;
    id: string;
    display_name: string;
    email: string;
    photo_url: string | null;
    created_at: string;
  };
  token: {
    id: string;
    hash: string;
    user: string;
    label: string;
    created_at: string;
    expires_at: string | null;
    revoked_at: string | null;
  };
  session: {
    hash: string;
    kind: 'link' | 'session';
    user: string;
    /** The token that it was opened with, and ends with. */
    token: string | null;
    expires_at: string;
  };
  organization: {
    id: string;
    title: string;
    hostname: string | null;
    type: Organization['type'];
    use_case: Column<Organization['useCase']>;
    community_type: Column<Organization['communityType']>;
    default_role: RoleName | null;
    default_content: JsonText<NonNullable<Organization['defaultContent']>> | null;
    email_domains: Generated<JsonText<string[]>>;
    logo: string | null;
    sso: number;
    ai: number;
    invite_links: number;
    plan: Organization['plan'];
    billing: JsonText<NonNullable<Organization['billing']>> | null;
    trial: JsonText<Organization['trial']>;
    custom_hostname: string | null;
    blocked: JsonText<NonNullable<Organization['blocked']>> | null;
    billing_migration: JsonText<NonNullable<Organization['internal_billingMigration']>> | null;
    created_at: string;
    /** Counts at any depth, without deleted spaces; `top_collections` counts the top level. */
    spaces: Generated<number>;
    collections: Generated<number>;
    top_collections: Generated<number>;
  };
  organization_email_domain: {
    domain: string;
    organization: string;
  };
  member: {
    organization: string;
    user: string;
    role: RoleName | null;
    disabled: Generated<number>;
    sso: Generated<number>;
    joined_at: string;
    last_seen_at: string | null;
  };
  member_count: {
    organization: string;
    role: string;
    members: Generated<number>;
    active: Generated<number>;
  };
  collection: {
    id: string;
    organization: string;
    parent: string | null;
    position: number;
    title: string;
    description: string | null;
    default_level: RoleName | null;
    created_at: string;
    /** Spaces directly in it, without deleted ones. */
    spaces: Generated<number>;
    spaces_below: Generated<number>;
    collections_below: Generated<number>;
  };
  space: {
    id: string;
    organization: string;
    parent: string | null;
    position: number;
    title: string;
    emoji: string;
    edit_mode: 'live' | 'locked';
    default_level: RoleName | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    revision: string;
    comments: Generated<number>;
    change_requests: Generated<number>;
    change_requests_open: Generated<number>;
    change_requests_draft: Generated<number>;
    last_number: Generated<number>;
    git_sync: JsonText<NonNullable<Space['gitSync']>> | null;
    visitor_auth: JsonText<NonNullable<Space['visitorAuth']>> | null;
  };
  content_grant: {
    user: string;
    organization: string;
    space: string | null;
    collection: string | null;
    level: RoleName | null;
  };
  team: {
    id: string;
    organization: string;
    title: string;
    title_key: string;
    created_at: string;
  };
  team_member: {
    team: string;
    user: string;
    role: 'owner' | 'member';
  };
  invite: {
    id: string;
    organization: string;
    space: string | null;
    collection: string | null;
    level: RoleName | null;
    created_at: string;
  };
  saml_provider: {
    id: string;
    organization: string;
    label: string;
    sso_url: string;
    entity_id: string;
    certificate: string;
    default_team: string | null;
    default_role: RoleName | null;
    created_at: string;
  };
  site: {
    id: string;
    organization: string;
    type: Site['type'];
    title: string;
    title_key: string;
    hostname: string | null;
    basename: string;
    proxy: string | null;
    visibility: Site['visibility'];
    published: number;
    adaptive_content: Generated<number>;
    ads: JsonText<NonNullable<Site['ads']>> | null;
    customization: JsonText<Customization>;
    site_space_customizations: Generated<JsonText<Record<string, Customization>>>;
    adaptive_schema: JsonText<AnswerOf<typeof siteSchema.view>['jsonSchema']> | null;
    adaptive_schema_updated_at: string | null;
    created_at: string;
  };
  site_section_group: {
    id: string;
    site: string;
    position: number;
    title: string;
    icon: string | null;
  };
  site_section: {
    id: string;
    site: string;
    section_group: string | null;
    position: number;
    title: string;
    description: string | null;
    path: string;
    condition: string | null;
    icon: string | null;
    is_default: Generated<number>;
  };
  site_space: {
    id: string;
    site: string;
    section: string | null;
    space: string;
    position: number;
    path: string;
    condition: string | null;
    is_default: Generated<number>;
  };
  share_link: {
    id: string;
    site: string;
    key: string;
    name: string;
    active: number;
    created_at: string;
  };
  change_request: {
    id: string;
    space: string;
    number: number;
    status: AnswerOf<typeof changeRequests.view>['status'];
    subject: string;
    created_by: string;
    created_at: string;
    updated_at: string;
    revision: string;
    revision_initial: string;
    revision_merged_ancestor: string | null;
    revision_merged: string | null;
    comments: Generated<number>;
  };
  change_request_contributor: {
    change_request: string;
    user: string;
  };
  revision: {
    id: string;
    space: string;
    change_request: string | null;
    seq: number;
    base: string | null;
    type: Revision['type'];
    parents: JsonText<string[]>;
    merged_from: string | null;
    author: string | null;
    git: JsonText<NonNullable<Revision['git']>> | null;
    created_at: string;
  };
  document: {
    id: string;
    markdown: string;
    sections: string;
  };
  document_link: {
    document: string;
    position: number;
    url: string;
    kind: string;
    node: string;
    ending: string;
  };
  blob: {
    digest: string;
    bytes: Uint8Array;
    size: number;
    width: number | null;
    height: number | null;
  };
  page_version: {
    space: string;
    /** The branch: empty for main content, else the id of the change request. */
    line: string;
    page: string;
    from_seq: number;
    to_seq: number;
    deleted: Generated<number>;
    parent: string | null;
    position: string;
    type: Page['type'];
    title: string;
    slug: string;
    emoji: string | null;
    icon: string | null;
    description: string | null;
    document: string | null;
    hidden: Generated<number>;
    no_index: Generated<number>;
    no_robots_index: Generated<number>;
    extra: JsonText<PageExtra> | null;
    created_at: string;
    updated_at: string;
  };
  file_version: {
    space: string;
    /** As in `page_version`. */
    line: string;
    file: string;
    from_seq: number;
    to_seq: number;
    deleted: Generated<number>;
    name: string;
    content_type: string;
    blob: string;
  };
  searched_page: {
    seq: Generated<number>;
    space: string;
    page: string;
    /** Whether the text depends on the reader. */
    adaptive: number;
    /** Whether an earlier version of docsctl indexed it. */
    outdated: Generated<number>;
  };
  comment: {
    id: string;
    space: string;
    change_request: string | null;
    page: string | null;
    node: string | null;
    preview: string | null;
    page_snapshot: JsonText<PageSnapshot> | null;
    revision: string;
    posted_by: string;
    posted_at: string;
    edited_at: string | null;
    body: string;
    status: Generated<Comment['status']>;
    resolved_at: string | null;
    resolved_by: string | null;
    replies: Generated<number>;
  };
  comment_reply: {
    id: string;
    comment: string;
    posted_by: string;
    posted_at: string;
    edited_at: string | null;
    body: string;
  };
  reaction: {
    target: string;
    emoji: string;
    user: string;
    reacted_at: string;
  };
  custom_field: {
    id: string;
    organization: string;
    name: string;
    title: string;
    description: string;
    type: FieldType;
    placeholder: string;
    options: JsonText<string[]> | null;
    created_at: string;
    updated_at: string;
  };
  custom_field_value: {
    space: string;
    field: string;
    value: JsonText<FieldValue>;
  };
  openapi_spec: {
    id: string;
    organization: string;
    slug: string;
    source_url: string | null;
    source_text: string | null;
    processing_state: Spec['processingState'];
    last_version: string | null;
    last_processed_at: string | null;
    last_process_error_code: Column<Spec['lastProcessErrorCode']>;
    created_at: string;
    updated_at: string;
  };
  openapi_version: {
    id: string;
    spec: string;
    text: string;
    created_at: string;
  };
  translation: {
    id: string;
    organization: string;
    title: string;
    languages: JsonText<AnswerOf<typeof translations.view>['languages']>;
    created_at: string;
    updated_at: string;
  };
}

/** A row as a query returns it. */
export type Row<T extends keyof Tables> = Selectable<Tables[T]>;
