import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { test } from './support/cli.ts';

test('an import that closes a cycle or leads to a higher layer fails the lint', async ({ home }) => {
  const files: Record<string, string> = {
    'src/cli/start.ts': "export const load = async () => (await import('./load.ts')).name;",
    'src/cli/load.ts': "import type { load } from './start.ts';\nexport const name: typeof load | string = '';",
    'src/store/rows.ts': "export type Row = import('../server/rules.ts').Rule;",
    'src/server/rules.ts': 'export interface Rule {}',
    'src/commands/serve/serve.ts': "export const serve = () => import('../../server/rules.ts');",
    'src/commands/teams/teams.ts': "export const teams = () => import('../../server/rules.ts');",
    'bin/load.js': "exports.save = () => require('./write.js');",
    'bin/write.js': "const { save } = require('./load.js');",
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(home.dir, file)), { recursive: true });
    await writeFile(join(home.dir, file), text);
  }

  const script = resolve('scripts/check-imports.mjs');
  const run = await execa('node', [script], {
    cwd: home.dir,
    preferLocal: true,
    localDir: resolve('.'),
    reject: false,
  });

  expect(run.exitCode).toBe(1);
  expect(run.stderr.split('\n')).toEqual([
    expect.stringContaining('src/commands/teams/teams.ts imports src/server/rules.ts'),
    expect.stringContaining('src/store/rows.ts imports src/server/rules.ts'),
    'import cycle: bin/load.js -> bin/write.js -> bin/load.js',
    'import cycle: src/cli/load.ts -> src/cli/start.ts -> src/cli/load.ts',
  ]);
});
