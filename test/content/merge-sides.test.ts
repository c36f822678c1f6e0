import { describe, expect, test } from 'vitest';
import type { PageRecord } from '../../src/content/merge/snapshot.ts';
import { mergeSides } from '../../src/sync/three-way/merge-sides.ts';
import { runs } from '../support/long-form.ts';
import fc from '../support/property.ts';

const page = (id: string, parent: string | null = null, document = id): PageRecord => ({
  id,
  parent,
  title: id,
  slug: id,
  document,
});
/** The document's name is the text itself. */
const merged = (sides: Record<'base' | 'folder' | 'app', PageRecord[]>, prefer: 'app' | 'folder') => {
  const all = Object.values(sides).flat();
  const texts = new Map(all.map(({ document }) => [document ?? '', document ?? '']));
  return mergeSides({ ...sides, texts, fixed: new Set() }, { winner: () => prefer });
};
const shape = (pages: readonly PageRecord[]) => pages.map(({ id, parent }) => [id, parent]);

describe('a side that is preferred', () => {
  const base = [page('a'), page('b'), page('c')];

  test('decides about a page that it deleted, below which the other moved one', async () => {
    const folder = [page('a'), page('c')];
    const app = [page('b'), page('a', 'b', 'edited'), page('c')];
    const { pages, conflicts } = await merged({ base, folder, app }, 'folder');
    expect(conflicts).toEqual([]);
    expect(pages).toEqual([page('a', null, 'edited'), page('c')]);
  });

  test('decides about a page that it deleted, below which the other added one', async () => {
    const app = [page('a'), page('b'), page('new', 'b'), page('c')];
    const { pages } = await merged({ base, folder: [page('a'), page('c')], app }, 'folder');
    expect(shape(pages)).toEqual([
      ['a', null],
      ['new', null],
      ['c', null],
    ]);
  });

  test('keeps a page that it changed in its place', async () => {
    const app = [page('a', null, 'edited'), page('b'), page('c')];
    const { pages } = await merged({ base, folder: [page('b'), page('c')], app }, 'app');
    expect(shape(pages)).toEqual(shape(app));
  });
});

describe('without a side that is preferred', () => {
  const base = [page('a', null, 'one\ntwo\n'), page('b')];
  const sides = (folder: PageRecord[], app: PageRecord[], fixed: readonly string[] = []) => {
    const texts = new Map([...base, ...folder, ...app].map(({ document }) => [document ?? '', document ?? '']));
    return { base, folder, app, texts, fixed: new Set(fixed) };
  };
  const nobody = () => undefined;

  test('texts that both sides changed merge into a new text', async () => {
    const three = sides([page('a', null, 'ONE\ntwo\n'), base[1]!], [page('a', null, 'one\nTWO\n'), base[1]!]);
    const { pages } = await mergeSides(three, { winner: nobody });
    expect(three.texts.get(pages[0]?.document ?? '')).toBe('ONE\nTWO\n');
  });

  test('conflicts are returned', async () => {
    const three = sides([page('a', null, 'x\n'), base[1]!], [page('a', null, 'y\n'), base[1]!]);
    const { pages, conflicts } = await mergeSides(three, { winner: nobody });
    expect([pages, conflicts]).toMatchObject([[], [{ page: 'a', kind: 'content' }]]);
    const { pages: settled } = await mergeSides(three, { winner: () => 'folder' });
    expect(three.texts.get(settled[0]?.document ?? '')).toBe('x\n');
  });

  test('without the text of the base, different texts conflict', async () => {
    const three = sides([page('a', null, 'ONE\ntwo\n'), base[1]!], [page('a', null, 'one\nTWO\n'), base[1]!]);
    three.texts.delete('one\ntwo\n');
    expect((await mergeSides(three, { winner: nobody })).conflicts).toMatchObject([{ page: 'a', kind: 'content' }]);
  });

  test('the same page that both sides add with different texts conflicts, and a side decides', async () => {
    const three = sides([...base, page('n', null, 'x\n')], [...base, page('n', null, 'y\n')]);
    expect((await mergeSides(three, { winner: nobody })).conflicts).toMatchObject([{ page: 'n', kind: 'content' }]);
    const { pages } = await mergeSides(three, { winner: () => 'app' });
    expect(three.texts.get(pages[2]?.document ?? '')).toBe('y\n');
  });

  test('the folder overwrites what it has, and deletes others only if asked, but never those that it cannot have', async () => {
    const app = [page('a', null, 'edited\n'), page('n'), page('link')];
    const folder = [base[0]!, base[1]!, page('n', null, 'mine\n')];
    const overwritten = await mergeSides(sides(folder, app), { winner: nobody, overwrite: true });
    // The app had deleted b: it becomes a new page.
    expect(overwritten.pages.map(({ id, document }) => [id, document])).toEqual([
      ['a', 'one\ntwo\n'],
      ['b', 'b'],
      ['n', 'mine\n'],
      ['link', 'link'],
    ]);
    const others = [...base, page('n'), page('link')];
    const cleared = await mergeSides(sides([...base], others, ['link']), { winner: nobody, deleteOthers: true });
    expect(cleared.pages.map(({ id }) => id)).toEqual(['a', 'b', 'link']);
    const below = sides([base[0]!], [...base, page('new', 'b')]);
    const moved = await mergeSides(below, { winner: nobody, overwrite: true });
    expect(shape(moved.pages)).toEqual([
      ['a', null],
      ['new', null],
    ]);
    const gone = await mergeSides(sides([base[0]!], [base[0]!]), { winner: nobody, overwrite: true });
    expect(gone.pages.map(({ id }) => id)).toEqual(['a']);
    // It was in the folder, so it is not one of the others.
    const edited = sides([base[1]!], [page('a', null, 'edited\n'), base[1]!]);
    const { conflicts } = await mergeSides(edited, { winner: nobody, deleteOthers: true });
    expect(conflicts).toMatchObject([{ page: 'a', kind: 'deleted' }]);
  });
});

