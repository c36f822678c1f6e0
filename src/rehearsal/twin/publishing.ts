import type { AnswerOf, ItemOf } from '../../contract/endpoint.ts';
import type { openapi } from '../../contract/openapi.ts';
import type { shareLinks } from '../../contract/share-links.ts';
import type { siteCustomization } from '../../contract/site-customization.ts';
import type { siteSchema } from '../../contract/site-schema.ts';
import type { sites } from '../../contract/sites.ts';
import type { translations } from '../../contract/translations.ts';
import { slugify } from '../../content/markdown/slug.ts';
import { jsonText } from '../../store/json.ts';
import { gap } from '../../store/siblings.ts';
import type { Db } from '../../store/store.ts';
import { titleKey } from '../../store/teams.ts';

type Site = ItemOf<typeof sites.list>;
type Structure = AnswerOf<typeof sites.structure>;
type Customization = AnswerOf<typeof siteCustomization.view>;
type Entry = Extract<Structure, { type: 'sections' }>['structure'][number];
type Section = Extract<Entry, { object: 'site-section' }>;
type Group = Extract<Entry, { object: 'site-section-group' }>;
type SiteSpace = Section['siteSpaces'][number];

/** A site with all that other calls tell about it. */
export interface WholeSite {
  site: Site;
  structure: Structure;
  /** Groups of a site without sections, which its structure does not show. */
  emptyGroups: readonly Pick<Group, 'id' | 'title' | 'icon'>[];
  customization: Customization;
  /** Settings of single site spaces, by their ids. */
  siteSpaces: Record<string, Customization>;
  schema: AnswerOf<typeof siteSchema.view> | undefined;
  links: readonly ItemOf<typeof shareLinks.list>[];
}

/** @param hasSpace whether a space is there */
export async function writeSite(
  db: Db,
  organization: string,
  { site, structure, emptyGroups, customization, siteSpaces, schema, links }: WholeSite,
  hasSpace: (id: string) => boolean,
): Promise<void> {
  const { title: siteTitle, ...settings } = customization;
  await db
    .insertInto('site')
    .values({
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
      ads: site.ads ? jsonText(site.ads) : null,
      // Without a title of their own, the settings show that of the site.
      customization: jsonText(siteTitle === site.title ? settings : customization),
      site_space_customizations: jsonText(siteSpaces),
      adaptive_schema: schema ? jsonText(schema.jsonSchema) : null,
      adaptive_schema_updated_at: schema?.updatedAt ?? null,
      created_at: site.createdAt,
    })
    .execute();
  const writer = new StructureWriter(db, site.id, hasSpace);
  await writer.write(structure);
  for (const group of emptyGroups) await writer.group(group);
  for (const { id, name, active, createdAt, urls } of links)
    await db
      .insertInto('share_link')
      .values({
        id,
        site: site.id,
        key: new URL(urls.published).pathname.split('/').findLast((part) => part !== '') ?? id,
        name,
        active: Number(active),
        created_at: createdAt,
      })
      .execute();
}

class StructureWriter {
  readonly #db: Db;
  readonly #site: string;
  readonly #hasSpace: (id: string) => boolean;
  #position = 0;

  constructor(db: Db, site: string, hasSpace: (id: string) => boolean) {
    this.#db = db;
    this.#site = site;
    this.#hasSpace = hasSpace;
  }

  async write(structure: Structure): Promise<void> {
    if (structure.type === 'siteSpaces') return this.#siteSpaces(null, structure.structure);
    for (const entry of structure.structure) {
      if (entry.object === 'site-section') await this.#section(entry, null);
      else {
        await this.group(entry);
        for (const section of entry.sections) await this.#section(section, entry.id);
      }
    }
  }

  async group({ id, title, icon }: Pick<Group, 'id' | 'title' | 'icon'>): Promise<void> {
    await this.#db
      .insertInto('site_section_group')
      .values({ id, site: this.#site, position: this.#next(), title, icon: icon ?? null })
      .execute();
  }

  #next(): number {
    return (this.#position += gap);
  }

  async #section(section: Section, group: string | null): Promise<void> {
    const { id, title, description = null, path, condition = null, icon = null } = section;
    await this.#db
      .insertInto('site_section')
      .values({
        id,
        site: this.#site,
        section_group: group,
        position: this.#next(),
        title,
        description,
        path,
        condition,
        icon,
        is_default: Number(section.default ?? false),
      })
      .execute();
    await this.#siteSpaces(id, section.siteSpaces);
  }

  async #siteSpaces(section: string | null, list: readonly SiteSpace[]): Promise<void> {
    for (const { id, space, path, condition = null, default: isDefault = false } of list) {
      if (!this.#hasSpace(space.id)) continue;
      await this.#db
        .insertInto('site_space')
        .values({
          id,
          site: this.#site,
          section,
          space: space.id,
          position: this.#next(),
          path,
          condition,
          is_default: Number(isDefault),
        })
        .execute();
    }
  }
}

/** A specification with the text of its latest version. */
export interface WholeSpecification {
  spec: ItemOf<typeof openapi.list>;
  version: { id: string; createdAt: string; text: string } | undefined;
}

/** Writes a specification as a processed one: a twin has no source that could be processed again. */
export async function writeSpecification(
  db: Db,
  organization: string,
  { spec, version }: WholeSpecification,
): Promise<void> {
  await db
    .insertInto('openapi_spec')
    .values({
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
    })
    .execute();
  if (version)
    await db
      .insertInto('openapi_version')
      .values({ id: version.id, spec: spec.id, text: version.text, created_at: version.createdAt })
      .execute();
}

export async function writeTranslations(
  db: Db,
  organization: string,
  list: readonly ItemOf<typeof translations.list>[],
): Promise<void> {
  for (const { id, title, languages, createdAt, updatedAt } of list)
    await db
      .insertInto('translation')
      .values({
        id,
        organization,
        title,
        languages: jsonText(languages),
        created_at: createdAt,
        updated_at: updatedAt,
      })
      .execute();
}
