import type { Insertable } from 'kysely';
import type { User } from '../../contract/common.ts';
import type { FieldValue } from '../../contract/custom-fields.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { orgs } from '../../contract/orgs.ts';
import { slugify } from '../../content/markdown/slug.ts';
import type {
  Collection,
  Field,
  InviteLink,
  Member,
  Provider,
  Space,
  Specification,
  Team,
  TeamMember,
  Translation,
  WholeSite,
} from '../../organization/service/read-service.ts';
import type { Grant } from '../../organization/grants.ts';
import { jsonText } from '../../store/json.ts';
import { setEmailDomains } from '../../store/orgs.ts';
import { gap } from '../../store/siblings.ts';
import type { Db } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { titleKey } from '../../store/teams.ts';
import type { z } from 'zod/mini';

type Organization = AnswerOf<typeof orgs.view>;
type Person = z.output<ReturnType<typeof User>>;

async function insert<Table extends keyof Tables>(
  db: Db,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
): Promise<void> {
  for (const row of rows) await db.insertInto(table).values(row).execute();
}

export async function writeOrganization(db: Db, org: Organization): Promise<void> {
  await insert(db, 'organization', [
    {
      id: org.id,
      title: org.title,
      hostname: org.hostname ?? null,
      type: org.type,
      use_case: org.useCase ?? null,
      community_type: org.communityType ?? null,
      default_role: org.defaultRole ?? null,
      default_content: jsonOrNull(org.defaultContent),
      logo: org.urls.logo ?? null,
      sso: Number(org.sso ?? false),
      ai: Number(org.ai ?? false),
      invite_links: Number(org.inviteLinks),
      plan: org.plan,
      billing: jsonOrNull(org.billing),
      trial: jsonText(org.trial),
      custom_hostname: org.customHostname ?? null,
      blocked: jsonOrNull(org.blocked),
      billing_migration: jsonOrNull(org.internal_billingMigration),
      created_at: org.createdAt,
    },
  ]);
  await setEmailDomains(db, org.id, org.emailDomains);
}

const jsonOrNull = <Value>(value: Value | undefined) => (value ? jsonText<NonNullable<Value>>(value) : null);

