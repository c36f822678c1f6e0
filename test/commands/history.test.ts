import { mkdir, readdir, readFile, rm, stat, writeFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { test as inProcess } from '../support/in-process.ts';
import { initialize } from '../support/prepared.ts';
import { type DemoHome, serveHere, sharedDemo } from '../support/shell.ts';

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
});

const folderOf = (dir: string) => join(dir, '.local', 'state', 'docsctl', 'journal', 'profile-local');
const fileOf = (dir: string) => join(folderOf(dir), 'journal.jsonl');

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

const history = async () => (await done('history', 'list', '-o', 'json')).json;
const title = async () => (await done('spaces', 'view', 'handbook0001', '--jq', '.title')).stdout.trim();
const rename = (to: string) => done('spaces', 'edit', 'handbook0001', '--title', to);

describe('the journal', () => {
  test('has who changed what, when and how, and is for its owner alone', async () => {
    await rename('Manual');
    const entries = await history();

    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      number: 1,
      profile: 'local',
      url: `embedded:${home.database}`,
      user: { email: 'admin@localhost' },
      command: ['spaces', 'edit', 'handbook0001', '--title', 'Manual'],
      result: 'done',
      status: 0,
      changes: [
        {
          method: 'PATCH',
          path: '/v1/spaces/{spaceId}',
          params: { spaceId: 'handbook0001' },
          body: { title: 'Manual' },
          before: { title: 'Handbook' },
          after: { title: 'Manual' },
          status: 200,
        },
      ],
    });
    expect((await stat(fileOf(home.dir))).mode & 0o777).toBe(0o600);
    expect((await stat(folderOf(home.dir))).mode & 0o777).toBe(0o700);
    expect((await done('history', 'view', '1')).stdout).toContain('    title: Handbook -> Manual');
  });

  test('has failed changes, and nothing of what changed nothing', async () => {
    await done('spaces', 'list');
    await done('spaces', 'edit', 'handbook0001', '--title', 'No', '--dry-run');
    await done('spaces', 'edit', 'handbook0001', '--title', 'No', '--no-journal');
    home.env.DOCSCTL_JOURNAL = 'off';
    await rename('No');
    delete home.env.DOCSCTL_JOURNAL;
    await done('config', 'set', 'journal', 'off');
    await rename('No');
    await done('config', 'unset', 'journal');
    expect((await history()).length).toBe(0);
    await home.run(['members', 'edit', 'nobody', '--role', 'read']);
    const [entry] = await history();
    expect(entry).toMatchObject({ result: 'failed', status: 5, changes: [{ status: 404 }] });
    expect(entry.changes[0].before).toBeUndefined();
  });

  test('closes long files, and numbers stay the same', async () => {
    await rename('Manual');
    const [{ line: _, ...entry }] = await history();
    const long = { ...entry, number: 41, error: 'x'.repeat(4 * 1024 * 1024) };
    await writeFile(fileOf(home.dir), `${JSON.stringify(long)}\n`);
    await rename('Other');
    await rename('Third');
    expect((await readdir(folderOf(home.dir))).filter((name) => name.endsWith('.jsonl'))).toEqual([
      'journal-0000000041.jsonl',
      'journal.jsonl',
    ]);
    expect((await history()).map(({ number }: { number: number }) => number)).toEqual([43, 42, 41]);
  });

  test('keeps the newest of the closed files: eight, and not more than 64 MiB', async () => {
    await rename('Manual');
    const [{ line: _, ...entry }] = await history();
    const folder = folderOf(home.dir);
    const closed = async () => (await readdir(folder)).filter((name) => name.startsWith('journal-'));
    const sizesAfter = async (title: string, sizes: number[]) => {
      for (const name of await closed()) await rm(join(folder, name));
      for (const [index, size] of sizes.entries()) {
        const file = join(folder, `journal-${String(index + 1).padStart(10, '0')}.jsonl`);
        await writeFile(file, '');
        await truncate(file, size);
      }
      await writeFile(fileOf(home.dir), `${JSON.stringify({ ...entry, number: 40 })}\n`);
      await truncate(fileOf(home.dir), 5 * 1024 * 1024);
      await rename(title);
      return Promise.all((await closed()).map(async (name) => (await stat(join(folder, name))).size));
    };
    const [small, large] = [1_000, 25 * 1024 * 1024];
    expect(
      await sizesAfter(
        'One',
        Array.from({ length: 20 }, () => small),
      ),
    ).toHaveLength(8);
    expect((await sizesAfter('Two', [large, large, large])).filter((size) => size === large)).toHaveLength(2);
  });

  test('gets what a command that was killed had sent, and survives a torn line', async () => {
    await rename('Manual');
    const [{ number: _, changes, result: __, status: ___, line: ____, ...begin }] = await history();
    const running = join(folderOf(home.dir), 'running-4194304-0a0a0a0a0a0a.jsonl');
    const lines = [begin, { index: 0, change: changes[0] }];
    await writeFile(running, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"index":1,"cha`);
    await writeFile(fileOf(home.dir), '{"number":2,"ti', { flag: 'a' });
    await rename('Other');
    const entries = await history();
    expect(entries.map(({ result }: { result: string }) => result)).toEqual(['interrupted', 'done', 'done']);
    expect(entries[0].changes).toEqual(changes);
  });

  test('that cannot be written is told, and the command goes on', async () => {
    await mkdir(join(home.dir, '.local'));
    await writeFile(join(home.dir, '.local', 'state'), '');
    const run = await rename('Manual');
    expect(run.stderr).toContain('cannot be written');
    expect(await title()).toBe('Manual');
  });

  test('has no ID of an invite link, with which anybody could join', async () => {
    const id = (await done('invites', 'links', 'create', '--role', 'read', '-o', 'id')).stdout.trim();
    await done('invites', 'links', 'edit', id, '--role', 'comment');
    await home.run(['invites', 'links', 'edit', id, '--level', 'edit']);
    await home.run(['api', 'PATCH', `invites/${id}`, '-f', 'role=edit']);
    const other = (await done('orgs', 'create', '--title', 'Other', '-o', 'id')).stdout.trim();
    const inOther = await home.run(['invites', 'links', 'delete', id, '--yes', '--org', other]);
    await done('invites', 'links', 'delete', id, '--yes');

    expect(inOther.stderr).toContain(`"${id}" not found`);
    expect(await readFile(fileOf(home.dir), 'utf8')).not.toContain(id);
    expect(await history()).toHaveLength(7);
  });

  test('has no secrets', async () => {
    const service = await serveHere(home.database);
    Object.assign(home.env, service.env);
    try {
      await done(
        'api',
        'PATCH',
        'spaces/handbook0001',
        '-f',
        'title=token-of-the-test',
        '-H',
        'X-Api-Key: k3y-0f-header',
      );
      const { json: link } = await done('invites', 'links', 'create', '--role', 'read', '-o', 'json');
      await done('orgs', 'edit', '--logo', 'https://ada:l0vel4ce@lumen.example/a.png');
      const journals = join(home.dir, '.local', 'state', 'docsctl', 'journal');
      const [folder = ''] = await readdir(journals);
      const text = await readFile(join(journals, folder, 'journal.jsonl'), 'utf8');
      for (const secret of [service.env.DOCSCTL_TOKEN!, 'k3y-0f-header', link.id, 'l0vel4ce'])
        expect(text).not.toContain(secret);
      expect(text).toContain('X-Api-Key');
      // The link is found all the same.
      await done('undo', '2', '--yes');
      expect((await home.run(['invites', 'links', 'view', link.id])).exitCode).toBe(5);
    } finally {
      await service.stop();
    }
  });
});

