import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { test } from './support/cli.ts';

test('a regular expression that is slow on some texts fails the lint', async ({ home }) => {
  const file = join(home.dir, 'expressions.ts');
  await writeFile(
    file,
    [
      String.raw`export const exponential = /^(?:[^\r\n]*(?:\r\n|\n|\r))*?---$/;`,
      String.raw`export const quadratic = /\s+$/;`,
      '// slow-regexp: nobody else writes the text',
      String.raw`export const allowed = /\s+$/;`,
      String.raw`export const linear = /^\s+/;`,
      'export const late = new RegExp(process.argv[2]);',
      String.raw`export const stale = /^\d+/; // slow-regexp: it was slow once`,
    ].join('\n'),
  );

  const run = await execa('node', ['scripts/check-regexps.mjs', file], { preferLocal: true, reject: false });

  expect(run.exitCode).toBe(1);
  expect(run.stderr.split('\n')).toEqual([
    expect.stringMatching(/expressions\.ts:1: .* takes exponential time with '.+/),
    expect.stringMatching(/expressions\.ts:2: .* takes polynomial \(degree 2\) time with '.+/),
    expect.stringMatching(/expressions\.ts:6: made at run time/),
    expect.stringMatching(/expressions\.ts:7: slow-regexp is not needed/),
  ]);
});
