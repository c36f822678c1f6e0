import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../../support/in-process.ts';
import { writeFiles } from '../../support/write-files.ts';

const page = [
  '---',
  'title: Pump guide # kept',
  'description: "About the pump"',
  'cover: pump.png',
  '---',
  '',
  'The pump, **the pump** and [the pump](pump.md "pump"). `pump` ![A pump](pump.png) <https://pump.example/pump>',
  '',
  '{% hint style="pump" %}',
  'A pump in a hint: {{ pump }}',
  '{% endhint %}',
  '',
  '```sh',
  'pump --start pump',
  '```',
  '',
  '<div class="pump">The pump <code>pump</code></div> <!-- pump -->',
  '',
  '| pump | $$pump$$ |',
  '|---|---|',
  '| x | \\*pump |',
  '',
].join('\r\n');

const replaced = (...changes: [string, string][]) => changes.reduce((text, [old, now]) => text.replace(old, now), page);

test('replace changes the text only, and leaves all other bytes alone', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { 'docs/a.md': page, 'docs/b.md': '# Other\n' });

  const dry = await docsctl('replace', 'pump', 'heat pump', 'docs', '--dry-run', '-o', 'json');
  const before = await readFile(join(home.dir, 'docs/a.md'), 'utf8');
  const run = await docsctl('replace', 'pump', 'heat pump', 'docs');

  expect(before).toBe(page);
  expect(dry.json[0]).toEqual({
    where: 'docs/a.md:7:5',
    file: 'docs/a.md',
    line: 7,
    column: 5,
    place: 'text',
    before: 'The pump, **the pump** and [the pump](pump.md "p',
    after: 'The heat pump, **the pump** and [the pump](pump.md "p',
  });
  expect(run.stderr).toBe('Replaced 8 places in 1 file of 2.\n');
  expect(await readFile(join(home.dir, 'docs/a.md'), 'utf8')).toBe(
    replaced(
      ['The pump, **the pump** and [the pump]', 'The heat pump, **the heat pump** and [the heat pump]'],
      ['![A pump]', '![A heat pump]'],
      ['A pump in a hint', 'A heat pump in a hint'],
      ['>The pump <code>', '>The heat pump <code>'],
      ['| pump |', '| heat pump |'],
      ['\\*pump', '\\*heat pump'],
    ),
  );
});

test.for([
  [
    '--code',
    [
      ['`pump`', '`P`'],
      ['pump --start pump', 'P --start P'],
      ['<code>pump', '<code>P'],
    ],
  ],
  ['--title', [['title: Pump guide', 'title: P guide']]],
  [
    '--property',
    [
      ['"About the pump"', '"About the P"'],
      ['cover: pump.png', 'cover: P.png'],
    ],
  ],
  [
    '--link',
    [
      ['(pump.md', '(P.md'],
      ['(pump.png', '(P.png'],
      ['//pump.example/pump', '//P.example/P'],
      ['cover: pump.png', 'cover: "P.png"'],
    ],
  ],
] as const)('%s chooses a place', async ([flag, changes], { docsctl, home }) => {
  await writeFiles(home.dir, { 'docs/a.md': page });

  const run = await docsctl('replace', flag === '--title' ? 'Pump' : 'pump', 'P', 'docs', flag);

  expect(run).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(home.dir, 'docs/a.md'), 'utf8')).toBe(
    replaced(...changes.map(([old, now]): [string, string] => [old, now])),
  );
});

test('a value of the front matter is quoted if it needs to be', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { 'docs/a.md': '---\ntitle: Pump\n---\nText\n' });

  await docsctl('replace', 'Pump', 'Pump: all #1', 'docs', '--title');

  expect(await readFile(join(home.dir, 'docs/a.md'), 'utf8')).toBe('---\ntitle: "Pump: all #1"\n---\nText\n');
});

test('the heading at the start is the title, also in SUMMARY.md', async ({ docsctl, home }) => {
  await writeFiles(home.dir, {
    'docs/README.md': '# The pump\n\n## A pump\n',
    'docs/SUMMARY.md': '* [The pump](README.md)\n',
  });

  await docsctl('replace', 'pump', 'P', 'docs');
  const text = await readFile(join(home.dir, 'docs/README.md'), 'utf8');
  await docsctl('replace', 'pump', 'P', 'docs', '--title');

  expect(text).toBe('# The pump\n\n## A P\n');
  expect(await readFile(join(home.dir, 'docs/README.md'), 'utf8')).toBe('# The P\n\n## A P\n');
  expect(await readFile(join(home.dir, 'docs/SUMMARY.md'), 'utf8')).toBe('* [The P](README.md)\n');
});

