import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely';
import { newId } from './ids.ts';
import type { Value } from './engine.ts';
import { query, queryFor } from './query.ts';
import { columnList, jsonList } from './sql.ts';
import type { Db } from './store.ts';
import type { Row, Tables } from './tables.ts';

type Change<T extends TableWithId> = {
  [C in Exclude<keyof Updateable<Tables[T]>, 'id'>]?: Updateable<Tables[T]>[C] | undefined;
};
type TableWithId = { [T in keyof Tables]: Tables[T] extends { id: string } ? T : never }[keyof Tables];

/**
 * Queries for single rows of a table. They are written as SQL, because Kysely cannot infer the columns of a generic table.
 *
 * @param columns the columns to read; all by default
 */
export function rowsById<T extends TableWithId, C extends keyof Row<T> & string = keyof Row<T> & string>(
  name: T,
  columns: readonly C[] = [],
) {
  type Read = Pick<Row<T>, C>;
  const table = sql.table(name);
  const read = columnList(columns);
  const byId = query<{ id: string }, Read>((_, p) => sql<Read>`select ${read} from ${table} where id = ${p.id}`);
  const byIds = query<{ ids: string }, Read & { id: string }>(
    (db, p) => sql<Read & { id: string }>`select ${read} from ${table} where id in ${jsonList(db, p.ids)}`,
  );
  const remove = query<{ id: string }>((_, p) => sql`delete from ${table} where id = ${p.id}`);
  const update = queryFor<{ columns: string[] }, Record<string, Value>, Read>(({ columns: names }, _, p) => {
    const set = names.map((column) => sql`${sql.ref(column)} = ${p[column]}`);
    return sql<Read>`update ${table} set ${sql.join(set)} where id = ${p.id} returning ${read}`;
  });
  const get = (db: Db, id: string) => byId.one(db, { id });
  const written = async (db: Db, statement: RawBuilder<Read>): Promise<Read> => {
    const [row] = (await statement.execute(db)).rows;
    if (!row) throw new Error(`No row of ${name} was written.`);
    return row;
  };

  return {
    find: (db: Db, id: string) => byId.first(db, { id }),
    get,

    /** Rows in the order of `ids`, without those that do not exist. */
    async list(db: Db, ids: Iterable<string>): Promise<Read[]> {
      const distinct = [...new Set(ids)];
      if (distinct.length === 0) return [];
      const rows = await byIds.all(db, { ids: JSON.stringify(distinct) });
      const rowOf = new Map(rows.map((row) => [row.id, row]));
      return distinct.flatMap((id) => rowOf.get(id) ?? []);
    },

    /** Inserts a row. Columns without a value get their default or null. */
    async insert(db: Db, values: Omit<Insertable<Tables[T]>, 'id'> & { id?: string }): Promise<Read> {
      const entries = withoutUndefined({ ...values, id: values.id ?? newId() });
      const names = sql.join(entries.map(([column]) => sql.ref(column)));
      const row = sql.join(entries.map(([, value]) => value));
      return written(db, sql<Read>`insert into ${table} (${names}) values (${row}) returning ${read}`);
    },

    /** Changes the columns that have a value. @returns the row, even if nothing changes */
    async change(db: Db, id: string, change: Change<T>): Promise<Read> {
      const entries = withoutUndefined(change);
      if (entries.length === 0) return get(db, id);
      const columns = entries.map(([column]) => column);
      return update({ columns }).one(db, { ...Object.fromEntries(entries), id });
    },

    async delete(db: Db, id: string): Promise<void> {
      await remove.run(db, { id });
    },
  };
}

const withoutUndefined = (values: object) => Object.entries(values).filter(([, value]) => value !== undefined);
