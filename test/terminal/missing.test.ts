import { expect } from 'vitest';
import { test } from '../support/cli.ts';
import { openScreen } from './screen.ts';

const width = 200;

test('members of the team that is given are offered, and removed from that team', async ({ demo }) => {
  const screen = await openScreen(demo, ['teams', 'members', 'remove', 'writers00001', '--allow-ownerless'], { width });
  const first = await screen.shows('Which member?');
  await screen.press('Enter');
  await screen.shows(/Remove .* from the team Writers \(writers00001\)\?/);
  await screen.answer('y');

  expect(await screen.ends()).toBe(0);
  expect(first).not.toContain('Which team?');
  expect(await screen.text()).not.toContain('Which team?');
});

test('replies to the comment that is given are offered', async ({ demo }) => {
  const words = ['comments', 'replies', 'delete', 'comment00001', '--space', 'handbook0001'];
  const screen = await openScreen(demo, words, { width });
  await screen.shows('Which reply?');
  await screen.press('Enter');
  await screen.shows(/Delete the reply .* to the comment Which valve is meant\? \(comment00001\)\?/);
  await screen.answer('y');

  expect(await screen.ends()).toBe(0);
  expect(await screen.text()).not.toContain('Which comment?');
});

test('a team that is not given is asked for once', async ({ demo }) => {
  const screen = await openScreen(demo, ['teams', 'members', 'remove', '--allow-ownerless'], { width });
  await screen.shows('Which team?');
  await screen.type('Writers');
  await screen.shows('writers00001, 1 in all');
  await screen.press('Enter');
  await screen.shows('Which member?');
  await screen.press('Enter');
  await screen.shows(/from the team Writers \(writers00001\)\?/);
  await screen.answer('');

  expect(await screen.ends()).toBe(130);
});

test('a role that is missing is asked for before the member', async ({ demo }) => {
  const screen = await openScreen(demo, ['members', 'edit'], { width });
  const first = await screen.shows('--role');
  expect(first).not.toContain('Which member?');
  await screen.press('Down', 'Enter');
  await screen.shows('Which member?');
  await screen.type('person2@');
  await screen.shows('Alan Almeida');
  await screen.press('Enter');

  expect(await screen.ends()).toBe(0);
  expect((await demo.docsctl('members', 'view', 'member000002', '--json')).json.role).toBe('create');
});

test('the organization to transfer a space to is asked for before the space', async ({ demo }) => {
  const screen = await openScreen(demo, ['spaces', 'transfer'], { width });
  await screen.shows('--to (');
  const first = await screen.shows('Which organization?');

  expect(first).not.toContain('Which space?');
  await screen.press('C-c');
  await screen.ends();
});

test.for([
  [['spaces', 'edit'], 'No change given.'],
  [['spaces', 'search'], '<query> is missing.'],
  [['invites', 'accept'], '<invite> is missing.'],
  [['sites', 'schema', 'set'], '<file> is missing.'],
  [['translations', 'edit'], 'No change given.'],
  [['cr', 'pdf', '--only'], '--only requires --page.'],
] as [string[], string][])('%j is refused before anything is asked', async ([words, message], { demo }) => {
  const screen = await openScreen(demo, words);

  expect(await screen.ends()).toBe(2);
  const text = await screen.text();
  expect(text).toContain(message);
  expect(text).not.toContain('Which');
});

test('the caller who removes herself is asked with the words "this is you", even with --yes', async ({ demo }) => {
  const id = (await demo.docsctl('whoami', '-o', 'id')).stdout.trim();
  const screen = await openScreen(demo, ['members', 'remove', id, '--yes'], { width });
  await screen.shows(/Remove Local Admin .* from the organization Lumen Docs [^]*this is you/);
  await screen.answer('');

  expect(await screen.ends()).toBe(130);
  expect((await demo.docsctl('members', 'view', id)).exitCode).toBe(0);
});

test('a space to add is chosen before its site', async ({ demo }) => {
  const screen = await openScreen(demo, ['sites', 'spaces', 'add'], { width });
  await screen.shows('Which space?');
  await screen.type('Playbook');
  await screen.shows('Playbook');
  await screen.press('Enter');
  await screen.shows('Which site?');
  await screen.press('C-c');
  await screen.ends();
});
