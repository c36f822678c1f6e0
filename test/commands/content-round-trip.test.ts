import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine } from '../support/command-line.ts';
import { readFolder } from '../../src/content/folder/read-folder.ts';
import fc from '../support/property.ts';

const names = fc.constantFrom('a', 'b', 'Guide', 'a b', 'ü', 'README', 'v1.2', 'FAQ');
const paths = fc.tuple(fc.array(names, { maxLength: 2 }), names).map((parts) => parts.flat().join('/'));
const texts = fc
  .array(
    fc.constantFrom(
      '# A heading',
      '\r\n',
      '\n\n',
      '---\ntitle: T\n---\n',
      '---\nhidden: true\ndescription: d\n---\n',
      '---\nbad: "\n---\n',
      '<div>\n<b>x</b>',
      '[a](a.md)',
      '[b](../b/a%20b.md#x)',
      '![p](/assets/p.png)',
      '![p](assets/p.png)',
      '[r][r]\n\n[r]: <a b.md>\n',
      '\uFEFF',
      '🙂',
      '| a |\n|---|\n| b |',
      '{% hint %}',
      '\\',
      '&amp;',
      '[p](/pages/a)',
      '[up](../)',
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));
const folders = fc
  .tuple(fc.dictionary(paths, texts, { minKeys: 1, maxKeys: 8 }), fc.boolean())
  .map(([pages, ordered]) => {
    const files: Record<string, string> = { 'assets/p.png': 'png' };
    const lower = new Set<string>();
    for (const [path, text] of Object.entries(pages)) {
      if (!lower.has(path.toLowerCase())) files[`${path}.md`] = text;
      lower.add(path.toLowerCase());
    }
    const listed = Object.keys(files).filter((path) => path.endsWith('.md'));
    if (ordered) files['SUMMARY.md'] = `# Contents\n\n${listed.map((path) => `* [${path}](<${path}>)\n`).join('')}`;
    return files;
  });

/** Replaces the files of a folder, but not what docsctl recorded about it. */
async function write(dir: string, files: Record<string, string>): Promise<void> {
  const present = await readdir(dir).catch(() => []);
  for (const name of present) if (name !== '.docsctl') await rm(join(dir, name), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
}

async function read(dir: string): Promise<Record<string, string>> {
  const directoryEntries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = directoryEntries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file.slice(dir.length + 1), await readFile(file, 'utf8')])),
  );
}

/** The files that are pages, or that pages show. */
function needed(files: Record<string, string>): Record<string, string> {
  const local = readFolder(new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])));
  const kept = new Set([...local.pages.map(({ file }) => file), ...local.files.map(({ path }) => path)]);
  if (local.summary !== null) kept.add('SUMMARY.md');
  return Object.fromEntries(Object.entries(files).filter(([path]) => kept.has(path)));
}

test('any folder is turned into any other by one push, and pulled byte for byte', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'docsctl-round-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const docsctl = await commandLine(dir);
  const docs = join(dir, 'docs');
  const out = join(dir, 'out');
  const done = async (...words: string[]) => {
    const run = await docsctl(...words);
    expect(run.status, run.stderr).toBe(0);
    return run.json;
  };

  await fc.assert(
    fc.asyncProperty(folders, folders, async (before, after) => {
      const space = (await done('spaces', 'create', '--title', 'Docs')).id as string;
      await write(docs, before);
      await done('content', 'push', docs, '--merge', '--space', space);
      await write(docs, after);
      await done('content', 'push', docs, '--merge', '--space', space);

      expect(await done('content', 'push', docs, '--dry-run', '--space', space)).toEqual([]);
      await rm(out, { recursive: true, force: true });
      await done('content', 'pull', out, '--space', space);
      expect(await read(out)).toMatchObject(needed(after));
      expect(await done('content', 'pull', docs, '--space', space)).toMatchObject({ kept: 0 });
      expect(await read(docs)).toMatchObject(after);
    }),
    { numRuns: Number(process.env.RUNS ?? 12) },
  );
});
