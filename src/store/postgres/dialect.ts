import { PostgresAdapter, PostgresQueryCompiler, sql } from 'kysely';
import type { Dialect } from '../engine.ts';
import { containing } from '../sql.ts';
import { pages } from './page-search.ts';

/** PostgreSQL's variants of what databases express differently. */
export const postgres: Dialect = {
  compiler: new PostgresQueryCompiler(),
  adapter: new PostgresAdapter(),
  // Names and order, and comparisons by bytes, as in SQLite.
  jsonEach: (json) => sql`(select number - 1 as key, value collate "C" as value
    from json_array_elements_text(${json}::json) with ordinality as element(value, number))`,
  jsonList: (json) => sql`(select value collate "C" from json_array_elements_text(${json}::json) as element(value))`,
  member: (name) => sql`value::json ->> ${sql.lit(name)}`,
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  // The first rows of each query, by its index. A query for all of them would sort all rows.
  firstOf: (queries, end) => {
    const parts = queries.map((query) => sql`select * from (${query} ${end}) as part`);
    return sql`${sql.join(parts, sql` union all `)} ${end}`;
  },
  indexedBy: () => sql``,
  matchesPerson: (pattern) => sql`(fold(u.display_name) like ${pattern} or fold(u.email) like ${pattern})`,
  peoplePattern: containing,
  pages,
  load: async () => (await import('./load.ts')).load,
  holdsNul: false,
};
