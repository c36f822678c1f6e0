import { expect, test } from 'vitest';
import { createFlatTreeOutput, createTreeOutput } from '../../../src/cli/output/index.ts';
import type { Column, OutputOptions } from '../../../src/cli/output/index.ts';
import { createCollector, pipe, screen } from './support.ts';

interface Page {
  id: string;
  title: string;
  pages?: Page[];
}

const columns: Column[] = [{ key: 'title' }, { key: 'id', kind: 'id' }];
const first: Page = {
  id: 'P1',
  title: 'Guides',
  pages: [
    { id: 'P2', title: 'Install', pages: [{ id: 'P3', title: 'A page with a title too long for its column' }] },
    { id: 'P4', title: 'Run' },
  ],
};
const second: Page = { id: 'P5', title: 'API' };

async function tree(options: OutputOptions, ...pages: Page[][]): Promise<string> {
  const sink = createCollector();
  const output = createTreeOutput(options, columns, sink, (page: Page) => page.pages);
  for (const page of pages) await output.page(page);
  await output.end();
  return sink.text();
}

test('a tree is drawn in a terminal, over several pages too', async () => {
  expect(await tree(screen(40), [first], [second])).toMatchInlineSnapshot(`
    "TITLE                                 ID
    Guides                                P1
    ├─ Install                            P2
    │  └─ A page with a title too long …  P3
    └─ Run                                P4
    API                                   P5
    "
  `);
});

test('a narrow terminal gets cards that are indented by depth', async () => {
  expect(await tree(screen(11), [first])).toMatchInlineSnapshot(`
    "Titl… Guid…
    ID:   P1

      Titl… In…
      ID:   P2

      Titl… A …
      ID:   P3

      Titl… Run
      ID:   P4
    "
  `);
});

test('in a pipe each item is a row, parents first', async () => {
  expect(await tree(pipe({ format: 'id' }), [first, second])).toBe('P1\nP2\nP3\nP4\nP5\n');
  expect(await tree(pipe(), [first, second])).toMatch(/^Guides\tP1\nInstall\tP2\nA page/);
});

test('JSON has the items as they are', async () => {
  expect(JSON.parse(await tree(pipe({ format: 'json' }), [first], [second]))).toEqual([first, second]);
});

test('an item that contains itself is drawn once', async () => {
  const loop: Page = { id: 'P1', title: 'Loop' };
  loop.pages = [loop, { id: 'P2', title: 'End' }];
  expect(await tree(pipe({ format: 'id' }), [loop])).toBe('P1\nP2\n');
});

test('a tree that a flat list makes keeps of its items only what it prints, and prints it in parts', async () => {
  const sink = createCollector();
  const parents = new WeakMap<object, string>();
  const output = createFlatTreeOutput(screen(40), columns, sink, (item) =>
    typeof item === 'object' && item !== null ? parents.get(item) : undefined,
  );
  const items = Array.from({ length: 2_500 }, (_, index) => ({ id: `P${index}`, title: `Page ${index}` }));
  items.forEach((item, index) => index % 2 === 1 && parents.set(item, `P${index - 1}`));
  await output.page(items);
  for (const item of items) item.title = 'kept';

  await output.end();

  expect(sink.text().split('\n')).toHaveLength(2_502);
  expect(sink.text()).not.toContain('kept');
  expect(sink.text()).toMatch(/^TITLE +ID\nPage 0 +P0\n└─ Page 1 +P1\nPage 2 /);
  expect(sink.writes.length).toBe(3);
});
