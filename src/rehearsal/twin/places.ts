import type { FieldValue } from '../../contract/custom-fields.ts';
import type { collections } from '../../contract/collections.ts';
import type { fields } from '../../contract/custom-fields.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import type { spaces } from '../../contract/spaces.ts';
import { jsonText } from '../../store/json.ts';
import { gap } from '../../store/siblings.ts';
import type { Db } from '../../store/store.ts';

type Collection = ItemOf<typeof collections.list>;
type Space = ItemOf<typeof spaces.list>;

/** The place of a space or collection among its siblings, from 0. */
export type PlaceOf = (id: string) => number;

const positionAt = (place: number) => (place + 1) * gap;

/** Writes collections. @param list a collection after the one that it is in */
export async function writeCollections(
  db: Db,
  list: readonly Collection[],
  placeOf: PlaceOf,
  createdAt: string,
): Promise<void> {
  for (const { id, organization, parent, title, description, defaultLevel } of list)
    await db
      .insertInto('collection')
      .values({
        id,
        organization,
        parent: parent ?? null,
        position: positionAt(placeOf(id)),
        title,
        description: description ?? null,
        default_level: defaultLevel,
        created_at: createdAt,
      })
      .execute();
}

/** Writes a space without its content. Its counts follow from what is written after it. */
export async function writeSpace(
  db: Db,
  space: Space,
  { place, parent }: { place: number; parent: string | null },
): Promise<void> {
  await db
    .insertInto('space')
    .values({
      id: space.id,
      organization: space.organization,
      parent,
      position: positionAt(place),
      title: space.title,
      emoji: space.emoji,
      edit_mode: space.editMode ?? 'live',
      default_level: space.defaultLevel,
      created_at: space.createdAt,
      updated_at: space.updatedAt,
      deleted_at: null,
      revision: space.revision,
      git_sync: space.gitSync ? jsonText(space.gitSync) : null,
      visitor_auth: space.visitorAuth ? jsonText(space.visitorAuth) : null,
    })
    .execute();
}

export async function writeFields(
  db: Db,
  organization: string,
  list: readonly ItemOf<typeof fields.list>[],
): Promise<void> {
  for (const { id, name, title, description, type, placeholder, options, createdAt, updatedAt } of list)
    await db
      .insertInto('custom_field')
      .values({
        id,
        organization,
        name,
        title,
        description,
        type,
        placeholder,
        options: options ? jsonText(options) : null,
        created_at: createdAt,
        updated_at: updatedAt,
      })
      .execute();
}

export async function writeFieldValues(
  db: Db,
  space: string,
  values: readonly { field: string; value: FieldValue }[],
): Promise<void> {
  for (const { field, value } of values)
    await db
      .insertInto('custom_field_value')
      .values({ space, field, value: jsonText(value) })
      .execute();
}
