import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './support/cli.ts';

const { replacements, replaceModules } = (await import(join(root, 'scripts/build/replaced-modules.mjs'))) as {
  replacements: object;
  replaceModules(without?: string[]): Plugin;
};

test('a build fails where a library no longer imports a module that is replaced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const input = join(folder, 'main.js');
  writeFileSync(input, 'export default 1;');
  const build = async (plugin: Plugin) => (await rolldown({ input, plugins: [plugin] })).generate();

  await expect(build(replaceModules())).rejects.toThrow(
    /is not in this bundle:\n(?:.+\n)*.*client-h2.* imported by .*undici/,
  );
  // Without any replacement there is nothing to miss.
  await expect(build(replaceModules(Object.keys(replacements)))).resolves.toBeDefined();
});
