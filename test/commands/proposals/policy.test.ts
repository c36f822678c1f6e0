import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { runHere, serveHere, sharedDemo } from '../../support/shell.ts';
import { forwardTo } from '../twin/forwarding.ts';
import { ada, carl, dora, type ProposingHome, proposingHome } from './proposing.ts';

// Policies that say what needs an approval.

const { demo } = await sharedDemo();
let home: ProposingHome;
beforeEach(async () => {
  home = await proposingHome(demo);
  // Its own cache: another test may know a policy of another organization.
  home.env.DOCSCTL_CACHE_DIR = join(home.dir, 'cache');
  await home.done('export', 'organization', '--only', 'organization,members');
});

const file = () => join(home.dir, 'organization', 'organization.yaml');
const withPolicy = async (policy: string) => {
  const text = (await readFile(file(), 'utf8')).replace(/^approval:.*(?:\n {2}.*)*\n?/m, '');
  await writeFile(file(), `${text}approval: ${policy}\n`);
};
const applyPolicy = async (policy: string) => {
  await withPolicy(policy);
  await home.done('apply', 'organization', '--yes');
};

test('a policy is checked, planned, applied and exported', async () => {
  await withPolicy('{ required: [removal] }');
  expect(await home.refusal(2, 'plan', 'organization')).toContain('approval');
  await withPolicy('{ required: [removals, { roles: king }] }');
  await home.refusal(2, 'plan', 'organization');
  await withPolicy('{ required: [removals, { roles: admin }], approvers: 1 }');
  expect((await home.done('plan', 'organization')).stdout).toContain('approval');
  await home.done('apply', 'organization', '--yes');
  expect((await home.done('plan', 'organization', '-o', 'json')).json).toEqual([]);
  await home.done('export', 'exported', '--only', 'organization');
  const exported = await readFile(join(home.dir, 'exported', 'organization.yaml'), 'utf8');
  expect(exported).toMatch(/approval:\s+required:\s+- removals\s+- roles: admin\s+approvers: 1/);
});

test('single commands obey the policy, and name the command that proposes the change', async () => {
  await applyPolicy('{ required: [removals, { roles: admin }, sso, sites.publish] }');
  const edit = ['members', 'edit', 'ada@lumen.example', '--role', 'admin', '--yes'];
  const message = await home.refusal(4, ...edit);
  expect(message).toContain('needs an approval (roles: admin). Nothing was sent.');
  expect(message).toContain('docsctl propose -- members edit ada@lumen.example --role admin\n');
  for (const words of [
    ['members', 'remove', 'ada@lumen.example', '--yes'],
    ['spaces', 'delete', 'Guide', '--yes'],
    ['teams', 'delete', 'Writers', '--yes'],
    ['invites', 'send', 'eve@lumen.example', '--role', 'admin', '--yes'],
    ['api', 'DELETE', `orgs/${home.orgId}/members/${home.adaId}`],
    ['api', 'PATCH', `orgs/${home.orgId}/members/${home.adaId}`, '-f', 'role=admin'],
    ['orgs', 'edit', '--sso', '--yes'],
  ])
    expect(await home.refusal(4, ...words), words.join(' ')).toContain('needs an approval');
  expect(await home.roleOf('ada@lumen.example')).toBe('comment');
  // Others go through.
  await home.done('members', 'edit', 'ada@lumen.example', '--role', 'edit');
  await home.done('teams', 'create', '--title', 'Others');

  expect(await home.refusal(4, ...edit, '--dry-run')).toContain(
    'docsctl propose -- members edit ada@lumen.example --role admin\n',
  );
  expect((await home.done('rehearse', '--', ...edit)).stderr).toContain('needs an approval');
  await home.done('propose', '--', 'members', 'edit', 'ada@lumen.example', '--role', 'admin');
  await home.done('proposals', 'approve', '1', '--yes', ...carl);
  await home.done('proposals', 'apply', '1', '--yes');
  expect(await home.roleOf('ada@lumen.example')).toBe('admin');
  await home.done('proposals', 'revert', '1', '--yes');
  expect(await home.roleOf('ada@lumen.example')).toBe('edit');
});

