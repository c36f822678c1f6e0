/** Every table. Text ids, integers, ISO 8601 text for times, JSON as text, booleans as 0 and 1: what any SQL database has. */
export const foundation = /* sql */ `
create table setting (key text primary key, value text not null) strict;

create table user (
  seq integer primary key,
  id text not null unique,
  display_name text not null,
  email text not null,
  photo_url text,
  created_at text not null
) strict;
create unique index user_by_email on user (lower(email));
create virtual table user_search using fts5 (display_name, email, content='user', content_rowid='seq', tokenize='trigram');
create trigger user_search_insert after insert on user begin
  insert into user_search (rowid, display_name, email) values (new.seq, new.display_name, new.email);
end;
create trigger user_search_delete after delete on user begin
  insert into user_search (user_search, rowid, display_name, email) values ('delete', old.seq, old.display_name, old.email);
end;
create trigger user_search_update after update of display_name, email on user begin
  insert into user_search (user_search, rowid, display_name, email) values ('delete', old.seq, old.display_name, old.email);
  insert into user_search (rowid, display_name, email) values (new.seq, new.display_name, new.email);
end;

create table token (
  id text primary key,
  hash text not null unique,
  user text not null references user (id) on delete cascade,
  label text not null,
  created_at text not null,
  expires_at text,
  revoked_at text
) strict;
create index token_of_user on token (user);

create table organization (
  id text primary key,
  title text not null,
  hostname text unique,
  type text not null,
  use_case text,
  community_type text,
  default_role text,
  default_content text,
  email_domains text not null default '[]',
  logo text,
  sso integer not null,
  ai integer not null,
  invite_links integer not null,
  plan text not null,
  billing text,
  trial text not null,
  custom_hostname text,
  blocked text,
  billing_migration text,
  created_at text not null,
  spaces integer not null default 0
) strict;
create table organization_email_domain (
  domain text not null,
  organization text not null references organization (id) on delete cascade,
  primary key (domain, organization)
) strict, without rowid;

create table member (
  organization text not null references organization (id) on delete cascade,
  user text not null references user (id) on delete cascade,
  role text,
  disabled integer not null default 0,
  sso integer not null default 0,
  joined_at text not null,
  last_seen_at text,
  primary key (organization, user)
) strict;
create index member_by_joined on member (organization, joined_at, user);
create index member_by_seen on member (organization, last_seen_at, user) where disabled = 0 and last_seen_at is not null;
create index member_by_role on member (organization, role, joined_at, user);
create index member_by_role_seen on member (organization, role, last_seen_at, user) where disabled = 0 and last_seen_at is not null;
create index member_of_user on member (user);

-- Counted here because every page of the list shows the count, and counting a million rows takes longer than the page.
create table member_count (
  organization text not null,
  role text not null,
  members integer not null default 0,
  active integer not null default 0,
  primary key (organization, role)
) strict, without rowid;
create trigger member_count_insert after insert on member begin
  insert into member_count (organization, role, members, active)
    values (new.organization, coalesce(new.role, 'guest'), 1, new.disabled = 0 and new.last_seen_at is not null)
    on conflict do update set members = members + 1, active = active + excluded.active;
end;
create trigger member_count_delete after delete on member begin
  update member_count set members = members - 1, active = active - (old.disabled = 0 and old.last_seen_at is not null)
    where organization = old.organization and role = coalesce(old.role, 'guest');
end;
create trigger member_count_update after update of role, disabled, last_seen_at on member
  when old.role is not new.role or old.disabled <> new.disabled or (old.last_seen_at is null) <> (new.last_seen_at is null) begin
  update member_count set members = members - 1, active = active - (old.disabled = 0 and old.last_seen_at is not null)
    where organization = old.organization and role = coalesce(old.role, 'guest');
  insert into member_count (organization, role, members, active)
    values (new.organization, coalesce(new.role, 'guest'), 1, new.disabled = 0 and new.last_seen_at is not null)
    on conflict do update set members = members + 1, active = active + excluded.active;
end;

create table collection (
  id text primary key,
  organization text not null references organization (id) on delete cascade,
  parent text references collection (id),
  position integer not null,
  title text not null,
  description text,
  default_level text,
  created_at text not null
) strict;
create index collection_in_order on collection (organization, parent, position);
create index collection_of_collection on collection (parent);

create table space (
  id text primary key,
  organization text not null references organization (id) on delete cascade,
  parent text references collection (id),
  position integer not null,
  title text not null,
  emoji text not null,
  edit_mode text not null,
  default_level text,
  created_at text not null,
  updated_at text not null,
  deleted_at text,
  revision text not null,
  comments integer not null default 0,
  change_requests integer not null default 0,
  change_requests_open integer not null default 0,
  change_requests_draft integer not null default 0,
  last_number integer not null default 0,
  git_sync text,
  visitor_auth text
) strict;
create index space_in_order on space (organization, parent, position);
create index space_of_collection on space (parent);
create index space_deleted on space (deleted_at) where deleted_at is not null;
create trigger space_count_insert after insert on space when new.deleted_at is null begin
  update organization set spaces = spaces + 1 where id = new.organization;
end;
create trigger space_count_delete after delete on space when old.deleted_at is null begin
  update organization set spaces = spaces - 1 where id = old.organization;
end;
create trigger space_count_update after update of organization, deleted_at on space begin
  update organization set spaces = spaces - 1 where id = old.organization and old.deleted_at is null;
  update organization set spaces = spaces + 1 where id = new.organization and new.deleted_at is null;
end;

create table content_grant (
  user text not null references user (id) on delete cascade,
  organization text not null references organization (id) on delete cascade,
  space text references space (id) on delete cascade,
  collection text references collection (id) on delete cascade,
  level text,
  check ((space is null) <> (collection is null))
) strict;
create unique index content_grant_space on content_grant (user, space) where space is not null;
create unique index content_grant_collection on content_grant (user, collection) where collection is not null;
create index content_grant_of_user on content_grant (organization, user);
create index content_grant_by_space on content_grant (space);
create index content_grant_by_collection on content_grant (collection);

create table team (
  id text primary key,
  organization text not null references organization (id) on delete cascade,
  title text not null,
  title_key text not null,
  created_at text not null
) strict;
create index team_in_order on team (organization, title_key, id);
create table team_member (
  team text not null references team (id) on delete cascade,
  user text not null references user (id) on delete cascade,
  role text not null,
  primary key (team, user)
) strict, without rowid;
create index team_member_of_user on team_member (user, team);

create table invite (
  id text primary key,
  organization text not null references organization (id) on delete cascade,
  space text references space (id) on delete cascade,
  collection text references collection (id) on delete cascade,
  level text,
  created_at text not null
) strict;
create index invite_in_order on invite (organization, created_at, id);
create index invite_to_space on invite (space) where space is not null;
create index invite_to_collection on invite (collection) where collection is not null;

create table saml_provider (
  id text primary key,
  organization text not null references organization (id) on delete cascade,
  label text not null,
  sso_url text not null,
  entity_id text not null,
  certificate text not null,
  default_team text references team (id) on delete set null,
  default_role text,
  created_at text not null
) strict;
create index saml_provider_in_order on saml_provider (organization, created_at, id);

create table site (
  id text primary key,
  organization text not null references organization (id) on delete cascade,
  type text not null,
  title text not null,
  title_key text not null,
  hostname text,
  basename text not null,
  proxy text,
  visibility text not null,
  published integer not null,
  adaptive_content integer not null default 0,
  ads text,
  customization text not null,
  site_space_customizations text not null default '{}',
  adaptive_schema text,
  adaptive_schema_updated_at text,
  created_at text not null,
  unique (organization, basename)
) strict;
create index site_in_order on site (organization, created_at, id);
create table site_section_group (
  id text primary key,
  site text not null references site (id) on delete cascade,
  position integer not null,
  title text not null,
  icon text
) strict;
create index site_section_group_in_order on site_section_group (site, position);
create table site_section (
  id text primary key,
  site text not null references site (id) on delete cascade,
  section_group text references site_section_group (id) on delete set null,
  position integer not null,
  title text not null,
  description text,
  path text not null,
  condition text,
  icon text,
  is_default integer not null default 0,
  unique (site, path)
) strict;
create index site_section_in_order on site_section (site, position);
create trigger site_section_default after delete on site_section when old.is_default = 1 begin
  update site_section set is_default = 1
    where id = (select id from site_section where site = old.site order by position, id limit 1);
end;
create table site_space (
  id text primary key,
  site text not null references site (id) on delete cascade,
  section text references site_section (id) on delete cascade,
  space text not null references space (id) on delete cascade,
  position integer not null,
  path text not null,
  condition text,
  is_default integer not null default 0
) strict;
create index site_space_in_order on site_space (site, section, position);
create unique index site_space_path on site_space (site, coalesce(section, ''), path);
create index site_space_of_space on site_space (space);
create trigger site_space_default after delete on site_space when old.is_default = 1 begin
  update site_space set is_default = 1 where id = (
    select x.id from site_space x join space s on s.id = x.space
      where x.site = old.site and x.section is old.section
      order by s.deleted_at is not null, x.position, x.id limit 1);
end;
create table share_link (
  id text primary key,
  site text not null references site (id) on delete cascade,
  key text not null unique,
  name text not null,
  active integer not null,
  created_at text not null
) strict;
create index share_link_in_order on share_link (site, created_at, id);
create trigger site_default_content after delete on site begin
  update organization set default_content = null
    where id = old.organization and default_content ->> '$.site' = old.id;
end;

create table change_request (
  id text primary key,
  space text not null references space (id) on delete cascade,
  number integer not null,
  status text not null,
  subject text not null,
  created_by text not null references user (id),
  created_at text not null,
  updated_at text not null,
  revision text not null,
  revision_initial text not null,
  revision_merged_ancestor text,
  revision_merged text,
  comments integer not null default 0,
  unique (space, number)
) strict;
create index change_request_by_status on change_request (space, status, number);
create trigger change_request_insert after insert on change_request begin
  update space set change_requests = change_requests + 1,
    change_requests_open = change_requests_open + (new.status = 'open'),
    change_requests_draft = change_requests_draft + (new.status = 'draft') where id = new.space;
end;
create trigger change_request_status after update of status on change_request when old.status <> new.status begin
  update space set change_requests_open = change_requests_open + (new.status = 'open') - (old.status = 'open'),
    change_requests_draft = change_requests_draft + (new.status = 'draft') - (old.status = 'draft') where id = new.space;
end;
create table change_request_contributor (
  change_request text not null references change_request (id) on delete cascade,
  user text not null references user (id) on delete cascade,
  primary key (change_request, user)
) strict, without rowid;
create index change_request_of_contributor on change_request_contributor (user, change_request);

create table revision (
  id text primary key,
  space text not null references space (id) on delete cascade,
  -- Null on the space's main line.
  change_request text references change_request (id) on delete cascade,
  seq integer not null,
  -- The main revision that a change request's content rests on.
  base text,
  type text not null,
  parents text not null,
  merged_from text,
  author text,
  git text,
  created_at text not null
) strict;
create unique index revision_in_order on revision (space, coalesce(change_request, ''), seq);

-- Texts and bytes are never changed: every revision, request and space that shows one shares it. What nothing shows any
-- more goes with the last row that named it.
create table document (
  id text primary key,
  markdown text not null,
  -- Headings with the text below each, read once when it is written, so that searching parses nothing.
  sections text not null
) strict;
create table document_link (
  document text not null references document (id) on delete cascade,
  position integer not null,
  url text not null,
  kind text not null,
  node text not null,
  -- What the address ends with, an id or a word of a path: by it the links to a page or file are found.
  ending text not null,
  primary key (document, position)
) strict, without rowid;
create index document_link_by_ending on document_link (ending, document);
create table blob (
  -- SHA-256 of the bytes.
  digest text primary key,
  bytes blob not null,
  size integer not null,
  width integer,
  height integer
) strict, without rowid;

-- A page as it is on one line (a space's main content, or a change request) from one revision up to another. A revision
-- of a request is the main revision it rests on with the request's own rows over it.
create table page_version (
  space text not null references space (id) on delete cascade,
  -- Empty for main content, else the change request.
  line text not null,
  page text not null,
  from_seq integer not null,
  -- The first revision that shows it no more.
  to_seq integer not null,
  -- On a request's line: the request takes this page of main content away.
  deleted integer not null default 0,
  parent text,
  -- Sorts among siblings, ties by page: a key between two others can always be made, so that a move writes one row.
  position text not null,
  type text not null,
  title text not null,
  slug text not null,
  emoji text,
  icon text,
  description text,
  document text references document (id),
  hidden integer not null default 0,
  no_index integer not null default 0,
  no_robots_index integer not null default 0,
  -- What only some pages have: cover, layout, target, computed content.
  extra text,
  created_at text not null,
  updated_at text not null,
  primary key (space, line, page, from_seq)
) strict, without rowid;
create index page_version_shown on page_version (space, line, to_seq);
create index page_version_begun on page_version (space, line, from_seq);
create index page_version_under on page_version (space, line, parent, to_seq);
create index page_version_of_document on page_version (document) where document is not null;
create trigger page_version_delete after delete on page_version when old.document is not null begin
  delete from document where id = old.document and not exists (select 1 from page_version where document = old.document);
end;

create table file_version (
  space text not null references space (id) on delete cascade,
  line text not null,
  file text not null,
  from_seq integer not null,
  to_seq integer not null,
  deleted integer not null default 0,
  name text not null,
  content_type text not null,
  blob text not null references blob (digest),
  primary key (space, line, file, from_seq)
) strict, without rowid;
create index file_version_in_order on file_version (space, line, name, file);
create index file_version_begun on file_version (space, line, from_seq);
create index file_version_of_file on file_version (file);
create index file_version_of_blob on file_version (blob);
create trigger file_version_delete after delete on file_version begin
  delete from blob where digest = old.blob and not exists (select 1 from file_version where blob = old.blob);
end;

-- The newest main content of every space, as search sees it.
create table searched_page (
  seq integer primary key,
  space text not null references space (id) on delete cascade,
  page text not null,
  unique (space, page)
) strict;
create virtual table page_search using fts5 (
  title, headings, text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
);
create trigger searched_page_delete after delete on searched_page begin
  delete from page_search where rowid = old.seq;
end;

create table comment (
  id text primary key,
  space text not null references space (id) on delete cascade,
  change_request text references change_request (id) on delete cascade,
  page text,
  node text,
  preview text,
  page_snapshot text,
  revision text not null,
  posted_by text not null references user (id),
  posted_at text not null,
  edited_at text,
  body text not null,
  status text not null default 'open',
  resolved_at text,
  resolved_by text references user (id),
  replies integer not null default 0
) strict;
create index comment_in_order on comment (space, coalesce(change_request, ''), posted_at, id);
create trigger comment_insert after insert on comment when new.status = 'open' begin
  update space set comments = comments + 1 where id = new.space and new.change_request is null;
  update change_request set comments = comments + 1 where id = new.change_request;
end;
create trigger comment_delete after delete on comment when old.status = 'open' begin
  update space set comments = comments - 1 where id = old.space and old.change_request is null;
  update change_request set comments = comments - 1 where id = old.change_request;
end;
create trigger comment_status after update of status on comment when old.status <> new.status begin
  update space set comments = comments + (new.status = 'open') - (old.status = 'open') where id = new.space and new.change_request is null;
  update change_request set comments = comments + (new.status = 'open') - (old.status = 'open') where id = new.change_request;
end;
create table comment_reply (
  id text primary key,
  comment text not null references comment (id) on delete cascade,
  posted_by text not null references user (id),
  posted_at text not null,
  edited_at text,
  body text not null
) strict;
create index comment_reply_in_order on comment_reply (comment, posted_at, id);
create trigger comment_reactions after delete on comment begin
  delete from reaction where target = old.id;
end;
create trigger comment_reply_reactions after delete on comment_reply begin
  delete from reaction where target = old.id;
end;
create trigger comment_reply_insert after insert on comment_reply begin
  update comment set replies = replies + 1 where id = new.comment;
end;
create trigger comment_reply_delete after delete on comment_reply begin
  update comment set replies = replies - 1 where id = old.comment;
end;
create table reaction (
  -- A comment's or a reply's id.
  target text not null,
  emoji text not null,
  user text not null references user (id) on delete cascade,
  reacted_at text not null,
  primary key (target, emoji, user)
) strict, without rowid;

create table custom_field (
  id text primary key,
  organization text not null references organization (id) on delete cascade,
  name text not null,
  title text not null,
  description text not null,
  type text not null,
  placeholder text not null,
  options text,
  created_at text not null,
  updated_at text not null,
  unique (organization, name)
) strict;
create index custom_field_in_order on custom_field (organization, created_at, id);
create table custom_field_value (
  space text not null references space (id) on delete cascade,
  field text not null references custom_field (id) on delete cascade,
  value text not null,
  primary key (space, field)
) strict, without rowid;
create index custom_field_value_of_field on custom_field_value (field, space);

create table openapi_spec (
  id text primary key,
  organization text not null references organization (id) on delete cascade,
  slug text not null,
  source_url text,
  -- The text to process; for an address it is fetched when its turn comes.
  source_text text,
  processing_state text not null,
  last_version text,
  last_processed_at text,
  last_process_error_code text,
  created_at text not null,
  updated_at text not null,
  unique (organization, slug)
) strict;
create index openapi_spec_unfinished on openapi_spec (processing_state) where processing_state <> 'complete';
create table openapi_version (
  id text primary key,
  spec text not null references openapi_spec (id) on delete cascade,
  text text not null,
  created_at text not null
) strict;
create index openapi_version_in_order on openapi_version (spec, created_at, id);

create table translation (
  id text primary key,
  organization text not null references organization (id) on delete cascade,
  title text not null,
  languages text not null,
  created_at text not null,
  updated_at text not null
) strict;
create index translation_in_order on translation (organization, created_at, id);
`;