test('a word list replaces all words at once, the longest first', async ({ docsctl, home }) => {
  await writeFiles(home.dir, {
    'docs/a.md': 'API key, API, key, hub\n',
    'terms.csv': 'new,old\nkey,API key\n"interface, web",API\nlock,key\nAPI,hub\n',
    'bad.csv': 'a,b\n',
    'twice.csv': 'old,new\na,b\na,c\n',
  });

  const run = await docsctl('replace', 'docs', '--from', 'terms.csv');

  expect(run.exitCode).toBe(0);
  expect(await readFile(join(home.dir, 'docs/a.md'), 'utf8')).toBe('key, interface, web, lock, API\n');
  expect((await docsctl('replace', 'docs', '--from', 'bad.csv')).exitCode).toBe(2);
  expect((await docsctl('replace', 'docs', '--from', 'twice.csv')).exitCode).toBe(2);
});

test('a regular expression has groups, and one that takes too long is refused', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { 'docs/a.md': `v12 and v3.\n\n${'a'.repeat(40)}!\n` });

  const slow = await docsctl('replace', '(a+)+$', 'x', 'docs', '--regex');
  const bad = await docsctl('replace', '(a', 'x', 'docs', '--regex');
  const run = await docsctl('replace', String.raw`v(?<n>\d)(\d)?`, '$<n>-$2-$$-$&', 'docs', '--regex');

  expect(slow).toMatchObject({ exitCode: 2 });
  expect(slow.stderr).toContain('The expression takes longer than 2 seconds on one page; nothing was replaced.');
  expect(bad).toMatchObject({ exitCode: 2 });
  expect(run.exitCode).toBe(0);
  expect(await readFile(join(home.dir, 'docs/a.md'), 'utf8')).toBe(`1-2-$-v12 and 3--$-v3.\n\n${'a'.repeat(40)}!\n`);
});

test('files that cannot be changed are reported with status 8', async ({ docsctl, home }) => {
  const conflict = '# A\n\n<<<<<<< HEAD\npump\n=======\nb\n>>>>>>> other\n';
  await writeFiles(home.dir, {
    'docs/conflict.md': conflict,
    'docs/latin.md': Buffer.from([0x70, 0x75, 0x6d, 0x70, 0xff]),
    'docs/large.md': `pump ${'word '.repeat(250_000)}`,
    'docs/good.md': 'pump\n',
    'docs/other/real.txt': 'pump\n',
  });
  await symlink('other/real.txt', join(home.dir, 'docs/linked.md'));

  const run = await docsctl('replace', 'pump', 'P', 'docs');

  expect(run.exitCode).toBe(8);
  expect(run.stderr.split('\n').filter((line) => line.startsWith('docs/'))).toEqual([
    'docs/conflict.md was not changed: it has conflict marks.',
    'docs/large.md was not changed: it has more than 1,000,000 characters.',
    'docs/latin.md was not changed: it is not UTF-8.',
    'docs/linked.md was not changed: it is a symbolic link.',
  ]);
  expect(await readFile(join(home.dir, 'docs/good.md'), 'utf8')).toBe('P\n');
  expect(await readFile(join(home.dir, 'docs/conflict.md'), 'utf8')).toBe(conflict);
});

test('words that are missing or contradict each other are usage errors', async ({ docsctl }) => {
  for (const words of [
    [],
    ['a'],
    ['', 'b', 'docs'],
    ['a', 'b', 'docs', '--all-spaces'],
    ['a', 'b', 'docs', '--subject', 's'],
  ]) {
    expect((await docsctl('replace', ...words)).exitCode).toBe(2);
  }
});

