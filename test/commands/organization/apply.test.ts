import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type DemoHome, runHere, sharedDemo } from '../../support/shell.ts';

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
  await done('export', 'o');
});

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

const at = (path: string) => join(home.dir, 'o', ...path.split('/'));
const edit = async (path: string, change: (text: string) => string) =>
  writeFile(at(path), change(await readFile(at(path), 'utf8')));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), text);
}

/** Many changes of all kinds. */
async function editAll(): Promise<void> {
  await edit('organization.yaml', (text) =>
    text.replace('ai: false', 'ai: true').replace('defaultSite: null', 'defaultSite: news'),
  );
  await edit('members.csv', (text) =>
    text.replace('admin@localhost,', 'new@lumen.example,read,false,writers\nadmin@localhost,'),
  );
  await edit('teams/writers.yaml', (text) =>
    text.replace('title: Writers', 'title: Authors').replace('members:', 'members:\n  new@lumen.example: owner'),
  );
  await edit('collections.yaml', (text) =>
    text
      .replace('  - name: internal', '  - name: inside')
      .replace('- internal', '- inside')
      .replace('      - api-guides\n      - release-notes\n', '      - release-notes\n      - fresh\n'),
  );
  await edit('spaces/support-playbook/space.yaml', (text) =>
    text.replace('collection: internal', 'collection: inside'),
  );
  await edit('spaces/api-guides/space.yaml', (text) => text.replace('collection: products', 'collection: null'));
  await write(
    'spaces/fresh/space.yaml',
    'title: Fresh\nemoji: 🆕\ncollection: products\ndefaultLevel: edit\ncustomFields: {owner: Ada}\n',
  );
  await write(
    'sites/news.yaml',
    [
      'title: News',
      'structure:',
      '  - group: G',
      '    icon: null',
      '    sections:',
      '      - {section: one, title: One, spaces: [{space: fresh, path: b}, {space: handbook}]}',
      '  - {section: two, spaces: [{space: handbook, default: true}]}',
      'published: true',
      'shareLinks: [{name: A, active: false}]',
      '',
    ].join('\n'),
  );
  await edit('sites/lumen-documentation.yaml', (text) =>
    text.replace('theme: clean', 'theme: bold').replace('visibility: public', 'visibility: unlisted'),
  );
  await edit('translations.yaml', (text) =>
    text.replace('translations:', 'translations:\n  - title: New\n    languages: [de]'),
  );
  await edit('invite-links.yaml', (text) => text.replace('links:', 'links:\n  - space: fresh\n    level: comment'));
}

describe('plan', () => {
  test('of an export is empty', async () => {
    const run = await done('plan', 'o', '--exit-code');

    expect(run.stdout).toBe('');
    expect(run.stderr).toBe('No changes: the organization matches its files.\n');
  });

  test('shows each object with its old and new values, and sends nothing', async () => {
    await edit('teams/writers.yaml', (text) => text.replace('title: Writers', 'title: Authors'));
    const run = await home.run(['plan', 'o', '--exit-code', '--debug']);

    expect(run.exitCode).toBe(9);
    expect(run.stdout).toBe('~ team writers\n    ~ title: Writers -> Authors\n');
    expect(run.stderr).not.toMatch(/^> (?:POST|PUT|PATCH|DELETE)/m);
  });

  test('names what the files do not, and removes it only with --prune', async () => {
    await rm(at('teams/design.yaml'));
    await edit('members.csv', (text) => text.replaceAll(/,[^,\n]*$/gm, ''));

    const kept = await done('plan', 'o');
    const pruned = await done('plan', 'o', '--prune');

    expect(kept.stderr).toContain('Not in the files, and kept: 1 team (design). --prune removes them.');
    expect(pruned.stdout).toBe('- team design\n');
  });

  test('of a part that is not there says nothing of it', async () => {
    await rm(at('teams'), { recursive: true });
    await rm(at('sso'), { recursive: true });

    expect((await done('plan', 'o', '--prune')).stdout).toBe('');
  });

  test('of mistakes asks nothing of the service', async () => {
    await edit('teams/writers.yaml', (text) => `${text}colour: red\n`);
    await edit('sites/lumen-documentation.yaml', (text) => text.replace('theme: clean', 'theme: cleen'));
    const both = await home.run(['plan', 'o', '--debug']);

    expect(both.exitCode).toBe(2);
    expect(both.stderr).toMatch(/o\/teams\/writers\.yaml:\d+:1: unknown key "colour"; there are title, members/);
    expect(both.stderr).not.toContain('> GET');
    expect(both.stderr).toMatch(/lumen-documentation\.yaml:\d+:\d+: customization\.styling\.theme must be one of/);
  });

  test('finds objects by title without a lock file', async () => {
    await rm(at('docsctl.lock.json'));
    await edit('teams/writers.yaml', (text) => `${text}`);

    expect((await done('plan', 'o')).stdout).toBe('');
  });
});

