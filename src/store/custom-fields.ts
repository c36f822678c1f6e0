import { listByCreated } from './list-by-created.ts';
import { query } from './query.ts';
import { rowsById } from './rows.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type FieldRow = Row<'custom_field'>;
type ValueText = Row<'custom_field_value'>['value'];

export const byCreated = listByCreated('custom_field', 'organization', 'oldest first');

export const { insert: createField, change: changeField, delete: deleteField } = rowsById('custom_field');

const valued = query<{ organization: string; space: string }, FieldRow & { value: ValueText | null }>((db, p) =>
  db
    .selectFrom('custom_field as f')
    .leftJoin('custom_field_value as v', (join) => join.onRef('v.field', '=', 'f.id').on('v.space', '=', p.space))
    .selectAll('f')
    .select('v.value')
    .where('f.organization', '=', p.organization)
    .orderBy('f.created_at')
    .orderBy('f.id'),
);
/** Every field of the organization, oldest first, with the space's value as JSON. */
export const listValues = (db: Db, organization: string, space: string) => valued.all(db, { organization, space });

/** @param value JSON, or null to clear it */
export async function setValue(db: Db, space: string, field: string, value: ValueText | null) {
  if (value === null) {
    await db.deleteFrom('custom_field_value').where('space', '=', space).where('field', '=', field).execute();
    return;
  }
  await db
    .insertInto('custom_field_value')
    .values({ space, field, value })
    .onConflict((conflict) => conflict.columns(['space', 'field']).doUpdateSet({ value }))
    .execute();
}

export const valuesOf = (db: Db, field: string) =>
  db.selectFrom('custom_field_value').select(['space', 'value']).where('field', '=', field).execute();
