import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeHome, removeHome } from '../../support/cli.ts';
import { type DemoHome, runHere, sharedDemo } from '../../support/shell.ts';

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
