import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../support/cli.ts';
import { openScreen } from './screen.ts';

test('a space is deleted only when its title is typed back', async ({ demo }) => {
  const wrong = await openScreen(demo, ['spaces', 'delete', 'handbook0001']);
  await wrong.shows('Type Handbook to confirm:');
  await wrong.answer('yes');
  await wrong.shows('"yes" is not the title. Type Handbook, or press Ctrl-C to stop.');
  await wrong.press('C-c');
  expect(await wrong.ends()).toBe(130);
  expect(await wrong.text()).toContain('Nothing was done.');

  const right = await openScreen(demo, ['spaces', 'delete', 'Handbook']);
  await right.shows('Delete the space Handbook (handbook0001)?');
  await right.shows('This also deletes 4 change requests, 1 comment.');
  await right.shows('Type Handbook to confirm:');
  await right.answer('Handbook');
  expect(await right.ends()).toBe(0);

  expect((await demo.docsctl('spaces', 'list', '--deleted', '-o', 'id')).stdout).toContain('handbook0001');
});

test('commands that run for each row say before they start that they cannot be undone', async ({ demo }) => {
  await writeFile(join(demo.dir, 'rows.csv'), 'who\nmember000002\nmember000003\n');
  const reason = 'This cannot be undone: a removed member loses teams and levels, and must be invited again.';
  for (const words of [
    ['members', 'remove', '{who}'],
    ['members', 'offboard', '{who}'],
  ]) {
    const screen = await openScreen(demo, ['each', 'rows.csv', '--', ...words], { width: 200 });
    await screen.shows(`Run these 2 commands? ${reason}`);
    await screen.answer('');

    expect(await screen.ends()).toBe(130);
  }
});

test('changes below the organization ask for one confirmation, and Enter means no', async ({ demo }) => {
  const screen = await openScreen(demo, ['collections', 'delete', 'archive00001']);
  await screen.shows('Delete the collection Archive (archive00001)?');
  await screen.answer('');

  expect(await screen.ends()).toBe(130);
  expect((await demo.docsctl('collections', 'view', 'archive00001')).exitCode).toBe(0);
});

test.for([
  [
    ['spaces', 'delete', 'handbook0001', 'quickstart01', 'nowhere00001'],
    'Delete the space Handbook (handbook0001), Getting started (quickstart01), nowhere00001?',
  ],
  [
    ['members', 'remove', 'member000001', '--allow-ownerless'],
    'Remove Ada Almeida <person1@lumen.example> (member000001) from the',
  ],
  [
    ['members', 'remove', '--allow-ownerless', ...Array.from({ length: 7 }, (_, index) => `member00000${index + 1}`)],
    /\(member000005\) and 2 more from the organization Lumen Docs \(/,
  ],
  // There is no endpoint for one of them: the list tells.
  [
    ['teams', 'members', 'remove', 'writers00001', 'member000002'],
    /Remove Alan Almeida <person2@lumen\.example> \(member000002\) from the team Writers \(writers00001\)\?/,
  ],
  [['comments', 'delete', 'comment00001', '--space', 'handbook0001'], 'Which valve is meant? (comment00001)'],
  [['fields', 'delete', 'reviewed', 'owner'], /Delete the custom field [^?]*\(reviewed\), [^?]*\(owner\)/],
] as [string[], string | RegExp][])('%j: titles stand beside the ids', async ([words, question], { demo }) => {
  const screen = await openScreen(demo, words, { width: 200 });
  await screen.shows(question);
  await screen.answer('');

  expect(await screen.ends()).toBe(130);
});

test('a title cannot imitate the question', async ({ demo }) => {
  const title = `x\u001b[2J\u202e? ${'long '.repeat(20)}`.slice(0, 50);
  const collection = await demo.docsctl('collections', 'create', '--title', title, '-o', 'json');
  const screen = await openScreen(demo, ['collections', 'delete', collection.json.id], { width: 200 });
  await screen.shows(`(${collection.json.id})?`);

  expect(await screen.text()).toContain('Delete the collection x\\u001b[2J\\u202e?');
  await screen.answer('');
  await screen.ends();
});

test('organization settings ask for confirmation only where they lock people out', async ({ demo }) => {
  const titleEdit = await openScreen(demo, ['orgs', 'edit', '--title', 'Lumen']);
  expect(await titleEdit.ends()).toBe(0);

  const ssoEdit = await openScreen(demo, ['orgs', 'edit', '--sso']);
  await ssoEdit.shows('Type Lumen to confirm:');
  await ssoEdit.answer('Lumen');
  expect(await ssoEdit.ends()).toBe(0);

  expect((await demo.docsctl('orgs', 'view', '--json')).json).toMatchObject({ title: 'Lumen', sso: true });
});

test('a terminal gets a card with the structure of the site below it', async ({ demo }) => {
  const screen = await openScreen(demo, ['sites', 'view', 'lumensite001']);

  expect(await screen.ends()).toBe(0);
  expect(await screen.text()).toMatch(/Title +Lumen documentation[^]*├─ Guides[^]*│ {2}└─ Handbook[^]*Reference/);
});

test('a list that loses something is replaced only after a question', async ({ demo }) => {
  const screen = await openScreen(demo, ['orgs', 'edit', '--email-domains', 'other.example'], { width: 200 });
  await screen.shows('emailDomains after: other.example');
  await screen.shows(/removed\. Continue\?/);
  await screen.answer('');

  expect(await screen.ends()).toBe(130);
  expect((await demo.docsctl('orgs', 'view', '--json')).json.emailDomains).not.toContain('other.example');
});
