import { beforeEach, expect, test } from 'vitest';
import { runHere, sharedDemo } from '../../support/shell.ts';
import { ada, carl, dora, type ProposingHome, proposingHome } from './proposing.ts';

// People who may not make a change themselves, such as the user of an agent, and pull requests.

const { demo } = await sharedDemo();
let home: ProposingHome;
beforeEach(async () => {
  home = await proposingHome(demo);
});

test('somebody who is not an administrator proposes what an administrator approves', async () => {
  const words = ['propose', '--title', 'Bob edits', '--', 'members', 'edit', 'bob@lumen.example', '--role', 'edit'];
  const asAda = (...more: string[]) => [...ada, ...more];
  expect(await home.refusal(4, ...asAda(...words))).toContain('docsctl proposals allow');
  const asked = (await home.done('proposals', 'allow', 'ada@lumen.example', 'carl@lumen.example', '-o', 'json')).json;
  expect(asked).toMatchObject([
    { name: 'ada@lumen.example', result: 'invited', invite: expect.any(String) },
    { name: 'carl@lumen.example', result: 'allowed' },
  ]);
  await home.done(...asAda('invites', 'accept', asked[0].invite));
  expect((await home.done('proposals', 'allow', 'ada@lumen.example', '-o', 'json')).json).toMatchObject([
    { result: 'allowed' },
  ]);
  expect((await home.done('invites', 'links', 'list', '-o', 'json')).json).toEqual([]);

  await home.done(...asAda(...words));
  expect(await home.view()).toMatchObject({ author: { email: 'ada@lumen.example' }, status: 'open' });
  const path = `spaces/${await home.proposalsSpace()}/change-requests/${(await home.view()).id}`;
  expect((await home.run(...asAda('api', 'POST', `${path}/merge`))).exitCode).toBe(4);
  await home.refusal(4, ...asAda('proposals', 'approve', '1', '--yes'));
  await home.refusal(4, ...asAda('proposals', 'apply', '1', '--yes'));
  await home.done('proposals', 'approve', '1', '--yes', ...carl);
  await home.done('proposals', 'apply', '1', '--yes', ...carl);
  expect(await home.roleOf('bob@lumen.example')).toBe('edit');
  await home.done(...asAda('propose', '--', 'members', 'edit', 'bob@lumen.example', '--role', 'read'));
  await home.done(...asAda('proposals', 'reject', '2'));
  expect(await home.view('2')).toMatchObject({ status: 'rejected' });
  await home.proposeRole();
  await home.refusal(4, ...asAda('proposals', 'reject', '3'));
});

test('who is allowed is found by name, and teams with all their members', async () => {
  await home.done('teams', 'members', 'update', 'Writers', '--add', 'ada@lumen.example', '--add', 'bob@lumen.example');
  const rows = (await home.done('proposals', 'allow', 'Writers', '-o', 'json')).json;
  expect(rows.map(({ name }: { name: string }) => name).toSorted()).toEqual(['ada@lumen.example', 'bob@lumen.example']);
  await home.refusal(5, 'proposals', 'allow', 'nobody@lumen.example');
  await home.refusal(4, 'proposals', 'allow', 'Writers', ...ada);
});

test('a diff shows the changed lines, and what is different from the rehearsal of the author', async () => {
  const insert = [{ operation: 'insert_page', title: 'Terms', document: { markdown: 'One.\n\nTwo.\n' } }];
  await home.done('api', 'POST', `spaces/${home.spaceId}/content`, '-F', `changes=${JSON.stringify(insert)}`);
  const page = await home.text('content', 'pages', 'list', '--space', home.spaceId, '--jq', '.[0].id');
  const update = [{ operation: 'update_page', page, document: { markdown: 'One.\n\nThree.\n' } }];
  await home.done(
    'propose',
    '--',
    'api',
    'POST',
    `spaces/${home.spaceId}/content`,
    '-F',
    `changes=${JSON.stringify(update)}`,
  );
  expect((await home.done('proposals', 'diff', '1')).stdout).toMatch(/^-Two\.\n\+Three\.$/m);
  const other = [{ operation: 'update_page', page, document: { markdown: 'One.\n\nFour.\n' } }];
  await home.done('api', 'POST', `spaces/${home.spaceId}/content`, '-F', `changes=${JSON.stringify(other)}`);
  const { json } = await home.done('proposals', 'diff', '1', '-o', 'json');
  expect(json).toMatchObject({
    pages: [{ page: 'terms', diff: expect.arrayContaining(['-Four.', '+Three.']) }],
    changed: ['page terms of handbook'],
  });
});

test('the review of a pull request counts in a CI job, and is recorded', async () => {
  await home.proposeRole();
  const url = 'https://github.com/lumen/docs/pull/7';
  const words = ['proposals', 'apply', '1', '--yes', '--no-input', '--approved-by-pull-request'];
  expect(await home.refusal(2, ...words, url)).toContain('in jobs of GitHub and GitLab only');
  const inJob = (...more: string[]) => runHere({ dir: home.dir, env: { ...home.env, GITHUB_ACTIONS: 'true' } }, more);
  expect((await inJob(...words, 'nothing')).exitCode).toBe(2);
  expect(await inJob(...words, url)).toMatchObject({ exitCode: 0 });
  expect(await home.view()).toMatchObject({ status: 'applied', result: { pullRequest: url } });
  await home.proposeRole('edit');
  await home.done('members', 'edit', 'ada@lumen.example', '--role', 'review', ...dora);
  expect((await inJob('proposals', 'apply', '2', '--yes', '--approved-by-pull-request', url)).exitCode).toBe(6);
});
