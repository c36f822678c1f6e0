import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createBeside, isSymbolicLink, writeFileAtomic, writeFileAtomicSync } from '../src/shared/atomic-write.ts';

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-atomic-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const writers = [
  ['at once', async (...words: Parameters<typeof writeFileAtomicSync>) => writeFileAtomicSync(...words)],
  ['as a promise', writeFileAtomic],
] as const;

test.for(writers)('a file is replaced whole (%s)', async ([, write]) => {
  const folder = tempFolder();
  const file = join(folder, 'a.txt');
  await write(file, 'first', 0o600);
  await write(file, Buffer.from('second'), 0o640);
  expect(readFileSync(file, 'utf8')).toBe('second');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readdirSync(folder)).toEqual(['a.txt']);
});

test.for(writers)('a symbolic link is replaced, and what it leads to stays (%s)', async ([, write]) => {
  const folder = tempFolder();
  const [file, elsewhere] = [join(folder, 'a.txt'), join(folder, 'b.txt')];
  writeFileSync(elsewhere, 'old');
  symlinkSync(elsewhere, file);
  expect(isSymbolicLink(file)).toBe(true);
  await write(file, 'new');
  expect(isSymbolicLink(file)).toBe(false);
  expect([readFileSync(file, 'utf8'), readFileSync(elsewhere, 'utf8')]).toEqual(['new', 'old']);
});

test.for(writers)(
  'a write to a folder or into a missing folder fails and leaves no temporary file (%s)',
  async ([, write]) => {
    const folder = tempFolder();
    const existingFolder = join(folder, 'folder');
    mkdirSync(existingFolder);
    await expect((async () => write(existingFolder, 'text'))()).rejects.toThrow(/EISDIR|EPERM|EEXIST/);
    expect(readdirSync(folder)).toEqual(['folder']);
    await expect((async () => write(join(folder, 'none', 'a.txt'), 'text'))()).rejects.toThrow('ENOENT');
  },
);

test('several writes to one file at the same time do not mix their texts', async () => {
  const folder = tempFolder();
  const file = join(folder, 'a.txt');
  const texts = Array.from({ length: 30 }, (_, index) => String(index).repeat(200_000));
  await Promise.all(texts.map((text) => writeFileAtomic(file, text)));
  expect(texts).toContain(readFileSync(file, 'utf8'));
  expect(readdirSync(folder)).toEqual(['a.txt']);
});

test('a temporary file is new and empty, and has the mode that the caller sets', () => {
  const folder = tempFolder();
  const all = Array.from({ length: 20 }, () => createBeside(join(folder, 'x'.repeat(250)), 0o600));
  expect(new Set(all).size).toBe(20);
  for (const beside of all) expect(statSync(beside)).toMatchObject({ size: 0, mode: 0o100600 });
});

test('a device is written to, not replaced', { tags: 'posix' }, async () => {
  await writeFileAtomic('/dev/null', 'text');
  writeFileAtomicSync('/dev/null', 'text');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  expect(isSymbolicLink('/dev/stdout')).toBe(false);
});