test('apply obeys the policy as a whole, and so does a change of the policy', async () => {
  await applyPolicy('{ required: [{ roles: admin }], approvers: 2 }');
  const members = join(home.dir, 'organization', 'members.csv');
  const text = await readFile(members, 'utf8');
  await writeFile(
    members,
    text
      .replace('ada@lumen.example,comment', 'ada@lumen.example,admin')
      .replace('bob@lumen.example,comment', 'bob@lumen.example,read'),
  );
  expect((await home.done('plan', 'organization')).stderr).toContain('need an approval (roles: admin)');
  expect(await home.refusal(4, 'apply', 'organization', '--dry-run')).toContain('need an approval');
  const message = await home.refusal(4, 'apply', 'organization', '--yes');
  expect(message).toContain('docsctl plan organization --propose Title');
  // Nothing was sent, also of what needs no approval.
  expect(await home.roleOf('bob@lumen.example')).toBe('comment');
  await writeFile(members, text);
  await withPolicy('null');
  expect(await home.refusal(4, 'apply', 'organization', '--yes')).toContain('a change of the policy');

  await home.done('plan', 'organization', '--propose', 'No policy');
  expect(await home.view()).toMatchObject({
    required: 2,
    changes: [{ kind: 'organization', fields: [{ field: expect.stringContaining('approval') }] }],
  });
  await home.done('proposals', 'approve', '1', '--yes', ...carl);
  expect(await home.refusal(4, 'proposals', 'apply', '1', '--yes')).toContain('1 of 2 approvals');
  await home.done('proposals', 'approve', '1', '--yes', ...dora);
  await home.done('proposals', 'apply', '1', '--yes');
  await home.done('members', 'edit', 'ada@lumen.example', '--role', 'admin', '--yes');
});

test.for([
  ['teams', 'create', '--title', 'Others'],
  ['spaces', 'edit', 'Guide', '--title', 'Other'],
  ['api', 'POST', 'orgs/ORG/spaces', '-f', 'title=Other'],
])('a policy about everything, on a machine that has never read it: %s', async (words) => {
  await applyPolicy('{ required: everything }');
  await rm(join(home.dir, 'cache'), { recursive: true, force: true });

  const message = await home.refusal(4, ...words.map((word) => word.replace('ORG', home.orgId)));

  expect(message).toContain('needs an approval (everything). Nothing was sent.');
});

test('what a guest may not see still counts for others on the same machine', async () => {
  await home.done('members', 'edit', 'ada@lumen.example', '--role', 'guest');
  await home.done('export', 'organization', '--only', 'organization,members');
  await applyPolicy('{ required: everything }');
  await rm(join(home.dir, 'cache'), { recursive: true, force: true });
  await home.refusal(4, 'api', 'POST', `orgs/${home.orgId}/spaces`, '-f', 'title=Other', ...ada);

  expect(await home.refusal(4, 'teams', 'create', '--title', 'Others')).toContain('needs an approval');
});

test('a space that was transferred has the policy of its new organization', async () => {
  const labs = (await home.done('orgs', 'create', '--title', 'Labs', '-o', 'id')).stdout.trim();
  await home.done('export', 'labs', '--only', 'organization', '--org', labs);
  const settings = join(home.dir, 'labs', 'organization.yaml');
  await writeFile(settings, `${await readFile(settings, 'utf8')}approval: { required: [removals] }\n`);
  await home.done('apply', 'labs', '--yes', '--org', labs);
  await home.done('spaces', 'edit', 'Guide', '--title', 'Manual');
  const id = (await home.done('spaces', 'list', '--filter', 'title=Manual', '-o', 'id')).stdout.trim();
  await home.done('spaces', 'transfer', id, '--to', labs, '--yes');

  expect(await home.refusal(4, 'spaces', 'delete', id, '--yes')).toContain('needs an approval (removals)');
});

test('with a policy about everything, people can still accept the invite that lets them propose', async () => {
  await home.done('propose', '--', 'members', 'edit', 'bob@lumen.example', '--role', 'read');
  const { json } = await home.done('proposals', 'allow', 'ada@lumen.example', '-o', 'json');
  await applyPolicy('{ required: everything }');

  await home.done('invites', 'accept', json[0].invite, ...ada);

  await home.done('propose', ...ada, '--', 'members', 'edit', 'bob@lumen.example', '--role', 'edit');
});

test('requests that no policy is about cost nothing more, and others one, once the state is known', async () => {
  await applyPolicy('{ required: [sso] }');
  const served = await serveHere(home.database);
  const service = await forwardTo(served.env.DOCSCTL_URL!);
  onTestFinished(async () => {
    service.stop();
    await served.stop();
  });
  const env = { ...home.env, ...served.env, DOCSCTL_URL: service.url };
  const requestsOf = async (...words: string[]) => {
    const before = service.requests.length;
    const run = await runHere({ dir: home.dir, env }, words);
    expect(run.exitCode, run.stderr).toBe(0);
    return service.requests.slice(before).filter((request) => /\/spaces(?:\?|$)|\/path\/policy/.test(request));
  };
  // Whether it is about everything is read once, and then relied on for a while.
  expect(await requestsOf('teams', 'create', '--title', 'One')).toHaveLength(2);
  expect(await requestsOf('teams', 'create', '--title', 'Two')).toEqual([]);
  expect(await requestsOf('members', 'edit', 'ada@lumen.example', '--role', 'read')).toHaveLength(1);
  expect(await requestsOf('members', 'edit', 'ada@lumen.example', '--role', 'edit')).toHaveLength(1);
  expect(await requestsOf('members', 'list')).toEqual([]);
  await rm(join(home.dir, 'cache'), { recursive: true });
  expect(await requestsOf('members', 'edit', 'ada@lumen.example', '--role', 'read')).toHaveLength(2);
});
