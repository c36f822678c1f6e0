import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type DemoHome, sharedDemo } from '../../support/shell.ts';

// Answers of the service that say that only a part was done.

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
});

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

const at = (path: string) => join(home.dir, 'o', ...path.split('/'));
const edit = async (path: string, change: (text: string) => string) =>
  writeFile(at(path), change(await readFile(at(path), 'utf8')));
const addMember = (row: string) =>
  edit('members.csv', (text) => text.replace('admin@localhost,', `${row}\nadmin@localhost,`));

describe('people whom the service did not invite', () => {
  test('fail, and those of the same request do not', async () => {
    await done('export', 'o', '--only', 'members');
    await addMember('in@lumen.example,read,true,');
    await addMember('out@elsewhere.example,read,true,');
    const applied = await home.run(['apply', 'o', '--yes', '-o', 'json']);
    const again = await home.run(['apply', 'o', '--yes', '-o', 'json']);

    expect([applied.exitCode, applied.json]).toEqual([
      8,
      [
        { result: 'done', action: 'create', kind: 'member', name: 'in@lumen.example' },
        {
          result: 'failed',
          action: 'create',
          kind: 'member',
          name: 'out@elsewhere.example',
          error: expect.stringContaining('elsewhere.example'),
        },
      ],
    ]);
    expect([again.exitCode, again.json.map(({ result }: { result: string }) => result)]).toEqual([6, ['failed']]);
  });

  test('fail in a sync with a directory, whose others are members and in their teams', async () => {
    const rows = [
      'email,role,sso,teams',
      'in@lumen.example,read,true,Writers',
      'out@elsewhere.example,read,true,Writers',
    ];
    await writeFile(join(home.dir, 'people.csv'), rows.join('\n'));
    const run = await home.run(['members', 'sync', 'people.csv', '--yes', '-o', 'json']);

    expect(run.exitCode, run.stderr).toBe(8);
    const outcomes = run.json.map(({ name, outcome }: { name: string; outcome: string }) => [name, outcome]);
    expect(outcomes).toEqual([
      ['in@lumen.example', 'invited'],
      ['out@elsewhere.example', 'refused'],
    ]);
    expect((await done('teams', 'members', 'list', 'Writers', '-o', 'json')).stdout).toContain('in@lumen.example');
  });
});

test('an export is restored into an empty organization', async () => {
  await done('orgs', 'edit', '--add-email-domain', 'lumen.example', '--yes');
  await done('invites', 'send', 'sso@lumen.example', '--sso', '--role', 'edit');
  await done('export', 'o');
  const { stdout: id } = await done('orgs', 'create', '--title', 'Empty', '-o', 'id');
  await rm(at('docsctl.lock.json'));
  await edit('organization.yaml', (text) => text.replace(/^hostname: .*\n/m, ''));
  const applied = await home.run(['apply', 'o', '--yes', '--org', id.trim(), '-o', 'jsonl']);
  const plan = await home.run(['plan', 'o', '--org', id.trim()]);
  await done('export', 'again', '--org', id.trim());

  expect(applied.exitCode, applied.stdout + applied.stderr).toBe(0);
  expect(plan.stdout).toBe('');
  const own = (text: string) => text.replace(/^hostname: .*\n/m, '');
  const texts = async (folder: string) => {
    const files = (await readdir(join(home.dir, folder), { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile() && entry.name !== 'docsctl.lock.json',
    );
    return Object.fromEntries(
      await Promise.all(
        files.map(async ({ parentPath, name }) => [
          join(parentPath, name).slice(join(home.dir, folder).length),
          own(await readFile(join(parentPath, name), 'utf8')),
        ]),
      ),
    );
  };
  expect(await texts('again')).toEqual(await texts('o'));
});
