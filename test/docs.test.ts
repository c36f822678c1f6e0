import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin, root, test } from './support/cli.ts';

/** The shell blocks of a page. */
const blocksOf = (text: string) => [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block!);

test('the commands of docs/testing-scripts.md work as they stand there', { timeout: 60_000 }, async ({ home }) => {
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
    ...blocks.map((block, at) => `echo "== ${at}"\n${block}`),
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
  expect(run.stderr).toContain('trying again');
});
