import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyBaseline, writeBaseline } from '../../../src/cli/report/baseline.ts';
import type { ReportFinding } from '../../../src/cli/report/finding.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docsctl-baseline-'));
  mkdirSync(join(folder, 'sub'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const found = (line: number, about: Partial<ReportFinding> = {}): ReportFinding => ({
  level: 'error',
  rule: 'struct',
  message: 'wrong',
  file: join(folder, 'api.yaml'),
  line,
  ...about,
});

test('accepted findings are skipped, wherever their lines moved to', async () => {
  const file = join(folder, 'sub', 'baseline.json');
  await writeBaseline(file, [found(2, { pointer: '/a' }), found(3, { pointer: '/b', message: 'before' })]);

  const { findings, accepted, fixed } = applyBaseline(file, [
    found(20, { pointer: '/a' }),
    found(21, { pointer: '/a' }),
    found(3, { pointer: '/b', rule: 'other' }),
  ]);

  expect(findings.map(({ line }) => line)).toEqual([21, 3]);
  expect({ accepted, fixed }).toEqual({ accepted: 1, fixed: ['struct in ../api.yaml at /b'] });
  expect(readFileSync(file, 'utf8')).toContain('"file":"../api.yaml"');
});

test('what may not be accepted stays', async () => {
  const file = join(folder, 'baseline.json');
  await writeBaseline(file, [found(2)]);

  expect(applyBaseline(file, [found(2)], { isAcceptable: () => false }).findings).toHaveLength(1);
});

test.each([
  ['no file', undefined, 'cannot be read: there is no such file'],
  ['no JSON', '{', 'is not a baseline'],
  ['another file', '{"version": 1, "findings": [{"rule": 1}]}', 'is not a baseline'],
  ['a later version', '{"version": 2, "findings": []}', 'is not a baseline'],
])('%s is refused', (_, text, message) => {
  const file = join(folder, 'refused.json');
  if (text !== undefined) writeFileSync(file, text);

  expect(() => applyBaseline(file, [])).toThrow(message);
});
