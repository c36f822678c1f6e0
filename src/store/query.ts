import { type CompiledQuery, type Expression, sql } from 'kysely';
import type { SQLInputValue } from 'node:sqlite';
import { bindable } from './connection.ts';
import type { Db } from './store.ts';

/** Stands for a parameter while a query is built. */
class Marker<Name> {
  readonly name: Name;
  constructor(name: Name) {
    this.name = name;
  }
}

const isMarker = <P>(value: unknown): value is Marker<keyof P> => value instanceof Marker;

/** The parameters of a query as expressions; optional and nullable ones fit where Kysely expects their value. */
export type Marked<P> = { [K in keyof P]-?: Expression<NonNullable<P[K]>> };

/** Parameters that SQLite can bind. */
type Bindable<P> = { [K in keyof P]: SQLInputValue | undefined };

/** A query of Kysely, or a `sql` template. */
interface Compilable<Row> {
  compile(db: Db): CompiledQuery<Row>;
}

export interface Query<P, Row> {
  all(db: Db, params: P): Promise<Row[]>;
  first(db: Db, params: P): Promise<Row | undefined>;
  /** The first row of a query that always has one, such as a count. */
  one(db: Db, params: P): Promise<Row>;
  /** How many rows changed. */
  run(db: Db, params: P): Promise<number>;
}

/**
 * A query that is built and compiled once: building one with Kysely takes five times as long as running it.
 * `build` gets an expression for each parameter, whose value is bound when the query runs.
 */
export function query<P extends Bindable<P>, Row = unknown>(
  build: (db: Db, params: Marked<P>) => Compilable<Row>,
): Query<P, Row> {
  let compiled: CompiledQuery<Row> | undefined;
  const prepare = (db: Db, params: P) => {
    compiled ??= build(db, markers<P>()).compile(db);
    const values = compiled.parameters.map((value) => (isMarker<P>(value) ? params[value.name] : value));
    return { statement: db.raw.prepare<Row>(compiled.sql), values: bindable(values) };
  };
  const first = async (db: Db, params: P): Promise<Row | undefined> => {
    const { statement, values } = prepare(db, params);
    return statement.get(...values);
  };
  return {
    first,
    async all(db, params) {
      const { statement, values } = prepare(db, params);
      return statement.all(...values);
    },
    async one(db, params) {
      const row = await first(db, params);
      if (row === undefined) throw new Error(`A query that must return a row returned none: ${compiled?.sql}`);
      return row;
    },
    async run(db, params) {
      const { statement, values } = prepare(db, params);
      return Number(statement.run(...values).changes);
    },
  };
}

function markers<P>(): Marked<P> {
  return new Proxy(Object.create(null), { get: (_, name) => sql.val(new Marker(name)) });
}

/** Queries that differ by a few words (a sort, a direction, which filters are set), each built once. */
export function queryFor<Variant extends object, P extends Bindable<P>, Row = unknown>(
  build: (variant: Variant, db: Db, params: Marked<P>) => Compilable<Row>,
): (variant: Variant) => Query<P, Row> {
  const queries = new Map<string, Query<P, Row>>();
  return (variant) => {
    const key = JSON.stringify(variant);
    let existing = queries.get(key);
    if (!existing) {
      existing = query<P, Row>((db, params) => build(variant, db, params));
      queries.set(key, existing);
    }
    return existing;
  };
}
