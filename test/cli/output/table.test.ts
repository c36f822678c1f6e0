import { stripVTControlCharacters } from 'node:util';
import fc, { anyText } from '../../support/property.ts';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { Column } from '../../../src/cli/output/index.ts';
import { listed, memberColumns, members, pipe, screen } from './support.ts';

test('120 columns hold everything', async () => {
  expect(await listed(screen(120), memberColumns, members)).toMatchInlineSnapshot(`
    "ID            NAME                                            EMAIL                 ROLE   DISABLED  LAST SEEN   TEAMS
    Us7Rw2nKq9Df  Mirela Ostrava                                  mirela@lumen.example  admin  no        3 days ago      2
    Us1Aa2bBc3Cd  山田 太郎 🫠👨‍👩‍👧 of the documentation department  taro@lumen.example    guest  yes       just now      120
    Us5Hh6jJk7Ll  Evil \\u001b[31mred\\u202e\\r↵line                 evil@lumen.example    read   no                        0
    "
  `);
});

test('80 columns cut long cells, never an id', async () => {
  expect(await listed(screen(80), memberColumns, members)).toMatchInlineSnapshot(`
    "ID            NAME                         EMAIL                 ROLE   DISABLED
    Us7Rw2nKq9Df  Mirela Ostrava               mirela@lumen.example  admin  no
    Us1Aa2bBc3Cd  山田 太郎 🫠👨‍👩‍👧 of the docu…  taro@lumen.example    guest  yes
    Us5Hh6jJk7Ll  Evil \\u001b[31mred\\u202e\\r…  evil@lumen.example    read   no
    "
  `);
});

test('60 columns leave out optional columns, the last one first', async () => {
  expect(await listed(screen(60), memberColumns, members)).toMatchInlineSnapshot(`
    "ID            NAME            EMAIL          ROLE   DISABLED
    Us7Rw2nKq9Df  Mirela Ostrava  mirela@lumen…  admin  no
    Us1Aa2bBc3Cd  山田 太郎 🫠…   taro@lumen.e…  guest  yes
    Us5Hh6jJk7Ll  Evil \\u001b[3…  evil@lumen.e…  read   no
    "
  `);
});

test('40 columns stack the members of each item', async () => {
  expect(await listed(screen(40), memberColumns, members)).toMatchInlineSnapshot(`
    "ID:       Us7Rw2nKq9Df
    Name:     Mirela Ostrava
    Email:    mirela@lumen.example
    Role:     admin
    Disabled: no

    ID:       Us1Aa2bBc3Cd
    Name:     山田 太郎 🫠👨‍👩‍👧 of the documen…
    Email:    taro@lumen.example
    Role:     guest
    Disabled: yes

    ID:       Us5Hh6jJk7Ll
    Name:     Evil \\u001b[31mred\\u202e\\r↵li…
    Email:    evil@lumen.example
    Role:     read
    Disabled: no
    "
  `);
});

test('a table that still fits 40 columns stays a table', async () => {
  const columns: Column[] = [
    { key: 'id', title: 'ID', kind: 'id' },
    { key: 'user.displayName', title: 'Name' },
  ];
  expect(await listed(screen(40), columns, members)).toMatchInlineSnapshot(`
    "ID            NAME
    Us7Rw2nKq9Df  Mirela Ostrava
    Us1Aa2bBc3Cd  山田 太郎 🫠👨‍👩‍👧 of the doc…
    Us5Hh6jJk7Ll  Evil \\u001b[31mred\\u202e\\…
    "
  `);
});

test('later pages have the widths of the first, with no header, as long as nothing is cut needlessly', async () => {
  const long = {
    ...members[0],
    id: 'Us9Zz8yYx7Ww',
    user: { displayName: 'Somebody whose name is long', email: 'a@b' },
  };
  const columns = memberColumns.slice(0, 2);
  const short = { ...long, user: { displayName: 'Ann', email: 'a@b' } };
  const three = [...columns, memberColumns[3]!];
  expect(await listed(screen(80), three, [members[0]], [short], [long])).toMatchInlineSnapshot(`
    "ID            NAME            ROLE
    Us7Rw2nKq9Df  Mirela Ostrava  admin
    Us9Zz8yYx7Ww  Ann             admin
    Us9Zz8yYx7Ww  Somebody whose name is long  admin
    "
  `);
  expect(await listed(screen(37), three, [members[0]], [short], [long])).toMatchInlineSnapshot(`
    "ID            NAME            ROLE
    Us7Rw2nKq9Df  Mirela Ostrava  admin
    Us9Zz8yYx7Ww  Ann             admin
    Us9Zz8yYx7Ww  Somebody whose …  admin
    "
  `);
});

test('a longer id on a later page widens its column instead of being cut', async () => {
  const columns: Column[] = [{ key: 'slug', kind: 'id' }, { key: 'title' }];
  const title = 'A title that needs most of the space there is';
  const text = await listed(
    screen(50),
    columns,
    [{ slug: 'short', title }],
    [{ slug: 'a-slug-of-24-characters-', title }],
  );
  expect(text).toMatchInlineSnapshot(`
    "SLUG   TITLE
    short  A title that needs most of the space there…
    a-slug-of-24-characters-  A title that needs most…
    "
  `);
});

