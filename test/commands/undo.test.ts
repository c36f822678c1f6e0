import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type DemoHome, sharedDemo } from '../support/shell.ts';

// What an undo does with each kind of change, and with changes that it cannot undo.

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

const id = async (...words: string[]) => (await done(...words, '-o', 'id')).stdout.trim();
const rename = (title: string, ...more: string[]) => done('spaces', 'edit', 'handbook0001', '--title', title, ...more);
const title = async () => (await done('spaces', 'view', 'handbook0001', '--jq', '.title')).stdout.trim();

/** The refusal of an undo of which nothing is sent. */
async function refusal(...words: string[]): Promise<string> {
  const run = await home.run(['undo', ...words, '--yes']);
  expect([run.exitCode, run.stderr]).toEqual([6, expect.stringContaining('Nothing was sent.')]);
  return run.stderr;
}

type Entry = { changes: Record<string, unknown>[] };

/** Changes the entries of the journal to those that another version or a lost answer leaves. */
async function amend(change: (entries: Entry[]) => Entry[]): Promise<void> {
  const file = join(home.dir, '.local', 'state', 'docsctl', 'journal', 'profile-local', 'journal.jsonl');
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const entries = change(lines.map((line) => JSON.parse(line)));
  await writeFile(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}

const amendFirst = (change: (sent: Record<string, unknown>) => void) =>
  amend((entries) => {
    change(entries[0]!.changes[0]!);
    return entries;
  });

async function pullHandbook(): Promise<string> {
  await done('content', 'pull', 'docs', '--space', 'handbook0001');
  await appendFile(join(home.dir, 'docs', 'glossary.md'), '\nOne more line.\n');
  return 'docs';
}

test('a change request that a push created is archived, unless somebody changed it since', async () => {
  const docs = await pullHandbook();
  await mkdir(join(home.dir, docs, 'more'));
  // Too much for one request.
  for (let page = 0; page < 4; page += 1)
    await writeFile(
      join(home.dir, docs, 'more', `page-${page}.md`),
      `# Page ${page}\n\n${'Much text. '.repeat(30_000)}\n`,
    );
  await done('content', 'push', docs, '--space', 'handbook0001', '--new', 'More');
  const path = 'spaces/handbook0001/change-requests?status=';
  const requests = async (status: string) =>
    (await done('api', 'GET', `${path}${status}`, '--jq', '.items[].subject')).stdout.trim().split('\n');

  expect(await requests('archived')).not.toContain('More');
  const undo = await done('undo', '--yes');

  expect(undo.stderr).toContain('a change request cannot be deleted; it is archived instead');
  expect(await requests('archived')).toContain('More');
});

test('a push to a change request that somebody else created is kept', async () => {
  const docs = await pullHandbook();
  const request = await id('cr', 'create', '--space', 'handbook0001', '--subject', 'Theirs');
  await done('content', 'push', docs, '--space', 'handbook0001', '--cr', request);

  expect(await refusal()).toContain('pages can only be changed back with a new change of the content');
});

test('nothing is sent if somebody has changed the value back', async () => {
  await rename('Manual');
  await rename('Handbook', '--no-journal');

  expect((await done('undo', '--yes')).stderr).toContain('There is nothing to undo: all values are as they were.');
});

test('a change that changed nothing needs no undo', async () => {
  await rename('Handbook');

  expect((await done('undo', '1', '--yes')).stderr).toContain('There is nothing to undo');
});

test('an object that is deleted is named with the change that cannot be undone', async () => {
  await done('collections', 'edit', 'products0001', '--title', 'Goods');
  await done('collections', 'delete', 'products0001', '--yes', '--no-journal');
  await done('teams', 'edit', 'design000001', '--title', 'Drawing');
  await done('teams', 'delete', 'design000001', '--yes', '--no-journal');

  expect(await refusal('1')).toContain('PATCH /v1/collections/products0001: it no longer exists');
  expect(await refusal('2')).toMatch(/PATCH \/v1\/orgs\/\w+\/teams\/design000001: it no longer exists/);
});

test('the edit of an invite link is undone, and its creation only while it exists', async () => {
  const link = await id('invites', 'links', 'create', '--role', 'read');
  await done('invites', 'links', 'create', '--role', 'comment', '--no-journal');
  await done('invites', 'links', 'edit', link, '--role', 'edit');
  const role = async () => (await done('invites', 'links', 'view', link, '--jq', '.role')).stdout.trim();

  await done('undo', '--yes');
  expect(await role()).toBe('read');
  await done('invites', 'links', 'delete', link, '--yes', '--no-journal');

  expect(await refusal('1')).toContain('the object that it created or changed no longer exists');
});

test('a link that was created is removed', async () => {
  const link = await id('invites', 'links', 'create', '--role', 'read');

  await done('undo', '--yes');

  expect((await home.run(['invites', 'links', 'view', link])).exitCode).toBe(5);
});

test('a request of "docsctl api" is not undone', async () => {
  await done('api', 'PATCH', 'spaces/handbook0001', '-f', 'title=Manual');

  expect(await refusal()).toContain('"docsctl api" sends only its own request, so the previous state is not known');
});

test('what the journal could not contain is not undone', async () => {
  await writeFile(
    join(home.dir, 'large.yaml'),
    `openapi: 3.1.0\ninfo: { title: Large, version: 1.0.0, description: ${'x'.repeat(300_000)} }\npaths: {}\n`,
  );
  await done('openapi', 'publish', 'large.yaml', '--slug', 'large');
  await rename('https://ann:secret@docs.example');
  await rename('Manual');

  expect(await refusal('1')).toContain('it is too large for the journal');
  expect(await refusal('3')).toContain('it needs a secret, and the journal contains none');
});

test.for([
  ['a change without an answer', 'there was no response', (sent) => delete sent['status']],
  ['a request that this version does not know', 'docsctl does not know', (sent) => (sent['path'] = '/v2/{spaceId}')],
] as [string, string, (sent: Record<string, unknown>) => void][])('%s is not undone', async ([, reason, change]) => {
  await rename('Manual');
  await amendFirst(change);

  expect(await refusal()).toContain(reason);
  expect(await title()).toBe('Manual');
});

test('a created object stays if its state after the command is not known', async () => {
  await done('teams', 'create', '--title', 'Extra');
  await amendFirst((sent) => delete sent['after']);

  expect(await refusal()).toContain('the state after it is not known');
});

const handbook = '--space handbook0001';
const site = '--site lumensite001';
const unknown = {
  before: 'the previous state is not known',
  id: 'the ID of the created object is not known',
  place: 'the previous place is not known',
};

const missing: [words: string, member: string, reason: string][] = [
  [`cr create --subject Pumps ${handbook}`, 'id', unknown.id],
  ['teams create --title Pumps', 'id', unknown.id],
  [`sites section-groups create --title Pumps ${site}`, 'id', unknown.id],
  [`sites section-groups create --title Pumps ${site}`, 'before', unknown.place],
  ['teams edit writers00001 --title Pumps', 'before', unknown.before],
  ['teams members set writers00001 member000391 --role owner', 'before', unknown.before],
  ['sites publish intranet0001', 'before', unknown.before],
  [`sites sections add playbook0001 ${site}`, 'before', unknown.before],
  [`sites sections move guides000001 ${site}`, 'before', unknown.place],
  [`fields values set owner=Ann ${handbook}`, 'before', unknown.before],
  [`comments edit comment00001 --react 🚀 ${handbook}`, 'before', unknown.before],
  ['spaces move playbook0001 --root', 'before', unknown.place],
  ['openapi create new https://lumen.example/new.yaml', 'before', unknown.before],
];

test.for(missing)('%s is not undone if the service did not give the %s', async ([words, member, reason]) => {
  await done(...words.split(' '), '--yes');
  await amendFirst((sent) => delete sent[member]);

  expect(await refusal()).toContain(reason);
});

test('a space can be restored for seven days', async () => {
  await done('spaces', 'delete', 'playbook0001', '--yes');
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
  await amendFirst((sent) => (sent['started'] = daysAgo(7.1)));
  expect(await refusal()).toContain('a space can only be restored for 7 days');

  await amendFirst((sent) => (sent['started'] = daysAgo(6.9)));
  await done('undo', '--yes');
});

test('a move that a service accepts though it changes nothing needs no undo', async () => {
  await done('spaces', 'move', 'playbook0001', '--root');
  await amendFirst((sent) => (sent['before'] = sent['after']));

  expect((await done('undo', '--yes')).stderr).toContain('There is nothing to undo');
});

test('an undo ends where somebody changed the object between the changes of the command', async () => {
  await rename('One');
  await rename('Two');
  const join2 = (after: string) =>
    amend(([one, two]) => [{ ...one!, changes: [{ ...one!.changes[0], after: { title: after } }, ...two!.changes] }]);

  await join2('Other');
  const run = await home.run(['undo', '--yes']);

  expect([run.exitCode, run.stderr]).toEqual([
    8,
    expect.stringContaining('undone only in part: It was not sent: title changed in the meantime.'),
  ]);
  expect(await title()).toBe('One');
});

test('the undo of a reaction keeps those from before, also where others reacted in the same way', async () => {
  const edit = (...words: string[]) => done('comments', 'edit', 'comment00001', ...words, '--space', 'handbook0001');
  const reactions = async () => {
    const words = ['comments', 'view', 'comment00001', '--space', 'handbook0001'];
    return (await done(...words, '--jq', '[.reactions[] | {emoji, users: (.users | length)}]', '-o', 'json')).json;
  };
  await edit('--react', '🚀');
  await edit('--react', '🚀', '--as', 'member000002');
  const before = await reactions();
  await edit('--react', '🎉');
  await done('undo', '--yes');
  expect(await reactions()).toEqual(before);
  await edit('--unreact', '🚀');
  expect(await reactions()).not.toEqual(before);
  await done('undo', '--yes');

  expect(await reactions()).toEqual(before);
});

test('only an undo that cannot do all of it has a note', async () => {
  await done('fields', 'create', '--name', 'pump', '--title', 'Pump', '--type', 'text');
  const field = await done('undo', '--yes');
  await done('spaces', 'move', 'playbook0001', '--root');
  const space = await done('undo', '--yes');

  expect(field.stderr).toContain('its values in spaces are deleted, too');
  expect(space.stderr).not.toContain('it moves to the end');
});