describe('settling a conflict', () => {
  const settled = (sides: Record<'base' | 'folder' | 'app', PageRecord[]>) => {
    const texts = new Map(
      Object.values(sides)
        .flat()
        .map(({ document }) => [document ?? '', document ?? '']),
    );
    return mergeSides({ ...sides, texts, fixed: new Set() }, { winner: () => 'app' });
  };

  test('gives a page whose folder has no text the title of the app, and only such a page', async () => {
    const base = [page('a', null, 'one\n'), page('b', null, 'two\n')];
    const folder = [
      { ...page('a', null, 'one\n'), document: null, title: 'a-b' },
      { ...page('b', null, 'mine\n'), title: 'B' },
    ];
    const app = [{ ...page('a', null, 'x\n'), title: 'A & B' }, page('b', null, 'theirs\n')];
    const { pages } = await settled({ base, folder, app });
    expect(pages.map(({ title }) => title)).toEqual(['A & B', 'B']);
  });

  test('leaves a page without a text its title where the folder has one', async () => {
    const base = [page('a', null, 'one\n')];
    const folder = [{ ...page('a', null, 'mine\n'), slug: 'here' }];
    const app = [{ ...page('a', null, ''), title: 'Renamed' }];
    const texts = new Map(['one\n', 'mine\n', ''].map((text) => [text, text]));
    const sides = { base, folder, app, texts, fixed: new Set<string>() };
    const { pages } = await mergeSides(sides, { winner: () => 'folder' });
    expect(pages).toMatchObject([{ title: 'Renamed', slug: 'here' }]);
    expect(texts.get(pages[0]?.document ?? '')).toBe('mine\n');
  });

  test('compares the texts of each side in its own form of links', async () => {
    const sides = {
      base: [page('a', null, 'see id\nlast\n')],
      folder: [page('a', null, 'see ours\nmine\n')],
      app: [page('a', null, 'see theirs\nlast, edited\n')],
    };
    const stableLinks = (text: string, _: string, side: string) => text.replace(side, 'id');
    const texts = new Map(Object.values(sides).flatMap(([each]) => [[each!.document!, each!.document!] as const]));
    for (const [winner, last] of [
      ['folder', 'mine'],
      ['app', 'last, edited'],
    ] as const) {
      const three = { ...sides, texts, fixed: new Set<string>() };
      const { pages } = await mergeSides(three, { winner: () => winner, stableLinks });
      expect(texts.get(pages[0]?.document ?? '')).toBe(`see id\n${last}\n`);
    }
  });

  test('moves only the subpages of a deleted page, where they were or above it', async () => {
    const base = [page('top'), page('gone', 'top'), page('other')];
    const folder = [page('top'), page('gone', 'top', 'mine'), page('new', 'gone'), page('other', 'top')];
    const { pages, conflicts } = await settled({ base, folder, app: [page('top'), page('other')] });
    expect(conflicts).toEqual([]);
    expect(shape(pages)).toEqual(
      expect.arrayContaining([
        ['top', null],
        ['new', 'top'],
        ['other', 'top'],
      ]),
    );
    expect(pages).toHaveLength(3);
  });

  test('breaks a circle through a page that only one side has', async () => {
    const base = [page('a'), page('b')];
    const folder = [page('a'), page('n', 'a'), page('b', 'n')];
    const { pages, conflicts } = await settled({ base, folder, app: [page('b'), page('a', 'b')] });
    expect(conflicts).toEqual([]);
    expect(shape(pages)).toEqual([
      ['b', null],
      ['a', 'b'],
      ['n', 'a'],
    ]);
  });

  test('moves a page up whose parent no side has', async () => {
    const base = [page('a')];
    const { pages } = await settled({ base, folder: [page('a'), page('n', 'nowhere')], app: base });
    expect(shape(pages)).toEqual([
      ['a', null],
      ['n', null],
    ]);
  });
});

