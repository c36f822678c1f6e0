import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { DatabaseSource } from '../../src/server/content/search/database-source.ts';
import { rankPages } from '../../src/shared/search/rank-pages.ts';
import type { SearchScope } from '../../src/store/engine.ts';
import { indexPage, unindexPage } from '../../src/store/search.ts';
import type { Store } from '../../src/store/store.ts';
import { newDatabase } from '../support/engine.ts';
import { openTestInstance } from '../support/instance.ts';
import { runs } from '../support/long-form.ts';
import fc, { anyText } from '../support/property.ts';

interface Page {
  title: string;
  sections: { anchor: string; title: string; text: string }[];
}

/** A store with one space, without any rules above it. */
async function searched(address: string) {
  const store = await openStore(address);
  await store.write(async ({ session }) => {
    await session.run(
      `insert into organization (id, title, type, sso, ai, invite_links, plan, trial, created_at)
        values ('Or1', 'Org', 'business', 0, 0, 1, 'free', '{}', '')`,
      [],
    );
    await session.run(
      `insert into space (id, organization, position, title, emoji, edit_mode, created_at, updated_at, revision)
        values ('Sp1', 'Or1', 1, '', '', 'live', '', '', '')`,
      [],
    );
  });
  return store;
}

async function both(): Promise<Store[]> {
  const { address, drop } = await newDatabase();
  const stores = [await searched(':memory:'), await searched(address)];
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await drop();
  });
  return stores;
}

const put = (store: Store, pages: Page[]) =>
  store.write(async (db) => {
    for (const [index, { title, sections }] of pages.entries()) {
      const id = `${index}`;
      await db.deleteFrom('document').where('id', '=', id).execute();
      await db
        .insertInto('document')
        .values({ id, markdown: '', sections: JSON.stringify(sections) })
        .execute();
      await indexPage(db, { space: 'Sp1', page: id, title, document: id });
    }
  });

const clear = (store: Store, pages: Page[]) =>
  store.write(async (db) => {
    for (const index of pages.keys()) await unindexPage(db, 'Sp1', `${index}`);
  });

/** Ids and scores of what is found, as it is ranked. */
const find = (store: Store, query: string, scope: SearchScope) =>
  store.read(async (db) => {
    const { pages, suggestion = '' } = await rankPages(new DatabaseSource(db, { scope }), query);
    return [suggestion, ...pages.map(({ page, score }) => `${page}: ${score}`).toSorted()];
  });

async function expectSame([first, second]: Store[], queries: string[]): Promise<void> {
  for (const query of queries) {
    for (const where of [{ organization: 'Or1' }, { space: 'Sp1' }]) {
      expect(await find(second!, query, where), JSON.stringify(query)).toEqual(await find(first!, query, where));
    }
  }
}

const section = (title: string, text: string) => ({ anchor: '', title, text });

