import type { Db } from './store.ts';
import type { Tables } from './tables.ts';

/** Everything that an organization holds begins in one of these. */
const tables = [
  'collection',
  'space',
  'site',
  'team',
  'invite',
  'saml_provider',
  'custom_field',
  'openapi_spec',
  'translation',
] as const satisfies (keyof Tables)[];

/** Whether anything was added to a database after its first organization and administrator. */
export async function hasData(db: Db): Promise<boolean> {
  const filled = tables.map((table) => `exists(select 1 from "${table}")`).join(' or ');
  const row = await db.get<{ filled: number }>(`select (${filled} or (select count(*) from "user") > 1) as filled`);
  return row?.filled === 1;
}
