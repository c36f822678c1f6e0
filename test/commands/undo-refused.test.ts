import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { databaseRows } from '../support/database-rows.ts';
import { type DemoHome, sharedDemo } from '../support/shell.ts';

// What an undo refuses with a reason, and what needs no undo.

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
});

async function done(words: string) {
  const run = await home.run([...words.split(' '), '--yes']);
  expect(run.exitCode, `${words}: ${run.stderr}`).toBe(0);
  return run;
}

const schema = {
  type: 'object',
  properties: { plan: { type: 'string', description: 'Plan of the visitor' } },
  additionalProperties: false,
};

/** Runs commands and the undo of the first one. `{id}` is the ID that the command before it printed. */
async function undoAfter(commands: readonly string[]) {
  for (const name of ['new', 'newer'])
    await writeFile(
      join(home.dir, `${name}.yaml`),
      `openapi: 3.1.0\ninfo: { title: ${name}, version: "1" }\npaths: {}\n`,
    );
  await writeFile(join(home.dir, 'schema.json'), JSON.stringify(schema));
  let id = '';
  for (const command of commands) ({ stdout: id } = await done(command.replace('{id}', id.trim())));
  const before = databaseRows(home.database);
  const undo = await home.run(['undo', '--yes']);
  expect(databaseRows(home.database)).toEqual(before);
  return undo;
}

const handbook = '--space handbook0001';
const site = '--site lumensite001';
const removed = '--no-journal';

const impossible: [commands: string[], reason: string][] = [
  [['sites sections add playbook0001 --site intranet0001'], 'it was the first section'],
  [['sites create --title Pumps --spaces empty'], 'the service created a space with it'],
  [['fields edit audience --options operators,fitters'], 'deleted the values with the removed option'],
  [['sites schema set schema.json --site intranet0001'], 'there was none before'],
  [['openapi publish new.yaml --slug pumps'], 'published versions cannot be removed'],
  [
    ['sso providers create --label Pumps -o id', 'sso providers edit {id} --default-team Writers'],
    '"defaultTeam" was not set before, and the service cannot clear it',
  ],
  [[`cr create --subject Pumps ${handbook} -o id`, `cr merge {id} --open ${handbook}`], 'a merge is permanent'],
];

test.for(impossible)('after %j, says why it cannot be undone', async ([commands, reason]) => {
  const undo = await undoAfter(commands);

  expect([undo.exitCode, undo.stderr]).toEqual([6, expect.stringContaining(reason)]);
});

test.for([
  ['collections move products0001 --parent internal0001', `collections delete products0001 ${removed}`],
  ['spaces edit playbook0001 --title Pumps', `spaces delete playbook0001 ${removed}`],
  ['spaces move playbook0001 --parent archive00001', `spaces delete playbook0001 ${removed}`],
  [`fields values set owner=Ann --space playbook0001`, `spaces delete playbook0001 ${removed}`],
  [`comments edit comment00001 --react 🚀 ${handbook}`, `comments delete comment00001 ${handbook} ${removed}`],
  ['teams members set writers00001 member000391 --role owner', `teams delete writers00001 ${removed}`],
  ['sites unpublish lumensite001', `sites delete lumensite001 ${removed}`],
  [`sites edit lumensite001 --default-site-section reference001`, `sites delete lumensite001 ${removed}`],
  [`sites customization set --set styling.theme=bold ${site}`, `sites delete lumensite001 ${removed}`],
  [`sites sections move guides000001 ${site}`, `sites delete lumensite001 ${removed}`],
  [
    `sites sections edit reference001 --default-site-space sitespace004 ${site}`,
    `sites sections remove reference001 ${site} ${removed}`,
  ],
  [`sites section-groups create --title Pumps ${site}`, `sites section-groups delete Pumps ${site} ${removed}`],
])('%j: what the first one changed no longer exists', async (commands) => {
  const undo = await undoAfter(commands);

  expect([undo.exitCode, undo.stderr]).toEqual([6, expect.stringContaining(': it no longer exists\n')]);
});

const changed: [commands: string[], reason: string][] = [
  [
    [`sites sections move guides000001 ${site}`, `sites sections remove guides000001 ${site} ${removed}`],
    'guides000001 changed in the meantime',
  ],
  [
    ['openapi publish new.yaml --slug new', `openapi publish newer.yaml --slug new ${removed}`],
    'published changed in the meantime',
  ],
];

test.for(changed)('%j: the undo names what the second one changed', async ([commands, reason]) => {
  const undo = await undoAfter(commands);

  expect([undo.exitCode, undo.stderr]).toEqual([6, expect.stringContaining(reason)]);
});

test.for([
  ['fields values set --space handbook0001 reviewed=true', 'fields values set --space handbook0001 reviewed=true'],
  ['teams members set writers00001 member000002 --role member'],
  ['sites publish lumensite001'],
  [`sites section-groups create --title Pumps --icon rocket ${site} -o id`, `sites section-groups move {id} ${site}`],
  [`comments edit comment00001 --unreact 👍 ${handbook}`],
  ['spaces create --title Pumps -o id', `spaces delete {id} ${removed}`],
  [`sites spaces add playbook0001 ${site}`, `sites delete lumensite001 ${removed}`],
])('%j: the last command with an entry needs no undo', async (commands) => {
  const undo = await undoAfter(commands);

  expect([undo.exitCode, undo.stderr]).toEqual([0, expect.stringContaining('There is nothing to undo')]);
});

test('a default section that the service refused needs no undo', async () => {
  const edit = await home.run(['sites', 'edit', 'intranet0001', '--default-site-section', 'guides000001']);
  expect(edit.exitCode).toBe(5);
  const [entry] = (await done('history list -o json')).json;
  expect(entry.changes).toEqual([expect.objectContaining({ status: 400, before: { defaultSiteSection: null } })]);

  expect((await done('undo')).stderr).toContain('There is nothing to undo');
});
