import { newId } from './ids.ts';
import { query, queryFor } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type ProviderRow = Row<'saml_provider'>;

const list = queryFor<
  { after: boolean },
  { organization: string; afterTime?: string; afterId?: string; limit: number },
  ProviderRow
>(
  (variant, db, p) =>
    db
      .selectFrom('saml_provider')
      .selectAll()
      .where('organization', '=', p.organization)
      .$if(variant.after, (q) =>
        q.where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(p.afterTime, p.afterId) as never)),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(p.limit) as never,
);
/** Oldest first; all of them with a limit of -1. */
export const listProviders = (db: Db, organization: string, after: readonly unknown[] | undefined, limit: number) =>
  list({ after: after !== undefined }).all(db, {
    organization,
    limit,
    ...(after ? { afterTime: after[0] as string, afterId: after[1] as string } : {}),
  });

const count = query<{ organization: string }, { count: number }>((db, p) =>
  db
    .selectFrom('saml_provider')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization', '=', p.organization),
);
export const countProviders = async (db: Db, organization: string) => (await count.first(db, { organization }))!.count;

export async function createProvider(db: Db, provider: Omit<ProviderRow, 'id'>): Promise<ProviderRow> {
  const row = { id: newId(), ...provider };
  await db.insertInto('saml_provider').values(row).execute();
  return row;
}

export async function changeProvider(db: Db, id: string, change: Partial<ProviderRow>) {
  if (Object.keys(change).length > 0) await db.updateTable('saml_provider').set(change).where('id', '=', id).execute();
}

export async function deleteProvider(db: Db, id: string) {
  await db.deleteFrom('saml_provider').where('id', '=', id).execute();
}
