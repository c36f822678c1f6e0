import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { spawnIn } from '../../support/cli.ts';
import { runHere, serveHere, sharedDemo } from '../../support/shell.ts';
import { forwardTo } from '../twin/forwarding.ts';
import { ada, carl, dora, type ProposingHome, proposingHome } from './proposing.ts';

// What somebody tries who wants a change without an approval.

const { demo } = await sharedDemo();
let home: ProposingHome;
beforeEach(async () => {
  home = await proposingHome(demo);
});

const file = async (name: string, text: string) => {
  await writeFile(join(home.dir, name), text);
  return name;
};

/** Edits a page of proposal 1 as somebody. */
const edit = async (as: string[], title: string, change: (text: string) => string) =>
  home.edit(await home.requestPath(), { as, title }, change);

const comment = (path: string, event: object, as: string[]) =>
  home.run(
    'api',
    'POST',
    `${path}/comments`,
    '-F',
    `body=${JSON.stringify({ markdown: ['Approved.', '', '```json', JSON.stringify(event), '```'].join('\n') })}`,
    ...as,
  );

test('an approval counts only from an administrator who wrote nothing of it', async () => {
  const { hash } = (await home.proposeRole()).json;
  const path = await home.requestPath();
  const approval = { docsctl: 'approved', hash, digest: 'anything' };
  for (const as of [[], ada]) expect((await comment(path, approval, as)).exitCode).toBe(0);
  expect(await home.view()).toMatchObject({
    status: 'open',
    approvals: [],
    void: [{ reason: 'wrote or edited the proposal' }, { reason: 'not an administrator' }],
  });
  expect(await home.refusal(4, 'proposals', 'apply', '1', '--yes')).toContain('0 of 1');
  // An administrator's own comment with another digest approves an effect that the proposal does not have.
  expect((await comment(path, approval, carl)).exitCode).toBe(0);
  expect(await home.refusal(6, 'proposals', 'apply', '1', '--yes')).toContain('outdated');
  expect(await home.roleOf('ada@lumen.example')).toBe('comment');
});

test('a proposal that somebody made an administrator for is not approved by them later', async () => {
  await home.proposeRole();
  await home.done('proposals', 'approve', '1', '--yes', ...carl);
  await home.done('members', 'edit', 'carl@lumen.example', '--role', 'edit', '--yes');
  expect(await home.view()).toMatchObject({ status: 'open', void: [{ reason: 'not an administrator' }] });
  await home.refusal(4, 'proposals', 'apply', '1', '--yes');
});

test('a change request that is merged by hand applies nothing', async () => {
  await home.proposeRole();
  await home.done('proposals', 'approve', '1', '--yes', ...carl);
  await home.done('api', 'POST', `${await home.requestPath()}/merge`, ...dora);
  expect(await home.view()).toMatchObject({ status: 'failed', result: { error: expect.stringContaining('by hand') } });
  expect(await home.refusal(6, 'proposals', 'apply', '1', '--yes')).toContain('merged by hand');
  expect(await home.roleOf('ada@lumen.example')).toBe('comment');
});

test('an apply that was killed is shown as such, and never repeated', async () => {
  const { hash } = (await home.proposeRole()).json;
  await home.done('proposals', 'approve', '1', '--yes', ...carl);
  const path = await home.requestPath();
  await home.done('api', 'POST', `${path}/merge`, ...carl);
  await comment(path, { docsctl: 'started', hash, host: 'runner-7', claim: 'x' }, carl);
  expect(await home.view()).toMatchObject({
    status: 'applying',
    result: { host: 'runner-7', startedBy: { email: 'carl@lumen.example' }, error: expect.stringContaining('killed') },
  });
  expect(await home.refusal(6, 'proposals', 'apply', '1', '--yes')).toContain('or the apply was killed');
  expect(await home.refusal(6, 'proposals', 'revert', '1', '--yes')).toContain('docsctl history list');
  // A result that somebody else invents does not count, and neither does their journal.
  const ended = { docsctl: 'ended', hash, status: 0, changes: 1, journalParts: 1, journalHash: 'x' };
  await comment(path, ended, ada);
  expect(await home.view()).toMatchObject({ status: 'applying' });
});

test('of two applies at the same time, one sends something', async () => {
  await home.proposeRole();
  await home.done('proposals', 'approve', '1', '--yes', ...carl);
  const folder = join(home.dir, 'tmp');
  await mkdir(folder);
  const env = { ...home.env, TMPDIR: folder };
  const apply = (as: string[]) => spawnIn({ dir: home.dir, env }, 'proposals', 'apply', '1', '--yes', ...as);
  const runs = await Promise.all([apply(dora), apply(carl), apply([])]);
  expect(runs.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 6, 6]);
  expect(
    (await home.done('history', 'list', '--jq', '[.[].line] | unique | .[]')).stdout.match(/--role read/g),
  ).toHaveLength(1);
  // Nothing is left on this machine.
  expect((await readdir(folder)).filter((name) => name.startsWith('docsctl-'))).toEqual([]);
});

