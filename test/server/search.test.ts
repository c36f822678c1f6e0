import fc, { anyText } from '../support/property.ts';
import { describe, expect, test } from 'vitest';
import { catchUp } from '../../src/server/open-instance.ts';
import { contentSpace, inSpace } from '../support/content-space.ts';
import { runs } from '../support/long-form.ts';

const page = (title: string, markdown = '', more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: markdown === '' ? {} : { markdown },
  ...more,
});

async function searching() {
  const made = await contentSpace();
  const find = async (query: string, more = '', as = made.call) =>
    (await as('GET', `${made.path}/search?query=${encodeURIComponent(query)}${more}`)).body;
  const titles = async (query: string) => (await find(query)).items?.map((item: any) => item.title);
  return { ...made, find, titles };
}

describe('matches', () => {
  test('titles, headings and texts, without regard to case and accents', async () => {
    const { change, titles } = await searching();
    await change([page('Pump manual'), page('A', 'Text\n\n## Gaskets'), page('B', 'The café closes the VALVE.')]);

    expect(await titles('pump')).toEqual(['Pump manual']);
    expect(await titles('GASKETS')).toEqual(['A']);
    expect(await titles('cafe valve')).toEqual(['B']);
    expect(await titles('CAFÉ')).toEqual(['B']);
    expect(await titles('nothing')).toEqual([]);
  });

  test('pages with every word, in any place, or else those with some of them', async () => {
    const { change, titles } = await searching();
    await change([page('Pump', 'water\n\n## Valve'), page('Pump', 'valve')]);

    expect(await titles('pump valve water')).toEqual(['Pump']);
    expect(await titles('pump valve')).toHaveLength(2);
    expect(await titles('pump valve oil')).toHaveLength(2);
    expect(await titles('water oil')).toEqual(['Pump']);
  });

  test('the last word can be a beginning, the others not', async () => {
    const { change, titles } = await searching();
    await change([page('Installation guide')]);

    expect(await titles('inst')).toEqual(['Installation guide']);
    expect(await titles('installation gui')).toEqual(['Installation guide']);
    expect(await titles('inst manual')).toEqual([]);
    expect(await titles('inst ')).toEqual([]);
    expect(await titles('stallation')).toEqual([]);
  });

  test('words of scripts without blanks', async () => {
    const { change, find, titles } = await searching();
    await change([
      page('ポンプの取り付け', '序文\n\n## 最初の運転\n\n入口弁を開けてから、ポンプを始動します。'),
      page('Другое', 'Насос и клапан'),
    ]);

    expect(await titles('始動')).toEqual(['ポンプの取り付け']);
    expect(await titles('動始')).toEqual([]);
    expect(await titles('取り付')).toEqual(['ポンプの取り付け']);
    expect((await find('入口弁')).items[0].sections).toMatchObject([
      { title: '最初の運転', body: '入口弁を開けてから、ポンプを始動します。' },
    ]);
    expect(await titles('КЛАПАН')).toEqual(['Другое']);
  });

  test('code, tables and link texts, but not front matter or addresses', async () => {
    const { change, titles } = await searching();
    await change([
      page(
        'X',
        '---\ndescription: secretive\n---\n\n`npm start`\n\n| Key | Value |\n|---|---|\n| torque | 7 |\n\n[label](https://hidden.example/)\n',
      ),
    ]);

    for (const word of ['npm', 'torque', 'label']) expect(await titles(word)).toEqual(['X']);
    for (const word of ['secretive', 'hidden']) expect(await titles(word)).toEqual([]);
  });
});

