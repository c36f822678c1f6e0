import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { sharedDemo } from '../../support/shell.ts';
import { carl, type ProposingHome, proposingHome } from './proposing.ts';

// Plans as proposals, applied where the folder is not.

const { demo } = await sharedDemo();
let home: ProposingHome;
beforeEach(async () => {
  home = await proposingHome(demo);
  await home.done('export', 'organization');
});

const change = async (file: string, from: string | RegExp, to: string) => {
  const path = join(home.dir, 'organization', file);
  const text = await readFile(path, 'utf8');
  expect(text).toMatch(from);
  await writeFile(path, text.replace(from, to));
};

test('a plan is proposed with its files, applied without the folder, and reverted', async () => {
  await change('members.csv', /ada@lumen\.example,comment/, 'ada@lumen.example,read');
  await change('spaces/handbook/space.yaml', /title: Handbook/, 'title: Our handbook');
  const proposed = (await home.done('plan', 'organization', '--propose', 'New title', '-o', 'json')).json;
  expect(proposed).toMatchObject({
    title: 'New title',
    status: 'open',
    plan: expect.stringContaining('docsctl apply plan.json'),
    changes: [{ kind: 'member' }, { kind: 'space' }],
  });
  await rm(join(home.dir, 'organization'), { recursive: true });
  await home.done('proposals', 'approve', '1', '--yes', ...carl);
  await home.done('proposals', 'apply', '1', '--yes', ...carl);
  const title = () => home.text('spaces', 'view', home.spaceId, '--jq', '.title');
  expect([await title(), await home.roleOf('ada@lumen.example')]).toEqual(['Our handbook', 'read']);
  await home.done('proposals', 'revert', '1', '--yes');
  expect([await title(), await home.roleOf('ada@lumen.example')]).toEqual(['Handbook', 'comment']);
});

test('the content of spaces is part of a proposed plan', async () => {
  const start = join(home.dir, 'organization', 'spaces', 'guide', 'content', 'start.md');
  await writeFile(start, `${await readFile(start, 'utf8')}\nOne more line.\n`);
  await home.done('plan', 'organization', '--propose', 'A line');
  await rm(join(home.dir, 'organization'), { recursive: true });
  await home.done('proposals', 'approve', '1', '--yes', ...carl);
  await home.done('proposals', 'apply', '1', '--yes');
  const guide = await home.text('spaces', 'list', '--filter', 'title=Guide', '-o', 'id');
  expect(await home.text('api', 'GET', `spaces/${guide}/content/path/start?format=markdown`)).toContain(
    'One more line.',
  );
  // A merge cannot be undone.
  expect(await home.refusal(6, 'proposals', 'revert', '1', '--yes')).toContain('as a whole');
});

test('a plan without changes is not proposed, and an outdated one is not applied', async () => {
  expect(await home.refusal(6, 'plan', 'organization', '--propose', 'Nothing')).toContain('nothing to propose');
  expect(await home.refusal(2, 'plan', 'organization', '--expires', '2d')).toContain('--propose');
  await change('members.csv', /ada@lumen\.example,comment/, 'ada@lumen.example,read');
  await home.done('plan', 'organization', '--propose', 'Role');
  await home.done('proposals', 'approve', '1', '--yes', ...carl);
  await home.done('members', 'edit', 'ada@lumen.example', '--role', 'edit');
  await home.refusal(6, 'proposals', 'apply', '1', '--yes');
  expect(await home.roleOf('ada@lumen.example')).toBe('edit');
});
