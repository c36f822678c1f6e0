import { expect } from 'vitest';
import { test } from '../support/cli.ts';
import { openScreen } from './screen.ts';

test('a space is deleted only when its title is typed back', async ({ demo }) => {
  const wrong = await openScreen(demo, ['spaces', 'delete', 'handbook0001']);
  await wrong.shows('Type Handbook to go on:');
  await wrong.answer('yes');
  expect(await wrong.ends()).toBe(130);
  expect(await wrong.text()).toContain('Nothing was done.');

  const right = await openScreen(demo, ['spaces', 'delete', 'handbook0001']);
  await right.shows('Delete the space Handbook (handbook0001)?');
  await right.answer('Handbook');
  expect(await right.ends()).toBe(0);

  expect((await demo.docsctl('spaces', 'list', '--deleted', '-o', 'id')).stdout).toContain('handbook0001');
});

test('what is not for the whole organization is asked about once, and no is the answer of Enter', async ({ demo }) => {
  const screen = await openScreen(demo, ['collections', 'delete', 'archive00001']);
  await screen.shows('Delete the collection archive00001?');
  await screen.answer('');

  expect(await screen.ends()).toBe(130);
  expect((await demo.docsctl('collections', 'view', 'archive00001')).exitCode).toBe(0);
});

test('settings of an organization are asked about only where they keep people out', async ({ demo }) => {
  const harmless = await openScreen(demo, ['orgs', 'edit', '--title', 'Lumen']);
  expect(await harmless.ends()).toBe(0);

  const grave = await openScreen(demo, ['orgs', 'edit', '--sso']);
  await grave.shows('Type Lumen to go on:');
  await grave.answer('Lumen');
  expect(await grave.ends()).toBe(0);

  expect((await demo.docsctl('orgs', 'view', '--json')).json).toMatchObject({ title: 'Lumen', sso: true });
});

test('a terminal gets a card with the structure of the site below it', async ({ demo }) => {
  const screen = await openScreen(demo, ['sites', 'view', 'lumensite001']);

  expect(await screen.ends()).toBe(0);
  expect(await screen.text()).toMatch(/Title +Lumen documentation[^]*├─ Guides[^]*│ {2}└─ Handbook[^]*Reference/);
});
