import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const output = new URL('../../../src/cli/output/index.ts', import.meta.url).href;

/** The packages that a script loads when it prints one page of a list to a pipe. */
async function packagesLoaded(options: string): Promise<string[]> {
  const script = `
    const { registerHooks } = await import('node:module');
    const loaded = new Set();
    registerHooks({
      load(url, context, next) {
        const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\/(?!.*node_modules)/.exec(url)?.[1];
        if (name) loaded.add(name);
        return next(url, context);
      },
    });
    const { createListOutput, printObject, createProgress, terminal, stdout } = await import(${JSON.stringify(output)});
    terminal();
    const options = { color: false, terminal: false, width: 80, ${options} };
    const progress = createProgress('Listing');
    const list = createListOutput(options, [{ key: 'id' }], { write() {} });
    await list.page([{ id: 1 }]);
    await list.end();
    await printObject(options, { id: 1 }, undefined, { write() {} });
    progress.stop();
    await stdout().write([...loaded].toSorted().join(' '));
  `;
  const run = promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '-e', script]);
  return (await run).stdout.split(' ').filter(Boolean);
}

test.each(['', "format: 'tsv'", "format: 'json'", "format: 'jsonl'", "format: 'id'"])(
  'printing to a pipe loads no package that takes time (%s)',
  async (options) => {
    // A single file of some 150 lines, which the build puts into the chunk that is loaded anyway.
    expect((await packagesLoaded(options)).filter((name) => name !== 'fastest-levenshtein')).toEqual([]);
  },
);

test('the test’s probe detects the packages that are loaded', async () => {
  expect(await packagesLoaded("format: 'csv'")).toContain('csv-stringify');
});
