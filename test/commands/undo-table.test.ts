import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { databaseRows } from '../support/database-rows.ts';
import { type DemoHome, sharedDemo } from '../support/shell.ts';

// Each kind of change that an undo restores: afterwards, the database is as it was.

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
});

const handbook = '--space handbook0001';
const site = '--site lumensite001';

/** The last of several commands is undone. `{id}` is the ID that the one before it printed. */
const changes: (string | string[])[] = [
  'orgs edit --title Lumen',
  'members edit member000391 --role edit',
  'teams create --title Pumps',
  'teams edit writers00001 --title Pumps',
  'teams members update writers00001 --add member000391',
  'teams members set writers00001 member000391 --role owner',
  'teams members remove writers00001 member000002',
  'invites links create --role read',
  'invites links edit invite000001 --role edit',
  'fields create --name pumps --title Pumps --type text',
  'fields edit owner --title Pumps',
  `fields values set owner=Ann reviewed=true ${handbook}`,
  'translations edit translate001 --title Languages',
  'translations edit translate001 --languages de,fr',
  'collections create --title Pumps',
  'collections edit products0001 --title Pumps',
  'collections move products0001 --parent internal0001',
  'spaces create --title Pumps',
  'spaces edit handbook0001 --title Pumps',
  'spaces delete handbook0001',
  'spaces restore oldmanual001',
  'spaces duplicate quickstart01',
  'spaces move handbook0001 --parent products0001',
  'spaces move releasenotes --before apiguides001',
  'spaces move apiguides001 --root',
  `comments edit comment00001 --react 🚀 ${handbook}`,
  [`comments edit comment00001 --react 🚀 ${handbook}`, `comments edit comment00001 --unreact 🚀 ${handbook}`],
  [`comments create --body Pumps ${handbook} -o id`, `comments edit {id} --body Valves ${handbook}`],
  `comments resolve comment00001 ${handbook}`,
  `comments reopen comment00002 ${handbook}`,
  `comments create --body Pumps ${handbook}`,
  'cr edit 1 --subject Pumps --space handbook0001',
  'sites create --title Pumps',
  `sites edit lumensite001 --title Pumps`,
  'sites edit lumensite001 --proxy lumen.example/docs',
  ['sites edit lumensite001 --proxy lumen.example/docs', 'sites edit lumensite001 --clear proxy'],
  'sites edit lumensite001 --default-site-section reference001',
  'sites edit lumensite001 --default-site-section reference001 --default-site-space sitespace004 --title Pumps',
  [
    'sites edit lumensite001 --default-site-section reference001',
    'sites edit lumensite001 --default-site-space sitespace004',
  ],
  'sites edit intranet0001 --default-site-space sitespace006',
  'sites publish intranet0001',
  'sites unpublish lumensite001',
  // The first one also stores the title, which is that of the site before.
  [
    `sites customization set --set styling.theme=muted ${site}`,
    `sites customization set --set styling.theme=bold ${site}`,
  ],
  `sites schema set schema.json ${site}`,
  `sites sections edit guides000001 --title Pumps ${site}`,
  `sites sections edit reference001 --default-site-space sitespace004 ${site}`,
  `sites sections add playbook0001 --title Pumps ${site}`,
  `sites sections move guides000001 ${site}`,
  `sites sections move reference001 --before guides000001 ${site}`,
  `sites section-groups edit learngroup01 --title Pumps ${site}`,
  `sites section-groups move learngroup01 ${site}`,
  `sites section-groups add learngroup01 reference001 ${site}`,
  `sites section-groups remove learngroup01 starthere001 ${site}`,
  [
    `sites section-groups remove learngroup01 starthere001 ${site}`,
    `sites section-groups remove learngroup01 guides000001 ${site}`,
  ],
  `sites section-groups create --title Pumps ${site}`,
  `sites section-groups create --title Pumps --sections starthere001,reference001 ${site}`,
  [
    `sites section-groups add learngroup01 reference001 ${site}`,
    `sites section-groups create --title Pumps --sections reference001,starthere001,guides000001 ${site}`,
  ],
  `sites spaces add playbook0001 ${site}`,
  `sites spaces edit sitespace003 --path pumps ${site}`,
  'sites spaces move sitespace006 --before sitespace005 --site intranet0001',
  'openapi publish new.yaml --slug new',
  'openapi create new https://lumen.example/new.yaml',
];

/** Rows without what the service sets with each change, and without deleted spaces, which can be restored for some days. */
const comparable = (rows: string[]) =>
  rows
    .filter((row) => !/"deleted_at":"/.test(row))
    .map((row) =>
      row.replaceAll(/"(\w*updated_at|revision|edited_at|reacted_at|resolved_at|position)":("[^"]*"|null|-?\d+)/g, ''),
    )
    .toSorted();

/** The orders of objects, of which the database has only relative numbers. */
async function orders(): Promise<string[]> {
  const shown: string[] = [];
  for (const words of [
    'collections list',
    'spaces list',
    'sites structure lumensite001',
    'sites structure intranet0001',
  ])
    shown.push(
      ...((await home.run([...words.split(' '), '-o', 'json'])).stdout.match(/"(?:id|parent)":"[^"]*"/g) ?? []),
    );
  return shown;
}

const schema = {
  type: 'object',
  properties: { plan: { type: 'string', description: 'Plan of the visitor' } },
  additionalProperties: false,
};

test.for(changes.map((row) => [row].flat()))('%j', async (commands) => {
  await writeFile(join(home.dir, 'new.yaml'), 'openapi: 3.1.0\ninfo: { title: New, version: "1" }\npaths: {}\n');
  await writeFile(join(home.dir, 'schema.json'), JSON.stringify(schema));
  const [words = '', ...earlier] = commands.toReversed();
  let id = '';
  for (const command of earlier.toReversed()) {
    const { exitCode, stdout, stderr } = await home.run([...command.split(' '), '--yes']);
    expect(exitCode, stderr).toBe(0);
    id = stdout.trim();
  }
  const before = databaseRows(home.database);
  const order = await orders();

  const run = await home.run([...words.replace('{id}', id).split(' '), '--yes']);
  const changed = databaseRows(home.database);
  const undo = await home.run(['undo', '--yes']);
  const after = databaseRows(home.database);

  expect(run.exitCode, run.stderr).toBe(0);
  expect(undo.exitCode, undo.stderr).toBe(0);
  expect(changed).not.toEqual(before);
  expect(undo.stderr).not.toContain('updatedAt');
  expect(await orders()).toEqual(order);
  // Revisions and the search index of a deleted space stay with it.
  const kept = /spaces (?:create|duplicate)/.test(words)
    ? /^(?:revision|page_search|searched_page|content|document|page)/
    : /^$/;
  for (const [table, rows] of before)
    if (!kept.test(table)) expect([table, comparable(after.get(table) ?? [])]).toEqual([table, comparable(rows)]);
});
