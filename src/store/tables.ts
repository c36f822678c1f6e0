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
import type {
  BlobRow,
  DocumentLinkRow,
  DocumentRow,
  FileVersionRow,
  PageVersionRow,
  RevisionRow,
  SearchedPageRow,
} from './content-tables.ts';
import type { JsonText } from './json.ts';

type Organization = AnswerOf<typeof orgs.view>;
type Space = AnswerOf<typeof spaces.view>;
type Site = AnswerOf<typeof sites.view>;
type Customization = AnswerOf<typeof siteCustomization.view>;
type Comment = AnswerOf<typeof comments.view>;
type Spec = AnswerOf<typeof openapi.view>;

/** A member of an answer as a column holds it: null where the answer leaves it out. */
type Column<T> = Exclude<T, undefined> | null;

/** Rows as the tables hold them: text ids, ISO 8601 times, JSON as text, booleans as 0 and 1. */

interface SettingRow {
  key: string;
  value: string;
}

interface UserRow {
  seq: Generated<number>;
  id: string;
  display_name: string;
  email: string;
  photo_url: string | null;
  created_at: string;
}

interface TokenRow {
  id: string;
  hash: string;
  user: string;
  label: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
}

interface OrganizationRow {
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
  /** Counts of what it holds at any depth, without deleted spaces; `top_collections`: at the top level. */
  spaces: Generated<number>;
  collections: Generated<number>;
  top_collections: Generated<number>;
}

interface OrganizationEmailDomainRow {
  domain: string;
  organization: string;
}

interface MemberRow {
  organization: string;
  user: string;
  role: RoleName | null;
  disabled: Generated<number>;
  sso: Generated<number>;
  joined_at: string;
  last_seen_at: string | null;
}

interface MemberCountRow {
  organization: string;
  role: string;
  members: Generated<number>;
  active: Generated<number>;
}

interface CollectionRow {
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
}

interface SpaceRow {
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
}

interface ContentGrantRow {
  user: string;
  organization: string;
  space: string | null;
  collection: string | null;
  level: RoleName | null;
}

interface TeamRow {
  id: string;
  organization: string;
  title: string;
  title_key: string;
  created_at: string;
}

interface TeamMemberRow {
  team: string;
  user: string;
  role: 'owner' | 'member';
}

interface InviteRow {
  id: string;
  organization: string;
  space: string | null;
  collection: string | null;
  level: RoleName | null;
  created_at: string;
}

interface SamlProviderRow {
  id: string;
  organization: string;
  label: string;
  sso_url: string;
  entity_id: string;
  certificate: string;
  default_team: string | null;
  default_role: RoleName | null;
  created_at: string;
}

interface SiteRow {
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
}

interface SiteSectionGroupRow {
  id: string;
  site: string;
  position: number;
  title: string;
  icon: string | null;
}

interface SiteSectionRow {
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
}

interface SiteSpaceRow {
  id: string;
  site: string;
  section: string | null;
  space: string;
  position: number;
  path: string;
  condition: string | null;
  is_default: Generated<number>;
}

interface ShareLinkRow {
  id: string;
  site: string;
  key: string;
  name: string;
  active: number;
  created_at: string;
}

interface ChangeRequestRow {
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
}

interface ChangeRequestContributorRow {
  change_request: string;
  user: string;
}

/** The page of a comment as it was when the comment was posted. */
export interface PageSnapshot {
  page: Omit<NonNullable<Comment['target']['page']>, 'outdated'>;
  /** Differs from that of the page now where the page was changed since. */
  state: string;
}

interface CommentRow {
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
}

interface CommentReplyRow {
  id: string;
  comment: string;
  posted_by: string;
  posted_at: string;
  edited_at: string | null;
  body: string;
}

interface ReactionRow {
  target: string;
  emoji: string;
  user: string;
  reacted_at: string;
}

interface CustomFieldRow {
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
}

interface CustomFieldValueRow {
  space: string;
  field: string;
  value: JsonText<FieldValue>;
}

interface OpenapiSpecRow {
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
}

interface OpenapiVersionRow {
  id: string;
  spec: string;
  text: string;
  created_at: string;
}

interface TranslationRow {
  id: string;
  organization: string;
  title: string;
  languages: JsonText<AnswerOf<typeof translations.view>['languages']>;
  created_at: string;
  updated_at: string;
}

export interface Tables {
  setting: SettingRow;
  user: UserRow;
  token: TokenRow;
  organization: OrganizationRow;
  organization_email_domain: OrganizationEmailDomainRow;
  member: MemberRow;
  member_count: MemberCountRow;
  collection: CollectionRow;
  space: SpaceRow;
  content_grant: ContentGrantRow;
  team: TeamRow;
  team_member: TeamMemberRow;
  invite: InviteRow;
  saml_provider: SamlProviderRow;
  site: SiteRow;
  site_section_group: SiteSectionGroupRow;
  site_section: SiteSectionRow;
  site_space: SiteSpaceRow;
  share_link: ShareLinkRow;
  change_request: ChangeRequestRow;
  change_request_contributor: ChangeRequestContributorRow;
  revision: RevisionRow;
  document: DocumentRow;
  document_link: DocumentLinkRow;
  blob: BlobRow;
  page_version: PageVersionRow;
  file_version: FileVersionRow;
  searched_page: SearchedPageRow;
  comment: CommentRow;
  comment_reply: CommentReplyRow;
  reaction: ReactionRow;
  custom_field: CustomFieldRow;
  custom_field_value: CustomFieldValueRow;
  openapi_spec: OpenapiSpecRow;
  openapi_version: OpenapiVersionRow;
  translation: TranslationRow;
}

/** A row as a query returns it. */
export type Row<T extends keyof Tables> = Selectable<Tables[T]>;