describe('apply', () => {
  test('makes the organization as the files say, so that the next plan is empty', async () => {
    await editAll();
    const applied = await done('apply', 'o', '--yes', '-o', 'jsonl');
    const again = await done('plan', 'o', '--exit-code');
    await done('export', 'fresh');
    const plan = await done('plan', 'fresh', '--exit-code');

    expect(applied.stdout).not.toContain('"result":"failed"');
    expect(again.stdout).toBe('');
    expect(plan.stdout).toBe('');
  });

  test('of a saved plan sends it, or nothing where an object was changed since', async () => {
    await edit('teams/writers.yaml', (text) => text.replace('title: Writers', 'title: Authors'));
    await done('plan', 'o', '--out', 'plan.json');
    await done('teams', 'edit', 'Writers', '--title', 'Poets');
    const refused = await home.run(['apply', 'plan.json', '--yes']);
    await done('teams', 'edit', 'Poets', '--title', 'Writers');
    await done('apply', 'plan.json', '--yes');

    expect(refused.exitCode).toBe(6);
    expect(refused.stderr).toContain('Changed since the plan was made: team writers. Nothing was sent.');
    expect((await done('teams', 'view', 'Authors', '-o', 'id')).stdout).toContain('writers00001');
  });

  test.each([
    [
      'more than a tenth of a kind',
      ['--prune'],
      'Too many removals: 2 of 5 teams (at most 1).',
      ['teams/design.yaml', 'teams/platform.yaml'],
    ],
  ])('is refused for %s', async (_, words, message, files) => {
    for (const file of files) await rm(at(file));
    await edit('members.csv', (text) => text.replaceAll(/,[^,\n]*$/gm, ''));

    const run = await home.run(['apply', 'o', '--yes', ...words]);
    const allowed = await home.run(['apply', 'o', '--yes', ...words, '--max-removals', '2']);

    expect(run.exitCode).toBe(6);
    expect(run.stderr).toContain(message);
    expect(allowed.exitCode).toBe(0);
  });

  test('of a saved plan takes the values of variables from where it runs', async () => {
    await edit('teams/writers.yaml', (text) => text.replace('title: Writers', 'title: !env "The ${TEAM}"'));
    const withTeam = (value: string | undefined, ...words: string[]) =>
      runHere({ dir: home.dir, env: { ...home.env, ...(value !== undefined && { TEAM: value }) } }, words);
    await withTeam('Auth0rs!', 'plan', 'o', '--out', 'plan.json');

    expect(await readFile(join(home.dir, 'plan.json'), 'utf8')).not.toContain('Auth0rs!');
    const missing = await withTeam(undefined, 'apply', 'plan.json', '--yes');
    expect([missing.exitCode, missing.stderr]).toEqual([6, expect.stringContaining('the variable TEAM is not set')]);
    const other = await withTeam('Editors', 'apply', 'plan.json', '--yes');
    expect([other.exitCode, other.stderr]).toEqual([
      6,
      expect.stringContaining('TEAM does not have the value that it had when the plan was made'),
    ]);
    const applied = await withTeam('Auth0rs!', 'apply', 'plan.json', '--yes');
    expect(applied.exitCode, applied.stderr).toBe(0);
    expect(applied.stdout + applied.stderr).not.toContain('Auth0rs!');
    const { stdout } = await done('teams', 'list', '-o', 'json');
    expect(stdout).toContain('"The Auth0rs!"');
  });

  test('is refused where the caller would be lowered', async () => {
    await edit('members.csv', (text) => text.replace('admin@localhost,admin', 'admin@localhost,read'));
    const run = await home.run(['apply', 'o', '--yes']);

    expect(run).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining('you would be removed, or no longer be an administrator'),
    });
  });

  test('tells what was made when a request fails, and goes on from there', async () => {
    await edit('teams/writers.yaml', (text) => text.replace('title: Writers', 'title: Authors'));
    // No plan can know what others have.
    const other = (await done('orgs', 'create', '--title', 'Other', '-o', 'id')).stdout.trim();
    await done('orgs', 'edit', '--org', other, '--hostname', 'taken');
    const hostname = (name: string) =>
      edit('organization.yaml', (text) => text.replace(/^hostname:.*\n|$(?![^])/m, `hostname: ${name}\n`));
    await hostname('taken');
    const failed = await home.run(['apply', 'o', '--yes', '-o', 'jsonl']);
    await hostname('free');
    await done('apply', 'o', '--yes');

    expect(failed.exitCode, failed.stderr).toBe(8);
    expect(failed.stdout).toMatch(/"result":"done".*"writers"/);
    expect(failed.stdout).toMatch(/"result":"failed".*"kind":"organization"/);
    expect((await done('plan', 'o')).stdout).toBe('');
  });
});

