import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { forever } from './snapshots.ts';
import type { Table, Value } from './engine.ts';
import { indexPage } from './search.ts';
import type { Db, Store } from './store.ts';
import { forEachTogether } from './together.ts';

/** A copied table, with the number of its rows and their checksum, which are equal on both sides. */
export interface CopiedTable {
  table: string;
  rows: number;
  checksum: string;
}

/** The rows of a copied table differ from the original. */
export class CopyMismatch extends Error {}

interface CopyOptions {
  signal: AbortSignal;
  /** Copies and compares everything, then rolls back. */
  isDryRun: boolean;
  onRows(table: string, count: number): void;
}

/**
 * Copies all rows of a database into another one, with their IDs, in one transaction. After an error, or if the process
 * ends, the target has no rows. The search index is rebuilt.
 *
 * @param to a database without rows
 * @throws CopyMismatch if the target has other rows afterwards
 */
export async function copyStore(from: Store, to: Store, options: CopyOptions): Promise<CopiedTable[]> {
  const copyInto = async (source: Db, target: Db) => {
    const copied = await copyAll(source, target, options);
    if (options.isDryRun) throw new TakenBack(copied);
    return copied;
  };
  try {
    return await from.read((source) =>
      to.write((target) => copyInto(source, target), { kind: 'job', id: 'copy of a database' }),
    );
  } catch (error) {
    if (error instanceof TakenBack) return error.copied;
    throw error;
  }
}

/** Ends the transaction of a dry run. */
class TakenBack extends Error {
  readonly copied: CopiedTable[];

  constructor(copied: CopiedTable[]) {
    super();
    this.copied = copied;
  }
}

/** The tables that have rows. */
export async function tablesWithRows(store: Store): Promise<string[]> {
  return store.read(async (db) => {
    const filled: string[] = [];
    for (const { name } of await (await db.dialect.load()).tables(db)) {
      const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
      if (rows.length > 0) filled.push(name);
    }
    return filled;
  });
}

async function copyAll(source: Db, target: Db, { signal, onRows }: CopyOptions): Promise<CopiedTable[]> {
  const tables = await (await source.dialect.load()).tables(source);
  const finish = await (await target.dialect.load()).begin(target, tables);
  const copied: CopiedTable[] = [];
  for (const table of tables) {
    copied.push(
      await readTable(source, table, async (batch, rows) => {
        signal.throwIfAborted();
        await insert(target, table, batch);
        onRows(table.name, rows);
      }),
    );
  }
  await indexPages(target, signal);
  await finish();
  for (const [index, table] of tables.entries()) {
    const before = copied[index];
    const { rows, checksum } = await readTable(target, table, () => signal.throwIfAborted());
    if (before?.rows !== rows || before.checksum !== checksum) {
      throw new CopyMismatch(
        `The table ${table.name} has other rows in the copy: ${rows} in place of ${before?.rows}.`,
      );
    }
  }
  return copied;
}

/** @param onBatch gets some of the rows, and the number of rows so far */
async function readTable(
  db: Db,
  table: Table,
  onBatch: (batch: Row[], rows: number) => Promise<void> | void,
): Promise<CopiedTable> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const batch of rowsOf(db, table)) {
    rows += batch.length;
    await onBatch(batch, rows);
    addTo(hash, table, batch);
  }
  return { table: table.name, rows, checksum: hash.digest('hex') };
}

type Row = Record<string, Value>;

/** These contain texts and files of many megabytes. */
const largeTables: ReadonlySet<string> = new Set(['blob', 'document', 'openapi_spec', 'openapi_version']);
const batchSize = { large: 20, other: 500 };

/** The rows in an order that is the same in every database: by key or, without a key, by all columns. */
async function* rowsOf(db: Db, { name, columns, key }: Table): AsyncGenerator<Row[]> {
  const size = largeTables.has(name) ? batchSize.large : batchSize.other;
  const refs = (names: readonly string[]) => sql.join(names.map((each) => sql.ref(each)));
  const order = key.length > 0 ? refs(key) : sql.join(columns.map((each) => sql`${sql.ref(each)} nulls first`));
  let last: Row | undefined;
  let read = 0;
  for (;;) {
    const values = last && sql.join(key.map((each) => sql.val(last?.[each])));
    const after = key.length > 0 && values ? sql`where (${refs(key)}) > (${values})` : sql``;
    const skip = key.length > 0 ? sql`` : sql`offset ${read}`;
    const { rows } = await sql<Row>`select ${refs(columns)} from ${sql.table(name)} ${after}
      order by ${order} limit ${size} ${skip}`.execute(db);
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    read += rows.length;
    if (rows.length < size) return;
  }
}

/** Parameters of a statement. Both databases accept more. */
const maxBound = 30_000;

async function insert(db: Db, { name, columns }: Table, rows: Row[]): Promise<void> {
  const size = Math.max(1, Math.floor(maxBound / columns.length));
  for (let start = 0; start < rows.length; start += size) {
    const values = rows
      .slice(start, start + size)
      .map((row) => sql`(${sql.join(columns.map((column) => sql.val(row[column])))})`);
    await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(values)}`.execute(db);
  }
}

function addTo(hash: ReturnType<typeof createHash>, { columns }: Table, rows: readonly Row[]): void {
  for (const row of rows) {
    for (const column of columns) {
      const value = row[column];
      // With kind and length, no two rows give the same bytes.
      if (value instanceof Uint8Array) hash.update(`b${value.byteLength}:`).update(value);
      else hash.update(JSON.stringify(typeof value === 'bigint' ? Number(value) : (value ?? null)));
      hash.update('\n');
    }
  }
}

interface SearchedPage {
  space: string;
  page: string;
  title: string;
  document: string | null;
}

async function indexPages(db: Db, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<SearchedPage>`select s.space, s.page, v.title, v.document
    from searched_page s join page_version v on v.space = s.space and v.page = s.page and v.line = ''
      and v.to_seq = ${forever}
    order by s.seq`.execute(db);
  await forEachTogether(rows, (page) => {
    signal.throwIfAborted();
    return indexPage(db, page);
  });
}
