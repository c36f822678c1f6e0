import { expect } from 'vitest';
import { test } from '../support/cli.ts';
import { openScreen } from './screen.ts';

test('the root help fits a narrow terminal', async ({ home }) => {
  const screen = await openScreen(home, ['--help'], { width: 40, height: 60 });
  expect(await screen.ends()).toBe(0);
  const lines = (await screen.printed()).trimEnd().split(/\r?\n/);
  expect(lines.filter((line) => line.length > 40)).toEqual([]);
  expect(lines.join('\n')).toContain('Publishing:');
});
