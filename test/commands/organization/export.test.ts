import { appendFile, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { notExportedNote } from '../../../src/organization/not-exported.ts';
import { type DemoHome, runHere, serveHere, sharedDemo } from '../../support/shell.ts';

const { demo, home } = await sharedDemo();

/** The texts of all files of a folder, by path. */
async function textsOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'latin1')] as const),
  );
  return new Map(texts.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** All that an export says: what the files cannot contain, and that levels of many members are read only with --levels. */
const notes = [
  `${notExportedNote}\n`,
  'Levels granted on spaces are skipped, because reading them takes 452 requests. Use --levels to export them.\n',
];

const exported = async (from: DemoHome, folder: string, ...words: string[]) => {
  const run = await from.run(['export', folder, ...words]);
  const stderr = notes.reduce((text, note) => text.replace(note, ''), run.stderr);
  expect({ words, exitCode: run.exitCode, stderr }).toEqual({
    words,
    exitCode: 0,
    stderr: '',
  });
  return textsOf(join(from.dir, folder));
};

describe('export', () => {
  test('writes every part of the organization, which reads well', async () => {
    const files = await exported(home, 'all');

    expect([...files.keys()].filter((path) => !path.includes('content/'))).toEqual([
      '.docsctl/schemas/collections.json',
      '.docsctl/schemas/invite-links.json',
      '.docsctl/schemas/organization.json',
      '.docsctl/schemas/site.json',
      '.docsctl/schemas/space.json',
      '.docsctl/schemas/sso-provider.json',
      '.docsctl/schemas/team.json',
      '.docsctl/schemas/translations.json',
      'collections.yaml',
      'docsctl.lock.json',
      'invite-links.yaml',
      'members.csv',
      'openapi/pumps.yaml',
      'organization.yaml',
      'sites/lumen-documentation.yaml',
      'sites/support-intranet.yaml',
      'spaces/api-guides/space.yaml',
      'spaces/getting-started/space.yaml',
      'spaces/handbook/space.yaml',
      'spaces/release-notes/space.yaml',
      'spaces/support-playbook/space.yaml',
      'sso/lumen-id.yaml',
      'teams/design.yaml',
      'teams/developer-relations.yaml',
      'teams/platform.yaml',
      'teams/support.yaml',
      'teams/writers.yaml',
      'translations.yaml',
    ]);
    expect(parse(files.get('spaces/api-guides/space.yaml') ?? '')).toMatchObject({
      collection: 'products',
      editMode: 'live',
    });
    expect(files.get('members.csv')?.split('\n')).toHaveLength(502);
    expect(files.get('members.csv')).toContain('admin@localhost,admin,false\n');
    expect(parse(files.get('sites/lumen-documentation.yaml') ?? '').structure).toMatchObject([
      { group: 'Learn', sections: [{ section: 'guides', spaces: [{ space: 'handbook' }] }, { section: 'start-here' }] },
      { section: 'reference', spaces: [{ space: 'api-guides', default: true }, { space: 'release-notes' }] },
    ]);
  });

  test('gives the same bytes for the same organization, over HTTP too', async () => {
    const first = await exported(home, 'first');
    const second = await exported(home, 'second');
    const service = await serveHere(home.database);
    try {
      const env = { ...home.env, ...service.env };
      const run = await runHere({ dir: home.dir, env }, ['export', 'third']);
      expect(run).toMatchObject({ exitCode: 0, stderr: notes.join('') });
    } finally {
      await service.stop();
    }
    expect(await textsOf(join(home.dir, 'third'))).toEqual(first);
    expect(second).toEqual(first);
  });

  test('holds the pages as a pull writes them', async () => {
    const files = await exported(home, 'handbook', '--only', 'spaces/handbook');
    await home.run(['content', 'pull', 'pulled', '--space', 'handbook0001']);

    const content = [...files].flatMap(([path, text]) =>
      path.startsWith('spaces/handbook/content/')
        ? [[path.slice('spaces/handbook/content/'.length), text] as const]
        : [],
    );
    const pulled = await textsOf(join(home.dir, 'pulled'));
    // A pull keeps its base there; an export keeps it in the lock file.
    pulled.delete('.docsctl/state.json');
    expect(new Map(content)).toEqual(pulled);
  });

  test('again writes what changed, removes what is gone and keeps the names', async () => {
    const own = await demo.copy();
    await exported(own, 'o');
    await own.run(['spaces', 'edit', 'releasenotes', '--title', 'History']);
    await own.run(['teams', 'delete', 'Support', '--yes']);

    const run = await own.run(['export', 'o', '--json']);
    const files = await textsOf(join(own.dir, 'o'));

    expect(run.json).toMatchObject({ written: 2, removed: 1, leftOut: 0 });
    expect(files.has('teams/support.yaml')).toBe(false);
    expect(files.get('spaces/release-notes/space.yaml')).toContain('title: History');
  });

  test('reads the content of unchanged spaces once', async () => {
    const own = await demo.copy();
    await exported(own, 'o');

    const run = await own.run(['export', 'o', '--debug']);

    expect(run.stderr).not.toMatch(/\/revisions\//);
  });

  test('keeps what was changed in the folder, says so and ends with 6', async () => {
    const own = await demo.copy();
    await exported(own, 'o', '--only', 'teams,spaces/handbook');
    const team = join(own.dir, 'o', 'teams', 'writers.yaml');
    const page = join(own.dir, 'o', 'spaces', 'handbook', 'content', 'welcome.md');
    await appendFile(team, '# mine\n');
    await appendFile(page, 'mine\n');
    await own.run(['teams', 'edit', 'Writers', '--title', 'Authors']);

    const kept = await own.run(['export', 'o', '--only', 'teams,spaces/handbook']);
    const texts = [await readFile(team, 'utf8'), await readFile(page, 'utf8')];
    const replaced = await own.run(['export', 'o', '--only', 'teams,spaces/handbook', '--overwrite']);

    expect(kept.exitCode).toBe(6);
    expect(kept.stderr).toContain('teams/writers.yaml was changed in the folder');
    expect(kept.stderr).toContain('spaces/handbook/content/welcome.md was changed in the folder');
    expect(texts.every((text) => text.includes('mine'))).toBe(true);
    expect(replaced.exitCode).toBe(0);
    expect(await readFile(team, 'utf8')).toContain('title: Authors');
    expect(await readFile(page, 'utf8')).not.toContain('mine');
  });

  test('with --dry-run writes nothing', async () => {
    const run = await home.run(['export', 'dry', '--dry-run', '--json']);

    expect(run.exitCode).toBe(0);
    expect(run.json.written).toBeGreaterThan(40);
    expect(await readdir(home.dir)).not.toContain('dry');
  });

  test('writes comments with --comments', async () => {
    const own = await demo.copy();
    await own.run(['comments', 'create', '--space', 'handbook0001', '--body', 'Which valve?']);

    const files = await exported(own, 'o', '--only', 'spaces', '--comments');

    expect(parse(files.get('comments/handbook.yaml') ?? '')).toContainEqual(
      expect.objectContaining({ by: 'admin@localhost', text: 'Which valve?', status: 'open' }),
    );
  });

  test.each([
    [['--only', 'space'], 2, 'Did you mean "spaces"?'],
    [['--only', 'members/ada'], 2, 'members has no parts'],
    [['--only', 'spaces/hanbook'], 5, 'there is no "hanbook" in spaces'],
  ])('%j ends with %i', async (words, status, message) => {
    const run = await home.run(['export', 'none', ...words]);

    expect(run.exitCode).toBe(status);
    expect(run.stderr).toContain(message);
  });

  test('of one part reads nothing of the others', async () => {
    const copy = await demo.copy();
    const { json: org } = await copy.run(['orgs', 'view', '-o', 'json']);
    const defaultContent = JSON.stringify({ type: 'site', site: 'lumensite001' });
    await copy.run(['api', 'PATCH', `orgs/${org.id}`, '-F', `defaultContent=${defaultContent}`]);

    const { exitCode, stderr } = await copy.run(['export', 'part', '--only', 'teams', '--debug']);

    expect(exitCode, stderr).toBe(0);
    const lists = [...stderr.matchAll(/^> GET .*\/orgs\/\w+\/([\w-]+)/gm)].map(([, list]) => list);
    // The shared state is a space.
    expect([...new Set(lists)]).toEqual(['spaces', 'teams']);
  });

  test('is refused in the folder of another organization, and with a lock file of another version', async () => {
    const own = await demo.copy();
    await exported(own, 'o', '--only', 'teams');
    const file = join(own.dir, 'o', 'docsctl.lock.json');
    const lock = await readFile(file, 'utf8');
    await writeFile(file, lock.replace(/"organization": "\w+"/, '"organization": "other"'));
    const other = await own.run(['export', 'o']);
    await writeFile(file, lock.replace('"version": 1', '"version": 99'));
    const newer = await own.run(['export', 'o']);

    expect([other.exitCode, newer.exitCode]).toEqual([6, 1]);
    expect(other.stderr).toContain('is the export of another organization');
    expect(newer.stderr).toContain('it has version 99; this docsctl supports version 1');
  });

  test('follows no symbolic link out of the folder', async () => {
    const own = await demo.copy();
    await exported(own, 'o', '--only', 'teams');
    await rm(join(own.dir, 'o', 'teams'), { recursive: true });
    await symlink(own.dir, join(own.dir, 'o', 'teams'));

    const run = await own.run(['export', 'o', '--only', 'teams']);

    expect(run.exitCode).toBe(8);
    expect(run.stderr).toContain('teams/writers.yaml is skipped: a symbolic link leads to a place outside the folder.');
  });
});
