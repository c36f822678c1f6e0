import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from './support/cli.ts';
import { makeDemo } from './support/shell.ts';

/** All its members, as `init --demo` makes them. */
const demo = await makeDemo({ isNew: true });
afterAll(() => demo.remove());

/** Files by path, without the lock file: its ids are other ones in each organization. */
async function filesIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = paths.toSorted().map(async (path): Promise<[string, string]> => {
    return [path.slice(folder.length + 1), await readFile(path, 'latin1')];
  });
  return new Map((await Promise.all(files)).filter(([path]) => path !== 'docsctl.lock.json'));
}

test('examples/organization is what export writes of the demo organization', async () => {
  const home = await demo.copy();
  const run = await home.run(['export', 'o']);
  expect(run.exitCode, run.stderr).toBe(0);

  const exported = await filesIn(join(home.dir, 'o'));
  const kept = await filesIn(join(root, 'examples', 'organization'));

  expect([...kept.keys()]).toEqual([...exported.keys()]);
  for (const [path, text] of exported) expect(kept.get(path), path).toBe(text);
});

test('a plan of it, without a lock file, finds nothing to change', async () => {
  const home = await demo.copy();

  const run = await home.run(['plan', join(root, 'examples', 'organization')]);

  expect([run.exitCode, run.stdout, run.stderr]).toEqual([0, '', expect.stringContaining('No changes')]);
});
