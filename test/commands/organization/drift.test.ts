import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeHome, removeHome } from '../../support/cli.ts';
import { type DemoHome, makeDemo, runHere, serveHere, sharedDemo } from '../../support/shell.ts';

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

const spec = 'openapi: 3.0.3\ninfo: {title: T, version: "1"}\npaths: {}\n';

describe('an object that the files do not name is drift:', () => {
  /** How somebody adds one of a kind, and the row that "drift" has for it. */
  const kinds: [kind: string, name: string, fields: unknown[], words: string[]][] = [
    [
      'member',
      'eve@evil.example',
      [{ field: 'role', before: 'admin' }],
      ['invites', 'send', 'eve@evil.example', '--role', 'admin', '--yes'],
    ],
    [
      'invite link',
      'organization',
      [{ field: 'role', before: 'admin' }],
      ['invites', 'links', 'create', '--role', 'admin', '--yes'],
    ],
    [
      'invite link',
      'space handbook',
      [{ field: 'level', before: 'edit' }],
      ['invites', 'links', 'create', '--space', 'Handbook', '--role', 'edit'],
    ],
    ['team', 'strangers', [], ['teams', 'create', '--title', 'Strangers']],
    ['space', 'hidden', [], ['spaces', 'create', '--title', 'Hidden']],
    ['collection', 'hidden', [], ['collections', 'create', '--title', 'Hidden']],
    ['site', 'hidden', [], ['sites', 'create', '--title', 'Hidden']],
    ['SSO provider', 'hidden', [], ['sso', 'providers', 'create', '--label', 'Hidden']],
    ['specification', 'hidden', [], ['openapi', 'create', 'hidden', 'spec.yaml']],
    [
      'specification',
      'broken',
      [],
      ['api', 'POST', '/v1/orgs/{org}/openapi', '-f', 'slug=broken', '-F', 'source={"text":"no: specification"}'],
    ],
    ['custom field', 'hidden', [], ['fields', 'create', '--name', 'hidden', '--type', 'text']],
    ['translation', 'Hidden', [], ['translations', 'create', '--title', 'Hidden']],
    [
      'page',
      'handbook: Hidden',
      [],
      ['content', 'import', 'data:text/markdown,%23%20Hidden', '--source', 'markdown', '--space', 'Handbook'],
    ],
  ];

  test.each(kinds)('%s %s', async (kind, name, fields, words) => {
    await done('export', 'o');
    await writeFile(join(home.dir, 'spec.yaml'), spec);
    await done(...words);

    const rows = await home.run(['drift', 'o', '-o', 'json']);
    const text = await home.run(['drift', 'o']);

    expect(rows.exitCode).toBe(9);
    expect(rows.json).toMatchObject([{ kind, name, action: 'unmanaged', fields }]);
    expect(text.exitCode).toBe(9);
    expect(text.stdout).toContain(`? ${kind} ${name} (not in the files)\n`);
    expect(text.stderr).toContain('1 not in the files; 0 requests.');
    expect(text.stderr).not.toContain('No changes');
    expect((await done('plan', 'o')).stdout).toBe('');
  });

  test('all of them at once, limited by --only', async () => {
    await done('export', 'o');
    await writeFile(join(home.dir, 'spec.yaml'), spec);
    for (const [, , , words] of kinds) await done(...words);

    const all = await home.run(['drift', 'o', '-o', 'json']);
    const teams = await home.run(['drift', 'o', '--only', 'teams', '-o', 'json']);
    const members = await home.run(['drift', 'o', '--only', 'organization', '-o', 'json']);

    expect(all.json).toHaveLength(kinds.length);
    expect([teams.exitCode, teams.json]).toMatchObject([9, [{ kind: 'team', name: 'strangers' }]]);
    expect([members.exitCode, members.json]).toMatchObject([9, [{ kind: 'custom field' }]]);
  });

  test('a share link or a place in a site', async () => {
    await done('export', 'o');
    await done('sites', 'share-links', 'create', '--name', 'Eve', '--site', 'Support intranet');

    const run = await home.run(['drift', 'o']);

    expect([run.exitCode, run.stdout]).toEqual([9, expect.stringContaining('- shareLinks.Eve: active')]);
  });
});