describe('of any two changes of one tree', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const change = fc.record({
    kind: fc.constantFrom('move', 'edit', 'delete', 'add'),
    page: fc.nat(6),
    to: fc.nat(6),
  });

  const isBelow = (pages: readonly PageRecord[], id: string | null, above: string): boolean =>
    id === above || (id !== null && isBelow(pages, pages.find((each) => each.id === id)?.parent ?? null, above));

  const changed = (before: PageRecord[], changes: { kind: string; page: number; to: number }[], side: string) => {
    let pages = before;
    for (const [at, { kind, page: from, to }] of changes.entries()) {
      const [one, other] = [pages[from % pages.length], pages[to % (pages.length + 1)]];
      if (!one) continue;
      if (kind === 'add') pages = [...pages, page(`${side}${at}`, other?.id ?? null)];
      else if (kind === 'delete') pages = pages.filter(({ id }) => !isBelow(pages, id, one.id));
      else if (kind === 'edit') pages = pages.with(pages.indexOf(one), { ...one, document: `${side}${at}` });
      else if (!isBelow(pages, other?.id ?? null, one.id))
        pages = pages.with(pages.indexOf(one), { ...one, parent: other?.id ?? null });
    }
    return pages;
  };

  test('a preferred side decides every conflict, and no page is lost that a side wrote', async () => {
    const changes = fc.array(change, { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(4), { minLength: 5, maxLength: 5 }),
        changes,
        changes,
        fc.constantFrom('app' as const, 'folder' as const),
        async (parents, here, there, prefer) => {
          const tree = names.map((id, at) => page(id, names[((parents[at] ?? 0) % (at + 1)) - 1] ?? null));
          const sides = { base: tree, folder: changed(tree, here, 'f'), app: changed(tree, there, 'p') };
          const [won, lost] = prefer === 'app' ? [sides.app, sides.folder] : [sides.folder, sides.app];

          const { pages, conflicts } = await merged(structuredClone(sides), prefer);

          expect(conflicts).toEqual([]);
          const ids = new Set(pages.map(({ id }) => id));
          expect(ids.size).toBe(pages.length);
          for (const { parent } of pages) expect(parent === null || ids.has(parent)).toBe(true);
          const inBase = new Map(tree.map((each) => [each.id, each]));
          for (const each of won) if (!inBase.has(each.id) || each.document !== each.id) expect(ids).toContain(each.id);
          for (const each of lost) if (!inBase.has(each.id)) expect(ids).toContain(each.id);
          for (const each of lost) {
            const [own, result] = [won, pages].map((side) => side.find(({ id }) => id === each.id));
            if (own?.document === each.id) expect(result?.document).toBe(each.document);
          }
        },
      ),
      { numRuns: runs(300, 3000) },
    );
  });
});
