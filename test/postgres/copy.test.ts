import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { copyStore, tablesWithRows } from '../../src/store/copy.ts';
import { openStore } from '../../src/store/open-store.ts';
import { bin } from '../support/cli.ts';
import { newDatabase, type TestDatabase } from '../support/engine.ts';
import { type DemoHome, sharedDemo } from '../support/shell.ts';

const { demo } = await sharedDemo();

async function filesOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.includes('.db') || name.endsWith('.tmp')).toSorted();
}

describe('a copy of a database', () => {
  let home: DemoHome;
  let database: TestDatabase;
  const docsctl = (...words: string[]) => home.run(words);
  beforeAll(async () => {
    home = await demo.copy();
    database = await newDatabase({ isEmpty: true });
  });
  afterAll(async () => {
    await database.drop();
    await home.remove();
  });

  test('to PostgreSQL and back has the same rows, ids and export', async () => {
    const { address } = database;
    const tried = await docsctl('serve', 'copy', '--from', home.database, '--to', address, '--dry-run');
    expect([tried.exitCode, tried.stderr]).toEqual([
      0,
      expect.stringMatching(/^Would copy \d+ rows of \d+ tables to /),
    ]);
    const there = await docsctl('serve', 'copy', '--from', home.database, '--to', address, '-o', 'json');
    expect(there.exitCode, there.stderr).toBe(0);
    expect(there.stderr).toContain('row counts and checksums match');
    const again = await docsctl('serve', 'copy', '--from', home.database, '--to', address);
    expect(again).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('already has data') });

    const back = join(home.dir, 'back.db');
    const words = ['serve', 'copy', '--from', address, '--to', back];
    const dry = await docsctl(...words, '--dry-run');
    expect([dry.exitCode, dry.stdout, (await filesOf(home.dir)).includes('back.db')]).toEqual([0, tried.stdout, false]);
    const result = await docsctl(...words, '-o', 'json');
    expect(result.exitCode, result.stderr).toBe(0);
    expect(JSON.parse(result.stdout)).toEqual(JSON.parse(there.stdout));
    expect((await docsctl(...words)).exitCode).toBe(6);

    const check = await docsctl('serve', 'check', '--db', back, '-o', 'json');
    expect([check.exitCode, check.stdout.includes('failed')]).toEqual([0, false]);
    for (const [folder, file] of [
      ['one', home.database],
      ['two', back],
    ] as const) {
      const run = await docsctl('export', folder, '--url', `embedded:${file}`);
      expect(run.exitCode, run.stderr).toBe(0);
    }
    const { execa } = await import('execa');
    expect((await execa('diff', ['-r', join(home.dir, 'one'), join(home.dir, 'two')])).stdout).toBe('');
    const search = async (file: string) =>
      (await docsctl('spaces', 'search', 'pump', '--space', 'handbook0001', '-o', 'json', '--url', `embedded:${file}`))
        .stdout;
    expect(await search(back)).toBe(await search(home.database));
    expect(JSON.parse(await search(back))).not.toEqual([]);
  });

  test('that is interrupted leaves the target without rows', async () => {
    const target = await newDatabase({ isEmpty: true });
    onTestFinished(target.drop);
    const file = join(home.dir, 'source.db');
    await copyFile(home.database, file);
    const [source, other] = [await openStore(file), await openStore(target.address)];
    const abort = new AbortController();
    const onRows = (table: string) => table === 'user' && abort.abort(new Error('Interrupted.'));
    await expect(copyStore(source, other, { signal: abort.signal, isDryRun: false, onRows })).rejects.toThrow(
      'Interrupted.',
    );
    expect(await tablesWithRows(other)).toEqual([]);
    const again = await copyStore(source, other, {
      signal: new AbortController().signal,
      isDryRun: false,
      onRows() {},
    });
    expect(again.find(({ table }) => table === 'user')?.rows).toBeGreaterThan(1);
    await Promise.all([source.close(), other.close()]);
  });

  test('that is killed leaves the target without rows, and can be run again', async () => {
    const target = await newDatabase({ isEmpty: true });
    onTestFinished(target.drop);
    await (await openStore(target.address)).close();
    const words = ['serve', 'copy', '--from', home.database, '--to', target.address];
    const { execa } = await import('execa');
    const watcher = new pg.Client(target.address);
    await watcher.connect();
    onTestFinished(() => watcher.end());
    const run = execa(process.execPath, [bin, ...words], { env: home.env, reject: false });
    const writing = `select 1 from pg_stat_activity
      where application_name = 'docsctl' and datname = current_database() and query like 'insert into%'`;
    await expect.poll(async () => (await watcher.query(writing)).rowCount, { interval: 2 }).not.toBe(0);
    run.kill('SIGKILL');

    expect((await run).signal).toBe('SIGKILL');
    const other = await openStore(target.address);
    expect(await tablesWithRows(other)).toEqual([]);
    await other.close();
    expect((await docsctl(...words)).exitCode).toBe(0);
  });

  test('numbers what is made afterwards beyond what is there', async () => {
    const store = await openStore(database.address);
    onTestFinished(() => store.close());
    const { seq, most } = await store.write(async (db) => {
      const before = (await db.get<{ most: number }>('select max(seq) as most from "user"'))!;
      const row = (await db.get<{ seq: number }>(
        `insert into "user" (id, display_name, email, created_at) values ('new', 'New', 'n@e.example', '') returning seq`,
      ))!;
      return { ...row, ...before };
    });
    expect(seq).toBe(most + 1);
  });

  test('has no text that PostgreSQL cannot hold, and a password is not taken from the command line', async () => {
    const target = await newDatabase({ isEmpty: true });
    onTestFinished(target.drop);
    const file = join(home.dir, 'nul.db');
    await copyFile(home.database, file);
    const source = await openStore(file);
    await source.write((db) =>
      db.updateTable('space').set({ title: 'a\0b' }).where('id', '=', 'handbook0001').execute(),
    );
    await source.close();
    const refused = await docsctl('serve', 'copy', '--from', file, '--to', target.address);
    expect(refused).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('U+0000') });
    const secret = await docsctl('serve', 'copy', '--from', file, '--to', 'postgres://a:secret@127.0.0.1/b');
    expect(secret).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('must not contain a password') });
    expect(secret.stderr).not.toContain('secret@');
  });

  test('that fails leaves no file', async () => {
    const missing = `${database.address}_missing`;
    const run = await docsctl('serve', 'copy', '--from', missing, '--to', join(home.dir, 'none.db'));
    expect(run.exitCode).not.toBe(0);
    expect((await filesOf(home.dir)).filter((name) => name.startsWith('none') || name.endsWith('.tmp'))).toEqual([]);
  });
});
