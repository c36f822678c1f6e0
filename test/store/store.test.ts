import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FileStore, openFileStore } from '../../src/store/sqlite/file-store.ts';

let folder: string;
let stores: FileStore[];
const open = () => {
  const store = openFileStore(join(folder, 'instance.db'));
  stores.push(store);
  return store;
};
const set = (store: FileStore, value: string) =>
  store.write(async (db) => {
    db.session.run("insert or replace into setting (key, value) values ('x', ?)", [value]);
  });
const get = (store: FileStore) =>
  store.connection.prepare("select value from setting where key = 'x'").get() as { value: string } | undefined;

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
  await store.read(async (db) => db.session.run("insert into setting (key, value) values ('x', 'y')", []));
  expect(get(store)).toBeUndefined();
  await expect(store.read(async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await set(store, 'written');
  expect(get(store)).toMatchObject({ value: 'written' });
});
