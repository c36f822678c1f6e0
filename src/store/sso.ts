import { listByCreated } from './list-by-created.ts';
import { newId } from './ids.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type ProviderRow = Row<'saml_provider'>;

const byTime = listByCreated('saml_provider', 'organization', 'oldest first');
/** Oldest first; all of them with a limit of `allRows`. */
export const listProviders = byTime.list;
export const countProviders = byTime.count;

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
