import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/cli.ts';
import { sharedDemo } from '../support/shell.ts';

const { home } = await sharedDemo();
const colors = { terminal: true, color: true, width: 100 };

test('undo shows its changes in colours, and the titles of others without what acts on a terminal', async () => {
  await home.run(['spaces', 'edit', 'handbook0001', '--title', 'Manual \u001b[2J']);
  const undone = await home.run(['undo', '--yes'], colors);
  await home.run(['spaces', 'create', '--title', 'New \u001b[2J']);
  const removed = await home.run(['undo', '--yes'], colors);

  expect(undone.stderr).toContain('    title: \u001b[31mManual \\u001b[2J\u001b[39m -> \u001b[32mHandbook\u001b[39m\n');
  expect(removed.stderr).toContain('    \u001b[31mremoves New \\u001b[2J\u001b[39m\n');
});

test('undo shows no colours where there are none', async () => {
  await home.run(['spaces', 'edit', 'handbook0001', '--title', 'Manual']);

  const { stderr } = await home.run(['undo', '--yes', '--no-color'], colors);

  expect(stderr).toContain('    title: Manual -> Handbook\n');
});

test('the documentation shows no escape sequences', () => {
  expect(readFileSync(join(root, 'docs', 'organization-as-code.md'), 'utf8')).not.toContain('u001b');
});
