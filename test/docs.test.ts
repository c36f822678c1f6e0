import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { workerCounts } from '../src/server/text/pool.ts';
import { bin, root, test } from './support/cli.ts';
import { isLong } from './support/long-form.ts';

/** The shell blocks of a page. */
const blocksOf = (text: string) => [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block!);

if (isLong)
  test('the commands of docs/testing-scripts.md work as they are written', async ({ home }) => {
    const blocks = blocksOf(await readFile(join(root, 'docs', 'testing-scripts.md'), 'utf8'));
    const tools = join(home.dir, 'tools');
    const work = join(home.dir, 'work');
    await mkdir(tools);
    await mkdir(work);
    await writeFile(join(tools, 'docsctl'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
    await chmod(join(tools, 'docsctl'), 0o755);

    // A failure must not leave a server behind.
    const script = [
      'set -e',
      "trap 'kill $server 2>/dev/null || true' EXIT",
      ...blocks.map((block, index) => `echo "== ${index}"\n${block}`),
    ];
    const run = await execa('bash', ['-c', script.join('\n')], {
      cwd: work,
      env: { ...home.env, PATH: `${tools}:${process.env.PATH}` },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      all: true,
    });

    expect(blocks.length).toBeGreaterThan(4);
    expect([run.exitCode, run.exitCode === 0 ? '' : run.all]).toEqual([0, '']);
    expect(run.stdout).toContain(`== ${blocks.length - 1}`);
    expect(run.stderr).toContain('retrying');
  });

test.for(['docs/architecture.md', 'CONTRIBUTING.md'])(
  '%s names folders, files and scripts that exist',
  async (page) => {
    const text = await readFile(join(root, page), 'utf8');
    const paths = [
      ...text.matchAll(
        /(?:`|^ *\| )((?:src|scripts|test|docs|server|store|cli|client|contract|engine|bin)\/[\w./-]*)/gm,
      ),
    ];
    const isThere = (path: string) => ['', 'src', 'src/server'].some((folder) => existsSync(join(root, folder, path)));

    expect(paths.length).toBeGreaterThan(10);
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const commands = [...text.matchAll(/(?:`|^ {4})npm (?:run )?(\w[\w:]*)/gm)].map(([, name]) => name!);
    expect(commands.filter((name) => !['install', 'ci', 'exec'].includes(name) && !(name in scripts))).toEqual([]);
    expect(paths.map(([, path]) => path!).filter((path) => !isThere(path))).toEqual([]);
  },
);

test('test/faults/README.md names tests that exist', async () => {
  const text = await readFile(join(root, 'test', 'faults', 'README.md'), 'utf8');
  const lastCells = [...text.matchAll(/^\|.*\|(.*)\|$/gm)].map(([, cell]) => cell!).join('\n');
  const missing: string[] = [];
  let titleCount = 0;
  // Such as "`store/file`: a newer schema …, a backup that fails …; `faults/disk`".
  for (const [, name, titles = ''] of lastCells.matchAll(/`([\w/-]+)`(?:: ([^;\n]*))?/g)) {
    const source = await readFile(join(root, 'test', `${name}.test.ts`), 'utf8').catch(() => undefined);
    if (source === undefined) missing.push(name!);
    for (const part of titles.replaceAll(/\(.*?\)/g, '').split('…')) {
      const title = part.replace(/^, /, '').trim();
      if (title !== '') titleCount += 1;
      if (!source?.includes(title)) missing.push(`${name}: ${title}`);
    }
  }

  expect(missing).toEqual([]);
  expect(titleCount).toBeGreaterThan(30);
});

if (isLong)
  test('docs/terminal.svg is what the program prints now', async ({ home }) => {
    const file = join(home.dir, 'terminal.svg');
    await execa(process.execPath, [join(root, 'scripts', 'picture.ts'), file]);

    const committed = await readFile(join(root, 'docs', 'terminal.svg'), 'utf8');
    expect(await readFile(file, 'utf8'), 'Run "npm run picture" and commit what it writes.').toBe(committed);
  });

test('docs/architecture.md has the numbers of threads that read texts', async () => {
  const { least, most, perCaller } = workerCounts;

  expect(await readFile(join(root, 'docs', 'architecture.md'), 'utf8')).toContain(
    `at least ${least} and at most ${most}; each caller has at most ${perCaller} tasks at a time`,
  );
});
