import { listByCreated } from './list-by-created.ts';
import { newId } from './ids.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type TranslationRow = Row<'translation'>;

const byTime = listByCreated('translation', 'organization', 'newest first');
/** Newest first; all of them with a limit of `allRows`. */
export const listTranslations = byTime.list;
export const countTranslations = byTime.count;

export async function createTranslation(db: Db, settings: Omit<TranslationRow, 'id'>): Promise<TranslationRow> {
  const row = { id: newId(), ...settings };
  await db.insertInto('translation').values(row).execute();
  return row;
}

export async function changeTranslation(db: Db, id: string, change: Partial<TranslationRow>) {
  await db.updateTable('translation').set(change).where('id', '=', id).execute();
}

export async function deleteTranslation(db: Db, id: string) {
  await db.deleteFrom('translation').where('id', '=', id).execute();
}