describe('what was exported empty', () => {
  let empty: Awaited<ReturnType<typeof makeHome>>;
  beforeEach(async () => {
    empty = await makeHome();
    expect((await runHere(empty, ['init', '-q'])).exitCode).toBe(0);
    expect((await runHere(empty, ['spaces', 'create', '--title', 'Blank'])).exitCode).toBe(0);
  });
  afterEach(() => removeHome(empty));

  const adding: [kind: string, words: string[]][] = [
    ['team', ['teams', 'create', '--title', 'New']],
    ['site', ['sites', 'create', '--title', 'New']],
    ['SSO provider', ['sso', 'providers', 'create', '--label', 'New']],
    ['specification', ['openapi', 'create', 'new', 'spec.yaml']],
    ['page', ['content', 'import', 'data:text/markdown,%23%20New', '--source', 'markdown', '--space', 'Blank']],
  ];

  test.each(adding)('gets a %s', async (kind, words) => {
    expect((await runHere(empty, ['export', 'o'])).exitCode).toBe(0);
    // Git keeps no empty folders.
    for (const folder of ['teams', 'sso', 'sites', 'openapi', 'spaces/blank/content'])
      await rm(join(empty.dir, 'o', folder), { recursive: true, force: true });
    expect(await readFile(join(empty.dir, 'o', 'levels.csv'), 'utf8')).toBe('email,space,level\n');
    expect((await runHere(empty, ['drift', 'o'])).exitCode).toBe(0);
    await writeFile(join(empty.dir, 'spec.yaml'), spec);
    expect((await runHere(empty, words)).exitCode).toBe(0);

    const run = await runHere(empty, ['drift', 'o', '-o', 'json']);

    expect(run.exitCode).toBe(9);
    expect(run.json).toMatchObject([{ kind, action: 'unmanaged' }]);
  });

  test('is not compared where somebody removed the files of a part', async () => {
    await runHere(empty, ['teams', 'create', '--title', 'Old']);
    await runHere(empty, ['export', 'o']);
    await rm(join(empty.dir, 'o', 'teams'), { recursive: true });
    await runHere(empty, ['teams', 'create', '--title', 'New']);

    expect((await runHere(empty, ['drift', 'o'])).exitCode).toBe(0);
  });
});

test('a build shows what the files do not name', async () => {
  await done('export', 'o');
  await done('teams', 'create', '--title', 'Strangers');
  const summary = join(home.dir, 'summary.md');
  const env = { ...home.env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: home.dir };

  const run = await runHere({ dir: home.dir, env }, ['drift', 'o']);

  expect(run.exitCode).toBe(9);
  expect(run.stderr).toContain('? team strangers (not in the files)');
  expect(await readFile(summary, 'utf8')).toContain(
    '### Drift\n\n1 not in the files; 0 requests.\n\n```diff\n! team strangers (not in the files)\n```\n',
  );
});

