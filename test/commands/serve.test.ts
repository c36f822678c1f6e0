import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Demo, makeDemo } from '../support/shell.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await makeDemo();
});
afterAll(() => demo.remove());

test('--dry-run says what would be done to the instance, and does nothing', async () => {
  const home = await demo.copy();
  const kept = (await home.run(['serve', 'token', 'create', '--jq', '.id'])).stdout.trim();
  const copy = join(home.dir, 'copy.db');

  const made = await home.run(['serve', 'token', 'create', '--dry-run']);
  const revoked = await home.run(['serve', 'token', 'revoke', kept, '--dry-run']);
  const copied = await home.run(['serve', 'backup', copy, '--dry-run']);
  const served = await home.run(['serve', '--db', copy, '--dry-run']);
  const tokens = (await home.run(['serve', 'token', 'list', '--json'])).json;

  for (const run of [made, revoked, copied, served]) {
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(run.stderr).toMatch(/^Would (make|revoke|copy|serve) /);
  }
  expect(tokens).toMatchObject([{ id: kept, state: 'active' }]);
  expect(existsSync(copy)).toBe(false);
});
