import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textIn } from 'node:stream/consumers';
import { execa } from 'execa';
import { beforeEach, expect, test } from 'vitest';
import { bin } from '../../support/cli.ts';
import { type DemoHome, serveHere, sharedDemo } from '../../support/shell.ts';

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
  await done('export', 'first');
});

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

const at = (path: string) => join(home.dir, ...path.split('/'));
const edit = async (path: string, change: (text: string) => string) =>
  writeFile(at(path), change(await readFile(at(path), 'utf8')));

/** A clone without the files that only the first one has. */
async function clone(from: string, to: string): Promise<void> {
  await cp(at(from), at(to), { recursive: true });
  await rm(at(`${to}/docsctl.lock.json`), { force: true });
}

const titles = async () =>
  ((await done('teams', 'list', '-o', 'json')).json as { title: string }[]).map(({ title }) => title);

const design = 'teams/design.yaml';
const rename = (folder: string, title: string) =>
  edit(`${folder}/${design}`, (text) => text.replace(/^title: .*/m, `title: ${title}`));

test('a second pull request applied from a fresh clone needs no file of the first runner', async () => {
  await clone('first', 'runner-1');
  await rename('runner-1', 'Drawing');
  await writeFile(at('runner-1/teams/new.yaml'), 'title: New\nmembers: {}\n');
  await done('apply', 'runner-1', '--yes');
  await clone('runner-1', 'runner-2');
  await rename('runner-2', 'Sketching');
  await edit('runner-2/teams/new.yaml', (text) => text.replace('New', 'Newer'));

  const plan = await done('plan', 'runner-2');
  await done('apply', 'runner-2', '--yes');
  const left = await home.run(['plan', 'runner-2', '--exit-code']);

  expect(plan.stdout).toContain('~ team design\n    ~ title: Drawing -> Sketching\n');
  expect(plan.stdout).not.toContain('changed in the service');
  expect(left.exitCode, left.stdout).toBe(0);
  const all = await titles();
  expect(all.filter((title) => /New|Design|Drawing|Sketching/.test(title)).toSorted()).toEqual(['Newer', 'Sketching']);
});

test('a clone without a lock file recognizes what somebody changed in the app', async () => {
  await done('apply', 'first', '--yes');
  await done('teams', 'edit', 'Design', '--title', 'In the app');
  await clone('first', 'runner');

  const plan = await done('plan', 'runner');
  const kept = await done('apply', 'runner', '--keep-drift', '--yes');

  expect(plan.stdout).toContain('~ team design (changed in the service)');
  expect(kept.stderr).toContain('Kept with --keep-drift: 1 change made in the service.');
  expect(await titles()).toContain('In the app');
});

test('a member who was added in the app is a change in the service, also if the file of the team was edited', async () => {
  await done('apply', 'first', '--yes');
  await edit('first/teams/design.yaml', (text) => `# A note.\n${text}`);
  const { json } = await done('members', 'list', '--role', 'read', '--limit', '1', '-o', 'json');
  const { id } = (json as { id: string }[])[0]!;
  await done('teams', 'members', 'set', 'Design', id);
  const members = async () => (await done('teams', 'members', 'list', 'Design', '-o', 'id')).stdout.split('\n');

  const plan = await done('plan', 'first');
  await done('apply', 'first', '--keep-drift', '--yes');
  const kept = await members();
  await done('apply', 'first', '--yes');

  expect(plan.stdout).toContain('~ team design (changed in the service)');
  expect(kept).toContain(id);
  expect(await members()).not.toContain(id);
});

test('a team whose file is gone is planned for deletion, and one that was never in the files is kept', async () => {
  await writeFile(at('first/teams/new.yaml'), 'title: New\nmembers: {}\n');
  await done('apply', 'first', '--yes');
  await done('teams', 'create', '--title', 'By hand');
  await clone('first', 'runner');
  await rm(at('runner/teams/new.yaml'));

  const plan = await done('plan', 'runner');
  const limited = await home.run(['apply', 'runner', '--yes', '--max-removals', '0']);
  await done('apply', 'runner', '--yes');

  expect(plan.stdout).toBe('- team new\n');
  expect(limited.exitCode).toBe(6);
  const all = await titles();
  expect(all).toContain('By hand');
  expect(all).not.toContain('New');
});

