import fc, { anyText } from '../../support/property.ts';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { memberColumns, members, pipe, screen, printed } from './support.ts';

const page = {
  object: 'page',
  id: 'Pg4Wq7eRt1Yu',
  title: 'Install \u001b[31mthe pump',
  createdBy: { object: 'user', id: 'Us7Rw2nKq9Df', displayName: 'Mirela Ostrava' },
  updatedAt: '2025-06-12T16:40:21.000Z',
  role: null,
  tags: ['pumps', 'valves'],
  pages: [{ title: 'A' }, { title: 'B' }, { title: 'C' }, { title: 'D' }],
  reactions: [{ count: 1 }],
  urls: { app: 'https://app.example/o/Or4kTz8mQe2L/s/Sp5Gh8jLm2Qw/install-the-pump' },
  permissions: { view: true, edit: true, delete: false },
  trial: {},
  markdown: '# Install\n\nClose the valve first, then open it again and wait until the pump runs.\n',
};

test('one object is a card: nested members flat, arrays short, long texts below', async () => {
  expect(await printed(screen(60), page)).toMatchInlineSnapshot(`
    "ID           Pg4Wq7eRt1Yu
    Title        Install \\u001b[31mthe pump
    Created by   Mirela Ostrava (Us7Rw2nKq9Df)
    Updated at   3 days ago (2025-06-12T16:40:21.000Z)
    Role         guest
    Tags         pumps, valves
    Pages        A, B, C, and 1 more
    Reactions    1 item
    URLs app
    https://app.example/o/Or4kTz8mQe2L/s/Sp5Gh8jLm2Qw/install-the-pump
    Permissions  view, edit

    Markdown:

    # Install

    Close the valve first, then open it again and wait until the
    pump runs.
    "
  `);
});

test('a card shows the columns of the command, with their titles and colours', async () => {
  const text = await printed(screen(60, { color: true }), members[1], memberColumns);
  expect(text.replaceAll('\u001b[', 'ESC[')).toMatchInlineSnapshot(`
    "ID         Us1Aa2bBc3Cd
    Name       山田 太郎 🫠👨‍👩‍👧 of the documentation department
    Email      taro@lumen.example
    Role       guest
    Disabled   ESC[31myesESC[39m
    Last seen  just now (2025-06-15T16:40:00.000Z)
    Teams      120
    "
  `);
});

test('-o table is a card in a pipe, with exact times', async () => {
  expect(await printed(pipe({ format: 'table' }), { id: 'x', updatedAt: page.updatedAt })).toBe(
    'ID          x\nUpdated at  2025-06-12T16:40:21.000Z\n',
  );
});

test('one object in a pipe is a line for each field', async () => {
  expect(await printed(pipe(), { id: 'x', a: { b: { c: 'd\te' }, e: [] }, t: true, n: null, role: null })).toBe(
    'id\tx\na.b.c\td\\te\na.e\t\nt\ttrue\nn\t\nrole\tguest\n',
  );
});

test('one chosen column of one object in a pipe is its bare value', async () => {
  expect(await printed(pipe({ columns: ['a.b.c'] }), { a: { b: { c: 1 } } })).toBe('1\n');
  expect(await printed(pipe({ columns: ['t'] }), { t: 'a\\b\n\tc\u001b[2J' })).toBe('a\\b\n\tc\\u001b[2J\n');
  expect(await printed(pipe({ columns: ['t'], format: 'tsv' }), { t: 'a\\b' })).toBe('a\\\\b\n');
  expect(await printed(screen(40, { columns: ['t'] }), { t: 'x' })).toBe('T  x\n');
});

test('no line of a card is wider than the terminal, with any values', async () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('a', ' ', '山', '🫠', '👨‍👩‍👧', '\u0301', '\u001b', '\n', '\t', 'word '),
      anyText({ minLength: 1, maxLength: 1 }),
    ),
    maxLength: 100,
  });
  const object = fc.record({ title: text, nested: fc.record({ note: text, list: fc.array(text) }), 'long name': text });
  await fc.assert(
    fc.asyncProperty(object, fc.integer({ min: 30, max: 100 }), async (value, width) => {
      for (const line of (await printed(screen(width), value)).split('\n')) {
        expect(stringWidth(line)).toBeLessThanOrEqual(width);
      }
    }),
  );
});
