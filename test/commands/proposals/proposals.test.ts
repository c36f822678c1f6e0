import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { examplesOf } from '../../../src/cli/command/command.ts';
import { sharedDemo } from '../../support/shell.ts';
import { commandsOfTree, wordsOf } from '../../support/tree.ts';
import { ada, carl, dora, type ProposingHome, proposingHome } from './proposing.ts';

// Proposals of several people on one instance.

const { demo } = await sharedDemo();
const commands = await commandsOfTree();
let home: ProposingHome;
beforeEach(async () => {
  home = await proposingHome(demo);
});

const done = (...words: string[]) => home.done(...words);
const refusal = (exitCode: number, ...words: string[]) => home.refusal(exitCode, ...words);
const roleOf = (email: string) => home.roleOf(email);
const proposeRole = (...words: string[]) => home.proposeRole(...words);
const view = (name?: string) => home.view(name);

test('a proposal is approved by another administrator, applied once, and reverted', async () => {
  const proposed = (await proposeRole()).json;
  expect(proposed).toMatchObject({
    number: 1,
    title: 'Ada',
    status: 'open',
    required: 1,
    approvals: [],
    author: { email: 'admin@localhost' },
    command: 'docsctl members edit ada@lumen.example --role read',
    requests: [{ method: 'PATCH', body: { role: 'read' } }],
    changes: [{ kind: 'member', fields: [{ field: 'role', before: 'comment', after: 'read' }] }],
  });
  expect(await roleOf('ada@lumen.example')).toBe('comment');

  expect(await refusal(4, 'proposals', 'approve', '1', '--yes')).toContain('somebody else has to approve');
  expect(await refusal(4, 'proposals', 'apply', '1', '--yes')).toContain('0 of 1 approval');
  expect(await refusal(4, 'proposals', 'approve', '1', '--yes', ...ada)).toContain('Only administrators');
  await done('proposals', 'approve', '1', '--yes', ...carl);
  expect(await view()).toMatchObject({ status: 'approved', approvals: [{ user: { email: 'carl@lumen.example' } }] });
  expect(await refusal(4, 'proposals', 'apply', '1', '--yes', ...ada)).toContain('Only administrators');
  expect(await refusal(2, 'proposals', 'apply', '1')).toContain('--yes');

  const applied = await done('proposals', 'apply', '1', '--yes', '-o', 'json');
  expect(applied.json).toMatchObject({ status: 'applied', result: { status: 0, changes: 1 } });
  expect(await roleOf('ada@lumen.example')).toBe('read');
  expect(await refusal(6, 'proposals', 'apply', '1', '--yes')).toContain('was applied already');
  expect((await done('proposals', 'list', '-o', 'json')).json).toEqual([]);
  expect((await done('proposals', 'list', '--status', 'applied', '-o', 'json')).json).toMatchObject([{ number: 1 }]);

  await done('proposals', 'revert', '1', '--yes', ...carl);
  expect(await roleOf('ada@lumen.example')).toBe('comment');
  expect(await view()).toMatchObject({ status: 'reverted' });
  expect(await refusal(6, 'proposals', 'revert', '1', '--yes')).toContain('reverted already');
});

test('the examples of the help work as they are written', async () => {
  const own = await demo.copy();
  await writeFile(join(own.dir, 'commands.txt'), 'team=$(teams create --title New)\nteams edit $team --title Newer\n');
  const example = async (path: string, ...more: string[]) => {
    const { command } = commands.find((each) => each.path === path)!;
    for (const { run } of examplesOf(command)) {
      const { exitCode, stderr } = await own.run([...wordsOf(run)!.slice(1), ...more]);
      expect({ run, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ run, exitCode: 0, stderr: '' });
    }
  };
  const admin = ['--as', 'member000002'];
  expect((await own.run(['members', 'edit', 'member000002', '--role', 'admin', '--yes'])).exitCode).toBe(0);
  await example('propose');
  await example('proposals view');
  await example('proposals diff');
  await example('proposals approve', '--yes', ...admin);
  await example('proposals apply');
  await example('proposals revert', '--dry-run');
  await example('proposals allow');
  expect((await own.run(['propose', '--', 'teams', 'create', '--title', 'Last'])).exitCode).toBe(0);
  expect((await own.run(['proposals', 'reject', '4', '--reason', 'Wrong team'])).exitCode).toBe(0);
});

test('spaces of docsctl are in no list, and its proposals are found by number and by ID only', async () => {
  const { id } = (await proposeRole()).json;
  expect((await done('spaces', 'list', '-o', 'json')).stdout).not.toContain('docsctl proposals');
  expect(await view(id)).toMatchObject({ number: 1 });
  expect(await view('#1')).toMatchObject({ id });
  for (const name of ['2', 'nothing', '../1']) await refusal(5, 'proposals', 'view', name);
});

test('a proposal is outdated once something that it touches was changed', async () => {
  await proposeRole();
  await done('proposals', 'approve', '1', '--yes', ...carl);
  await done('members', 'edit', 'ada@lumen.example', '--role', 'edit');
  const message = await refusal(6, 'proposals', 'apply', '1', '--yes');
  expect(message).toContain('member ada@lumen.example');
  expect(message).toContain('Propose the change again');
  expect(await roleOf('ada@lumen.example')).toBe('edit');
  expect(await view()).toMatchObject({
    status: 'outdated',
    approvals: [],
    void: [{ reason: 'what it touches was changed afterwards' }],
    outdated: { changed: expect.arrayContaining(['member ada@lumen.example']) },
  });
  expect(await refusal(6, 'proposals', 'approve', '1', '--yes', ...dora)).toContain('outdated');
});

