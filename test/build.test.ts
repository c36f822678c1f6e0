import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './support/cli.ts';

test('a build fails where a library no longer has what is replaced or changed in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const input = join(folder, 'main.js');
  writeFileSync(input, 'export default 1;');
  const { late, slim } = (await import(join(root, 'scripts', 'build', 'slim.mjs'))) as Record<'late' | 'slim', Plugin>;
  const build = async (plugin: Plugin) => (await rolldown({ input, plugins: [plugin] })).generate();

  await expect(build(slim)).rejects.toThrow(/is not in this bundle:\n(?:.+\n)*.*client-h2.* imported by .*undici/);
  await expect(build(late)).rejects.toThrow(/is not in this bundle:\n(?:.+\n)*.*client-h1/);
});