test('--all-spaces makes one change request for each space, and a second run adds nothing', async ({
  docsctl,
  home,
}) => {
  const make = async (title: string) => (await docsctl('spaces', 'create', '--title', title, '-o', 'id')).stdout.trim();
  const [one, two] = [await make('Campaign one'), await make('Campaign two')];
  await writeFiles(home.dir, {
    'one/README.md': '# One zzpump\n\nThe zzpump and `zzpump`.\n',
    'one/other.md': '# Other\n\nzzpump [zzpump](README.md)\n',
    'one/.gitbook/includes/part.md': 'zzpump\n',
    'two/README.md': '# Two\n\nzzpump\n',
  });
  await docsctl('content', 'push', 'one', '--merge', '--space', one);
  await docsctl('content', 'push', 'two', '--merge', '--space', two);
  const replace = (...words: string[]) => docsctl('replace', 'zzpump', 'zzpump two', '--all-spaces', ...words);
  const requestsOf = async (space: string, status = 'draft') =>
    (await docsctl('cr', 'list', '--space', space, '--status', status, '-o', 'json')).json as {
      number: number;
      subject: string;
      status: string;
    }[];

  const dry = await replace('--dry-run', '-o', 'json');
  const none = await requestsOf(one);
  const run = await replace();
  const again = await replace();
  const requests = [...(await requestsOf(one)), ...(await requestsOf(two))].filter(({ subject }) =>
    subject.startsWith('Replace'),
  );
  const texts = await docsctl('content', 'pull', 'pulled', '--space', one, '--cr', String(requests[0]?.number));

  expect(none.filter(({ subject }) => subject.startsWith('Replace'))).toEqual([]);
  expect(dry.json).toHaveLength(4);
  expect(run.exitCode).toBe(8);
  expect(run.stderr).toContain(
    'Campaign one: .gitbook/includes/part.md was not changed: it is a reusable text, which is a file.',
  );
  expect(run.stderr).toContain('Campaign one: 2 pages in change request #');
  expect(again.stdout).toBe('');
  expect(requests).toMatchObject([
    { subject: 'Replace "zzpump" by "zzpump two"' },
    { subject: 'Replace "zzpump" by "zzpump two"' },
  ]);
  expect(texts.exitCode).toBe(0);
  expect(await readFile(join(home.dir, 'pulled/README.md'), 'utf8')).toContain('The zzpump two and `zzpump`.');
  expect(await readFile(join(home.dir, 'pulled/README.md'), 'utf8')).toContain('# One zzpump\n');

  const [{ number }] = (await docsctl('history', '-o', 'json')).json;
  const undone = await docsctl('undo', String(number), '--yes');
  expect({ exitCode: undone.exitCode, stderr: undone.stderr }).toMatchObject({ exitCode: 0 });
  expect(await requestsOf(one)).toEqual([]);
  expect(await requestsOf(two)).toEqual([]);
  expect([...(await requestsOf(one, 'archived')), ...(await requestsOf(two, 'archived'))]).toHaveLength(2);

  await replace();
  const [request] = await requestsOf(one);
  const [second] = (await docsctl('history', '-o', 'json')).json;
  const markdown = '# Added\n\nBy somebody else.\n';
  const changes = JSON.stringify([{ operation: 'insert_page', title: 'Added', document: { markdown } }]);
  const address = `/v1/spaces/${one}/change-requests/${request?.number}/content`;
  expect((await docsctl('api', 'POST', address, '-F', `changes=${changes}`)).exitCode).toBe(0);
  const refused = await docsctl('undo', String(second.number), '--yes');
  expect(refused.exitCode).toBe(6);
  expect([await requestsOf(one), await requestsOf(two)].map(({ length }) => length)).toEqual([1, 1]);
});

test('a rehearsed replace shows the pages and broken links of its change requests', async ({ docsctl, home }) => {
  const space = (await docsctl('spaces', 'create', '--title', 'Rehearsed', '-o', 'id')).stdout.trim();
  // A push does not turn a link with a query into one with an ID.
  const text = '# Home\n\n[a](glossary.md?plain)\n';
  await writeFiles(home.dir, { 'docs/README.md': text, 'docs/glossary.md': '# Glossary\n' });
  expect((await docsctl('content', 'push', 'docs', '--merge', '--space', space)).exitCode).toBe(0);

  const replace = ['replace', 'glossary', 'none', '--link', '--all-spaces'];
  const { exitCode, json } = await docsctl('rehearse', '-o', 'json', '--', ...replace);
  const none = (await docsctl('cr', 'list', '--space', space, '--status', 'draft', '-o', 'json')).json;

  expect(exitCode).toBe(0);
  expect(json.changes).toMatchObject([{ name: 'rehearsed #2', pages: [{ action: 'update', path: 'readme' }] }]);
  expect(json.brokenLinks).toMatchObject([{ space: 'rehearsed #2', page: 'readme' }]);
  expect(none).toEqual([]);
});

const linked = {
  'docs/README.md': '# Home\n\n[a](guide.md#the-pump) [b](guide.md#other) [own](#pump) [gone](gone.md)\n\n## Pump\n',
  'docs/guide.md': '# Guide\n\nA pump.\n\n## The pump\n\nOther\n-----\n',
};

