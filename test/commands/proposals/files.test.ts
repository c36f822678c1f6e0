import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { sharedDemo } from '../../support/shell.ts';
import { carl, type ProposingHome, proposingHome } from './proposing.ts';

// Proposals with the files that their commands read, applied where these files are not.

const { demo } = await sharedDemo();
let home: ProposingHome;
beforeEach(async () => {
  home = await proposingHome(demo);
});

const file = (name: string, text: string) => writeFile(join(home.dir, name), text);

async function approveAndApply() {
  await home.done('proposals', 'approve', '1', '--yes', ...carl);
  return home.done('proposals', 'apply', '1', '--yes');
}

test('a CSV file is applied as it was when it was proposed', async () => {
  await file('people.csv', 'email,role\nada@lumen.example,read\nbob@lumen.example,edit\n');
  await home.done('propose', '--', 'members', 'edit', '--from=people.csv');
  await file('people.csv', 'email,role\nada@lumen.example,admin\n');
  await approveAndApply();
  expect([await home.roleOf('ada@lumen.example'), await home.roleOf('bob@lumen.example')]).toEqual(['read', 'edit']);
});

test('a folder is pushed without being there', async () => {
  await mkdir(join(home.dir, 'docs', 'more'), { recursive: true });
  await file('docs/README.md', '# Start\n\nHello.\n');
  await file('docs/more/second.md', '# Second\n\nSee [start](../README.md).\n');
  await home.done('propose', '--', 'content', 'push', 'docs', '--space', home.spaceId, '--merge');
  await rm(join(home.dir, 'docs'), { recursive: true });
  await approveAndApply();
  expect(
    await home.text('content', 'pages', 'list', '--space', home.spaceId, '--jq', '.. | .title? // empty'),
  ).toContain('Second');
});

test('a folder that was pulled is pushed with what docsctl knows about it', async () => {
  const post = (changes: unknown) =>
    home.done('api', 'POST', `spaces/${home.spaceId}/content`, '-F', `changes=${JSON.stringify(changes)}`);
  await post([{ operation: 'insert_page', title: 'Terms', document: { markdown: 'One.\n' } }]);
  await home.done('content', 'pull', 'docs', '--space', home.spaceId);
  await file('docs/terms.md', '# Terms\n\nTwo.\n');
  await home.done('propose', '--', 'content', 'push', 'docs', '--space', home.spaceId, '--merge');
  await rm(join(home.dir, 'docs'), { recursive: true });
  await approveAndApply();
  expect(await home.text('api', 'GET', `spaces/${home.spaceId}/content/path/terms?format=markdown`)).toContain('Two.');
});

test('a list with results of earlier commands is applied and reverted as a whole', async () => {
  await file('body.json', '{"title":"From a file $HOME \\"quoted\\""}');
  await file(
    'list.txt',
    [
      '# A team',
      'team=$(teams create --title "Night \'shift\' $x")',
      'teams members update $team --add ada@lumen.example',
      'members edit bob@lumen.example --role edit',
      'spaces edit Handbook --data @body.json',
      'members edit bob@lumen.example --role review',
    ].join('\n'),
  );
  const proposed = (await home.done('propose', 'run', 'list.txt', '-o', 'json')).json;
  expect(proposed.command.split('\n')).toHaveLength(5);
  expect(proposed.command).toContain('--data @body.json');
  await approveAndApply();
  const teams = () => home.text('teams', 'list', '--jq', '.[].title');
  const title = () => home.text('spaces', 'view', home.spaceId, '--jq', '.title');
  expect([await teams(), await title(), await home.roleOf('bob@lumen.example')]).toEqual([
    expect.stringContaining("Night 'shift' $x"),
    'From a file $HOME "quoted"',
    'review',
  ]);
  await home.done('proposals', 'revert', '1', '--yes', ...carl);
  expect([await teams(), await title(), await home.roleOf('bob@lumen.example')]).toEqual([
    expect.not.stringContaining('Night'),
    'Handbook',
    'comment',
  ]);
});

test('each row of a table', async () => {
  await file('rows.csv', 'email,role\nada@lumen.example,read\nbob@lumen.example,read\n');
  await home.done('propose', '--', 'each', 'rows.csv', '--', 'members', 'edit', '{email}', '--role', '{role}');
  await approveAndApply();
  expect([await home.roleOf('ada@lumen.example'), await home.roleOf('bob@lumen.example')]).toEqual(['read', 'read']);
});

test('the defaults of the author are part of a proposal', async () => {
  const env = { ...home.env, DOCSCTL_SPACE: home.spaceId };
  const { runHere } = await import('../../support/shell.ts');
  const proposed = await runHere({ dir: home.dir, env }, ['propose', '--', 'cr', 'create', '--subject', 'Mine']);
  expect(proposed.exitCode, proposed.stderr).toBe(0);
  await approveAndApply();
  expect(await home.text('cr', 'list', '--space', home.spaceId, '--status', 'draft', '--jq', '.[].subject')).toContain(
    'Mine',
  );
});