test('there is no header with "header: false"', async () => {
  const text = await listed(screen(80, { header: false }), memberColumns.slice(0, 1), members);
  expect(text).toBe('Us7Rw2nKq9Df\nUs1Aa2bBc3Cd\nUs5Hh6jJk7Ll\n');
});

test('an empty list prints nothing', async () => {
  expect(await listed(screen(80), memberColumns)).toBe('');
  expect(await listed(screen(80), memberColumns, [])).toBe('');
});

test('a table in a pipe has whole cells and exact times', async () => {
  const text = await listed(pipe({ format: 'table' }), memberColumns, members);
  expect(text).toContain('of the documentation department');
  expect(text).toContain('2025-06-12T16:40:21.000Z');
});

test('only states are coloured, and only where colour is wanted', async () => {
  const columns: Column[] = [
    { key: 'title' },
    { key: 'status', kind: 'state', style: { open: 'good', archived: 'dim' } },
  ];
  const items = [
    { title: 'open', status: 'open' },
    { title: 'x', status: 'archived' },
    { title: 'y', status: 'draft' },
  ];
  const text = await listed(screen(80, { color: true }), columns, items);
  expect(text).toContain('open   \u001b[32mopen\u001b[39m\n');
  expect(text).toContain('x      \u001b[2marchived\u001b[22m\n');
  expect(text).toContain('y      draft\n');
  expect(stripVTControlCharacters(text)).toBe(await listed(screen(80), columns, items));
});

test('objects and lists in cells are named, not dumped', async () => {
  const columns: Column[] = [{ key: 'createdBy' }, { key: 'languages', kind: 'list' }];
  const items = [{ createdBy: { id: 'Us1', displayName: 'Mirela' }, languages: ['en', 'de'] }];
  expect(await listed(screen(80), columns, items)).toBe('CREATED BY  LANGUAGES\nMirela      en, de\n');
});

const hostileText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      'a',
      ' ',
      '山',
      '🫠',
      '👨‍👩‍👧',
      '🇩🇪',
      'e\u0301',
      '\u0301',
      '\u200d',
      '\ufe0f',
      '\u001b',
      '\u202e',
      '\n',
    ),
    fc.constantFrom('\ue000', '\u0600', '🏿', 'กำ', '각', 'ᄀ', '\ud800', '1\ufe0f\u20e3', 'ﷺ', '한'),
    anyText({ minLength: 1, maxLength: 1 }),
  ),
  maxLength: 60,
});

test('no line is wider than the terminal, with any characters in titles', async () => {
  const columns: Column[] = [
    { key: 'id', kind: 'id' },
    { key: 'title' },
    { key: 'status', kind: 'state' },
    { key: 'size', kind: 'number' },
    { key: 'note', optional: true },
  ];
  const item = fc.record({ title: hostileText, status: hostileText, note: hostileText, size: fc.integer() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1 }),
      fc.array(item),
      fc.integer({ min: 30, max: 160 }),
      async (a, b, width) => {
        const [first, second] = [a, b].map((page) => page.map((each) => ({ id: 'Us7Rw2nKq9Df', ...each })));
        const text = await listed(screen(width), columns, first!, second!);
        for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      },
    ),
  );
});

test('columns stay aligned, with any characters in titles', async () => {
  const columns: Column[] = [{ key: 'title' }, { key: 'id', kind: 'id' }];
  await fc.assert(
    fc.asyncProperty(
      fc.array(hostileText, { minLength: 1 }),
      fc.integer({ min: 40, max: 100 }),
      async (titles, width) => {
        const text = await listed(
          screen(width),
          columns,
          titles.map((title) => ({ title, id: 'Us7Rw2nKq9Df' })),
        );
        const starts = text
          .split('\n')
          .slice(1, -1)
          .map((line) => stringWidth(line.slice(0, line.lastIndexOf('Us7Rw2nKq9Df'))));
        expect(new Set(starts).size).toBe(1);
      },
    ),
  );
});

test('of a huge cell only the visible part is processed, in a terminal and in a pipe', async () => {
  const texts = [
    'word '.repeat(14_000),
    'wörd 漢字 '.repeat(8000),
    'a\u001b[2J'.repeat(14_000),
    'a line\n'.repeat(10_000),
  ];
  const columns: Column[] = [{ key: 'title' }, { key: 'id', kind: 'id' }];
  const items = texts.map((title, index) => ({ title, id: `id${index}` }));
  for (const [options, most] of [
    [screen(80), 80],
    [pipe(), 520],
  ] as const) {
    const lines = (await listed({ ...options, format: 'table' }, columns, items)).trimEnd().split('\n').slice(1);
    for (const [index, line] of lines.entries()) {
      expect(stringWidth(line)).toBeLessThanOrEqual(most);
      expect(stringWidth(line)).toBeGreaterThan(most - 30);
      expect(line).toMatch(new RegExp(`… +id${index}$`));
    }
  }
});

test('ids and what is asked for in other formats are never cut', async () => {
  const id = 'x'.repeat(3000);
  const columns: Column[] = [{ key: 'title' }, { key: 'id', kind: 'id' }];
  const items = [{ id, title: 'y'.repeat(3000) }];
  expect(await listed({ ...pipe(), format: 'table' }, columns, items)).toContain(id);
  expect(await listed({ ...pipe(), format: 'tsv' }, columns, items)).toBe(`${items[0]!.title}\t${id}\n`);
});
