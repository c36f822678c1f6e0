import { describe, expect, test } from 'vitest';
import { timeLeft } from '../../src/commands/spaces/time-left.ts';
import { test as inProcess } from '../support/in-process.ts';

const now = Date.parse('2026-03-10T12:00:00Z');

describe('the time in which a deleted space can be restored', () => {
  test.each([
    ['2026-03-10T12:00:00.000Z', '7 days'],
    ['2026-03-09T11:00:00.000Z', '5 days'],
    ['2026-03-05T11:00:00.000Z', '47 hours'],
    ['2026-03-03T13:30:00.000Z', '1 hour'],
    ['2026-03-03T12:30:00.000Z', 'less than an hour'],
    ['2026-03-03T12:00:00.000Z', 'none'],
    [undefined, undefined],
  ])('%s leaves %s', (deletedAt, left) => {
    expect(timeLeft(deletedAt, now)).toBe(left);
  });
});

inProcess('spaces list --deleted shows it, and other lists do not', async ({ docsctl }) => {
  const space = (await docsctl('spaces', 'create', '--title', 'Old', '-o', 'id')).stdout.trim();
  await docsctl('spaces', 'delete', space, '--yes');

  const deleted = await docsctl('spaces', 'list', '--deleted', '-o', 'csv');
  const others = await docsctl('spaces', 'list', '-o', 'csv');

  expect(deleted.stdout).toMatch(/^title,deletedAt,timeLeft,parent,id\nOld,[^,]+,6 days,,/);
  expect(others.stdout).not.toContain('timeLeft');
});