describe('order', () => {
  test('titles over headings over texts, then page order', async () => {
    const { change, titles } = await searching();
    await change([
      page('Text 1', `${'pump '.repeat(200)}`),
      page('Heading 1', 'x\n\n## The pump\n'),
      page('The pump'),
      page('Text 2', 'pump'),
      page('Heading 2', 'x\n\n## A pump\n'),
      page('A pump'),
      page('Pump'),
    ]);

    expect(await titles('pump')).toEqual(['Pump', 'The pump', 'A pump', 'Heading 1', 'Heading 2', 'Text 1', 'Text 2']);
  });

  test('paging gives every page once, also when pages are added', async () => {
    const { change, find } = await searching();
    await change(Array.from({ length: 9 }, (_, index) => page(index % 2 ? `Pump ${index}` : `P${index}`, 'pump')));
    const seen: string[] = [];
    for (let next = '', turn = 0; ; turn++) {
      const body = await find('pump', `&limit=2${next}`);
      seen.push(...body.items.map((item: any) => item.title));
      if (turn === 1) await change([page('Pump first', 'pump', { at: 0 }), page('P last', 'pump')]);
      if (!body.next) break;
      next = `&page=${body.next.page}`;
    }

    expect(seen).toEqual(['Pump 1', 'Pump 3', 'Pump 5', 'Pump 7', 'P0', 'P2', 'P4', 'P6', 'P8', 'P last']);
  });

  test('count is the length of the whole list', async () => {
    const { change, find } = await searching();
    await change(Array.from({ length: 7 }, (_, index) => page(`Pump ${index}`)));

    expect(await find('pump', '&limit=0')).toEqual({ count: 7, items: [] });
    expect((await find('pump', '&limit=3')).count).toBe(7);
  });
});

describe('sections', () => {
  test('are the headings that match, with their anchor and the text below', async () => {
    const { change, find, org, space } = await searching();
    await change([
      page('Pump', '# Pump\n\nIntro.\n\n## First run\n\nOpen the inlet\nvalve.\n\n## Care\n\nOil it.\n', {
        into: undefined,
      }),
    ]);

    const [item] = (await find('valve')).items;

    const app = `http://localhost:4000/o/${org}/s/${space}`;
    expect(item).toEqual({
      id: expect.any(String),
      title: 'Pump',
      path: 'pump',
      sections: [
        {
          id: 'first-run',
          title: 'First run',
          path: 'pump#first-run',
          body: 'Open the inlet valve.',
          urls: { app: `${app}/pump#first-run` },
        },
      ],
      urls: { app: `${app}/pump` },
    });
  });

  test('are at most five, the best first, with at most 200 characters around the word', async () => {
    const { change, find } = await searching();
    const filler = 'lorem ipsum '.repeat(40);
    const sections = Array.from({ length: 7 }, (_, index) => `## Part ${index}\n\n${filler} valve ${filler}\n`);
    await change([page('Pump', [...sections, '## The valve\n\nx\n'].join('\n'))]);

    const [item] = (await find('valve')).items;

    expect(item.sections.map((section: any) => section.title)).toEqual([
      'The valve',
      'Part 0',
      'Part 1',
      'Part 2',
      'Part 3',
    ]);
    for (const { body } of item.sections.slice(1)) {
      expect(body.length).toBeLessThanOrEqual(200);
      expect(body).toMatch(/^….*valve.*…$/);
    }
  });
});

describe('any query', () => {
  test('quotes, operators and wildcards are text', async () => {
    const { change, titles } = await searching();
    await change([page('Say "hello" AND go'), page('C++ NEAR x'), page('title:x')]);

    expect(await titles('"hello" AND')).toEqual(['Say "hello" AND go']);
    expect(await titles('hello OR nothing')).toEqual(['Say "hello" AND go']);
    expect(await titles('c++ near')).toEqual(['C++ NEAR x']);
    expect(await titles('title:x')).toEqual(['title:x', 'C++ NEAR x']);
    for (const query of [
      '"',
      '*',
      'a"b',
      '(',
      'NEAR(',
      '{title}:',
      '^',
      '-',
      '"" ""',
      "'; drop table user;--",
      '\u0301',
      ' ',
    ]) {
      expect([query, Array.isArray(await titles(query))]).toEqual([query, true]);
    }
  });

  test('never an error', async () => {
    const { change, find } = await searching();
    await change([page('Pump', 'Open the valve.')]);
    await fc.assert(
      fc.asyncProperty(anyText({ maxLength: 60 }), async (query) => {
        fc.pre(!query.includes('\0') && query.isWellFormed());
        expect((await find(query)).count).toBeTypeOf('number');
      }),
      { numRuns: runs(100, 1_000) },
    );
  });

  test('is required, and has at most 512 characters', async () => {
    const { call, path, orgPath } = await searching();
    for (const basePath of [path, orgPath]) {
      expect((await call('GET', `${basePath}/search`)).error.details).toMatchObject([
        { in: 'query', path: 'query', rule: 'required' },
      ]);
      expect((await call('GET', `${basePath}/search?query=${'x'.repeat(513)}`)).error.details).toMatchObject([
        { rule: 'maxLength' },
      ]);
      expect((await call('GET', `${basePath}/search?query=${'x'.repeat(512)}`)).status).toBe(200);
    }
  });
});

