import { describe, expect, test } from 'vitest';
import { serveHere, sharedDemo } from '../support/shell.ts';

const { demo, home } = await sharedDemo();

const done = async (...words: string[]) => {
  const run = await home.run(words);
  expect({ words, exitCode: run.exitCode, stderr: run.stderr }).toMatchObject({ exitCode: 0 });
  return run;
};

/** Lines of CSV without quotes inside. */
const rowsOf = (csv: string) => csv.trimEnd().split('\n');

async function guestWithGrant() {
  const guest = (await done('members', 'list', '--role', 'guest', '--limit', '1', '-o', 'id')).stdout.trim();
  const link = (
    await done('invites', 'links', 'create', '--space', 'handbook0001', '--role', 'edit', '-o', 'id')
  ).stdout.trim();
  await done('invites', 'accept', link, '--as', guest);
  return { guest, link };
}

describe('access list', () => {
  test('shows who can do what in a space, with the reason', async () => {
    const { guest, link } = await guestWithGrant();
    await done('invites', 'accept', link, '--as', 'member000391');

    const { stdout, stderr } = await done('access', 'list', '--space', 'Handbook', '-o', 'csv');
    const rows = rowsOf(stdout);
    const rowOf = (id: string) => rows.filter((row) => row.includes(id)).map((row) => row.split(',').slice(3));

    expect(rows[0]).toBe('member.displayName,member.email,member.id,space.title,space.id,level,reason');
    expect(rowOf('member000001')).toEqual([['Handbook', 'handbook0001', 'admin', 'role admin']]);
    expect(rowOf('member000321')).toEqual([
      ['Handbook', 'handbook0001', 'read', 'role read; default level of the space'],
    ]);
    expect(rowOf('member000391')).toEqual([['Handbook', 'handbook0001', 'edit', 'granted']]);
    expect(rowOf(guest)).toEqual([['Handbook', 'handbook0001', 'edit', 'granted to a guest']]);
    expect(stderr).toContain(`Invite link ${link}: anyone who has it gets the level edit on the space "Handbook".`);
    const members = (await done('members', 'list', '-o', 'csv')).stdout.split('\n').length;
    // Guests to whom nothing was granted are not there.
    expect(rows.length).toBeGreaterThan(400);
    expect(rows.length).toBeLessThan(members);
  });

  test('names the collection whose default level gives it', async () => {
    const own = await demo.copy();
    await own.run(['collections', 'edit', 'products0001', '--default-level', 'review']);

    const { stdout } = await own.run(['access', 'list', '--member', 'member000391', '-o', 'jsonl']);
    const spaces = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

    expect(spaces).toHaveLength(5);
    expect(spaces.find(({ space }) => space.id === 'apiguides001')).toEqual({
      member: {
        id: 'member000391',
        displayName: 'Ingrid Turing',
        email: 'person391@lumen.example',
        role: 'read',
        disabled: false,
      },
      space: { id: 'apiguides001', title: 'API guides' },
      level: 'review',
      reason: 'default level of the collection "Products"',
    });
  });

  test('shows the spaces of a site, one row for each member and space', async () => {
    const { stdout } = await done('access', 'list', '--site', 'lumensite001', '-o', 'id');
    const admin = stdout.split('\n').filter((id) => id === 'member000001');

    expect(admin).toHaveLength(4);
  });

  test('takes --filter and --sort-by', async () => {
    const words = ['access', 'list', '--space', 'Handbook', '--filter', 'level=admin', '--filter', 'reason=role admin'];
    const { json } = await done(...words, '--sort-by', 'member.email', '-o', 'json');
    const emails = json.map(({ member }: { member: { email: string } }) => member.email);

    expect(emails.slice(0, 2)).toEqual(['admin@localhost', 'person1@lumen.example']);
    expect(emails.length).toBeLessThan(20);
    const byShortName = await done('access', 'list', '--space', 'Handbook', '--filter', 'role=admin', '-o', 'json');
    expect(byShortName.json.length).toBeGreaterThan(0);
  });

  test.each([[[]], [['--space', 'handbook0001', '--member', 'member000001']]])(
    'asks for one of its flags: %j',
    async (words) => {
      const { exitCode, stderr } = await home.run(['access', 'list', ...words]);

      expect(exitCode).toBe(2);
      expect(stderr).toContain('Pass one of --space, --site and --member');
    },
  );

  test('says that invite links were not checked where the caller may not see them', async () => {
    const told = await home.run(['access', 'list', '--space', 'handbook0001', '--as', 'member000002']);

    expect(told.stderr).toBe(
      'Invite links were not checked, because only administrators of the organization can see them.\n',
    );
  });

  test('is refused to guests, and says so where something is not there', async () => {
    const guest = (
      await done('members', 'list', '--role', 'guest', '--search', 'person485@', '-o', 'id')
    ).stdout.trim();

    expect(await home.run(['access', 'list', '--member', 'member000001', '--as', guest])).toMatchObject({
      exitCode: 4,
    });
    expect(await home.run(['access', 'list', '--space', 'nowhere00001'])).toMatchObject({ exitCode: 5, stdout: '' });
    expect(await home.run(['access', 'list', '--member', 'nobody@x.example'])).toMatchObject({
      exitCode: 5,
      stdout: '',
    });
  });
});