describe('pages are found and ranked as SQLite does', () => {
  test('by title, heading and text, with accents, phrases, and beginnings of words', async () => {
    const stores = await both();
    const pages = [
      { title: 'Pump manual', sections: [section('Gaskets', 'Change the gasket of the pump.')] },
      { title: 'Café Ångström', sections: [section('', 'Naïve façade, Łódź, straße, İstanbul, ﬁne')] },
      { title: 'ポンプの取り付け', sections: [section('最初の運転', '入口弁を開けてから、ポンプを始動します。')] },
      { title: 'Насос', sections: [section('Клапан', 'йод ёж Ελλάδα Ἀθῆναι')] },
      { title: "It's 100% a_b c\\d", sections: [section("O'Neil", "x'y:* & | ! (z) <-> 'quoted'")] },
      { title: '', sections: [section('', 'हिन्दी العربية ไทยภาษา e\u0301te\u0301 a\u0300\u0301b 👩‍🚀 x²')] },
      { title: 'Long', sections: [section('', `${'a'.repeat(5000)} ${'b'.repeat(250)}c end`)] },
    ];
    for (const store of stores) await put(store, pages);

    await expectSame(stores, [
      'pump',
      'PUMP',
      'gask',
      'gasket ',
      'gaskte',
      'how do I change the pomp',
      'pumpmanual',
      'man ual',
      'pump gasket',
      'cafe',
      'CAFÉ angstrom',
      'naive',
      'lodz',
      'łódź',
      'strasse',
      'straße',
      'istanbul',
      'İstanbul',
      'fine',
      'ﬁ',
      '始動',
      '入口弁',
      'ポンプを',
      '弁開',
      '最初',
      'клап',
      'иод',
      'еж',
      'Ελλαδα',
      "it's",
      '100%',
      'a_b',
      'a b',
      'c\\d',
      "o'neil",
      'x y',
      ':*',
      '&',
      '(z)',
      'quoted',
      'हिन',
      'العرب',
      'ไทย',
      'été',
      'à́b',
      '👩',
      'x2',
      'x²',
      'a'.repeat(5000),
      'a'.repeat(4999),
      'a'.repeat(201),
      `${'b'.repeat(250)}c`,
      'b'.repeat(220),
      'pump pump',
      'the of',
      'end ',
      'nothing',
      '',
      ' ',
      '゙',
      'ー',
    ]);
  });

  test('when pages are changed and taken out', async () => {
    const stores = await both();
    for (const store of stores) {
      await put(store, [{ title: 'One', sections: [section('', 'first')] }]);
      await put(store, [{ title: 'Two', sections: [section('', 'second')] }]);
    }
    await expectSame(stores, ['one', 'two', 'first', 'second']);
    for (const store of stores) await clear(store, [{ title: '', sections: [] }]);
    await expectSame(stores, ['two', 'second']);
  });

  test('in pages with more words than one entry of the index holds', async () => {
    const stores = await both();
    const words = Array.from({ length: 150_000 }, (_, index) => `w${index.toString(36)}x`).join(' ');
    for (const store of stores) await put(store, [{ title: 'Big', sections: [section('Words', words)] }]);

    await expectSame(stores, ['w0x', 'w37pox', 'w37p', 'w0x w37pox', 'big w1000x ', 'w0x wnot']);
  });

  test('whatever the texts and the queries are', async () => {
    const stores = await both();
    const word = fc.oneof(
      fc.constantFrom(
        'pump',
        'Pumpe',
        'pümp',
        'ПОМПА',
        '弁',
        'ポンプ',
        'ポ',
        'é',
        'e\u0301',
        "'",
        '"',
        '*',
        '-',
        'NOT',
        'a:b',
      ),
      anyText({ maxLength: 3 }).map((text) => text.replaceAll('\0', ' ')),
    );
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
    const page = fc.record({ title: text, sections: fc.array(fc.record({ anchor: text, title: text, text })) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(page, { minLength: 1, maxLength: 3 }),
        fc.array(fc.oneof(word, text), { minLength: 1, maxLength: 8 }),
        async (pages, queries) => {
          for (const store of stores) await put(store, pages);
          await expectSame(stores, queries);
          for (const store of stores) await clear(store, pages);
        },
      ),
      { numRuns: runs(60, 2000) },
    );
  });
});

test('members are found as SQLite does', async () => {
  const services = [await openTestInstance({ file: ':memory:' }), await openTestInstance()];
  onTestFinished(() => Promise.all(services.map(({ close }) => close())).then(() => {}));
  const people = ['Ada Lovelace', 'ÅSA Öberg', 'Straße_100%', 'İpek \\ Ünal', "O'Neil", 'ПЁТР', '山田太郎', 'a"b" *c'];
  for (const { user } of services) {
    for (const [index, name] of people.entries()) {
      await user({ name, email: `Person${index}@Lumen.example`, role: 'read' });
    }
  }
  for (const search of [
    'ada',
    'LOVE',
    'åsa',
    'öB',
    'ÖBERG',
    'strasse',
    'straße',
    '_100',
    '%',
    '100%',
    'ünal',
    '\\ ü',
    "o'n",
    'пётр',
    '山田',
    '山田太',
    'a"b',
    '" *',
    'person3',
    'LUMEN.',
    'n.e',
    'ab',
  ]) {
    const [first, second] = await Promise.all(
      services.map(async ({ call, orgPath }) => {
        const { body } = await call('GET', `${orgPath}/members?limit=100&search=${encodeURIComponent(search)}`);
        return body.items.map((item: any) => item.user.displayName).toSorted();
      }),
    );
    expect(second, search).toEqual(first);
  }
});
