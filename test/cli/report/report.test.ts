import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, test } from 'vitest';
import { type ReportFinding, reportContext } from '../../../src/cli/report/finding.ts';
import { renderReport, type ReportFormat } from '../../../src/cli/report/report.ts';

const nasty = 'expected "a" & <b>\u001b[31m\u202e\n::error::100%';
const findings: ReportFinding[] = [
  { level: 'error', rule: 'struct', message: nasty, file: 'api/a b.yaml', line: 3, column: 5, pointer: '/info' },
  { level: 'warning', rule: 'tag', message: 'Two', file: 'https://x.test/a.yaml', line: 1, column: 2 },
  { level: 'info', rule: 'note', message: 'Three', file: '-', line: 9 },
  {
    level: 'breaking',
    rule: 'gone',
    message: 'Four',
    file: '../other/b.yaml',
    line: 7,
    related: [{ file: 'old.yaml', line: 2, column: 1, message: 'before' }],
  },
];

/** In the folder `work` of a repository. */
const context = {
  ...reportContext({ GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: '/repo' }, ['api/a b.yaml', 'good.yaml'], '/repo/work'),
};
const render = (format: ReportFormat, of = findings) => renderReport(format, of, context);
const parseXml = (text: string) => new DOMParser().parseFromString(text, 'text/xml');
const attributes = (text: string, tag: string, name: string) =>
  [...parseXml(text).getElementsByTagName(tag)].map((element) => element.getAttribute(name));

test('text is one line for each finding, and cannot act on the terminal', async () => {
  expect((await render('text')).split('\n')).toEqual([
    'api/a b.yaml:3:5 error expected "a" & <b>\\u001b[31m\\u202e↵::error::100% (struct)',
    'https://x.test/a.yaml:1:2 warning Two (tag)',
    '-:9 info Three (note)',
    '../other/b.yaml:7 breaking Four (gone)',
    '',
  ]);
});

test('json holds all fields of the findings', async () => {
  expect(JSON.parse(await render('json'))).toEqual(findings);
});

test('annotations of GitHub name files as the repository does, wherever the command runs', async () => {
  expect((await render('github')).split('\n')).toEqual([
    '::error file=work/api/a b.yaml,line=3,col=5,title=struct::expected "a" & <b>\u001b[31m\u202e%0A::error::100%25',
    '::warning title=tag::https://x.test/a.yaml:1:2: Two',
    '::notice title=note::-:9: Three',
    '::error file=other/b.yaml,line=7,title=gone::Four',
    '',
  ]);
});

test('GitLab gets a fingerprint for each finding that lines above do not change', async () => {
  const [first, second] = [findings, [{ ...findings[0]!, line: 4 }, findings[0]!]];
  const report = JSON.parse(await render('gitlab', first));
  const moved = JSON.parse(await render('gitlab', second));

  expect(report).toMatchObject([
    { check_name: 'struct', severity: 'major', location: { path: 'work/api/a b.yaml', lines: { begin: 3 } } },
    { severity: 'minor', location: { path: 'https://x.test/a.yaml' } },
    { severity: 'info', location: { path: '-' } },
    { severity: 'critical', location: { path: 'other/b.yaml' } },
  ]);
  expect(moved[0].fingerprint).toBe(report[0].fingerprint);
  expect(moved[1].fingerprint).not.toBe(report[0].fingerprint);
});

test('junit has a failed test for each finding, and a passed one for a file without', async () => {
  const text = await render('junit');

  expect(attributes(text, 'testsuite', 'name')).toEqual([
    'work/api/a b.yaml',
    'work/good.yaml',
    'https://x.test/a.yaml',
    '-',
    'other/b.yaml',
  ]);
  expect(attributes(text, 'testsuite', 'failures')).toEqual(['1', '0', '1', '1', '1']);
  expect(attributes(text, 'failure', 'message')[0]).toBe('expected "a" & <b>\\u001b[31m\u202e\n::error::100%');
});

test('checkstyle names file, line, column, severity and rule', async () => {
  const text = await render('checkstyle');

  expect(attributes(text, 'error', 'severity')).toEqual(['error', 'warning', 'info', 'error']);
  expect(attributes(text, 'error', 'line')).toEqual(['3', '1', '9', '7']);
  expect(attributes(text, 'file', 'name')).toContain('work/good.yaml');
});

describe('sarif', () => {
  test('has rules, places and related places', async () => {
    const { version, runs } = JSON.parse(await render('sarif'));
    const [{ tool, results }] = runs;

    expect(version).toBe('2.1.0');
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(['struct', 'tag', 'note', 'gone']);
    expect(results.map(({ level, ruleIndex }: any) => [level, ruleIndex])).toEqual([
      ['error', 0],
      ['warning', 1],
      ['note', 2],
      ['error', 3],
    ]);
    expect(results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'work/api/a%20b.yaml' },
      region: { startLine: 3, startColumn: 5 },
    });
    expect(results[3].relatedLocations[0]).toMatchObject({ message: { text: 'before' } });
  });

  test('without findings says that nothing was found', async () => {
    expect(JSON.parse(await render('sarif', [])).runs[0].results).toEqual([]);
  });
});