describe('access matrix', () => {
  test('has members as rows and spaces as columns', async () => {
    const { stdout } = await done('access', 'matrix', '--role', 'admin,comment', '-o', 'csv');
    const [header, ...rows] = rowsOf(stdout);

    expect(header).toBe('displayName,email,role,Handbook,Getting started,API guides,Release notes,Support playbook,id');
    expect(rows).toContain('Ada Almeida,person1@lumen.example,admin,admin,admin,admin,admin,admin,member000001');
    expect(rows.every((row) => /,(admin|comment),/.test(row))).toBe(true);
  });

  test('as JSON it has the spaces of each member, with the reason', async () => {
    const { json } = await done('access', 'matrix', '--role', 'admin', '--site', 'lumensite001', '-o', 'json');

    expect(json[0]).toMatchObject({ role: 'admin', disabled: false });
    expect(json[0].spaces).toHaveLength(4);
    expect(json[0].spaces[0]).toEqual({
      id: expect.any(String),
      title: expect.any(String),
      level: 'admin',
      reason: 'role admin',
    });
  });

  test('takes --filter and --sort-by', async () => {
    const words = ['--filter', 'role=guest', '--sort-by', 'displayName'];
    const { json } = await done('access', 'matrix', '--site', 'lumensite001', ...words, '-o', 'json');
    const names = json.map(({ displayName }: { displayName: string }) => displayName);

    expect(new Set(json.map(({ role }: { role: null }) => role))).toEqual(new Set([null]));
    expect(names).toEqual(names.toSorted((one: string, other: string) => one.localeCompare(other, 'en')));
  });

  test('tells spaces with one title apart, and names its columns in a pipe too', async () => {
    const own = await demo.copy();
    const second = (await own.run(['spaces', 'create', '--title', 'Handbook', '-o', 'id'])).stdout.trim();

    const { stdout } = await own.run(['access', 'matrix', '--role', 'admin']);

    expect(stdout.split('\n')[0]!.split('\t')).toEqual(
      expect.arrayContaining(['Handbook (handbook0001)', `Handbook (${second})`, 'API guides']),
    );
  });

  test('says that it shows only what the caller sees', async () => {
    const { stderr } = await done('access', 'matrix', '--role', 'admin', '--as', 'member000002');

    expect(stderr).toContain('Only spaces that you can see are included');
  });
});

describe('access check', () => {
  test.each([
    [['member000001', 'handbook0001'], 0, 'role admin'],
    [['person2@lumen.example', 'Handbook', 'comment'], 0, 'role comment'],
    [['member000002', 'handbook0001', 'edit'], 9, 'role comment'],
    [['person485@lumen.example', 'handbook0001'], 9, 'a guest without a grant there'],
    [['member000001', 'nowhere00001'], 5, undefined],
    [['member000001', 'handbook0001', 'owner'], 2, undefined],
  ])('%j ends with status %d', async (words, status, reason) => {
    const fresh = await demo.copy();
    const { exitCode, stdout } = await fresh.run(['access', 'check', ...words, '--json']);

    expect(exitCode).toBe(status);
    if (reason === undefined) expect(stdout).toBe('');
    else expect(JSON.parse(stdout)).toMatchObject({ allowed: status === 0, reason });
  });

  test('says no of a disabled member', async () => {
    const disabled = (
      await home.run(['members', 'list', '--jq', '[.[] | select(.disabled and .role == "edit")][0].id'])
    ).stdout;

    const { exitCode, stderr } = await home.run([
      'access',
      'check',
      disabled.trim().replaceAll('"', ''),
      'handbook0001',
    ]);

    expect(exitCode).toBe(9);
    expect(stderr).toMatch(/the member is disabled\.\n$/);
  });
});

test('over HTTP, the same answers', async () => {
  const own = await demo.copy();
  const embedded = await own.run(['access', 'matrix', '--role', 'admin,create', '-o', 'csv']);
  const service = await serveHere(own.database);
  Object.assign(own.env, service.env);
  try {
    const { stdout } = await own.run(['access', 'matrix', '--role', 'admin,create', '-o', 'csv']);
    expect(stdout).toBe(embedded.stdout);
  } finally {
    await service.stop();
  }
});
