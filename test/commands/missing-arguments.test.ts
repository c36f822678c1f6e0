import { expect, test } from 'vitest';
import { sharedDemo } from '../support/shell.ts';
import { commandsOfTree } from '../support/tree.ts';

const { home } = await sharedDemo();
const needing = (await commandsOfTree()).filter(({ command }) => command.use.includes('<'));

test.each(needing)('$path without its arguments is refused', async ({ path }) => {
  const { exitCode, stdout, stderr } = await home.run(path.split(' '));

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/^error: .*\nhint: /);
});