inProcess('commands that run at once lose no entry', async ({ home: machine }) => {
  await initialize(machine);
  const numbers = [1, 2, 3, 4, 5];

  await Promise.all(numbers.map((number) => machine.spawn('spaces', 'create', '--title', `Space ${number}`)));

  const { json } = await machine.docsctl('history', 'list', '-o', 'json');
  expect(json.map(({ number }: { number: number }) => number)).toEqual(numbers.toReversed());
});

describe('undo', () => {
  test('shows old and new values, takes back, and can be taken back', async () => {
    await rename('Manual');
    const plan = await done('undo', '--dry-run');
    expect(plan.stderr).toContain('title: Manual -> Handbook');
    expect((await home.run(['undo'])).exitCode).toBe(2);
    expect(await title()).toBe('Manual');
    await done('undo', '--yes');
    expect(await title()).toBe('Handbook');
    const again = await home.run(['undo', '1', '--yes']);
    expect([again.exitCode, again.stderr]).toEqual([6, expect.stringContaining('was already undone by entry 2')]);
    const nothing = await home.run(['undo', '--yes']);
    expect([nothing.exitCode, nothing.stderr]).toEqual([5, expect.stringContaining('is undone already')]);
    await done('undo', '2', '--yes');
    expect(await title()).toBe('Manual');
    await done('undo', '--yes');
    expect(await title()).toBe('Handbook');
    expect((await home.run(['undo', '9'])).exitCode).toBe(5);
  });

  test('is refused where the value changed in the meantime, and not for another one', async () => {
    await rename('Manual');
    await done('spaces', 'edit', 'handbook0001', '--emoji', '🚀');
    await done('undo', '1', '--dry-run');
    await done('spaces', 'edit', 'handbook0001', '--title', 'Theirs', '--no-journal');
    for (const more of [['--yes'], ['--dry-run'], ['--yes', '--partial']]) {
      const run = await home.run(['undo', '1', ...more]);
      expect([run.exitCode, run.stderr]).toEqual([6, expect.stringContaining('title changed in the meantime')]);
    }
    expect(await title()).toBe('Theirs');
  });

  test('twice in a row takes two commands back', async () => {
    await rename('Manual');
    await done('spaces', 'edit', 'quickstart01', '--title', 'Start');
    await done('undo', '--yes');
    expect(await title()).toBe('Manual');
    await done('undo', '--yes');
    expect(await title()).toBe('Handbook');
  });

  test.for([
    [['spaces', 'edit', 'handbook0001', '--title', 'Theirs', '--as', 'member000400'], 4],
    [['teams', 'delete', 'nowhere00001', '--yes'], 5],
  ] as [string[], number][])('after %j, does not take the command before it', async ([words, status]) => {
    await rename('Manual');
    expect((await home.run(words)).exitCode).toBe(status);
    const run = await home.run(['undo', '--yes']);
    expect(await title()).toBe('Manual');
    if (run.exitCode !== 0)
      expect([run.exitCode, run.stderr]).toEqual([
        6,
        expect.stringMatching(/^error: The last command, docsctl .* failed with status \d and changed nothing/),
      ]);
    else expect(run.stderr).toContain('There is nothing to undo');
    await done('spaces', 'edit', 'quickstart01', '--title', 'Start');
    await done('undo', '--yes');
    expect(await title()).toBe('Manual');
  });

  test('after a failed command without a journal, takes the newest in it', async () => {
    await rename('Manual');
    expect((await home.run(['teams', 'delete', 'nowhere00001', '--yes', '--no-journal'])).exitCode).toBe(5);
    await done('undo', '--yes');
    expect(await title()).toBe('Handbook');
  });

  test('says what cannot be taken back, and takes the rest with --partial', async () => {
    await writeFile(
      join(home.dir, 'people.csv'),
      'email,role,teams\nnew@lumen.example,read,\nperson2@lumen.example,review,Writers\n',
    );
    await done('members', 'sync', 'people.csv', '--yes');
    const refused = await home.run(['undo', '--yes', '-o', 'json']);
    expect(refused.exitCode).toBe(6);
    expect(JSON.parse(refused.stderr).error.impossible).toEqual([
      { address: expect.stringContaining('/invites'), reason: expect.stringContaining('cannot be revoked') },
    ]);
    await done('undo', '--yes', '--partial');
    expect((await done('members', 'view', 'member000002', '--jq', '.role')).stdout.trim()).toBe('comment');
    await done('teams', 'delete', 'design000001', '--yes');
    const run = await home.run(['undo', '--yes']);
    expect([run.exitCode, run.stderr]).toEqual([6, expect.stringContaining('deleted objects are not kept')]);
  });

  test('says that the place of a collection without spaces is not known', async () => {
    const empty = (await done('collections', 'create', '--title', 'Empty', '-o', 'id')).stdout.trim();
    await done('collections', 'move', empty, '--before', 'products0001');
    const among = await home.run(['undo', '--yes']);
    await done('collections', 'move', empty, '--parent', 'internal0001');
    const out = await home.run(['undo', '--yes']);

    expect([among.exitCode, among.stderr]).toEqual([6, expect.stringContaining('does not list the place')]);
    expect([out.exitCode, out.stderr]).toEqual([0, expect.stringContaining('it moves to the end')]);
    expect((await done('collections', 'view', empty, '--jq', '.parent')).stdout.trim()).toBe('null');
  });

  test('does not mistake an object that the caller can no longer see for one that is already removed', async () => {
    await done('members', 'edit', 'member000002', '--role', 'admin', '--yes');
    await done('--as', 'member000002', 'teams', 'create', '--title', 'Extra');
    await done('members', 'remove', 'member000002', '--yes');

    const run = await home.run(['--as', 'member000002', 'undo', '2', '--yes']);

    expect([run.exitCode, run.stderr]).toEqual([6, expect.stringContaining('you can no longer see')]);
  });

  test('does not take a collection that a guest cannot see for one that is removed', async () => {
    await done('members', 'edit', 'member000002', '--role', 'admin', '--yes');
    await done('--as', 'member000002', 'collections', 'create', '--title', 'Extra');
    await done('members', 'edit', 'member000002', '--role', 'guest', '--yes');

    const run = await home.run(['--as', 'member000002', 'undo', '2', '--yes']);

    expect([run.exitCode, run.stderr]).toEqual([6, expect.stringContaining('or you can no longer see it')]);
  });

  test('takes several changes of one object back from the last to the first', async () => {
    await writeFile(
      join(home.dir, 'lines.txt'),
      'spaces edit handbook0001 --title One\nspaces edit handbook0001 --title Two\n',
    );
    await done('run', 'lines.txt');
    expect((await history()).map(({ command }: { command: string[] }) => command.at(-1))).toEqual(['Two', 'One']);
    await done('spaces', 'move', 'quickstart01', 'apiguides001', 'playbook0001', '--root');
    const before = await done('spaces', 'list', '-o', 'id');
    await done('undo', '--yes');
    await done('undo', '4', '--yes');
    expect((await done('spaces', 'list', '-o', 'id')).stdout).toBe(before.stdout);
    await done('undo', '2', '--yes');
    await done('undo', '1', '--yes');
    expect(await title()).toBe('Handbook');
  });
});