describe('a level granted on a space', () => {
  /** Somebody with this role joins with a link to the space, which is then deleted. */
  async function grant(of: DemoHome, role: string, level: string): Promise<void> {
    const user = JSON.parse(
      (await of.run(['members', 'list', '--role', role, '--limit', '1', '-o', 'json'])).stdout,
    )[0];
    const token = await of.run(['serve', 'token', 'create', '--user', user.id, '-o', 'json']);
    const link = await of.run([
      'invites',
      'links',
      'create',
      '--space',
      'Handbook',
      '--role',
      level,
      '--yes',
      '-o',
      'id',
    ]);
    const service = await serveHere(of.database);
    const env = { ...of.env, ...service.env, DOCSCTL_TOKEN: JSON.parse(token.stdout).token };
    const accepted = await runHere({ dir: of.dir, env }, [
      'invites',
      'accept',
      link.stdout.trim(),
      '--org',
      'Lumen Docs',
    ]);
    await service.stop();
    expect(accepted.exitCode, accepted.stderr).toBe(0);
    await of.run(['invites', 'links', 'delete', link.stdout.trim(), '--yes']);
  }

  test('is exported, and one that somebody got since is drift', async () => {
    await done('export', 'o', '--levels');
    expect((await done('plan', 'o', '--exit-code')).stderr).toBe('No changes: the organization matches its files.\n');
    expect((await done('drift', 'o')).stderr).toBe('No changes: the organization matches its files.\n');
    const before = await readFile(join(home.dir, 'o', 'levels.csv'), 'utf8');
    await grant(home, 'read', 'admin');

    const run = await home.run(['drift', 'o', '-o', 'json']);
    const text = await home.run(['drift', 'o']);
    await done('export', 'o');
    const after = await readFile(join(home.dir, 'o', 'levels.csv'), 'utf8');

    expect(before.split('\n')[0]).toBe('email,space,level');
    expect(run.exitCode).toBe(9);
    expect(run.json).toMatchObject([
      { kind: 'level', action: 'unmanaged', fields: [{ field: 'level', before: 'admin' }], file: 'levels.csv' },
    ]);
    expect(text.stdout).toMatch(/^\? level \S+@lumen.example on handbook \(not in the files\)\n {4}level: admin\n$/);
    expect(text.stderr).toContain('hint: The service has no request that changes a level');
    expect(after.split('\n')).toHaveLength(before.split('\n').length + 1);
    expect((await done('drift', 'o')).stdout).toBe('');
  });

  test('in the file alone is drift, which plan and apply do not claim to send', async () => {
    await done('export', 'o', '--levels');
    const file = join(home.dir, 'o', 'levels.csv');
    await writeFile(file, `${await readFile(file, 'utf8')}person9@lumen.example,handbook,admin\n`);

    const plan = await done('plan', 'o');
    const apply = await done('apply', 'o', '--yes');
    const drift = await home.run(['drift', 'o']);
    const again = await home.run(['export', 'o']);

    for (const run of [plan, apply])
      expect(run.stderr).toContain('levels.csv is not applied, because the service has no request');
    expect([drift.exitCode, drift.stdout]).toEqual([
      9,
      '+ level person9@lumen.example on handbook\n    + level: admin\n',
    ]);
    // What somebody wrote is not lost.
    expect([again.exitCode, again.stderr]).toEqual([
      6,
      expect.stringContaining('levels.csv was changed in the folder'),
    ]);
  });

  test('is checked in the file', async () => {
    await done('export', 'o', '--levels');
    await writeFile(join(home.dir, 'o', 'levels.csv'), 'email,spaces,level\na@b.example,handbook,boss\n');
    const columns = await home.run(['drift', 'o']);
    await writeFile(join(home.dir, 'o', 'levels.csv'), 'email,space,level\na@b.example,handbook,boss\n');
    const level = await home.run(['drift', 'o']);

    expect([columns.exitCode, columns.stderr]).toEqual([
      2,
      expect.stringContaining('levels.csv:1: unknown column "spaces"; did you mean "space"?'),
    ]);
    expect([level.exitCode, level.stderr]).toEqual([
      2,
      expect.stringContaining('levels.csv:2: level "boss" is not one of'),
    ]);
  });

  test('costs a plan no request, and an export of many members none that nobody asked for', async () => {
    const large = await makeDemo({ isNew: true });
    const all = await large.copy();
    try {
      const exported = await all.run(['export', 'o', '--debug']);
      const plan = await all.run(['plan', 'o', '--debug']);
      const drift = await all.run(['drift', 'o']);
      const asked = await all.run(['export', 'o', '--levels']);
      const compared = await all.run(['drift', 'o']);
      const planned = await all.run(['plan', 'o', '--debug']);
      const requests = ({ stderr }: { stderr: string }) => stderr.match(/^> GET /gm)?.length;

      expect(exported.stderr).toMatch(
        /Levels granted on spaces are skipped, because reading them takes \d{4} requests. Use --levels to export them./,
      );
      for (const run of [exported, plan, planned]) expect(requests(run)).toBeLessThan(150);
      expect(drift.stderr).toContain('Levels granted on spaces are not compared: there is no levels.csv.');
      expect(asked.exitCode, asked.stderr).toBe(0);
      expect(compared).toMatchObject({ exitCode: 0, stderr: 'No changes: the organization matches its files.\n' });
    } finally {
      await large.remove();
    }
  }, 120_000);
});
