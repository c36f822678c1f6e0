import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const graceMs = 10 * 60_000;

/**
 * Puts a file where it belongs in one step, so that whoever reads there meanwhile finds the old one or the new one. Files
 * whose name says what is in them are only marked as in use.
 */
export async function place(folder, name, content, { isHashed = false } = {}) {
  const file = join(folder, name);
  if (isHashed && (await stat(file).catch(() => undefined))) return utimes(file, new Date(), new Date());
  await mkdir(dirname(file), { recursive: true });
  const beside = `${file}.${process.pid}.tmp`;
  await writeFile(beside, content);
  await rename(beside, file);
}

/** Removes what earlier builds left; what was in use a moment ago may still be loaded by a running program. */
export async function sweep(folder, names, { atOnce }) {
  const kept = new Set(names.map((name) => join(folder, name)));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || kept.has(file)) continue;
    const age = Date.now() - ((await stat(file).catch(() => undefined))?.mtimeMs ?? 0);
    if (atOnce || age > graceMs) await rm(file, { force: true });
  }
}
