import { sql } from 'kysely';
import type { Load } from '../engine.ts';

/** Tables that only PostgreSQL has. */
const own = ['docsctl_schema', 'page_search'];

const schema = sql`current_schema()::regnamespace`;

/**
 * Loads rows into empty tables. Triggers are off, and references are dropped and checked when they are added again. This
 * needs the owner of the tables, but no other rights.
 */
export const load: Load = {
  async tables(db) {
    const { rows } = await sql<{ name: string; columns: string; key: string | null }>`
      select c.relname as name,
        (select json_agg(a.attname order by a.attnum) from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)::text as columns,
        (select json_agg(a.attname order by array_position(i.indkey::int2[], a.attnum)) from pg_index i
          join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
          where i.indrelid = c.oid and i.indisprimary)::text as key
      from pg_class c
      where c.relnamespace = ${schema} and c.relkind = 'r' and c.relname not in (${sql.join(own)})
      order by c.relname collate "C"`.execute(db);
    return rows.map(({ name, columns, key }) => ({ name, columns: JSON.parse(columns), key: JSON.parse(key ?? '[]') }));
  },

  async begin(db, tables) {
    // No time limit.
    await sql`set local statement_timeout = 0`.execute(db);
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(db);
    const { rows: references } = await sql<{ name: string; table: string; definition: string }>`
      select conname as name, conrelid::regclass::text as "table", pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = ${schema}`.execute(db);
    for (const { name, table } of references)
      await sql`alter table ${sql.raw(table)} drop constraint ${sql.ref(name)}`.execute(db);
    for (const { name } of tables) await sql`alter table ${sql.table(name)} disable trigger user`.execute(db);
    return async () => {
      for (const { name, table, definition } of references) {
        await sql`alter table ${sql.raw(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(db);
      }
      for (const { name } of tables) await sql`alter table ${sql.table(name)} enable trigger user`.execute(db);
      const { rows: numbered } = await sql<{ table: string; column: string }>`
        select table_name as "table", column_name as "column" from information_schema.columns
        where table_schema = current_schema() and is_identity = 'YES'`.execute(db);
      for (const { table, column } of numbered) {
        const all = sql`${sql.table(table)}`;
        await sql`select setval(pg_get_serial_sequence(${`"${table}"`}, ${column}),
          (select coalesce(max(${sql.ref(column)}), 0) + 1 from ${all}), false)`.execute(db);
      }
    };
  },
};