describe('the index follows main content', () => {
  test('changes, deletions and moves of pages', async () => {
    const { change, titles, insert } = await searching();
    const pump = await insert('Pump', { document: { markdown: 'old' } });
    await change([{ operation: 'update_page', page: pump, title: 'Valve', document: { markdown: 'new' } }]);
    expect([await titles('pump'), await titles('old'), await titles('valve'), await titles('new')]).toEqual([
      [],
      [],
      ['Valve'],
      ['Valve'],
    ]);
    await change([{ operation: 'delete_page', page: pump }]);
    expect(await titles('valve')).toEqual([]);
  });

  test('content of a request is not found before it is merged', async () => {
    const { call, request, titles, insert } = await searching();
    const cr = await request({ open: true });
    await insert('Draft of a pump', {}, cr);
    expect(await titles('draft')).toEqual([]);
    await call('POST', `${cr}/merge`);
    expect(await titles('draft')).toEqual(['Draft of a pump']);
  });
});

test('pages that an earlier version indexed are indexed again', async () => {
  const { change, titles, instance } = await searching();
  await change([page('Limits', 'Set `maxRetryCount`.'), page('Other')]);
  await instance.store.write(async (db) => {
    await db.session.run('update searched_page set outdated = 1', []);
    const [{ space, page } = { space: '', page: '' }] = await db.session.all<{ space: string; page: string }>(
      `select space, page from page_version where title = 'Limits'`,
      [],
    );
    await db.dialect.pages.put(db.session, { space, page, title: 'Limits', headings: '', text: 'Set maxRetryCount.' });
  });
  expect(await titles('retry count')).toEqual([]);

  await catchUp(instance);

  expect(await titles('retry count')).toEqual(['Limits']);
});

describe('an organization', () => {
  async function two() {
    const made = await searching();
    const other = (await made.call('POST', `${made.orgPath}/spaces`, { title: 'Other' })).body;
    await made.change([page('Valve', 'pump'), page('Text', 'pump')]);
    await inSpace(made.call, other.id).change([page('Pump')]);
    const findAll = async (query: string, as = made.call, more = '') =>
      (await as('GET', `${made.orgPath}/search?query=${query}${more}`)).body;
    return { ...made, other, findAll };
  }

  test('finds pages of all spaces, the space with the best page first', async () => {
    const { findAll, other, space } = await two();

    const { items, count } = await findAll('pump');

    expect(count).toBe(2);
    expect(items.map((item: any) => [item.id, item.title, item.pages.map((each: any) => each.title)])).toEqual([
      [other.id, 'Other', ['Pump']],
      [space, 'Docs', ['Valve', 'Text']],
    ]);
  });

  test('pages through spaces', async () => {
    const { findAll, call } = await two();
    const first = await findAll('pump', call, '&limit=1');
    const second = await findAll('pump', call, `&limit=1&page=${first.next.page}`);

    expect([first, second].map(({ items }) => items[0].title)).toEqual(['Other', 'Docs']);
    expect(second).not.toHaveProperty('next');
  });

  test('leaves out what the caller cannot see', async () => {
    const { findAll, as, user, instance, org, space, otherOrg } = await two();
    const guest = await user({ role: null });
    expect(await findAll('pump', as(guest))).toEqual({ count: 0, items: [] });
    await instance.store.write((db) =>
      db
        .insertInto('content_grant')
        .values({ user: guest, organization: org, space, collection: null, level: 'read' })
        .execute(),
    );
    expect((await findAll('pump', as(guest))).items.map((item: any) => item.title)).toEqual(['Docs']);
    const stranger = await otherOrg();
    expect((await findAll('pump', stranger.call)).error.code).toBe(404);
    const answer = await stranger.call('GET', `/v1/orgs/${stranger.org}/search?query=pump`);
    expect(answer.body).toEqual({ count: 0, items: [] });
  });

  test('leaves out deleted spaces until they are restored', async () => {
    const { call, findAll, other } = await two();
    await call('DELETE', `/v1/spaces/${other.id}`);
    expect((await findAll('pump')).items.map((item: any) => item.title)).toEqual(['Docs']);
    await call('POST', `/v1/spaces/${other.id}/restore`);
    expect((await findAll('pump')).count).toBe(2);
  });
});