describe('drift', () => {
  /** A change of the files, and one in the service. */
  beforeEach(async () => {
    await edit('teams/design.yaml', (text) => text.replace('title: Design', 'title: Drawing'));
    await done('teams', 'edit', 'Writers', '--title', 'Poets');
  });

  test('is what differs from the files, with a mark where the files are as they were', async () => {
    const run = await home.run(['drift', 'o']);

    expect(run.exitCode).toBe(9);
    expect(run.stdout).toContain('~ team design\n');
    expect(run.stdout).toContain('~ team writers (changed in the service)\n    ~ title: Poets -> Writers\n');
    expect(run.stderr).toContain('1 of these is in files that you changed since the last export or apply');
  });

  test('is left alone with --keep-drift', async () => {
    const run = await done('apply', 'o', '--yes', '--keep-drift');

    expect(run.stderr).toContain('Kept with --keep-drift: 1 change made in the service.');
    expect((await done('teams', 'list', '-o', 'json')).stdout).toMatch(/"Drawing"[^]*"Poets"|"Poets"[^]*"Drawing"/);
    expect((await home.run(['drift', 'o'])).exitCode).toBe(9);
  });

  test('is over once it is applied', async () => {
    await done('apply', 'o', '--yes');

    expect((await done('drift', 'o')).stderr).toContain('No changes');
  });

  test('of objects that the files do not name is a removal with --prune', async () => {
    await done('apply', 'o', '--yes');
    await done('teams', 'create', '--title', 'Strangers');

    const run = await home.run(['drift', 'o', '--prune']);
    expect([run.exitCode, run.stdout]).toEqual([9, expect.stringContaining('- team strangers')]);
  });
});

test('a build shows a plan, and mistakes of the files beside them', async () => {
  await edit('teams/design.yaml', (text) => text.replace('title: Design', 'title: Drawing'));
  const summary = join(home.dir, 'summary.md');
  const onGitHub = { ...home.env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: home.dir };
  const run = (...words: string[]) => runHere({ dir: home.dir, env: onGitHub }, words);
  const plan = await run('plan', 'o');
  await edit('teams/design.yaml', (text) => text.replace('title:', 'titel:'));
  const mistaken = await run('plan', 'o');

  expect(plan.stderr).toContain('::notice file=o/teams/design.yaml');
  expect(await readFile(summary, 'utf8')).toContain(
    '### Plan\n\n1 to change; 1 request.\n\n```diff\n! team design\n    ~ title: Design -> Drawing\n```\n',
  );
  expect(mistaken.stderr).toMatch(/::error file=o\/teams\/design\.yaml,line=\d+.*titel/);
});