test('a name that means another object after the last check changes nothing', async () => {
  await home.done('propose', '--', 'spaces', 'edit', 'Guide', '--title', 'Manual');
  await home.done('proposals', 'approve', '1', '--yes', ...carl);
  const served = await serveHere(home.database);
  let isSwapped = false;
  // Once the apply has started, somebody gives the name to another space.
  const service = await forwardTo(served.env.DOCSCTL_URL!, {
    async before(body) {
      if (isSwapped || !body.includes('\\"docsctl\\":\\"started\\"')) return;
      isSwapped = true;
      await home.done('spaces', 'edit', 'Guide', '--title', 'Former guide');
      await home.done('spaces', 'edit', 'Handbook', '--title', 'Guide');
    },
  });
  onTestFinished(async () => {
    service.stop();
    await served.stop();
  });
  const env = { ...home.env, ...served.env, DOCSCTL_URL: service.url };

  const run = await runHere({ dir: home.dir, env }, ['proposals', 'apply', '1', '--yes']);

  expect([isSwapped, run.exitCode], run.stderr).toEqual([true, 6]);
  expect(run.stderr).toContain('The rehearsal did not contain this request, so it was not sent: PATCH ');
  expect(await home.text('spaces', 'list', '--jq', '.[].title')).not.toContain('Manual');
  expect(await home.view()).toMatchObject({ status: 'failed', result: { status: 6, changes: 0 } });
});

test('commands that cannot be approved are refused, and nothing is stored', async () => {
  await file('list.txt', 'members edit ada@lumen.example --role read\nproposals approve 1\n');
  const refusals: [string[], string][] = [
    [['members', 'list'], 'changes nothing'],
    [['proposals', 'approve', '1', '--yes'], 'cannot be proposed'],
    [['proposals', 'apply', '1', '--yes'], 'cannot be proposed'],
    [['propose', '--', 'members', 'edit', 'ada@lumen.example', '--role', 'read'], 'cannot be proposed'],
    [['rehearse', '--then-apply', '--', 'spaces', 'delete', 'Guide'], 'cannot be proposed'],
    [['undo', '--yes'], 'cannot be proposed'],
    [['apply', '.'], 'cannot be'],
    [['init'], 'cannot be proposed'],
    [['serve', 'token', 'create'], 'cannot be proposed'],
    [['profiles', 'delete', 'local'], 'cannot be proposed'],
    [['members', 'edit', 'ada@lumen.example', '--role', 'read', '--as', 'carl@lumen.example'], '--as cannot be part'],
    [['members', 'edit', 'ada@lumen.example', '--role', 'read', '--url=http://evil.example'], '--url cannot be part'],
    [['members', 'edit', 'ada@lumen.example', '--role', 'read', '--no-journal'], '--no-journal cannot be part'],
    [['members', 'edit', 'ada@lumen.example', '--role', 'read', '-n'], '-n cannot be part'],
    [['members', 'edit', '--from', '-'], 'standard input'],
    [['spaces', 'edit', 'Guide', '--data', '@-'], 'standard input'],
    [['nothing', 'like', 'this'], 'not a command'],
    [['api', 'POST', 'x', '-Fbody=@/etc/passwd'], 'each short flag'],
    [['members', 'edit', 'ada@lumen.example', '--role', 'king'], 'king'],
    [['members', 'edit', 'ada@lumen.example', '--role', '\u{F0002}1/x\u{F0003}'], 'marks'],
    [['run', 'list.txt'], 'cannot be proposed'],
    [['run', '-'], 'one file'],
    [['each', 'list.txt', '--', 'proposals', 'approve', '1'], ''],
  ];
  for (const [words, message] of refusals) {
    const result = await home.run('propose', '--', ...words);
    expect([words.join(' '), result.exitCode], result.stderr).toEqual([
      words.join(' '),
      expect.toSatisfy((status) => status !== 0),
    ]);
    expect(result.stderr).toContain(message);
  }
  expect(await home.text('api', 'GET', `orgs/${home.orgId}/spaces`)).not.toContain('docsctl proposals');
});

test('a proposal cannot write to the space of proposals', async () => {
  const { hash } = (await home.proposeRole()).json;
  const path = await home.requestPath();
  const body = JSON.stringify({
    markdown: `\`\`\`json\n${JSON.stringify({ docsctl: 'approved', hash, digest: 'x' })}\n\`\`\``,
  });
  const escaped = path.replace(/(?<=spaces\/)\w/, (char) => `%${char.charCodeAt(0).toString(16)}`);
  for (const words of [
    ['api', 'POST', `${path}/comments`, '-F', `body=${body}`],
    ['api', 'POST', `${escaped}/comments`, '-F', `body=${body}`],
    ['api', 'POST', `${escaped}/merge?x=%zz`],
    ['api', 'POST', `${path}/merge`],
    ['comments', 'create', '--space', 'docsctl proposals', '--body', 'Approved.'],
    ['spaces', 'delete', await home.proposalsSpace()],
  ])
    expect(await home.refusal(6, 'propose', '--', ...words)).toContain('keeps its own data');
});

