import { newId } from './ids.ts';
import { query, queryFor } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type TranslationRow = Row<'translation'>;

const list = queryFor<
  { after: boolean },
  { organization: string; afterTime?: string; afterId?: string; limit: number },
  TranslationRow
>(
  (variant, db, p) =>
    db
      .selectFrom('translation')
      .selectAll()
      .where('organization', '=', p.organization)
      .$if(variant.after, (q) =>
        q.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(p.afterTime, p.afterId) as never)),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(p.limit) as never,
);
/** Newest first. */
export const listTranslations = (db: Db, organization: string, after: readonly unknown[] | undefined, limit: number) =>
  list({ after: after !== undefined }).all(db, {
    organization,
    limit,
    ...(after ? { afterTime: after[0] as string, afterId: after[1] as string } : {}),
  });

const count = query<{ organization: string }, { count: number }>((db, p) =>
  db
    .selectFrom('translation')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization', '=', p.organization),
);
export const countTranslations = async (db: Db, organization: string) =>
  (await count.first(db, { organization }))!.count;

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
