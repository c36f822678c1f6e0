import { DatabaseSync } from 'node:sqlite';

/** Every row of a database, by table. Times of visits are left out: reading changes them. */
export function databaseRows(file: string): Map<string, string[]> {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = db.prepare("select name from sqlite_master where type = 'table' order by name").all();
    return new Map(tables.map(({ name }) => [String(name), rowsOf(db, String(name))]));
  } finally {
    db.close();
  }
}

function rowsOf(db: DatabaseSync, table: string): string[] {
  const select = db.prepare(`select * from "${table}"`);
  select.setReadBigInts(true);
  return select.all().map(textOf).toSorted();
}

const textOf = (row: object) =>
  JSON.stringify(row, (key, value: unknown) => {
    if (/seen/i.test(key)) return undefined;
    if (typeof value === 'bigint') return String(value);
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  });
