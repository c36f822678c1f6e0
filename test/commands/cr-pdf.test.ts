import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Demo, type DemoHome, makeDemo } from '../support/shell.ts';

let demo: Demo;
let home: DemoHome;
beforeAll(async () => {
  demo = await makeDemo();
  home = await demo.copy();
  const changes = [
    {
      operation: 'insert_page',
      title: 'Marks',
      document: { markdown: '{% frob %}\nKept\n{% endfrob %}\n\n\u{10A00}' },
    },
  ];
  const path = 'spaces/handbook0001/change-requests/2/content';
  const sent = await home.run(['api', 'POST', path, '-F', `changes=${JSON.stringify(changes)}`]);
  expect(sent).toMatchObject({ exitCode: 0 });
});
afterAll(() => demo.remove());

const pdf = (...words: string[]) => home.run(['cr', 'pdf', '2', ...words, '--space', 'handbook0001']);

test('--fail-on warning writes the PDF, and names what it does not show with its pages', async () => {
  const file = join(home.dir, 'manual.pdf');

  const run = await pdf('--out', file, '--fail-on', 'warning');

  expect(run.exitCode).toBe(9);
  expect(run.stderr).toContain('warning: the block "frob" is not known, and is shown as its text in "Marks".');
  expect(run.stderr).toContain('The PDF does not show all of its pages');
  expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
  expect((await pdf('--out', file)).exitCode).toBe(0);
});

test('--font takes fonts, of an embedded instance and for a download only', async () => {
  const noFont = join(home.dir, 'no-font.ttf');
  writeFileSync(noFont, 'words');
  const out = join(home.dir, 'font.pdf');

  const cases: [string[], string][] = [
    [['--font', noFont, '--out', out], 'it is not a usable font file'],
    [['--font', join(home.dir, 'gone.ttf'), '--out', out], 'gone.ttf'],
    [['--font', noFont], '--font requires --out'],
    [['--fail-on', 'warning'], '--fail-on requires --out'],
  ];
  for (const [words, message] of cases) {
    const run = await pdf(...words);
    expect([words, run.exitCode]).toEqual([words, 2]);
    expect(run.stderr).toContain(message);
  }
  expect(existsSync(out)).toBe(false);
});
