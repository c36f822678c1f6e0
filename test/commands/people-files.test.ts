import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin } from '../support/cli.ts';
import { listen } from '../support/service.ts';
import { test } from '../support/in-process.ts';

const roleOf = async (docsctl: (...words: string[]) => Promise<{ json: any }>, id: string) =>
  (await docsctl('members', 'view', id, '--json')).json.role;

test('each row of a file gets its role, and every row has a result', async ({ demo }) => {
  const file = join(demo.dir, 'people.csv');
  const result = join(demo.dir, 'done.csv');
  await writeFile(
    file,
    [
      'Name;E-mail;Role',
      'Alan;PERSON2@lumen.example;review',
      'Nobody;nobody@lumen.example;edit',
      'Amara;person3@lumen.example;boss',
      'Björn;person4@lumen.example;',
      'Alan again;member000002;read',
      'Chiara;member000005;guest',
      '',
    ].join('\n'),
  );
  const words = ['members', 'edit', '--from', file, '--result', result, '--json'];

  const plan = await demo.docsctl(...words.slice(0, -1), '--dry-run');
  const untouched = existsSync(result);
  const run = await demo.docsctl(...words);
  const again = await demo.docsctl('members', 'edit', '--from', result, '--result', result, '--json');

  expect(plan.exitCode).toBe(8);
  expect(plan.stdout.match(/^PATCH /gm)).toHaveLength(2);
  expect(plan.stderr).toContain('line 4: person3@lumen.example: "boss" is not one of');
  expect(untouched).toBe(false);
  expect(run.exitCode).toBe(8);
  expect(run.json).toMatchObject([
    { line: 2, id: 'member000002', role: 'review', outcome: 'changed' },
    { line: 3, outcome: 'refused', reason: 'is not a member of the organization' },
    { line: 4, outcome: 'refused' },
    { line: 5, outcome: 'refused', reason: 'the role is missing' },
    { line: 6, id: 'member000002', outcome: 'refused', reason: 'is named in line 2 with another role' },
    { line: 7, id: 'member000005', role: null, outcome: 'changed' },
  ]);
  expect(await readFile(result, 'utf8')).toMatch(
    /^Name,E-mail,Role,result,reason\nAlan,PERSON2@lumen.example,review,unchanged,\n/,
  );
  expect(again.json.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'unchanged',
    ...Array.from({ length: 4 }, () => 'refused'),
    'unchanged',
  ]);
  expect(await roleOf(demo.docsctl, 'member000005')).toBe(null);
});

test('a file without a header has addresses or ids first, and --role is for rows without one', async ({ demo }) => {
  const file = join(demo.dir, 'people.csv');
  await writeFile(file, 'person2@lumen.example\nmember000003,comment\n');

  const run = await demo.docsctl('members', 'edit', '--from', file, '--role', 'edit', '--json');

  expect(run.json).toMatchObject([
    { user: 'person2@lumen.example', role: 'edit' },
    { user: 'member000003', role: 'comment' },
  ]);
});

test('administrators in a file are counted, and need --yes', async ({ demo }) => {
  const file = join(demo.dir, 'people.csv');
  await writeFile(file, 'email,role\nperson2@lumen.example,admin\nnew@lumen.example,admin\n');
  await writeFile(join(demo.dir, 'members.csv'), 'email,role\nperson2@lumen.example,admin\n');

  const invited = await demo.docsctl('invites', 'send', '--from', file, '--update-roles');
  const edited = await demo.docsctl('members', 'edit', '--from', join(demo.dir, 'members.csv'));
  const one = await demo.docsctl('invites', 'send', 'other@lumen.example', '--role', 'admin');
  const link = await demo.docsctl('invites', 'links', 'create', '--role', 'admin');

  expect([invited.exitCode, edited.exitCode, one.exitCode, link.exitCode]).toEqual([2, 2, 2, 2]);
  expect(invited.stderr).toContain('Make 2 people administrators: new@lumen.example, person2@lumen.example?');
  expect((await demo.docsctl('members', 'list', '--search', 'new@lumen.example')).stdout).toBe('');
  expect(await demo.docsctl('invites', 'send', '--from', file, '--update-roles', '--yes')).toMatchObject({
    exitCode: 0,
  });
  expect(await roleOf(demo.docsctl, 'member000002')).toBe('admin');
});