const git = (folder: string, ...words: string[]) =>
  execa('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...words], { cwd: at(folder) });

async function commitFirst(): Promise<void> {
  await git('first', 'init', '--quiet', '--initial-branch=main');
  await git('first', 'add', '--all', '--', ':!docsctl.lock.json');
  await git('first', 'commit', '--quiet', '-m', 'Export');
}

test('an older commit is not applied after a newer one', async () => {
  await commitFirst();
  await git('.', 'clone', '--quiet', 'first', 'late');
  await rename('first', 'Drawing');
  await git('first', 'commit', '--quiet', '-am', 'Rename');
  await done('apply', 'first', '--yes');

  const plan = await done('plan', 'late');
  const late = await home.run(['apply', 'late', '--yes']);
  const skipped = await home.run(['apply', 'late', '--yes', '--if-stale', 'skip']);
  const misspelled = await home.run(['apply', 'late', '--yes', '--if-stale', 'skpi']);

  expect(plan.stderr).toMatch(
    /This checkout \(.*\) is older than the last apply \(.*\)\. "docsctl apply" would refuse these files\./,
  );
  expect([late.exitCode, late.stderr]).toEqual([6, expect.stringContaining('older than the last apply')]);
  expect([skipped.exitCode, skipped.stderr]).toEqual([0, expect.stringContaining('older than the last apply')]);
  expect([misspelled.exitCode, misspelled.stderr]).toEqual([
    2,
    expect.stringContaining('not one of fail, skip, apply'),
  ]);
  expect(await titles()).toContain('Drawing');
});

test('an apply with --keep-drift that has nothing to keep records the files', async () => {
  await done('apply', 'first', '--yes');
  await commitFirst();
  await git('.', 'clone', '--quiet', 'first', 'late');
  await done('teams', 'edit', 'Design', '--title', 'In the app');
  await done('export', 'first');
  await git('first', 'commit', '--quiet', '-am', 'Export');
  await done('apply', 'first', '--keep-drift', '--yes');

  const late = await home.run(['apply', 'late', '--yes']);

  expect([late.exitCode, late.stderr]).toEqual([6, expect.stringContaining('older than the last apply')]);
  expect(await titles()).toContain('In the app');
});

test('the only object of a kind is renamed and changed after an export, and the apply stores it', async () => {
  await done('sites', 'delete', 'Support intranet', '--yes');
  await done('export', 'first');
  await done('apply', 'first', '--yes');
  const [before, after] = ['lumen-documentation', 'docs'].map((name) => `first/sites/${name}.yaml`);
  await cp(at(before!), at(after!));
  await rm(at(before!));
  await edit(after!, (text) => text.replace(/^title: .*/m, 'title: Docs\nmoved: lumen-documentation'));
  await home.run(['export', 'first']);

  await done('apply', 'first', '--yes');
  await edit(after!, (text) => text.replace('title: Docs', 'title: Documents'));
  await done('apply', 'first', '--yes');
});

test('an apply whose state cannot be stored says so', async () => {
  await done('apply', 'first', '--yes');
  await rename('first', 'Drawing');
  const { id } = (await done('spaces', 'view', 'docsctl state', '-o', 'json')).json as { id: string };
  let count = 0;
  const failLater = async (body: string) => (++count > 1 ? '{}' : body);
  await serviceBehind(
    failLater,
    async (url) => {
      const run = await start(url, 'apply', 'first', '--yes');
      expect([run.exitCode, run.stderr]).toEqual([
        8,
        expect.stringContaining('The changes were made, but the shared state could not be updated:'),
      ]);
    },
    new RegExp(`^POST .*/spaces/${id}/change-requests/\\w+/content`),
  );
  await done('apply', 'first', '--yes', '--break-lease');
});

test('the state is not exported, planned, compared or audited', async () => {
  await rename('first', 'Drawing');
  await done('apply', 'first', '--yes');
  await done('export', 'again');

  const [drift, plan] = [await done('drift', 'again', '--only', 'spaces'), await done('plan', 'again', '--prune')];

  expect([drift.stdout, plan.stdout].join('')).not.toContain('docsctl');
  expect((await done('spaces', 'view', 'docsctl state', '-o', 'json')).json).toMatchObject({ defaultLevel: null });
});

test('an apply reads the state once, however often it stores it', async () => {
  await done('apply', 'first', '--yes');
  await rename('first', 'Drawing');

  const { stderr } = await done('apply', 'first', '--yes', '--debug');

  const { id } = (await done('spaces', 'view', 'docsctl state', '-o', 'json')).json as { id: string };
  expect(stderr.match(new RegExp(`^> POST \\S+/spaces/${id}/change-requests/\\w+/merge`, 'gm'))).toHaveLength(4);
  expect(stderr).not.toMatch(new RegExp(`^> GET \\S+/spaces/${id}/revisions/\\w+\\?`, 'm'));
});

/** A service behind another one, which gets to know some changes first: those of teams. */
async function serviceBehind(
  change: (body: string) => Promise<string>,
  run: (url: string) => Promise<void>,
  shape = /^PATCH .*\/teams\/\w+$/,
) {
  const served = await serveHere(home.database);
  const proxy = createServer((request, response) => {
    void (async () => {
      const isChange = shape.test(`${request.method} ${request.url}`);
      const body = await textIn(request).then((text) => (isChange ? change(text) : text));
      const answer = await fetch(new URL(request.url!, served.env['DOCSCTL_URL']), {
        method: request.method!,
        headers: { 'content-type': 'application/json', authorization: request.headers.authorization! },
        ...(body !== '' && { body }),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    })().catch(() => response.destroy());
  });
  await new Promise<void>((done) => void proxy.listen(0, '127.0.0.1', done));
  try {
    await run(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await served.stop();
  }
}

/** A service that keeps the first change of a team, or of this shape, until it is released. */
async function slowService(
  run: (url: string, held: Promise<void>, release: () => void) => Promise<void>,
  shape?: RegExp,
) {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const change = async (body: string) => {
    held.resolve();
    await released.promise;
    return body;
  };
  await serviceBehind(change, (url) => run(url, held.promise, released.resolve).finally(released.resolve), shape);
}

const start = (url: string, ...words: string[]) =>
  execa(process.execPath, [bin, ...words], {
    cwd: home.dir,
    env: { ...home.env, DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token-of-the-test', DOCSCTL_ORG: 'Lumen Docs' },
    extendEnv: false,
    reject: false,
  });

test('a team that somebody deletes while a plan reads the organization is not in the plan', async () => {
  await done('apply', 'first', '--yes');
  let isDeleted = false;
  const deleteFirst = async (body: string) => {
    if (!isDeleted) {
      isDeleted = true;
      await done('teams', 'delete', 'Design', '--yes');
    }
    return body;
  };
  await serviceBehind(
    deleteFirst,
    async (url) => {
      const plan = await start(url, 'plan', 'first');
      expect(plan.stderr).not.toContain('not found');
      expect(plan.exitCode).toBe(0);
      expect(plan.stdout).toContain('+ team design (changed in the service)');
    },
    /^GET .*\/teams\/\w+\/members/,
  );
});

test('--keep-drift leaves a space that was deleted in the app out of a site that the files change', async () => {
  await done('apply', 'first', '--yes');
  await done('spaces', 'delete', 'Handbook', '--yes');
  const site = 'first/sites/lumen-documentation.yaml';
  await edit(site, (text) => text.replace(/^( *)- space: handbook$/m, '$1- space: support-playbook\n$&'));

  await done('apply', 'first', '--keep-drift', '--yes');
  const left = await home.run(['plan', 'first', '--keep-drift', '--exit-code']);

  expect(left.exitCode, left.stdout).toBe(0);
  const spaces = await done('sites', 'spaces', 'list', '--site', 'Lumen documentation');
  expect(spaces.stdout).toContain('Support playbook');
  expect(spaces.stdout).not.toContain('Handbook');
});

test('a saved plan that keeps drift is applied without a lock file', async () => {
  await rename('first', 'Drawing');
  await done('teams', 'edit', 'Writers', '--title', 'In the app');
  await done('plan', 'first', '--keep-drift', '--only', 'teams', '--out', 'plan.json');
  await rm(at('first/docsctl.lock.json'));
  await done('apply', 'plan.json', '--yes');

  expect(await titles()).toEqual(expect.arrayContaining(['Drawing', 'In the app']));
});

test('what the service did not keep ends an apply with 8 and is shown', async () => {
  await rename('first', 'Drawing');
  const other = async (body: string) => body.replace('Drawing', 'Drawn');
  await serviceBehind(other, async (url) => {
    const run = await start(url, 'apply', 'first', '--yes', '-o', 'json');

    expect(JSON.parse(run.stdout)).toMatchObject([{ result: 'done', kind: 'team', name: 'design' }]);
    expect(run.stderr).toContain('    ~ title: Drawn -> Drawing\n');
    expect(run.stderr).toContain('The requests succeeded, but 1 change is still to be made (see above).');
    expect(run.exitCode).toBe(8);
  });
});

test('a second apply at the same time names the holder or waits', async () => {
  await rename('first', 'Drawing');
  await clone('first', 'ben');
  await slowService(async (url, held, release) => {
    const ann = start(url, 'apply', 'first', '--yes');
    await held;
    const ben = await start(url, 'apply', 'ben', '--yes');
    const waiting = start(url, 'apply', 'ben', '--yes', '--wait');
    release();
    const [first, second] = [await ann, await waiting];

    const message = /Another apply is running: .*, since .* Nothing was sent/;
    expect([ben.exitCode, ben.stderr]).toEqual([6, expect.stringMatching(message)]);
    expect(first.exitCode, first.stderr).toBe(0);
    expect(second.exitCode, second.stderr).toBe(0);
  });
  expect(await titles()).toContain('Drawing');
});

test('a branch that lacks what another one applied is refused, and applied once it is merged', async () => {
  await commitFirst();
  for (const name of ['ann', 'ben']) await git('.', 'clone', '--quiet', 'first', name);
  await rename('ann', 'Of Ann');
  await edit('ben/teams/writers.yaml', (text) => text.replace(/^title: .*/m, 'title: Of Ben'));
  for (const name of ['ann', 'ben']) await git(name, 'commit', '--quiet', '-am', 'Rename');
  await done('apply', 'ann', '--yes');

  const refused = await home.run(['apply', 'ben', '--yes', '--if-stale', 'skip']);
  await git('ben', 'pull', '--quiet', '--no-rebase', '--no-edit', '../ann', 'main');
  const plan = await done('plan', 'ben');
  await done('apply', 'ben', '--yes');

  expect([refused.exitCode, refused.stderr]).toEqual([
    6,
    expect.stringContaining('does not contain, so these files would revert it. Nothing was sent.'),
  ]);
  expect(plan.stdout).toBe('~ team writers\n    ~ title: Writers -> Of Ben\n');
  expect((await titles()).filter((title) => title.startsWith('Of '))).toEqual(['Of Ann', 'Of Ben']);
});

test('what was applied without a commit counts as a change in the service for other clones', async () => {
  await commitFirst();
  await done('apply', 'first', '--yes');
  await git('.', 'clone', '--quiet', 'first', 'other');
  await rename('first', 'Drawing');
  await writeFile(at('first/teams/new.yaml'), 'title: New\nmembers: {}\n');
  await rm(at('first/teams/platform.yaml'));
  await done('apply', 'first', '--yes', '--max-removals', '1');

  const own = await home.run(['plan', 'first', '--exit-code']);
  const plan = await done('plan', 'other');
  await done('apply', 'other', '--keep-drift', '--yes');

  expect(own.exitCode, own.stdout).toBe(0);
  expect(plan.stdout).toContain('~ team design (changed in the service)\n');
  expect(plan.stdout).toContain('+ team platform (changed in the service)\n');
  expect(plan.stdout).not.toContain('- team new');
  expect(await titles()).toEqual(expect.arrayContaining(['Drawing', 'New']));
  await git('first', 'add', '--all');
  await git('first', 'commit', '--quiet', '-m', 'Change teams');
  await done('apply', 'first', '--yes');
  await git('.', 'clone', '--quiet', 'first', 'third');
  expect((await done('plan', 'third')).stdout).toBe('');
});

test('nothing is sent if git cannot tell which files are not committed', async () => {
  await commitFirst();
  await rename('first', 'Drawing');
  await writeFile(at('first/.git/index'), 'damaged');

  const run = await home.run(['apply', 'first', '--yes']);

  expect([run.exitCode, run.stderr]).toEqual([
    1,
    expect.stringMatching(
      /error: docsctl cannot tell which files are not committed, because "git (?:diff|ls-files)" failed: .+\. Nothing was sent\.\nhint: Repair/,
    ),
  ]);
  expect(await titles()).toContain('Design');
});

test('an apply that is killed is continued by another machine once its lease is broken', async () => {
  await clone('first', 'runner-1');
  await writeFile(at('runner-1/teams/new.yaml'), 'title: New\nmembers: {}\n');
  await rename('runner-1', 'Drawing');
  await clone('runner-1', 'runner-2');
  await slowService(async (url, held) => {
    const killed = start(url, 'apply', 'runner-1', '--yes');
    await held;
    killed.kill('SIGKILL');
    await killed;
  });

  const refused = await home.run(['apply', 'runner-2', '--yes']);
  await done('apply', 'runner-2', '--yes', '--break-lease');

  expect([refused.exitCode, refused.stderr]).toEqual([6, expect.stringContaining('--break-lease')]);
  expect((await titles()).filter((title) => /New|Design|Drawing/.test(title)).toSorted()).toEqual(['Drawing', 'New']);
  expect((await home.run(['plan', 'runner-2', '--exit-code'])).exitCode).toBe(0);
});

test('the change request that a killed apply of somebody else left is archived, and no other one', async () => {
  const { mine } = await killedApply();

  const next = await done('apply', 'clean', '--yes');
  const again = await done('apply', 'clean', '--yes');
  const left = (await done('cr', 'list', '--status', 'draft,open', ...onHandbook)).stdout.split('\n');

  expect(next.stderr).toMatch(archivedOne);
  expect(again.stderr).not.toContain('Archived');
  expect(left).toContain(mine);
  const archived = await done('cr', 'list', '--status', 'archived', '--space', 'Handbook', '-o', 'json');
  expect(archived.json).toMatchObject([{ subject: 'docsctl apply spaces/handbook/content' }]);
});

test('an apply without changes archives what was left, prints one result, and keeps drift if it is told to', async () => {
  await killedApply();
  await done('teams', 'edit', 'Writers', '--title', 'In the app');

  const kept = await done('apply', 'clean', '--yes', '--keep-drift', '-o', 'json');
  const drift = await home.run(['drift', 'clean']);
  const again = await done('apply', 'clean', '--yes', '--keep-drift', '-o', 'json');

  expect([kept.stdout.trim(), again.stdout.trim()]).toEqual(['[]', '[]']);
  expect(kept.stderr).toMatch(archivedOne);
  expect(again.stderr).not.toContain('Archived');
  // The files of the clone were not recorded, so it gets no lock file that says so.
  expect(await readdir(at('clean'))).not.toContain('docsctl.lock.json');
  expect([drift.exitCode, drift.stdout]).toEqual([9, expect.stringContaining('In the app')]);
  await done('apply', 'clean', '--yes');
  expect(await titles()).toContain('Writers');
});

test('an apply without changes ends without a plan of its own if somebody else applies meanwhile', async () => {
  await killedApply();
  await clone('clean', 'ben');
  await rename('ben', 'Drawing');
  await slowService(async (url, held, release) => {
    const first = start(url, 'apply', 'clean', '--yes', '-o', 'json');
    await held;
    await done('apply', 'ben', '--yes');
    release();
    const run = await first;
    expect([run.exitCode, run.stdout]).toEqual([0, '[]']);
    expect(run.stderr).not.toContain('Somebody else applied');
  }, /^POST .*\/change-requests\/\w+\/merge$/);

  expect(await titles()).toContain('Drawing');
  expect((await home.run(['plan', 'ben', '--exit-code'])).exitCode).toBe(0);
});

const glossary = 'spaces/handbook/content/glossary.md';
const onHandbook = ['--space', 'Handbook', '-o', 'id'];
const archivedOne = /Archived change request #\d+ of handbook, which an interrupted apply left\./;

/** Somebody's apply was killed before it merged its change request. Nobody holds the lease any more; "clean" is a clone. */
async function killedApply(): Promise<{ mine: string }> {
  const ada = (await done('members', 'list', '--role', 'create', '-o', 'id', '--limit', '1')).stdout.trim();
  await done('members', 'edit', ada, '--role', 'admin', '--yes');
  const token = (await done('serve', 'token', 'create', '--user', ada, '--jq', '.token')).stdout.trim();
  await done('export', 'first');
  await done('apply', 'first', '--yes');
  await clone('first', 'ada');
  await clone('first', 'clean');
  await edit(`ada/${glossary}`, (text) => `${text}\nMore.\n`);
  const mine = (await done('cr', 'create', '--subject', 'docsctl apply mine', ...onHandbook)).stdout.trim();
  const shape = /^POST .*\/spaces\/handbook0001\/change-requests\/\w+\/merge$/;
  await slowService(async (url, held) => {
    const env = { ...home.env, DOCSCTL_URL: url, DOCSCTL_TOKEN: token, DOCSCTL_ORG: 'Lumen Docs' };
    const killed = execa(process.execPath, [bin, 'apply', 'ada', '--yes'], { cwd: home.dir, env, reject: false });
    await held;
    killed.kill('SIGKILL');
    await killed;
  }, shape);
  // Removes the lease, and applies nothing.
  expect((await home.run(['apply', 'missing', '--yes', '--break-lease'])).stderr).toContain('Removed the lease');
  return { mine };
}

test('a renamed file keeps its object, also with other people in the team', async () => {
  await done('apply', 'first', '--yes');
  const before = ((await done('teams', 'list', '-o', 'json')).json as { id: string; title: string }[]).toSorted();
  await clone('first', 'runner');
  await cp(at('runner/teams/design.yaml'), at('runner/teams/drawing.yaml'));
  await rm(at('runner/teams/design.yaml'));
  await edit('runner/members.csv', (text) => text.replaceAll(/\bdesign\b/g, 'drawing'));

  const plan = await done('plan', 'runner');
  await edit('runner/teams/drawing.yaml', (text) => text.replace(/^title: .*/m, 'title: Drawing'));
  const retitled = await done('plan', 'runner');
  await edit('runner/teams/drawing.yaml', (text) => text.replace(/^members:.*(?:\n {2,}.*)*/m, 'members: {}'));
  const untold = await done('plan', 'runner');
  await writeFile(at('runner/teams/other.yaml'), 'title: Other\nmembers: {}\n');
  const ambiguous = await done('plan', 'runner');
  await rm(at('runner/teams/other.yaml'));
  await edit('runner/teams/drawing.yaml', (text) => `${text}moved: design\n`);
  await done('apply', 'runner', '--yes');
  const left = await home.run(['plan', 'runner', '--exit-code']);

  expect(plan.stderr).toContain('The team "design" is called "drawing" in the files now.');
  expect(plan.stdout).toBe('');
  expect(retitled.stdout).toBe('~ team drawing\n    ~ title: Design -> Drawing\n');
  expect(untold.stdout).toMatch(/^\+ team drawing$/m);
  expect(untold.stdout).toMatch(/^- team design$/m);
  expect(untold.stderr).toContain(
    'If it was renamed, add "moved: design" to teams/drawing.yaml; otherwise they are two objects.',
  );
  expect(ambiguous.stderr).toMatch(
    /"design" is gone and "\w+" \(and 1 more\) is new. If one was renamed, add "moved: …" to the file of the new one/,
  );
  expect(left.exitCode, left.stdout).toBe(0);
  const after = (await done('teams', 'list', '-o', 'json')).json as { id: string; title: string }[];
  expect(after.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
  expect(after.map(({ title }) => title)).toContain('Drawing');
});

test('two objects that differ only in their titles and say nothing else are not the same', async () => {
  await writeFile(at('first/teams/empty.yaml'), 'title: Empty\nmembers: {}\n');
  await done('apply', 'first', '--yes');
  await clone('first', 'runner');
  await rm(at('runner/teams/empty.yaml'));
  await writeFile(at('runner/teams/legal.yaml'), 'title: Legal\nmembers: {}\n');

  const plan = await done('plan', 'runner');

  expect(plan.stdout).toMatch(/^\+ team legal$/m);
  expect(plan.stdout).toMatch(/^- team empty$/m);
  expect(plan.stderr).toContain(
    'If it was renamed, add "moved: empty" to teams/legal.yaml; otherwise they are two objects.',
  );
});

const idsOfSpaces = async () =>
  ((await done('spaces', 'list', '-o', 'json')).json as { id: string }[]).map(({ id }) => id);

test('a renamed space keeps its pages', async () => {
  await done('apply', 'first', '--yes');
  await clone('first', 'runner');
  const before = await idsOfSpaces();
  await renameSpace('runner', 'api-guides', 'manuals');

  const plan = await done('plan', 'runner');
  await done('apply', 'runner', '--yes');

  expect(plan.stdout).toBe('');
  expect(await idsOfSpaces()).toEqual(before);
});

/** A clone with the lock file, as people have it. */
const copy = (from: string, to: string) => cp(at(from), at(to), { recursive: true });

async function renameSpace(folder: string, from: string, to: string): Promise<void> {
  await cp(at(`${folder}/spaces/${from}`), at(`${folder}/spaces/${to}`), { recursive: true });
  await rm(at(`${folder}/spaces/${from}`), { recursive: true });
  for (const file of ['collections.yaml', ...(await readdir(at(`${folder}/sites`))).map((name) => `sites/${name}`)])
    await edit(`${folder}/${file}`, (text) => text.replaceAll(new RegExp(`(space: |- )${from}$`, 'gm'), `$1${to}`));
}

test('an apply that asks nobody does not delete what may have been renamed', async () => {
  await done('apply', 'first', '--yes');
  const before = await idsOfSpaces();
  await renameSpace('first', 'api-guides', 'manuals');
  const title = (text: string) => text.replace(/^title: .*/m, 'title: Manuals');
  await edit('first/spaces/manuals/space.yaml', title);

  const refused = await home.run(['apply', 'first', '--yes']);
  const tried = await home.run(['apply', 'first', '--yes', '--dry-run']);
  const allowed = await home.run(['apply', 'first', '--yes', '--dry-run', '--max-removals', '1']);
  await edit('first/spaces/manuals/space.yaml', (text) => `${text}moved: api-guides\n`);
  await done('apply', 'first', '--yes');

  expect([refused.exitCode, refused.stderr]).toEqual([6, expect.stringContaining('it may have been renamed')]);
  expect(refused.stderr).toContain('moved: api-guides');
  expect([tried.exitCode, allowed.exitCode]).toEqual([6, 0]);
  expect(await idsOfSpaces()).toEqual(before);
});

test('an export writes the pages of a space that somebody else renamed', async () => {
  await done('apply', 'first', '--yes');
  await copy('first', 'other');
  await renameSpace('other', 'api-guides', 'manuals');
  await done('apply', 'other', '--yes');
  const pages = await readdir(at('first/spaces/api-guides/content'));

  await done('export', 'first');

  expect(await readdir(at('first/spaces'))).not.toContain('api-guides');
  expect(await readdir(at('first/spaces/manuals/content'))).toEqual(pages);
  expect((await home.run(['plan', 'first', '--exit-code'])).exitCode).toBe(0);
});

test('an export keeps the name of a renamed file', async () => {
  await done('apply', 'first', '--yes');
  await cp(at('first/teams/design.yaml'), at('first/teams/drawing.yaml'));
  await rm(at('first/teams/design.yaml'));
  await done('teams', 'edit', 'Design', '--title', 'In the app');

  await done('export', 'first');
  await done('apply', 'first', '--yes');

  expect(await readdir(at('first/teams'))).not.toContain('design.yaml');
  expect(await readFile(at('first/teams/drawing.yaml'), 'utf8')).toContain('title: In the app\n');
  expect((await titles()).length).toBe(new Set(await titles()).size);
});

test.each(['two names', 'a mistake elsewhere'])(
  'an export with --overwrite writes no second folder of a space that was renamed, with %s',
  async (what) => {
    await done('apply', 'first', '--yes');
    await copy('first', 'other');
    await renameSpace('first', 'api-guides', 'manuals');
    if (what === 'two names') {
      await renameSpace('other', 'api-guides', 'handbooks');
      await done('apply', 'other', '--yes');
    } else await edit('first/invite-links.yaml', (text) => `${text}  - space: nowhere\n    level: read\n`);

    await done('export', 'first', '--overwrite');

    const spaces = await readdir(at('first/spaces'));
    expect(spaces).toContain('manuals');
    expect(spaces.filter((name) => ['api-guides', 'handbooks'].includes(name))).toEqual([]);
    expect(await readFile(at('first/sites/lumen-documentation.yaml'), 'utf8')).toContain('space: manuals');
    const plan = await home.run(['plan', 'first', '--exit-code']);
    expect(plan.exitCode, plan.stdout + plan.stderr).toBe(0);
  },
);

test('an export writes what somebody else exported and applied in the meantime', async () => {
  await done('apply', 'first', '--yes');
  await copy('first', 'other');
  const { id } = (await done('spaces', 'view', 'API Guides', '-o', 'json')).json as { id: string };
  const change = { operation: 'insert_page', title: 'New', document: { markdown: 'New in the app.' } };
  await done('api', 'POST', `/v1/spaces/${id}/content`, '-F', `changes=${JSON.stringify([change])}`);
  await done('export', 'other');
  await done('apply', 'other', '--yes');

  await done('export', 'first');

  const page = (folder: string) => readFile(at(`${folder}/spaces/api-guides/content/new.md`), 'utf8');
  expect(await page('first')).toBe(await page('other'));
});

test('a fresh clone keeps with --keep-drift what was deleted and moved in the app', async () => {
  await done('apply', 'first', '--yes');
  await clone('first', 'runner');
  for (const file of ['collections.yaml', 'spaces/api-guides/space.yaml', 'spaces/release-notes/space.yaml'])
    await edit(`runner/${file}`, (text) => text.replaceAll(/(name: |collection: |- )products$/gm, '$1goods'));
  await done('teams', 'delete', 'Design', '--yes');
  await done('spaces', 'move', 'Release notes', '--root');

  await done('apply', 'runner', '--keep-drift', '--yes');

  expect(await titles()).not.toContain('Design');
  expect((await done('spaces', 'view', 'Release notes', '-o', 'json')).json).not.toHaveProperty('parent');
});

test('an export keeps comments, order, columns and what was removed in the folder', async () => {
  const members = await readFile(at('first/members.csv'), 'utf8');
  const rows = members
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const short = (names: string[][]) => names.map(([email, role]) => `${role},${email}`).join('\n') + '\n';
  await writeFile(at('first/members.csv'), short([rows[0]!, ...rows.slice(1).toReversed()]));
  await writeFile(
    at(`first/${design}`),
    (await readFile(at(`first/${design}`), 'utf8')).replace('title: Design', '# Who draws\ntitle:   "Design" # short'),
  );
  await done('apply', 'first', '--yes');
  await done('teams', 'edit', 'Design', '--title', 'In the app');
  const guest = rows.find(([, role]) => role === 'guest')![0]!;
  await done('members', 'edit', guest, '--role', 'read', '--yes');
  await rm(at('first/teams/support.yaml'), { force: true });

  const run = await home.run(['export', 'first']);

  expect(await readFile(at(`first/${design}`), 'utf8')).toContain('# Who draws\ntitle: "In the app" # short\n');
  const wanted = [rows[0]!, ...rows.slice(1).toReversed()].map(([email, role]) => [
    email!,
    email === guest ? 'read' : role!,
  ]);
  expect(await readFile(at('first/members.csv'), 'utf8')).toBe(short(wanted));
  expect([run.exitCode, run.stderr]).toEqual([6, expect.stringContaining('teams/support.yaml')]);
});

test('an object that is created again after its file was removed gets a file again, and so do schemas', async () => {
  await done('apply', 'first', '--yes');
  await rm(at('first/teams/platform.yaml'));
  await edit('first/members.csv', (text) => text.replaceAll(/ ?\bplatform\b/g, ''));
  await done('apply', 'first', '--yes', '--max-removals', '100%');
  await done('teams', 'create', '--title', 'Platform');
  await rm(at('first/.docsctl'), { recursive: true });

  await done('export', 'first');

  expect(await readFile(at('first/teams/platform.yaml'), 'utf8')).toContain('title: Platform');
  expect(await readdir(at('first/.docsctl/schemas'))).toContain('team.json');
});

test('lists leave the space of the state out', async () => {
  await rename('first', 'Drawing');
  await done('apply', 'first', '--yes');

  const list = await done('spaces', 'list', '-o', 'id');
  const search = await done('search', 'docsctl state', '-o', 'json');
  const limited = await done('spaces', 'list', '--limit', '5', '--columns', 'title');

  expect(list.stdout.trim().split('\n')).toHaveLength(5);
  expect(search.stdout).not.toContain('docsctl state');
  expect(limited.stdout).not.toContain('docsctl state');
  expect((await done('spaces', 'view', 'docsctl state')).stdout).toContain('docsctl state');
});

test('another space with the title of the state is found', async () => {
  const space = await done('spaces', 'create', '--title', 'docsctl state', '-o', 'id');
  await mkdir(at('words'));
  await writeFile(at('words/README.md'), '# Turbine\n\nA turbine hall.\n');
  await done('content', 'push', 'words', '--space', space.stdout.trim(), '--new', 'Words', '--merge');

  const search = await done('search', 'turbine', '-o', 'json');

  expect(search.json.map(({ title }: { title: string }) => title)).toEqual(['docsctl state']);
});

test('a former name that means nothing is reported', async () => {
  await edit('first/teams/design.yaml', (text) => `${text}moved: writers\n`);
  const exists = await home.run(['plan', 'first']);
  await edit('first/teams/design.yaml', (text) => text.replace('moved: writers\n', ''));
  await writeFile(at('first/teams/new.yaml'), 'title: New\nmoved: neww\n');
  const unknown = await done('plan', 'first');

  expect([exists.exitCode, exists.stderr]).toEqual([
    2,
    expect.stringMatching(
      /first\/teams\/design\.yaml:\d+:8: moved: writers is no former name of "design", because teams\/writers\.yaml still exists/,
    ),
  ]);
  expect(unknown.stdout).toBe('+ team new\n    + title: New\n');
  expect(unknown.stderr).toContain(
    'moved: neww is ignored in the team "new": no team of that name was exported or applied.',
  );
});
