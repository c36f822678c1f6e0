import { type CompiledQuery, type Expression, sql } from 'kysely';
import type { SQLInputValue } from 'node:sqlite';
import type { Db } from './store.ts';

class Marker {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Marked<P> = { [K in keyof P]-?: Expression<NonNullable<P[K]>> };

const marks = new Proxy({} as Record<string, Expression<never>>, {
  get: (_, name: string) => sql.val(new Marker(name)) as unknown as Expression<never>,
});

export interface Query<P, Row> {
  all(db: Db, params: P): Promise<Row[]>;
  first(db: Db, params: P): Promise<Row | undefined>;
  /** How many rows changed. */
  run(db: Db, params: P): Promise<number>;
}

/**
 * A query that Kysely builds once: building one costs five times what running it does.
 * `build` gets marks to stand where the parameters go.
 */
export function query<P extends object, Row = unknown>(
  build: (db: Db, params: Marked<P>) => { compile(): CompiledQuery<Row> },
): Query<P, Row> {
  let compiled: CompiledQuery<Row> | undefined;
  const prepared = (db: Db, params: P) => {
    compiled ??= build(db, marks as unknown as Marked<P>).compile();
    const values = compiled.parameters.map((value) =>
      value instanceof Marker ? params[value.name as keyof P] : value,
    );
    return { statement: db.raw.prepare(compiled.sql), values: values as SQLInputValue[] };
  };
  return {
    async all(db, params) {
      const { statement, values } = prepared(db, params);
      return statement.all(...values) as Row[];
    },
    async first(db, params) {
      const { statement, values } = prepared(db, params);
      return statement.get(...values) as Row | undefined;
    },
    async run(db, params) {
      const { statement, values } = prepared(db, params);
      return Number(statement.run(...values).changes);
    },
  };
}

/** Queries that differ by a few words (a sort, a direction, which filters are set), each built once. */
export function queryFor<K extends object, P extends object, Row = unknown>(
  build: (variant: K, db: Db, params: Marked<P>) => { compile(): CompiledQuery<Row> },
): (variant: K) => Query<P, Row> {
  const built = new Map<string, Query<P, Row>>();
  return (variant) => {
    const key = JSON.stringify(variant);
    const known = built.get(key);
    if (known) return known;
    const made = query<P, Row>((db, params) => build(variant, db, params));
    built.set(key, made);
    return made;
  };
}