test('a row about yourself needs --yes-myself', async ({ demo }) => {
  const file = join(demo.dir, 'people.csv');
  await writeFile(file, 'user,role\nperson2@lumen.example,edit\n@me,read\n');

  const run = await demo.docsctl('members', 'edit', '--from', file, '--yes');
  const role = await roleOf(demo.docsctl, 'member000002');
  const done = await demo.docsctl('members', 'edit', '--from', file, '--yes-myself');

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('this is you');
  expect(role).not.toBe('edit');
  expect(done.exitCode).toBe(0);
});

test('a member who has another role than a row asks for is reported, and changed with --update-roles', async ({
  demo,
}) => {
  await demo.docsctl('members', 'edit', 'member000002', '--role', 'read');
  const [file, result] = [join(demo.dir, 'people.csv'), join(demo.dir, 'done.csv')];
  await writeFile(file, 'email,role\nperson2@lumen.example,edit\nnew@lumen.example,\n');

  const run = await demo.docsctl('invites', 'send', '--from', file, '--result', result, '--json');
  const text = await readFile(result, 'utf8');
  const again = await demo.docsctl('invites', 'send', '--from', result, '--json');
  const changed = await demo.docsctl('invites', 'send', '--from', result, '--update-roles', '--json');

  expect(run.exitCode).toBe(8);
  expect(run.json).toMatchObject([
    { outcome: 'not changed', role: 'read', reason: 'is a member with the role read, not edit' },
    // The role that the organization gives.
    { outcome: 'invited', role: null },
  ]);
  expect(text).toBe(
    'email,role,result,reason\nperson2@lumen.example,edit,not changed,"is a member with the role read, not edit"\nnew@lumen.example,guest,invited,\n',
  );
  expect(again).toMatchObject({ exitCode: 8 });
  expect(changed.exitCode).toBe(0);
  expect(changed.json).toMatchObject([{ outcome: 'changed', role: 'edit' }, { outcome: 'member already' }]);
});

test('a result file is not written over another file, and one that cannot be written is found before anything is sent', async ({
  demo,
}) => {
  const file = join(demo.dir, 'people.csv');
  await writeFile(file, 'email,role\nperson2@lumen.example,edit\n');
  const words = ['members', 'edit', '--from', file, '--result'];

  const over = await demo.docsctl(...words, file);
  const nowhere = await demo.docsctl(...words, join(demo.dir, 'none', 'done.csv'));

  expect([over.exitCode, nowhere.exitCode]).toEqual([2, 2]);
  expect(over.stderr).toContain('already exists and does not contain results');
  expect(nowhere.stderr).toContain('cannot be written: there is no such folder');
  expect((await stat(file)).size).toBe(38);
  expect(await roleOf(demo.docsctl, 'member000002')).not.toBe('edit');
});

test('an interrupt leaves a result for every row, and the same command does the rest', async ({ home }) => {
  const asked = Promise.withResolvers<void>();
  let patches = 0;
  const member = (id: string) => ({
    object: 'member',
    id,
    role: 'read',
    user: { object: 'user', id, displayName: id, email: `${id}@x.example`, urls: { location: '' } },
    disabled: false,
    joinedAt: '2026-01-01T00:00:00.000Z',
    sso: false,
    spaces: 0,
    teams: 0,
  });
  const ids = Array.from({ length: 30 }, (_, index) => `m${index}`);
  const url = await listen((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') return response.end(JSON.stringify({ count: 30, items: ids.map(member) }));
    // The first three are answered.
    if (++patches > 3) return patches === 11 ? asked.resolve() : undefined;
    response.end(JSON.stringify({ ...member('m0'), role: 'edit' }));
  });
  const [file, result] = [join(home.dir, 'people.csv'), join(home.dir, 'done.csv')];
  await writeFile(file, ['email,role', ...ids.map((id) => `${id}@x.example,edit`)].join('\n'));
  const env = { ...home.env, DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token', DOCSCTL_ORG: 'Or1' };
  const words = ['members', 'edit', '--from', file, '--result', result];
  const running = execa(process.execPath, [bin, ...words], { env, extendEnv: false, reject: false, stdin: 'ignore' });
  await asked.promise;
  running.kill('SIGINT');
  const run = await running;

  expect(run.exitCode).toBe(130);
  expect(run.stderr).toContain('3 changed, 27 not tried.');
  const text = await readFile(result, 'utf8');
  expect(text.match(/,changed,/g)).toHaveLength(3);
  // The service was asked what it did with the requests that it had not answered.
  expect(text.match(/,not tried,$/gm)).toHaveLength(27);
});
