import { SqliteAdapter, SqliteQueryCompiler, sql } from 'kysely';
import type { Dialect } from '../engine.ts';
import { pages } from './page-search.ts';

/** SQLite's variants of what databases express differently. */
export const sqlite: Dialect = {
  compiler: new SqliteQueryCompiler(),
  adapter: new SqliteAdapter(),
  jsonEach: (json) => sql`json_each(${json})`,
  jsonList: (json) => sql`(select value from json_each(${json}))`,
  member: (name) => sql`value ->> ${sql.lit(name)}`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  firstOf: (queries, end) => sql`${sql.join(queries, sql` union all `)} ${end}`,
  indexedBy: (name) => sql`indexed by ${sql.id(name)}`,
  matchesPerson: (pattern) => sql`u.seq in (select rowid from user_search where user_search match ${pattern})`,
  peoplePattern: (text) => `"${text.replaceAll('"', '""')}"`,
  pages,
  load: async () => (await import('./load.ts')).load,
  holdsNul: true,
};