test('a second approval by the same person counts once, and is refused if the proposal is outdated', async () => {
  await proposeRole();
  await done('proposals', 'approve', '1', '--yes', ...carl);
  const again = await done('proposals', 'approve', '1', '--yes', ...carl);
  expect(again.stderr).toContain('You have approved proposal 1 already.');
  expect((await view()).approvals).toHaveLength(1);
  await done('members', 'edit', 'ada@lumen.example', '--role', 'edit');
  expect(await refusal(6, 'proposals', 'approve', '1', '--yes', ...carl)).toContain('outdated');
});

test('changes of other objects do not make a proposal outdated', async () => {
  await proposeRole();
  await done('proposals', 'approve', '1', '--yes', ...carl);
  await done('teams', 'create', '--title', 'Others');
  await done('members', 'edit', 'bob@lumen.example', '--role', 'edit');
  await done('proposals', 'apply', '1', '--yes');
});

test('the text of a page that a proposal changes is part of what is approved', async () => {
  const push = (text: string) => [{ operation: 'insert_page', title: 'Terms', document: { markdown: text } }];
  const post = (path: string, changes: unknown) =>
    done('api', 'POST', path, '-F', `changes=${JSON.stringify(changes)}`);
  await post(`spaces/${home.spaceId}/content`, push('First.\n'));
  const page = (await done('content', 'pages', 'list', '--space', home.spaceId, '--jq', '.[0].id')).stdout.trim();
  const change = JSON.stringify([{ operation: 'delete_page', page }]);
  await done('propose', '--', 'api', 'POST', `spaces/${home.spaceId}/content`, '-F', `changes=${change}`);
  await done('proposals', 'approve', '1', '--yes', ...carl);
  await post(`spaces/${home.spaceId}/content`, [
    { operation: 'update_page', page, document: { markdown: 'Second.\n' } },
  ]);
  expect(await refusal(6, 'proposals', 'apply', '1', '--yes')).toContain('page terms of handbook');
});

test('an expired or rejected proposal is not applied', async () => {
  await proposeRole('read', '--expires', '1m');
  await done('proposals', 'approve', '1', '--yes', ...carl);
  await done('proposals', 'reject', '1', '--reason', 'Wrong \u001b[31mrole', ...carl);
  expect(await view()).toMatchObject({ status: 'rejected', rejected: { reason: 'Wrong \u001b[31mrole' } });
  const shown = await done('proposals', 'view', '1');
  expect(shown.stdout).not.toContain('\u001b');
  expect(await refusal(6, 'proposals', 'apply', '1', '--yes')).toContain('was rejected');
  expect(await refusal(6, 'proposals', 'approve', '1', '--yes', ...dora)).toContain('was rejected');
  expect(
    await refusal(2, 'propose', '--expires', '1y', '--', 'members', 'edit', 'ada@lumen.example', '--role', 'read'),
  ).toContain('--expires');
});

test('a revert is refused as a whole if something was changed since', async () => {
  await done(
    'propose',
    '--title',
    'Two',
    '--',
    'members',
    'edit',
    'ada@lumen.example',
    'bob@lumen.example',
    '--role',
    'read',
  );
  await done('proposals', 'approve', '1', '--yes', ...carl);
  await done('proposals', 'apply', '1', '--yes');
  await done('members', 'edit', 'bob@lumen.example', '--role', 'edit');
  expect(await refusal(6, 'proposals', 'revert', '1', '--yes')).toContain('Nothing was sent');
  expect(await roleOf('ada@lumen.example')).toBe('read');
  await done('members', 'edit', 'bob@lumen.example', '--role', 'read');
  await done('proposals', 'revert', '1', '--yes');
  expect([await roleOf('ada@lumen.example'), await roleOf('bob@lumen.example')]).toEqual(['comment', 'comment']);
});

test('the space keeps what was approved, whoever changes the change request', async () => {
  await proposeRole();
  const space = await home.proposalsSpace();
  const request = (await view()).id;
  const pages = (await done('api', 'GET', `spaces/${space}/change-requests/${request}/content/pages`)).json.pages;
  const first = pages.find(({ title }: { title: string }) => title === 'Proposal 1');
  const text = (
    await done('api', 'GET', `spaces/${space}/change-requests/${request}/content/page/${first.id}?format=markdown`)
  ).json.markdown;
  await done('proposals', 'approve', '1', '--yes', ...carl);
  const changes = [
    { operation: 'update_page', page: first.id, document: { markdown: text.replace('"read"', '"admin"') } },
  ];
  await done(
    'api',
    'POST',
    `spaces/${space}/change-requests/${request}/content`,
    '-F',
    `changes=${JSON.stringify(changes)}`,
    ...dora,
  );

  expect(await view()).toMatchObject({
    status: 'open',
    command: 'docsctl members edit ada@lumen.example --role admin',
    approvals: [],
    void: [{ reason: 'the proposal was altered afterwards' }],
  });
  expect(await refusal(4, 'proposals', 'apply', '1', '--yes')).toContain('0 of 1');
  // Dora edited it, so she is an author, too.
  expect(await refusal(4, 'proposals', 'approve', '1', '--yes', ...dora)).toContain('wrote or edited');
  expect(await roleOf('ada@lumen.example')).toBe('comment');
});