test('replace shows the links that break, in folders and in spaces, before it changes anything', async ({
  docsctl,
  home,
}) => {
  const space = (await docsctl('spaces', 'create', '--title', 'Linked', '-o', 'id')).stdout.trim();
  await writeFiles(home.dir, { ...linked, 'docs/SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n' });
  expect((await docsctl('content', 'push', 'docs', '--merge', '--space', space)).exitCode).toBe(0);
  const brokenIn = ({ stderr }: { stderr: string }) =>
    stderr
      .split('\n')
      .filter((line) => line.startsWith('  '))
      .map((line) => line.replace(/ .*? the page/, ' the page'));

  const text = await docsctl('replace', 'pump', 'heater', 'docs', '--dry-run');
  const capital = await docsctl('replace', 'Pump', 'Heater', 'docs', '--dry-run');
  const inSpaces = await docsctl('replace', 'pump', 'heater', '--all-spaces', '--dry-run');
  const sent = await docsctl('replace', 'pump', 'heater', '--all-spaces');
  const links = await docsctl('replace', 'guide', 'manual', 'docs', '--link', '--dry-run');
  const none = await docsctl('replace', 'A pump', 'A heater', 'docs', '--dry-run');
  const written = await docsctl('replace', 'pump', 'heater', 'docs');

  for (const run of [text, written]) {
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain(
      '1 link or address would break:\n  docs/README.md:3: guide.md#the-pump: the page has no',
    );
  }
  expect(capital.stderr).toContain('  docs/README.md:3: #pump: the page has no heading "pump".');
  for (const run of [inSpaces, sent]) {
    expect(run.stderr).toMatch(
      /1 link or address would break:\n {2}Linked: readme:3: \/pages\/\w+#the-pump: the page has no/,
    );
  }
  expect(brokenIn(links)).toHaveLength(4);
  expect(links.stderr).toContain('  docs/guide.md: The address /guide would be lost.');
  expect(links.stderr).toContain('  docs/SUMMARY.md:2: manual.md');
  expect(links.stderr).toContain('  docs/README.md:3: manual.md#other');
  expect(none.stderr).not.toContain('would break');
});

test('pages that were changed after the change request was created are reported', async ({ docsctl, home }) => {
  const space = (await docsctl('spaces', 'create', '--title', 'Later', '-o', 'id')).stdout.trim();
  const push = async (files: Record<string, string>) => {
    await writeFiles(home.dir, files);
    expect((await docsctl('content', 'push', 'later', '--merge', '--space', space)).exitCode).toBe(0);
  };
  await push({ 'later/README.md': '# Later\n\nA zzvalve.\n', 'later/a.md': '# A\n\nNothing.\n' });
  const replace = () => docsctl('replace', 'zzvalve', 'tap', '--all-spaces');
  expect((await replace()).exitCode).toBe(0);
  await push({ 'later/a.md': '# A\n\nAnother zzvalve.\n' });

  const again = await replace();

  expect(again.exitCode).toBe(8);
  expect(again.stderr).toMatch(
    /Later: a was not changed: it was changed after change request #\d+ was created, which has to be merged first\./,
  );
});

test('links to a replaced heading of two lines would break', async ({ docsctl, home }) => {
  await writeFiles(home.dir, {
    'docs/README.md': '# Home\n\n[part](a.md#the-old-part)\n',
    'docs/a.md': '# A\n\nThe old\npart\n----\n\nOther text.\n',
  });

  const run = await docsctl('replace', 'old', 'new', 'docs', '--dry-run');

  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain('1 link or address would break:');
});

test('a link that is named by its own text keeps leading there', async ({ docsctl, home }) => {
  const text =
    'See [pump], [the pump][], [a pump][pump], ![pump], ![A pump][pump].\n\n[pump]: b.md\n[the pump]: b.md\n';
  await writeFiles(home.dir, { 'docs/README.md': `# A\n\n${text}`, 'docs/b.md': '# B\n' });

  const run = await docsctl('replace', 'pump', 'valve', 'docs');

  expect(run.exitCode).toBe(0);
  expect(await readFile(join(home.dir, 'docs/README.md'), 'utf8')).toBe(
    '# A\n\nSee [valve][pump], [the valve][the pump], [a valve][pump], ![pump], ![A valve][pump].\n\n[pump]: b.md\n[the pump]: b.md\n',
  );
});

test('links whose address was broken before are not listed as links that would break', async ({ docsctl, home }) => {
  await writeFiles(home.dir, {
    'docs/README.md': '# A\n\n[a](old/none.md) [b](old/b.md#b) [c](old/b.md#none)\n',
    'docs/old/b.md': '# B\n',
  });

  const run = await docsctl('replace', 'old', 'new', 'docs', '--link', '--dry-run');

  expect(run.stderr).toContain('1 link or address would break:\n  docs/README.md:3: new/b.md#b does not lead');
});

