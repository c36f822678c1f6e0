import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Demo, type DemoHome, makeDemo } from '../support/shell.ts';

let demo: Demo;
let home: DemoHome;
beforeAll(async () => {
  demo = await makeDemo();
  home = await demo.copy();
});
afterAll(() => demo.remove());

const whoami = async (...options: string[]) => home.run(['whoami', ...options]);

test('whoami shows the role, the organization, the profile and what the caller may do', async () => {
  const { stdout } = await whoami('-o', 'json');

  expect(JSON.parse(stdout)).toMatchObject({
    displayName: 'Local Admin',
    role: 'admin',
    organization: { title: 'Lumen Docs' },
    profile: 'local',
    url: expect.stringMatching(/^embedded:/),
    permissions: expect.arrayContaining(['admin', 'listMembers']),
  });
});

test('a guest has the role "guest" and fewer permissions', async () => {
  const guest = (await home.run(['members', 'list', '--role', 'guest', '--limit', '1', '-o', 'id'])).stdout.trim();
  const { stdout, exitCode } = await whoami('--as', guest, '-o', 'json');

  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ role: 'guest', permissions: ['view'] });
});

test('an organization that is named must exist; a default that does not is only a remark', async () => {
  const named = await whoami('--org', 'nothing');
  await home.run(['config', 'set', 'org', 'nothing00001']);
  const path = (await home.run(['config', 'path'])).stdout.trim();
  const { readFile, writeFile } = await import('node:fs/promises');
  const config = await readFile(path, 'utf8');
  await writeFile(path, config.replace(/"org": "[^"]*"/, '"org": "nothing00001"'));
  const set = await whoami();

  expect(named.exitCode).toBe(5);
  expect(set.exitCode).toBe(0);
  expect(set.stderr).toContain('The role in the organization cannot be read: ');
  expect(set.stdout).toMatch(/^displayName\tLocal Admin\nemail\t.*\nid\t\w+\nprofile\tlocal\nurl\t/);
});
