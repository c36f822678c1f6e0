import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import type { Db, Store } from '../../src/store/store.ts';
import { newDatabase } from '../support/engine.ts';

async function newStore(): Promise<Store> {
  const { address, drop } = await newDatabase();
  const store = await openStore(address);
  onTestFinished(async () => {
    await store.close();
    await drop();
  });
  return store;
}

/** Which connection and which state of the database a read has. */
const readingOf = (db: Db) =>
  db.get<{ pid: number; state: string }>(`select pg_backend_pid() as pid, pg_current_snapshot()::text as state`);

const rename = (store: Store, name: string) =>
  store.write(async (db) =>
    db.session.run(`insert into setting (key, value) values ('name', $1) on conflict (key) do update set value = $2`, [
      name,
      name,
    ]),
  );
const nameIn = async (db: Db) =>
  (await db.get<{ value: string }>(`select value from setting where key = 'name'`))?.value;

describe('reads', () => {
  test('that begin together share a transaction, at most 16', async () => {
    const store = await newStore();

    const readings = await Promise.all(Array.from({ length: 20 }, () => store.read(readingOf)));

    const pids = readings.map((reading) => reading?.pid);
    expect(new Set(pids).size).toBe(2);
    expect(pids.filter((pid) => pid === pids[0])).toHaveLength(16);
  });

  test('see all that was committed before they began, and nothing later', async () => {
    const store = await newStore();
    await rename(store, 'before');
    let mayGoOn!: () => void;
    const gate = new Promise<void>((resolve) => (mayGoOn = resolve));
    const earlier = store.read(async (db) => {
      const first = await nameIn(db);
      await gate;
      return [first, await nameIn(db)];
    });
    await delay(50);

    await rename(store, 'after');
    const later = await store.read(nameIn);
    mayGoOn();

    expect(later).toBe('after');
    expect(await earlier).toEqual(['before', 'before']);
  });

  test('are answered although a query of another read in their transaction fails', async () => {
    const store = await newStore();
    await rename(store, 'docs');

    const [failed, ...others] = await Promise.allSettled([
      store.read((db) => db.get('select 1 / 0')),
      store.read(nameIn),
      store.read(async (db) => [await nameIn(db), await nameIn(db)]),
    ]);

    expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
    expect(others).toEqual([
      { status: 'fulfilled', value: 'docs' },
      { status: 'fulfilled', value: ['docs', 'docs'] },
    ]);
    expect(await store.read(nameIn)).toBe('docs');
  });

  test('give their connection back: 100 rounds do with those that there are', async () => {
    const store = await newStore();
    await rename(store, 'docs');
    for (let round = 0; round < 100; round += 1) {
      await Promise.allSettled([
        store.read(nameIn),
        store.read(() => Promise.reject(new Error('of the work'))),
        store.read((db) => db.get('select 1 / 0')),
      ]);
    }
    expect(await store.read(nameIn)).toBe('docs');
  });
});
