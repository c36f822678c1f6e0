import { type QueryExecutorProvider, sql } from 'kysely';
import type { Load, Table } from '../engine.ts';

/** Loads rows into an empty file. Triggers are off, and references are checked at the commit. */
export const load: Load = {
  async tables(db) {
    const { rows } = await sql<{ name: string }>`select name from pragma_table_list
      where schema = 'main' and type = 'table' and name not like 'sqlite_%' order by name`.execute(db);
    return Promise.all(rows.map(({ name }) => tableOf(db, name)));
  },

  async begin(db) {
    await sql`pragma defer_foreign_keys = on`.execute(db);
    const { rows } = await sql<{ name: string; text: string }>`select name, sql as text from sqlite_schema
      where type = 'trigger'`.execute(db);
    for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(db);
    return async () => {
      for (const { text } of rows) await sql.raw(text).execute(db);
      await sql`insert into user_search (user_search) values ('rebuild')`.execute(db);
    };
  },
};

async function tableOf(db: QueryExecutorProvider, name: string): Promise<Table> {
  const { rows } = await sql<{ name: string; pk: number }>`select name, pk from pragma_table_info(${name})
    order by cid`.execute(db);
  const key = rows.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  return { name, columns: rows.map((column) => column.name), key: key.map((column) => column.name) };
}
