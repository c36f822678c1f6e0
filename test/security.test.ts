import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './support/cli.ts';

const page = await readFile(join(root, 'docs', 'security.md'), 'utf8');

/** The lines of the tables, without their heads. */
const threats = page
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\|(?: threat |-)/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('docs/security.md', () => {
  test('has a line for each kind of attacker', () => {
    const sections = page.split(/^## /m).slice(1);
    expect(sections.length).toBeGreaterThan(6);
    for (const section of sections) expect(section).toMatch(/^\| threat \| what docsctl does \| test \|$/m);
    expect(threats.length).toBeGreaterThan(40);
  });

  test.for(threats)('names tests that are there: %s', ([threat, answer, tests = '']) => {
    expect([threat, answer].every((cell) => cell !== undefined && cell !== '')).toBe(true);
    const files = [...tests.matchAll(/`(test\/[\w./-]+\.test\.ts)`/g)].map(([, file]) => file!);
    // Nothing but files stands there.
    expect(files.map((file) => `\`${file}\``).join(', ')).toBe(tests);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
  });
});

test('SECURITY.md says how to report, and leads to the threats', async () => {
  const policy = await readFile(join(root, 'SECURITY.md'), 'utf8');
  expect(policy).toMatch(/^## Report a vulnerability$/m);
  expect(policy).toMatch(/^## Supported versions$/m);
  expect(policy).toContain('(docs/security.md)');
  // Reports go to the place where the code is hosted: an address could be given up, or taken over.
  expect(policy).not.toMatch(/\S+@\S+\.\w|https?:/);
});
