import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';

let folder: string;
let stores: Store[];
const open = () => {
  const store = openStore(join(folder, 'instance.db'));
  stores.push(store);
  return store;
};
const set = (store: Store, value: string) =>
  store.write(async (db) => {
    db.raw.prepare("insert or replace into setting (key, value) values ('x', ?)").run(value);
  });
const get = (store: Store) =>
  store.raw.prepare("select value from setting where key = 'x'").get() as { value: string } | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docsctl-test-'));
  stores = [];
});

afterEach(async () => {
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true, force: true });
});

test('a read sees one state of the file, whatever another process writes meanwhile', async () => {
  const [mine, theirs] = [open(), open()];
  await set(theirs, 'before');
  await mine.read(async () => {
    expect(get(mine)).toMatchObject({ value: 'before' });
    await set(theirs, 'after');
    expect(get(mine)).toMatchObject({ value: 'before' });
  });
  expect(get(mine)).toMatchObject({ value: 'after' });
});

test('a write in a read is rolled back, and a read that fails leaves no transaction', async () => {
  const store = open();
  await store.read(async (db) => void db.raw.prepare("insert into setting (key, value) values ('x', 'y')").run());
  expect(get(store)).toBeUndefined();
  await expect(store.read(async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await set(store, 'written');
  expect(get(store)).toMatchObject({ value: 'written' });
});