/** Writes people who are not in the database yet: members, and former members whose comments still exist. */
export async function writeUsers(db: Db, people: readonly Person[], createdAt: string): Promise<void> {
  for (const { id, displayName, email, photoURL } of people)
    await db
      .insertInto('user')
      .values({
        id,
        display_name: displayName,
        // Every user of an instance needs an address. This one is never used.
        email: email ?? `${id}@hidden.invalid`,
        photo_url: photoURL ?? null,
        created_at: createdAt,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

export async function writeMembers(db: Db, organization: string, list: readonly Member[]): Promise<void> {
  for (const { user, joinedAt } of list) await writeUsers(db, [user], joinedAt);
  const rows = list.map(({ id, role, disabled, sso, joinedAt, lastSeenAt = null }) => ({
    organization,
    user: id,
    role,
    disabled: Number(disabled),
    sso: Number(sso),
    joined_at: joinedAt,
    last_seen_at: lastSeenAt,
  }));
  await insert(db, 'member', rows);
}

/** A level granted to a member on a space or a collection. */
export type TwinGrant = Pick<Grant, 'member' | 'level' | 'space' | 'collection'>;

export const writeGrants = (db: Db, organization: string, grants: readonly TwinGrant[]): Promise<void> =>
  insert(
    db,
    'content_grant',
    grants.map(({ member, space = null, collection = null, level }) => ({
      user: member,
      space,
      level,
      organization,
      collection,
    })),
  );

export async function writeTeam(
  db: Db,
  organization: string,
  { team: { id, title, createdAt }, members }: { team: Team; members: readonly TeamMember[] },
): Promise<void> {
  await insert(db, 'team', [{ id, organization, title, title_key: titleKey(title), created_at: createdAt }]);
  const rows = members.map(({ organization: member, team }) => ({ team: id, user: member.id, role: team.role }));
  await insert(db, 'team_member', rows);
}

/** @param teams IDs of the teams in the twin */
export async function writeProviders(
  db: Db,
  organization: string,
  list: readonly Provider[],
  teams: ReadonlySet<string>,
): Promise<void> {
  const rows = list.map(({ id, label, ssoURL, entityID, certificate, defaultTeam, defaultRole, createdAt }) => ({
    id,
    organization,
    label,
    sso_url: ssoURL,
    entity_id: entityID,
    certificate,
    default_team: defaultTeam && teams.has(defaultTeam.id) ? defaultTeam.id : null,
    default_role: defaultRole,
    created_at: createdAt,
  }));
  await insert(db, 'saml_provider', rows);
}

/** @param list newest first. The service does not report creation times, so only their order is kept */
export async function writeInvites(
  db: Db,
  { id: organization, createdAt }: Pick<Organization, 'id' | 'createdAt'>,
  list: readonly InviteLink[],
): Promise<void> {
  const rows = list.map((invite, index) => ({
    id: invite.id,
    organization,
    space: 'space' in invite ? invite.space.id : null,
    collection: 'collection' in invite ? invite.collection.id : null,
    level: 'role' in invite ? invite.role : invite.level,
    created_at: new Date(Date.parse(createdAt) + list.length - index).toISOString(),
  }));
  await insert(db, 'invite', rows);
}

/** The place of a space or collection among its siblings, from 0. */
type PlaceOf = (id: string) => number;

const positionAt = (place: number) => (place + 1) * gap;

/** @param list parents before their children */
export async function writeCollections(
  db: Db,
  list: readonly Collection[],
  placeOf: PlaceOf,
  createdAt: string,
): Promise<void> {
  const rows = list.map(({ id, organization, parent = null, title, description = null, defaultLevel }) => ({
    id,
    organization,
    parent,
    position: positionAt(placeOf(id)),
    title,
    description,
    default_level: defaultLevel,
    created_at: createdAt,
  }));
  await insert(db, 'collection', rows);
}

/** Writes a space without its content. Triggers maintain its counts. */
export const writeSpace = (db: Db, space: Space, place: number): Promise<void> =>
  insert(db, 'space', [
    {
      id: space.id,
      organization: space.organization,
      parent: space.parent ?? null,
      position: positionAt(place),
      title: space.title,
      emoji: space.emoji,
      edit_mode: space.editMode ?? 'live',
      default_level: space.defaultLevel,
      created_at: space.createdAt,
      updated_at: space.updatedAt,
      deleted_at: null,
      revision: space.revision,
      git_sync: jsonOrNull(space.gitSync),
      visitor_auth: jsonOrNull(space.visitorAuth),
    },
  ]);

export async function writeFields(db: Db, organization: string, list: readonly Field[]): Promise<void> {
  const rows = list.map(({ options, createdAt, updatedAt, ...field }) => ({
    id: field.id,
    organization,
    name: field.name,
    title: field.title,
    description: field.description,
    type: field.type,
    placeholder: field.placeholder,
    options: jsonOrNull(options),
    created_at: createdAt,
    updated_at: updatedAt,
  }));
  await insert(db, 'custom_field', rows);
}

/** @param ids IDs of fields by name */
export async function writeFieldValues(
  db: Db,
  space: string,
  values: readonly { name: string; value: FieldValue }[],
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = values.flatMap(({ name, value }) => {
    const field = ids.get(name);
    return field === undefined ? [] : [{ space, field, value: jsonText(value) }];
  });
  await insert(db, 'custom_field_value', rows);
}

type Structure = WholeSite['structure'];
type Entry = Extract<Structure, { type: 'sections' }>['structure'][number];
type Section = Extract<Entry, { object: 'site-section' }>;
type Group = Pick<Extract<Entry, { object: 'site-section-group' }>, 'id' | 'title' | 'icon'>;
type SiteSpace = Section['siteSpaces'][number];

/** A site with the results of further requests. */
export interface TwinSite extends WholeSite {
  /** Groups of a site without sections, which are not part of its structure. */
  emptyGroups: readonly Group[];
  /** Settings of single site spaces, by their IDs. */
  siteSpaces: Record<string, WholeSite['customization']>;
}

/** @param spaces IDs of the spaces in the twin */
export async function writeSite(
  db: Db,
  organization: string,
  { site, structure, emptyGroups, customization, siteSpaces, schema, links }: TwinSite,
  spaces: ReadonlySet<string>,
): Promise<void> {
  const { title: siteTitle, ...settings } = customization;
  await insert(db, 'site', [
    {
      id: site.id,
      organization,
      type: site.type,
      title: site.title,
      title_key: titleKey(site.title),
      hostname: site.hostname ?? null,
      basename: site.basename ?? slugify(site.title),
      proxy: site.proxy?.origin ?? null,
      visibility: site.visibility,
      published: Number(site.published),
      adaptive_content: Number(site.adaptiveContent?.enabled ?? false),
      ads: jsonOrNull(site.ads),
      // Settings without a title show that of the site.
      customization: jsonText(siteTitle === site.title ? settings : customization),
      site_space_customizations: jsonText(siteSpaces),
      adaptive_schema: schema ? jsonText(schema.jsonSchema) : null,
      adaptive_schema_updated_at: schema?.updatedAt ?? null,
      created_at: site.createdAt,
    },
  ]);
  await writeStructure(db, site.id, { structure, emptyGroups, spaces });
  const rows = links.map(({ id, name, active, createdAt, urls }) => ({
    id,
    site: site.id,
    key: new URL(urls.published).pathname.split('/').findLast((part) => part !== '') ?? id,
    name,
    active: Number(active),
    created_at: createdAt,
  }));
  await insert(db, 'share_link', rows);
}

async function writeStructure(
  db: Db,
  site: string,
  { structure, emptyGroups, spaces }: Pick<TwinSite, 'structure' | 'emptyGroups'> & { spaces: ReadonlySet<string> },
): Promise<void> {
  let last = 0;
  const position = () => (last += gap);
  const addSpaces = (section: string | null, list: readonly SiteSpace[]) =>
    insert(
      db,
      'site_space',
      list
        .filter(({ space }) => spaces.has(space.id))
        .map(({ id, space, path, condition = null, default: isDefault = false }) => ({
          id,
          site,
          section,
          space: space.id,
          position: position(),
          path,
          condition,
          is_default: Number(isDefault),
        })),
    );
  const addSection = async (section: Section, group: string | null) => {
    const { id, title, description = null, path, condition = null, icon = null, default: isDefault = false } = section;
    const row = { id, site, section_group: group, position: position(), title, description, path, condition, icon };
    await insert(db, 'site_section', [{ ...row, is_default: Number(isDefault) }]);
    await addSpaces(id, section.siteSpaces);
  };
  const addGroup = ({ id, title, icon }: Group) =>
    insert(db, 'site_section_group', [{ id, site, position: position(), title, icon: icon ?? null }]);
  if (structure.type === 'siteSpaces') await addSpaces(null, structure.structure);
  else
    for (const entry of structure.structure) {
      if (entry.object === 'site-section') await addSection(entry, null);
      else {
        await addGroup(entry);
        for (const section of entry.sections) await addSection(section, entry.id);
      }
    }
  for (const group of emptyGroups) await addGroup(group);
}

/** A specification with the text of its latest version. */
export interface TwinSpecification {
  spec: Specification;
  version: { id: string; createdAt: string; text: string } | undefined;
}

/** Writes a specification as a processed one, because a twin has no source to process again. */
export async function writeSpecification(
  db: Db,
  organization: string,
  { spec, version }: TwinSpecification,
): Promise<void> {
  await insert(db, 'openapi_spec', [
    {
      id: spec.id,
      organization,
      slug: spec.slug,
      source_url: spec.sourceURL ?? null,
      source_text: null,
      processing_state: 'complete',
      last_version: version?.id ?? null,
      last_processed_at: spec.lastProcessedAt ?? null,
      last_process_error_code: spec.lastProcessErrorCode ?? null,
      created_at: spec.createdAt,
      updated_at: spec.updatedAt,
    },
  ]);
  if (version)
    await insert(db, 'openapi_version', [
      { id: version.id, spec: spec.id, text: version.text, created_at: version.createdAt },
    ]);
}

export const writeTranslations = (db: Db, organization: string, list: readonly Translation[]): Promise<void> =>
  insert(
    db,
    'translation',
    list.map(({ id, title, languages, createdAt, updatedAt }) => ({
      id,
      organization,
      title,
      languages: jsonText(languages),
      created_at: createdAt,
      updated_at: updatedAt,
    })),
  );
