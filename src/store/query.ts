import { type CompiledQuery, type Expression, sql } from 'kysely';
import type { Dialect, Value } from './engine.ts';
import type { Db } from './store.ts';

/** A placeholder for a parameter while a query is built. */
class Marker<Name> {
  readonly name: Name;
  constructor(name: Name) {
    this.name = name;
  }
}

const isMarker = <P>(value: unknown): value is Marker<keyof P> => value instanceof Marker;

/** The parameters of a query as expressions; optional and nullable ones fit if Kysely expects their value. */
export type Marked<P> = { [K in keyof P]-?: Expression<NonNullable<P[K]>> };

/** Parameters that a database can bind. */
type Bindable<P> = { [K in keyof P]: Value | undefined };

/** A query of Kysely, or a `sql` template. */
interface Compilable<Row> {
  compile(db: Db): CompiledQuery<Row>;
}

export interface Query<P, Row> {
  all(db: Db, params: P): Promise<Row[]>;
  first(db: Db, params: P): Promise<Row | undefined>;
  /** The first row of a query that always has one, such as a count. */
  one(db: Db, params: P): Promise<Row>;
  /** The number of changed rows. */
  run(db: Db, params: P): Promise<number>;
}

/**
 * A query that is built and compiled once for each kind of database: building one with Kysely takes five times as long as running it.
 * `build` gets an expression for each parameter, whose value is bound when the query runs.
 */
export function query<P extends Bindable<P>, Row = unknown>(
  build: (db: Db, params: Marked<P>) => Compilable<Row>,
): Query<P, Row> {
  const compiled = new Map<Dialect, CompiledQuery<Row>>();
  const compiledFor = (db: Db) => {
    let existing = compiled.get(db.dialect);
    if (!existing) compiled.set(db.dialect, (existing = build(db, markers<P>()).compile(db)));
    return existing;
  };
  const first = async (db: Db, params: P): Promise<Row | undefined> => {
    const { sql: text, parameters } = compiledFor(db);
    return db.session.get<Row>(text, valuesOf(parameters, params));
  };
  return {
    first,
    async all(db, params) {
      const { sql: text, parameters } = compiledFor(db);
      return db.session.all<Row>(text, valuesOf(parameters, params));
    },
    async one(db, params) {
      const row = await first(db, params);
      if (row === undefined) throw new Error(`A query that must return a row returned none: ${compiledFor(db).sql}`);
      return row;
    },
    async run(db, params) {
      const { sql: text, parameters } = compiledFor(db);
      return db.session.run(text, valuesOf(parameters, params));
    },
  };
}

/** Kysely has checked the values against the column types, and databases can bind all of these. */
const valuesOf = <P>(parameters: readonly unknown[], params: P) =>
  parameters.map((value) => (isMarker<P>(value) ? params[value.name] : value)) as Value[];

function markers<P>(): Marked<P> {
  return new Proxy(Object.create(null), { get: (_, name) => sql.val(new Marker(name)) });
}

/** Whether an optional parameter has a value. */
type Has<P> = (name: keyof P) => boolean;

/** A query with optional parameters, for filters and pages. It is built once for each set of parameters that have a value. */
export function filterQuery<P extends Bindable<P>, Row = unknown>(
  build: (db: Db, params: Marked<P>, has: Has<P>) => Compilable<Row>,
): Query<P, Row> {
  const queries = new Map<string, Query<P, Row>>();
  const queryFor = (params: P) => {
    const names = new Set<keyof P>();
    for (const name in params) if (params[name] !== undefined) names.add(name);
    const key = [...names].join();
    let existing = queries.get(key);
    if (!existing) {
      existing = query<P, Row>((db, marked) => build(db, marked, (name) => names.has(name)));
      queries.set(key, existing);
    }
    return existing;
  };
  return {
    all: (db, params) => queryFor(params).all(db, params),
    first: (db, params) => queryFor(params).first(db, params),
    one: (db, params) => queryFor(params).one(db, params),
    run: (db, params) => queryFor(params).run(db, params),
  };
}

/** Queries that also differ by a few words, such as a direction, each built once. */
export function queryFor<Variant extends object, P extends Bindable<P>, Row = unknown>(
  build: (variant: Variant, db: Db, params: Marked<P>, has: Has<P>) => Compilable<Row>,
): (variant: Variant) => Query<P, Row> {
  const queries = new Map<string, Query<P, Row>>();
  return (variant) => {
    const key = JSON.stringify(variant);
    let existing = queries.get(key);
    if (!existing) {
      existing = filterQuery<P, Row>((db, params, has) => build(variant, db, params, has));
      queries.set(key, existing);
    }
    return existing;
  };
}
