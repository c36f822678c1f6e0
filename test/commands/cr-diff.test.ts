import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Demo, type DemoHome, makeDemo, screenOf, serveHere } from '../support/shell.ts';

let demo: Demo;
let home: DemoHome;
beforeAll(async () => {
  demo = await makeDemo();
  home = await demo.copy();
  const changes = [
    { operation: 'update_page', page: 'install00001', title: 'Set up the pump', slug: 'set-up' },
    { operation: 'update_page', page: 'glossary0001', into: 'maintain0001' },
    { operation: 'update_page', page: 'trouble00001', at: 0 },
    { operation: 'delete_page', page: 'housing00001' },
    { operation: 'insert_page', title: 'Spare parts', document: { markdown: 'A filter.\n\nA valve.\n' } },
    {
      operation: 'insert_files',
      files: [{ name: 'parts.txt', contentType: 'text/plain', base64: Buffer.from('bolts').toString('base64') }],
    },
  ];
  const sent = await home.run([
    'api',
    'POST',
    'spaces/handbook0001/change-requests/2/content',
    '-F',
    `changes=${JSON.stringify(changes)}`,
  ]);
  expect(sent).toMatchObject({ exitCode: 0 });
});
afterAll(() => demo.remove());

const diff = (...words: string[]) => home.run(['cr', 'diff', ...words, '--space', 'handbook0001']);

test('shows the changed lines of a page, and says what it compares with', async () => {
  const { exitCode, stdout, stderr } = await diff('4');

  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^changed page maintenance\/replace-the-filter \(filter000001\)\n--- a\/maintenance\/replace-the-filter\n\+\+\+ b\/maintenance\/replace-the-filter\n@@ -\d+,\d+ \+\d+,\d+ @@\n/,
  );
  expect(stdout).toMatch(/^-[^-].*\n\+[^+].*$/m);
  expect(stderr).toMatch(/^Change request #4 compared with revision \S+ of the main content, which has changed since/);
});

test('shows what was added, deleted, moved and renamed, pages and files', async () => {
  const { stdout } = await diff('2');

  expect(stdout).toContain(
    'changed page install-the-pump -> set-up (install00001)\n  title: Install the pump -> Set up the pump\n  slug: install-the-pump -> set-up\n',
  );
  expect(stdout).toContain(
    'moved page glossary -> maintenance/glossary (glossary0001)\n  parent: none -> maintain0001\n',
  );
  expect(stdout).toContain('moved page troubleshooting (trouble00001)\n');
  expect(stdout).toMatch(
    /^deleted page maintenance\/clean-the-housing \(housing00001\)\n--- a\/.*\n\+\+\+ \/dev\/null\n@@ -1,\d+ \+0,0 @@$/m,
  );
  expect(stdout).toMatch(
    /^added page spare-parts \(\w+\)\n--- \/dev\/null\n\+\+\+ b\/spare-parts\n@@ -0,0 \+1,3 @@\n\+A filter\.\n\+\n\+A valve\.$/m,
  );
  expect(stdout).toMatch(/^added file parts\.txt \(\w+\)$/m);
  // Pages that only stand below a renamed one are not different.
  expect(stdout).not.toContain('unpack');
});

test('--stat counts the lines', async () => {
  const { stdout } = await diff('2', '--stat');
  const lines = stdout.trimEnd().split('\n');

  expect(lines).toContainEqual(expect.stringMatching(/^ spare-parts +\| added \+3$/));
  expect(lines).toContainEqual(expect.stringMatching(/^ parts\.txt +\| added file$/));
  expect(lines.at(-1)).toMatch(/^ 5 pages, 1 file changed: 3 lines added, \d+ removed$/);
});

test.each(['glossary0001', 'maintenance/glossary', 'glossary', 'Glossary'])(
  '--page %s shows one page alone',
  async (page) => {
    const { stdout } = await diff('2', '--page', page);

    expect(stdout.match(/^(added|deleted|moved|changed) /gm)).toEqual(['moved ']);
  },
);

test('--page finds a page that the request deletes, and refuses one that is nowhere', async () => {
  expect((await diff('2', '--page', 'housing00001')).stdout).toMatch(/^deleted page/);
  expect(await diff('2', '--page', 'nowhere')).toMatchObject({
    exitCode: 5,
    stdout: '',
    stderr: expect.stringContaining('--page: there is no page "nowhere"'),
  });
});

test('is one JSON document, or a row for each difference', async () => {
  const { json } = await diff('2', '-o', 'json');
  const csv = await diff('2', '-o', 'csv');

  expect(json).toMatchObject({ changeRequest: { number: 2 }, base: { revision: expect.any(String), current: false } });
  expect(json.differences.find(({ id }: { id: string }) => id === 'glossary0001')).toEqual({
    kind: 'page',
    change: 'moved',
    id: 'glossary0001',
    title: 'Glossary',
    path: 'maintenance/glossary',
    oldPath: 'glossary',
    fields: [{ field: 'parent', before: null, after: 'maintain0001' }],
    insertions: 0,
    deletions: 0,
    lines: [],
  });
  expect(csv.stdout.split('\n')[0]).toBe('change,kind,path,title,insertions,deletions,id');
});

test('is coloured in a terminal, where the text cannot act on it', async () => {
  const own = await demo.copy();
  const markdown = 'Close it.\n\nNow \u001b[2J wait.\n';
  const changes = [{ operation: 'insert_page', title: 'Bell', document: { markdown } }];
  await own.run([
    'api',
    'POST',
    'spaces/handbook0001/change-requests/2/content',
    '-F',
    `changes=${JSON.stringify(changes)}`,
  ]);

  const { stdout } = await own.run(['cr', 'diff', '2', '--space', 'handbook0001'], { ...screenOf(100), color: true });

  expect(stdout).toContain('\u001b[32m+Close it.\u001b[39m');
  expect(stdout).not.toContain('\u001b[2J');
});

test('says so where nothing differs, and is the same over HTTP', async () => {
  const own = await demo.copy();
  const nothing = await own.run(['cr', 'diff', '2', '--space', 'handbook0001']);
  const embedded = await own.run(['cr', 'diff', '1', '--space', 'handbook0001']);
  const service = await serveHere(own.database);
  Object.assign(own.env, service.env);
  try {
    const served = await own.run(['cr', 'diff', '1', '--space', 'Handbook']);
    expect(served.stdout).toBe(embedded.stdout);
  } finally {
    await service.stop();
  }
  expect(nothing).toMatchObject({ exitCode: 0, stdout: '', stderr: expect.stringContaining('No differences.') });
});
