import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copiedText } from '../support/pdf-text.ts';
import { type Demo, type DemoHome, makeDemo } from '../support/shell.ts';

let demo: Demo;
let home: DemoHome;
beforeAll(async () => {
  demo = await makeDemo();
  home = await demo.copy();
});
afterAll(() => demo.remove());

const pdf = (...words: string[]) => home.run(['content', 'pdf', ...words, '--space', 'handbook0001']);

async function printed(...words: string[]) {
  const file = join(home.dir, 'out.pdf');
  const run = await pdf(...words, '--out', file);
  expect(run.exitCode, run.stderr).toBe(0);
  return copiedText(readFileSync(file).toString('latin1'));
}

test('the main content of a space is printed, with reusable texts, variables and pictures', async () => {
  const titles = await home.run(['content', 'pages', 'list', '--space', 'handbook0001', '-o', 'json']);
  const [first, second] = JSON.parse(titles.stdout) as { title: string }[];

  const text = await printed();

  expect(text).toContain(first!.title);
  expect(text).toContain(second!.title);
  expect(text).not.toContain('{%');
});

test('a page is printed by its ID, path or title, with or without its subpages', async () => {
  const list = await home.run(['content', 'pages', 'list', '--space', 'handbook0001', '-o', 'json']);
  const top = (
    JSON.parse(list.stdout) as { id: string; path: string; title: string; pages: { title: string }[] }[]
  ).find(({ pages }) => pages.length > 0)!;
  const [child] = top.pages;

  expect(await printed(top.id)).toContain(child!.title);
  expect(await printed(top.path)).toBe(await printed(top.id));
  expect(await printed(top.title, '--only')).not.toContain(`${child!.title}\n`);
});

test('a change request is printed, and what cannot be shown is a warning', async () => {
  const page = { operation: 'insert_page', title: 'Marks', document: { markdown: '{% frob %}\nKept\n{% endfrob %}' } };
  const path = 'spaces/handbook0001/change-requests/2/content';
  const sent = await home.run(['api', 'POST', path, '-F', `changes=${JSON.stringify([page])}`]);
  expect(sent).toMatchObject({ exitCode: 0 });
  const file = join(home.dir, 'request.pdf');

  const run = await pdf('--cr', '2', '--out', file, '--fail-on', 'warning');
  const main = await pdf('--out', file, '--fail-on', 'warning');

  expect(run.exitCode).toBe(9);
  expect(run.stderr).toContain('warning: the block "frob" is not known, and is shown as its text in "Marks".');
  expect(main.exitCode, main.stderr).toBe(0);
});

test('wrong use is refused before anything is written', async () => {
  const out = join(home.dir, 'none.pdf');
  const noFont = join(home.dir, 'no-font.ttf');
  writeFileSync(noFont, 'words');

  const cases: [string[], number, string][] = [
    [[], 2, '--out is missing'],
    [['--only', '--out', out], 2, '--only requires a page'],
    [['No such page', '--out', out], 5, 'has no page "No such page"'],
    [['--font', noFont, '--out', out], 2, 'it is not a usable font file'],
    [['--cr', '999', '--out', out], 5, '999'],
  ];
  for (const [words, exitCode, message] of cases) {
    const run = await pdf(...words);
    expect([words, run.exitCode]).toEqual([words, exitCode]);
    expect(run.stderr).toContain(message);
  }
  expect(existsSync(out)).toBe(false);
});
