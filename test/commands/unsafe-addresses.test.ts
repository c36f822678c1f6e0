import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../support/in-process.ts';
import { writeFiles } from '../support/write-files.ts';

/** Addresses that run a script, as SUMMARY.md writes them. */
const summary = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '&#106;avascript:alert(1)',
  'javascript&colon;alert(1)',
  'java&#10;script:alert(1)',
  'java&Tab;script:alert(1)',
  '&#1;javascript:alert(1)',
  '<java	script:alert(1)>',
  '< javascript:alert(1)>',
  'data:text/html,hello',
  'DATA:text/html;base64,aGVsbG8=',
  'vbscript:msgbox',
  'blob:https://docs.example/x',
  'file:///etc/passwd',
];

/** As strings of YAML in double quotes. */
const targets = [
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  '\\tjavascript:alert(1)',
  '\\x01javascript:alert(1)',
  'java\\tscript:alert(1)',
  'java\\nscript:alert(1)',
  'data:text/html,hello',
  'vbscript:msgbox',
];

const files = {
  'docs/README.md': '---\ncover: javascript:alert(1)\n---\n\n# Home\n\n[Text](javascript:alert(1))\n',
  'docs/SUMMARY.md': [
    '* [Home](README.md)',
    ...summary.map((address, index) => `* [Entry ${index}](${address})`),
    '* [Example](https://example.com/x)',
    '* [Mail](mailto:a@example.com)\n',
  ].join('\n'),
  'docs/.gitbook.yaml': [
    'redirects:',
    ...targets.map((target, index) => `  old/${index}: "${target}"`),
    '  old/home: README.md',
    '  old/example: https://example.com/y\n',
  ].join('\n'),
};

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decode = (text: string) => text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '');

/** The schemes of everything that a document links to or leads on to, as a browser reads them. */
function schemesIn(html: string): string[] {
  // The icon is an image, in which no script runs.
  const withoutIcon = html.replace(/<link\s+rel="icon"\s+href="data:image\/svg\+xml,[^"<>]*"\s*\/>/, '');
  const links = [...withoutIcon.matchAll(/\b(?:href|src|action)="([^"]*)"/g)].map(([, value = '']) => decode(value));
  const refreshes = [...html.matchAll(/content="0; url=([^"]*)"/g)].map(([, value = '']) => decode(value));
  return [...links, ...refreshes].map((address) => new URL(address, 'http://docs.example/').protocol);
}

const harmless = new Set(['http:', 'https:', 'mailto:']);

async function expectHarmless(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const documents = names.filter((name) => name.endsWith('.html'));
  for (const name of documents) {
    const schemes = schemesIn(await readFile(join(folder, name), 'utf8'));
    expect
      .soft(
        schemes.filter((scheme) => !harmless.has(scheme)),
        name,
      )
      .toEqual([]);
  }
}

test('the table of contents and the redirects of an export run no script', async ({ docsctl, home }) => {
  await writeFiles(home.dir, files);

  const run = await docsctl('sites', 'export', 'docs', '--out', 'public');

  await expectHarmless(join(home.dir, 'public'));
  const index = await readFile(join(home.dir, 'public', 'index.html'), 'utf8');
  expect(index).toContain('Entry 0');
  expect(index).toContain('href="https://example.com/x"');
  expect(index).toContain('href="mailto:a@example.com"');
  expect(await readFile(join(home.dir, 'public', '_redirects'), 'utf8')).toBe(
    '/old/home /index.html 301\n/old/example https://example.com/y 301\n',
  );
  expect(run.stderr).toMatch(/docs\/SUMMARY\.md:2 error .*javascript:alert\(1\).*\(summary-address\)/);
  expect(run.stderr).toMatch(/docs\/\.gitbook\.yaml:2 error .*javascript:alert\(1\).*\(redirect-target\)/);
});

test('a check reports each of them', async ({ docsctl, home }) => {
  await writeFiles(home.dir, files);

  const { json } = await docsctl('content', 'check', 'docs', '-o', 'json');

  const findings: { file: string; rule: string; line: number }[] = json;
  const linesOf = (...rules: string[]) =>
    findings
      .filter(({ rule }) => rules.includes(rule))
      .map(({ line }) => line)
      .toSorted((a, b) => a - b);
  expect(linesOf('summary-address', 'summary-missing')).toEqual(summary.map((_, index) => index + 2));
  expect(linesOf('redirect-target')).toEqual(targets.map((_, index) => index + 2));
});
