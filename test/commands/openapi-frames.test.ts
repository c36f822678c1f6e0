import { expect } from 'vitest';
import { test } from '../support/in-process.ts';
import { runHere } from '../support/shell.ts';
import { writeFiles } from '../support/write-files.ts';

const description = (operationId: string) =>
  `openapi: 3.0.3
info: { title: Pets, version: "1", license: { name: MIT, url: https://a.test } }
servers: [{ url: https://a.test }]
security: []
paths:
  /pets:
    get:
      operationId: ${operationId}
      summary: Get it
      responses: { 200: { description: Fine }, 400: { description: No } }
`;
const screen = { terminal: true, color: false, width: 60 };

test('a terminal shows the line of a finding, with a mark at the value', async ({ home }) => {
  await writeFiles(home.dir, { 'pets.yaml': description('1') });

  const { stdout, exitCode } = await runHere(home, ['openapi', 'validate', 'pets.yaml'], screen);

  expect(exitCode).toBe(9);
  expect(stdout).toBe(
    [
      'pets.yaml:8:20 error Expected type `string` but got `integer` (struct)',
      '  7 |     get:',
      '  8 |       operationId: 1',
      '    |                    ^',
      '',
    ].join('\n'),
  );
});

test('levels and marks have colours', async ({ home }) => {
  await writeFiles(home.dir, { 'pets.yaml': description('1') });

  const { stdout } = await runHere(home, ['openapi', 'validate', 'pets.yaml'], { ...screen, color: true });

  expect(stdout).toContain('\u001b[31merror\u001b[39m');
  expect(stdout).toContain('\u001b[31m^\u001b[39m');
});

test('of a long line, the part around the value is shown', async ({ home }) => {
  const long = JSON.stringify({ a: 'x'.repeat(500), openapi: '3.0.3', paths: {}, info: { title: 1, version: '1' } });
  await writeFiles(home.dir, { 'pets.json': long });

  const { stdout } = await runHere(home, ['openapi', 'validate', 'pets.json'], screen);

  const lines = stdout.split('\n');
  const index = lines.findIndex((line) => line.includes('Expected type `string`'));
  const [, source = '', mark = ''] = lines.slice(index);
  expect(source.slice(mark.indexOf('^'))).toMatch(/^1,"version"/);
  expect(source.length).toBeLessThanOrEqual(60);
});

test('control characters of a file do not reach the terminal', async ({ home }) => {
  await writeFiles(home.dir, { 'pets.yaml': description('1 # \u001b[2J') });

  const { stdout } = await runHere(home, ['openapi', 'validate', 'pets.yaml'], screen);

  expect(stdout).not.toContain('\u001b');
});

test('a comparison shows where the change is and was', async ({ home }) => {
  await writeFiles(home.dir, { 'old.yaml': description('a'), 'new.yaml': description('a').replace('/pets', '/dogs') });

  const { stdout } = await runHere(home, ['openapi', 'diff', 'old.yaml', 'new.yaml'], screen);

  expect(stdout).toContain('    | ^\n    was at old.yaml:6:3\n');
  expect(stdout).toMatch(/^new\.yaml:5:1 breaking GET \/pets: /);
  expect(stdout).toContain('  5 | paths:\n');
});

test('findings that the ignore file of Redocly accepts are counted', async ({ docsctl, home }) => {
  await writeFiles(home.dir, {
    'pets.yaml': description('a b'),
    '.redocly.lint-ignore.yaml':
      "pets.yaml:\n  operation-operationId-url-safe:\n    - '#/paths/~1pets/get/operationId'\n",
  });

  const run = await docsctl('openapi', 'validate', 'pets.yaml');

  expect(run).toMatchObject({ exitCode: 0, stdout: '' });
  expect(run.stderr).toContain('1 finding ignored by .redocly.lint-ignore.yaml.');
});