test('matches in front matter that cannot be read are reported with status 8', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { 'docs/a.md': '---\ntitle: The pump: it\n---\n\nA pump.\n', 'docs/b.md': 'pump\n' });

  const title = await docsctl('replace', 'pump', 'valve', 'docs', '--title');
  const text = await docsctl('replace', 'pump', 'valve', 'docs');

  expect(title.exitCode).toBe(8);
  expect(title.stderr).toContain('docs/a.md was not changed: its front matter cannot be read.\n');
  expect(text.exitCode).toBe(0);
  expect(await readFile(join(home.dir, 'docs/a.md'), 'utf8')).toBe('---\ntitle: The pump: it\n---\n\nA valve.\n');
});

test('--undo changes all files back, except those that were changed since', async ({ docsctl, home }) => {
  const texts = { 'docs/a.md': page, 'docs/b.md': '# B\n\npump\n', 'docs/c.md': 'none\n', 'docs/d.md': 'pump\n' };
  const textOf = async (file: string) => readFile(join(home.dir, file), 'utf8');
  await writeFiles(home.dir, { ...texts, 'other/a.md': 'pump\n' });
  await docsctl('replace', 'pump', 'first\nsecond', 'docs', '--text', '--code', '--title');
  await docsctl('replace', 'pump', 'valve', 'other');
  await writeFiles(home.dir, { 'docs/d.md': 'my own\n' });

  const dry = await docsctl('replace', '--undo', 'docs', '--dry-run');
  const before = await textOf('docs/b.md');
  const run = await docsctl('replace', '--undo', 'docs');
  const after = await Promise.all(Object.keys(texts).map(textOf));
  await writeFiles(home.dir, { 'docs/d.md': texts['docs/d.md'] });
  const again = await docsctl('replace', '--undo', 'docs');
  const third = await docsctl('replace', '--undo', 'docs');
  const other = await docsctl('replace', '--undo', 'other');

  expect(dry).toMatchObject({ exitCode: 8 });
  expect(dry.stderr).toContain('Would change 2 files back.\ndocs/d.md was not changed back: it has changed since.\n');
  expect(before).toBe('# B\n\nfirst\nsecond\n');
  expect(run.exitCode).toBe(8);
  expect(after).toEqual([page, texts['docs/b.md'], texts['docs/c.md'], 'my own\n']);
  expect(again).toMatchObject({ exitCode: 0, stderr: 'Changed 0 files back.\n' });
  expect(third).toMatchObject({ exitCode: 2 });
  expect(third.stderr).toContain('docs: there is no replacement to undo.');
  expect(other.exitCode).toBe(0);
  expect(await textOf('other/a.md')).toBe('pump\n');
});

test('--undo goes back step by step, and never leaves out a part of a replacement', async ({ docsctl, home }) => {
  const textOf = async (file: string) => readFile(join(home.dir, file), 'utf8');
  const undo = (...folders: string[]) => docsctl('replace', '--undo', ...folders);
  await writeFiles(home.dir, { 'docs/a.md': 'pump\n', 'docs/b.md': 'tank\n', 'other/a.md': 'pump\n' });
  await docsctl('replace', 'tank', 'pipe', 'docs');
  await docsctl('replace', 'pump', 'valve', 'docs', 'other');
  await writeFiles(home.dir, { 'docs/c.md': 'pump\n' });
  await docsctl('replace', 'pump', 'valve', 'docs', 'other');

  const last = await undo('docs', 'other');
  const partial = await undo('docs');
  const before = await textOf('docs/a.md');
  const whole = await undo('docs', 'other');
  const first = await undo('docs');

  expect(last).toMatchObject({ exitCode: 0, stderr: 'Changed 1 file back.\n' });
  expect(partial.exitCode).toBe(6);
  expect(partial.stderr).toContain('The last replacement also changed other/a.md.');
  expect(before).toBe('valve\n');
  expect(whole).toMatchObject({ exitCode: 0, stderr: 'Changed 2 files back.\n' });
  expect(first).toMatchObject({ exitCode: 0, stderr: 'Changed 1 file back.\n' });
  const files = ['docs/a.md', 'docs/b.md', 'docs/c.md', 'other/a.md'];
  expect(await Promise.all(files.map(textOf))).toEqual(['pump\n', 'tank\n', 'pump\n', 'pump\n']);
});

test('--undo takes folders only', async ({ docsctl }) => {
  const inSpaces = await docsctl('replace', '--undo', '--all-spaces');

  expect(inSpaces.exitCode).toBe(2);
  expect(inSpaces.stderr).toContain('"docsctl undo" archives the change requests.');
  expect((await docsctl('replace', '--undo', '--regex')).exitCode).toBe(2);
});