test('packed files cannot leave the folder of an apply', async () => {
  await file('people.csv', 'email,role\nada@lumen.example,read\n');
  await home.done('propose', '--', 'members', 'edit', '--from', 'people.csv');
  expect(await home.view()).toMatchObject({
    command: 'docsctl members edit --from people.csv',
    files: [{ path: '1/people.csv', bytes: 34 }],
  });
  for (const path of [
    '../../escaped.csv',
    '/tmp/escaped.csv',
    '1/../../x.csv',
    '1/x\u0000.csv',
    '1\\..\\x.csv',
    '1//x',
    'C:x',
  ]) {
    await edit(dora, 'Proposal 1, files 1', (text) => text.replace(/\["[^"]+"/, `[${JSON.stringify(path)}`));
    expect(await home.refusal(6, 'proposals', 'approve', '1', '--yes', ...carl), path).toContain('unsafe path');
  }
  // A mark in the command line that names a file outside of the packed ones leads into the folder.
  await edit(dora, 'Proposal 1, files 1', (text) => text.replace(/\["[^"]+"/, '["1/people.csv"'));
  await edit(dora, 'Proposal 1', (text) => text.replace('1/people.csv', '../../../../etc/passwd'));
  expect(await home.refusal(6, 'proposals', 'approve', '1', '--yes', ...carl)).toContain('unsafe path');
  // A plain path would read a file of the person who approves or applies it.
  await edit(dora, 'Proposal 1', (text) => text.replace(/"[^"]*passwd[^"]*"/, '"/etc/passwd"'));
  expect((await home.view()).command).toContain('--from /etc/passwd');
  expect(await home.refusal(6, 'proposals', 'approve', '1', '--yes', ...carl)).toContain('unsafe path: /etc/passwd');
});

test('folders with links to other places and too many bytes are not packed', async () => {
  await mkdir(join(home.dir, 'docs'));
  await file('docs/README.md', '# Start\n');
  await symlink('/etc/passwd', join(home.dir, 'docs', 'secret.md'));
  const push = ['propose', '--', 'content', 'push', 'docs', '--space', 'Guide', '--merge', '--overwrite'];
  expect(await home.refusal(6, ...push)).toContain('a link to a place outside');
  await file('large.json', `"${'x'.repeat(5 * 1024 * 1024)}"`);
  expect(await home.refusal(6, 'propose', '--', 'spaces', 'edit', 'Guide', '--data', '@large.json')).toContain('4 MiB');
});

test('control characters in titles and reasons do not reach the terminal', async () => {
  await home.done(
    'propose',
    '--title',
    'Harmless\u001b[2K\u202e\rApproved',
    '--',
    'members',
    'edit',
    'ada@lumen.example',
    '--role',
    'read',
  );
  const shown = [
    await home.done('proposals', 'list'),
    await home.done('proposals', 'view', '1'),
    await home.run('proposals', 'approve', '1', ...carl),
  ];
  for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toMatch(/[\u001b\u202e\r]/);
});

test('a proposal whose pages are no proposal is refused, and so is another change request', async () => {
  await home.proposeRole();
  await edit(dora, 'Proposal 1', () => 'Nothing.\n');
  expect(await home.refusal(6, 'proposals', 'approve', '1', '--yes', ...carl)).toContain(
    'edited so that it cannot be read',
  );
  const space = await home.proposalsSpace();
  await home.done('cr', 'create', '--space', space, '--subject', 'Mine', '--open');
  await home.refusal(6, 'proposals', 'apply', '2', '--yes');
  expect((await home.done('proposals', 'list', '-o', 'json')).json).toEqual([]);
});

test('an expired proposal cannot be made younger without losing its approvals', async () => {
  await home.proposeRole('read', '--expires', '1m');
  await home.done('proposals', 'approve', '1', '--yes', ...carl);
  const { markdown } = await home.page(await home.requestPath(), 'Proposal 1');
  const [, expires = ''] = /"expires":"([^"]+)"/.exec(markdown) ?? [];
  await edit(dora, 'Proposal 1', (text) => text.replace(expires, '2020-01-01T00:00:00.000Z'));
  expect(await home.view()).toMatchObject({ status: 'expired' });
  expect(await home.refusal(6, 'proposals', 'apply', '1', '--yes')).toContain('has expired');
  await edit(dora, 'Proposal 1', (text) => text.replace('2020-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'));
  await home.refusal(4, 'proposals', 'apply', '1', '--yes');
});
