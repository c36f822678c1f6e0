import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrations } from '../../src/store/migrations/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { contentSpace } from '../support/content-space.ts';
import { newDatabase } from '../support/engine.ts';

async function emptyDatabase(): Promise<{ address: string; run: (text: string) => Promise<any[]> }> {
  const { address, drop } = await newDatabase({ isEmpty: true });
  const client = new pg.Client(address);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await drop();
  });
  return { address, run: async (text) => (await client.query(text)).rows };
}

async function open(address: string): Promise<Store> {
  const store = await openStore(address);
  onTestFinished(() => store.close());
  return store;
}

describe('a database', () => {
  test('has the tables and columns that a file has', async () => {
    const { address } = await emptyDatabase();
    const [store, file] = [await open(address), await open(':memory:')];

    const inFile = await file.read((db) =>
      db.all<{ name: string }>(
        `select t.name || '.' || c.name as name from sqlite_master t join pragma_table_info(t.name) c
          where t.type = 'table' and t.name not like '%_search%' and t.name <> 'page_word' and t.name not like 'sqlite_%'`,
      ),
    );
    const here = await store.read((db) =>
      db.all<{ name: string }>(
        `select table_name || '.' || column_name as name from information_schema.columns
          where table_schema = 'public' and table_name not in ('page_search', 'docsctl_schema')`,
      ),
    );
    expect(here.map(({ name }) => name).toSorted()).toEqual(inFile.map(({ name }) => name).toSorted());
  });

  test('is migrated once by ten processes that start at the same time', async () => {
    const { address, run } = await emptyDatabase();

    const stores = await Promise.all(Array.from({ length: 10 }, () => open(address)));

    expect(stores.every(({ fresh }) => fresh)).toBe(true);
    expect(await run('select version from docsctl_schema')).toEqual([{ version: migrations.length }]);
  });

  test('that a newer docsctl wrote is refused, and stays as it is', async () => {
    const { address, run } = await emptyDatabase();
    await (await openStore(address)).close();
    await run(`update docsctl_schema set version = ${migrations.length + 1}`);

    await expect(openStore(address)).rejects.toThrow(
      `written by a newer docsctl: it has schema ${migrations.length + 1}, this one knows up to ${migrations.length}.`,
    );
    expect(await run('select version from docsctl_schema')).toEqual([{ version: migrations.length + 1 }]);
  });

  test('of another program is refused, and stays as it is', async () => {
    const { address, run } = await emptyDatabase();
    await run('create table organization (name text)');

    await expect(openStore(address)).rejects.toThrow('This database has tables of another program.');
    expect(await run(`select tablename from pg_tables where schemaname = 'public'`)).toEqual([
      { tablename: 'organization' },
    ]);
  });

  test('in which pg_trgm cannot be installed says what to do', async () => {
    const { address, run } = await emptyDatabase();
    const role = `r${Date.now()}`;
    await run(`create role ${role} login; grant create on schema public to ${role}`);
    const url = new URL(address);
    url.username = role;
    try {
      const failure: any = await openStore(url.href).catch((error: unknown) => error);
      expect(failure.message).toContain('The extension pg_trgm cannot be used in this database: permission denied');
      expect(failure.hint).toContain('create extension pg_trgm');
    } finally {
      await run(`drop owned by ${role}; drop role ${role}`);
    }
  });

  test('runs what is exclusive one after another, and what a process held when it died', async () => {
    const { address, run } = await emptyDatabase();
    const [first, second] = [await open(address), await open(address)];
    const log: string[] = [];
    let began!: () => void;
    const hasBegun = new Promise<void>((resolve) => (began = resolve));
    const never = first.exclusively('job', () => {
      log.push('first');
      began();
      return new Promise<void>(() => {});
    });
    void never;
    await hasBegun;

    const waiting = second.exclusively('job', async () => void log.push('second'));
    await second.exclusively('other', async () => void log.push('other'));
    expect(log).toEqual(['first', 'other']);
    await run(
      `select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = database where datname = current_database() and locktype = 'advisory' and granted`,
    );
    await waiting.catch(() => {});

    expect(log).toEqual(['first', 'other', 'second']);
  });

  test('refuses a write in a read', async () => {
    const { address } = await emptyDatabase();
    const store = await open(address);
    await expect(
      store.read(({ session }) => Promise.resolve(session.run(`insert into setting values ('x', 'y')`, []))),
    ).rejects.toThrow('read-only transaction');
    expect(await store.read((db) => db.all('select * from setting'))).toEqual([]);
  });
});

describe('a text with the character U+0000', () => {
  test('is refused with its place, and nothing is written', async () => {
    const { call, path, change, pages, orgPath } = await contentSpace();

    const titled = await call('PATCH', path, { title: 'a\0b' });
    const written = await change([{ operation: 'insert_page', title: 'x', document: { markdown: 'a\0b' } }]);
    const searched = await call('GET', `${orgPath}/members?search=a%00bc`);

    expect(titled.status).toBe(400);
    expect(titled.error.details).toMatchObject([{ in: 'body', path: '/title' }]);
    expect(written.error.details).toMatchObject([{ in: 'body', path: '/changes/0/document/markdown' }]);
    expect(searched.error.details).toMatchObject([{ in: 'query', path: 'search' }]);
    expect(await pages()).toEqual([]);
  });
});

describe('a lost connection', () => {
  test('fails the requests that are on it, and later ones work', async () => {
    const { call, path, orgPath, instance } = await contentSpace();
    const kill = () =>
      instance.store.read(async (db) => {
        await db.all(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
        );
      });

    await Promise.all([call('GET', path), call('GET', orgPath), call('PATCH', path, { title: 'A' })]);
    await kill();
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('PATCH', path, { title: 'B' })));
    for (const { status, headers } of answers) {
      if (status !== 200) expect([status, headers['retry-after']]).toEqual([503, '1']);
    }
    expect((await call('PATCH', path, { title: 'C' })).status).toBe(200);
    expect((await call('GET', path)).body.title).toBe('C');
  });
});
