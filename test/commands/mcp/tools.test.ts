import { appendFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test as base } from '../../support/cli.ts';
import { type McpClient, startMcp } from '../../support/mcp-client.ts';

const test = base.extend<{ mcp: McpClient }>({
  mcp: async ({ demo }, use) => {
    const client = startMcp(demo);
    await use(client);
    await client.close();
    expect(client.strange).toEqual([]);
  },
});

test('find lists each kind of object', async ({ mcp }) => {
  const finds: [object, string][] = [
    [{ kind: 'me' }, 'admin@localhost'],
    [{ kind: 'organizations' }, '"Lumen Docs"'],
    [{ kind: 'collections' }, '"products0001"'],
    [{ kind: 'spaces', text: 'HAND' }, '"handbook0001"'],
    [{ kind: 'pages', in: 'Handbook' }, '\n  {"id":"unpack000001","title":"Unpack","path":"install-the-pump/unpack"}'],
    [{ kind: 'pages', in: 'Handbook', text: 'pump' }, '"install00001"'],
    [{ kind: 'files', in: 'Handbook' }, '"pump.png"'],
    [{ kind: 'change-requests' }, '"Name the valve"'],
    [{ kind: 'change-requests', in: 'Handbook' }, '"Name the valve"'],
    [{ kind: 'comments', in: 'Handbook' }, 'The handbook needs an index.'],
    [{ kind: 'members', text: 'Ada Alm' }, '"member000001"'],
    [{ kind: 'members', text: 'person2@' }, '"member000002"'],
    [{ kind: 'teams' }, '"writers00001"'],
    [{ kind: 'team-members', in: 'Writers' }, '"owner"'],
    [{ kind: 'sites' }, '"lumensite001"'],
    [{ kind: 'fields' }, '"audience"'],
    [{ kind: 'openapi' }, '"pumps"'],
  ];
  for (const [args, expected] of finds) {
    const { isError, text } = await mcp.call('find', args);
    expect([isError, text], JSON.stringify(args)).toEqual([undefined, expect.stringContaining(expected)]);
  }
  expect(await mcp.call('find', { kind: 'pages' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('"in"'),
  });
  // A title with quotes and words of filters is only a text.
  const none = await mcp.call('find', { kind: 'spaces', text: 'x" or title~"Hand' });
  expect([none.isError, none.text.includes('handbook0001')]).toEqual([undefined, false]);
});

test('long results are cut between items, and continue where they were cut', async ({ mcp }) => {
  const ids = new Set<string>();
  let from: number | undefined;
  let calls = 0;
  do {
    const { text } = await mcp.call('find', { kind: 'members', ...(from !== undefined && { from }) });
    expect(text.length).toBeLessThan(13_000);
    for (const [, id] of text.matchAll(/^\{"id":"(\w+)".*\}$/gm)) ids.add(id!);
    const cut = /"from": (\d+)\.$/.exec(text)?.[1];
    from = cut === undefined ? undefined : Number(cut);
    calls += 1;
  } while (from !== undefined && calls < 20);
  expect(calls).toBeGreaterThan(3);
  // All members of the demo.
  expect(ids.size).toBe(500);
  expect((await mcp.call('find', { kind: 'spaces', from: 1_000_000 })).text).toContain('Nothing follows');
});

test('pages, search, access and reports', async ({ mcp }) => {
  const page = await mcp.call('read_page', { space: 'Handbook', page: 'install-the-pump' });
  expect(page.text).toContain('A 17 mm wrench, a bucket, and half an hour.');
  const missing = await mcp.call('read_page', { space: 'Handbook', page: 'no-such-page' });
  expect(missing).toMatchObject({ isError: true, text: expect.stringContaining('exit status 5') });

  expect((await mcp.call('search', { query: 'inlet valve' })).text).toContain('"path":');
  expect((await mcp.call('search', { query: 'pump', space: 'Handbook' })).text).toContain('install-the-pump');

  const access = await mcp.call('check_access', { member: 'member000003', space: 'handbook0001', level: 'admin' });
  expect(access.isError).toBeUndefined();
  expect(access.structuredContent).toMatchObject({ untrustedData: { allowed: false, level: 'edit' } });
  expect((await mcp.call('check_access', { member: 'member000003' })).text).toContain('"Handbook"');
  expect((await mcp.call('check_access', { space: 'Handbook' })).text).toContain('"Ada Almeida"');
  expect((await mcp.call('check_access')).isError).toBe(true);

  expect((await mcp.call('report', { about: 'links' })).text).toContain('broken-link');
  expect((await mcp.call('report', { about: 'links', space: 'Handbook' })).text).toContain('"status":"broken"');
  expect((await mcp.call('report', { about: 'pages' })).text).toContain('"unlinked"');
});

test('plans are made of allowed folders only', async ({ demo }) => {
  const folder = join(demo.dir, 'org');
  await demo.docsctl('export', folder);
  await demo.docsctl('export', join(demo.dir, 'other'));
  await appendFile(join(folder, 'spaces', 'handbook', 'content', 'welcome.md'), '\nA new line.\n');
  const mcp = startMcp(demo, ['--folder', folder]);
  for (const args of [{}, { folder: '.' }, { folder }, { only: ['spaces/handbook'] }])
    expect((await mcp.call('plan_files', args)).text, JSON.stringify(args)).toContain('welcome');
  expect((await mcp.call('plan_files', { lines: true })).text).toContain('+A new line.');

  await symlink(join(demo.dir, 'other'), join(demo.dir, 'link'));
  for (const other of ['..', '../other', join(demo.dir, 'other'), '/', '/etc', 'missing', '~', join(demo.dir, 'link')])
    expect(await mcp.call('plan_files', { folder: other }), other).toMatchObject({
      isError: true,
      text: expect.stringContaining('There is no folder'),
    });
  await writeFile(join(demo.dir, 'secret.txt'), 'secret');
  await symlink(join(demo.dir, 'secret.txt'), join(folder, 'spaces', 'handbook', 'content', 'stolen.md'));
  expect(await mcp.call('plan_files')).toMatchObject({ isError: true, text: expect.stringContaining('symbolic link') });
  await mcp.close();

  const without = startMcp(demo);
  expect((await without.call('plan_files', { folder })).text).toContain('No folder can be read.');
  await without.close();
});

test('a rehearsal shows what would change, and changes nothing', async ({ mcp, demo }) => {
  const { text } = await mcp.call('rehearse', {
    command: ['docsctl', 'spaces', 'edit', 'handbook0001', '--title=New'],
  });
  expect(text).toContain('"field":"title","before":"Handbook","after":"New"');
  // Responses that say only what was sent are left out.
  expect(text).not.toContain('"permissions"');
  const broken = await mcp.call('rehearse', { command: ['spaces', 'delete', 'quickstart01'] });
  expect(broken.text).toContain('changes:');
  const refused = await mcp.call('rehearse', { command: ['members', 'remove', '@me'] });
  expect(refused.isError).toBe(true);
  expect((await demo.docsctl('spaces', 'view', 'handbook0001', '--jq', '.title')).stdout).toBe('Handbook\n');
});

test('help of commands and topics is not marked as data', async ({ mcp }) => {
  const help = await mcp.call('help', { topic: 'spaces edit' });
  expect(help.text).toMatch(/^Usage: docsctl spaces edit/);
  expect((await mcp.call('help')).text).toContain('Usage: docsctl');
  expect((await mcp.call('help', { topic: 'filters' })).text).toContain('--filter');
  expect((await mcp.call('help', { search: 'permissions' })).text).toContain('docsctl access list');
  expect((await mcp.call('help', { topic: 'no such thing' })).isError).toBe(true);
});

test('a proposal of a command is stored, approved by somebody else and applied', async ({ mcp, demo }) => {
  const command = ['spaces', 'edit', 'handbook0001', '--title=Pump handbook'];
  const proposed = await mcp.call('propose', { title: 'A better title', command, expires: '2d' });
  expect(proposed.isError, proposed.text).toBeUndefined();
  expect(proposed.structuredContent).toMatchObject({ untrustedData: { status: 'open', title: 'A better title' } });
  expect((await demo.docsctl('spaces', 'view', 'handbook0001', '--jq', '.title')).stdout).toBe('Handbook\n');

  expect((await mcp.call('proposals')).text).toContain('A better title');
  expect((await mcp.call('proposals', { id: '1' })).structuredContent).toMatchObject({
    untrustedData: { status: 'open' },
  });
  const approved = await demo.docsctl('proposals', 'approve', '1', '--yes', '--as', 'member000001');
  expect(approved.exitCode, approved.stderr).toBe(0);
  const applied = await demo.docsctl('proposals', 'apply', '1', '--yes');
  expect(applied.exitCode, applied.stderr).toBe(0);
  expect((await mcp.call('proposals', { id: '1' })).text).toContain('"applied"');
  expect((await demo.docsctl('spaces', 'view', 'handbook0001', '--jq', '.title')).stdout).toBe('Pump handbook\n');
});

test('the plan of a folder is proposed', async ({ demo }) => {
  const folder = join(demo.dir, 'org');
  await demo.docsctl('export', folder);
  await appendFile(join(folder, 'spaces', 'handbook', 'content', 'welcome.md'), '\nA new line.\n');
  const mcp = startMcp(demo, ['--folder', folder]);
  const proposed = await mcp.call('propose', { title: 'A line', folder: '.' });
  expect(proposed.isError, proposed.text).toBeUndefined();
  expect((await mcp.call('proposals')).text).toContain('A line');
  const both = await mcp.call('propose', { title: 'T', folder: '.', command: ['spaces', 'delete', 'handbook0001'] });
  expect(both.isError).toBe(true);
  await mcp.close();
});
