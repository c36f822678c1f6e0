import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin, root, test } from './support/cli.ts';

const page = join(root, 'docs', 'from-gam.md');

const files = {
  'changes.csv': 'team,email,role\nWriters,person20@lumen.example,member\nWriters,person21@lumen.example,owner\n',
  'commands.txt': 'whoami\nteams list\n',
  'people.txt': 'person21@lumen.example\nperson30@lumen.example\nperson31@lumen.example\n',
  'new.csv': 'email,role\nnew@lumen.example,read\n',
  'roles.csv': 'email,role\nperson32@lumen.example,read\n',
  'GroupMembers.csv': 'email,role,teams\nperson40@lumen.example,,Writers;Design\nperson41@lumen.example,read,Writers\n',
  'leavers.csv':
    'user,to\nperson12@lumen.example,person1@lumen.example\nperson13@lumen.example,person1@lumen.example\n',
};

test('every docsctl line of docs/from-gam.md works, and each stands below one of GAM', async ({ demo }) => {
  const blocks = [...(await readFile(page, 'utf8')).matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block!);
  const lines = blocks.flatMap((block) => block.split('\n')).filter(Boolean);
  const [gam, own] = [
    lines.filter((line) => line.startsWith('# gam ')),
    lines.filter((line) => line.startsWith('docsctl ')),
  ];
  expect(gam.length + own.length).toBe(lines.length);
  expect(gam.length).toBe(own.length);
  expect(own.length).toBeGreaterThan(20);

  for (const [name, text] of Object.entries(files)) await writeFile(join(demo.dir, name), text);
  const failed: string[] = [];
  for (const line of own) {
    const script = `docsctl() { "${process.execPath}" "${bin}" "$@"; }\n${line}`;
    const run = await execa('bash', ['-c', script], {
      cwd: demo.dir,
      env: demo.env,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });
    if (run.exitCode !== 0) failed.push(`${line}\n${run.stderr}`);
  }
  expect(failed).toEqual([]);
});
