import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
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

test('V8 still has the flags that are set at run time, with the values that are restored', async () => {
  const { stdout } = await execa(process.execPath, ['--v8-options']);

  expect(stdout).toMatch(/default: --wasm-tiering-budget=13000000$/m);
  expect(stdout).toMatch(/default: --semi-space-growth-factor=2$/m);
  expect(stdout).toMatch(/default: --heap-growing-percent=0$/m);
});
