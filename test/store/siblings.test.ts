import { expect, onTestFinished, test } from 'vitest';
import { contentOrder, endOf, gap, type Item, placeIn } from '../../src/store/siblings.ts';
import { openStore } from '../../src/store/open-store.ts';
import { newDatabase } from '../support/engine.ts';

const order = contentOrder('org', null);
const space = (id: string): Item => ({ table: 'space', id });
const collection = (id: string): Item => ({ table: 'collection', id });

/** An order of `ids`, a leading `c` making a collection, else a space; a trailing `-` makes it deleted. */
async function organizationWith(...ids: string[]) {
  const { address, drop } = await newDatabase();
  const store = await openStore(address);
  onTestFinished(() => store.close().then(drop));
  await store.write(async ({ session }) => {
    const run = (text: string) => session.run(text, []);
    await run(`insert into organization (id, title, type, sso, ai, invite_links, plan, trial, created_at)
      values ('org', 'Org', 'business', 0, 0, 1, 'free', '{}', '')`);
    for (const [index, name] of ids.entries()) {
      const id = name.replace('-', '');
      const position = (index + 1) * gap;
      if (id.startsWith('c')) {
        await run(
          `insert into collection (id, organization, position, title, created_at) values ('${id}', 'org', ${position}, '', '')`,
        );
      } else {
        await run(
          `insert into space (id, organization, position, title, emoji, edit_mode, created_at, updated_at, revision, deleted_at)
           values ('${id}', 'org', ${position}, '', '', 'live', '', '', '', ${name.endsWith('-') ? "'then'" : 'null'})`,
        );
      }
    }
  });
  const move = (items: Item[], position: { before?: Item; after?: Item } = {}) =>
    store.write(async (db) => {
      const place = await placeIn(db, order, items, position);
      if (place.kind !== 'placed') return place;
      for (const [index, item] of items.entries()) {
        await db.updateTable(item.table).set({ position: place.positions[index]! }).where('id', '=', item.id).execute();
      }
      return place;
    });
  const rows = () =>
    store.read((db) =>
      db.all<{ id: string; position: number }>(
        'select id, position from space union all select id, position from collection order by position',
      ),
    );
  return {
    store,
    move,
    ids: async () => (await rows()).map((row) => row.id).join(' '),
    positions: async () => (await rows()).map((row) => row.position),
  };
}

test('spaces and collections share one order, and each is placed directly next to its neighbour', async () => {
  const { move, ids } = await organizationWith('a', 'c1', 'b', 'c2');

  await move([space('b')], { before: space('a') });
  expect(await ids()).toBe('b a c1 c2');
  await move([collection('c2')], { after: space('a') });
  expect(await ids()).toBe('b a c2 c1');
  await move([space('b')]);
  expect(await ids()).toBe('a c2 c1 b');
  await move([space('a')], { before: space('b'), after: collection('c1') });
  expect(await ids()).toBe('c2 c1 a b');
});

test('an item that is at its place already is reported', async () => {
  const { move } = await organizationWith('a', 'b', 'd');

  expect(await move([space('d')])).toMatchObject({ stays: true });
  expect(await move([space('a')], { before: space('b') })).toMatchObject({ stays: true });
  expect(await move([space('b')], { after: space('a'), before: space('d') })).toMatchObject({ stays: true });
  expect(await move([space('a')], { before: space('d') })).toMatchObject({ stays: false });
});

test('a deleted item cannot be a neighbour, and does not separate two neighbours', async () => {
  const { move, ids } = await organizationWith('a', 'x-', 'b', 'd');

  expect(await move([space('d')], { after: space('x') })).toEqual({ kind: 'stranger', which: 'after' });
  expect(await move([space('b')], { after: space('a') })).toMatchObject({ stays: true });
  await move([space('d')], { after: space('a'), before: space('b') });
  expect((await ids()).replace(/ ?x/, '')).toBe('a d b');
});

test('neighbours that are not adjacent, items of other orders and the item itself are refused', async () => {
  const { move } = await organizationWith('a', 'b', 'd', 'e');

  expect(await move([space('e')], { after: space('a'), before: space('d') })).toEqual({ kind: 'apart' });
  expect(await move([space('e')], { after: space('b'), before: space('a') })).toEqual({ kind: 'apart' });
  expect(await move([space('e')], { before: collection('a') })).toEqual({ kind: 'stranger', which: 'before' });
  expect(await move([space('e')], { after: space('e') })).toEqual({ kind: 'stranger', which: 'after' });
});

test('several items move together and keep their sequence', async () => {
  const { move, ids } = await organizationWith('a', 'b', 'd', 'e');

  await move([space('e'), space('a')], { before: space('d') });

  expect(await ids()).toBe('b e a d');
});

test('moves change one row until there is no gap; then the order is numbered anew and stays the same', async () => {
  const { move, ids, positions, store } = await organizationWith('a', 'b', 'd');
  let expected = ['a', 'b', 'd'];
  let renumberings = 0;
  for (let turn = 0; turn < 60; turn++) {
    const before = await positions();
    const item = expected[2]!;
    await move([space(item)], { after: space(expected[0]!) });
    expected = [expected[0]!, item, expected[1]!];
    expect(await ids()).toBe(expected.join(' '));
    if ((await positions())[0] !== before[0]) renumberings++;
    expect(new Set(await positions()).size).toBe(3);
  }
  expect(renumberings).toBeLessThanOrEqual(4);
  expect(await store.read((db) => endOf(db, order))).toBe((await positions())[2]! + gap);
});
