import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newDatabase, onPostgres } from '../support/engine.ts';
import { openTestInstance, type TestInstance, testInstance } from '../support/instance.ts';
import { insertPage, updatePage } from '../support/page-writes.ts';
import { makeSite } from '../support/sites.ts';

const forTeams = (text: string) => `{% if visitor.claims.unsigned.plan == "team" %}\n${text}\n{% endif %}`;

async function makePublishedSite(service: TestInstance) {
  const made = await makeSite(service, ['Guide']);
  await service.call('POST', `${made.path}/publish`);
  const space = `/v1/spaces/${made.spaces[0]}`;
  const get = async (address: string, { team = false, accept = 'application/json' } = {}) => {
    const url = new URL(address, `http://localhost:4000/published/${service.org}/docs/`);
    const cookie = team ? `docs-unsigned-${made.id}=${encodeURIComponent('{"plan":"team"}')}` : '';
    const { status, headers, body } = await service.instance.handle({
      method: 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: { accept, cookie },
    });
    return { status, headers, text: String(body) };
  };
  const find = async (query: string, options = {}): Promise<{ title: string; sections: { text: string }[] }[]> =>
    JSON.parse((await get(`~search?${new URLSearchParams({ q: query })}`, options)).text).results;
  return { ...made, space, get, find };
}

test('a search with words of hidden text answers as one with words that are nowhere', async () => {
  const service = await testInstance();
  const { space, find } = await makePublishedSite(service);
  await insertPage(service, space, 'Plans', `Common words.\n\n## Prices\n\n${forTeams('The zebracode is 4711.')}`);
  await insertPage(service, space, 'Other', 'Common words.');

  const word = 'zebracode';
  for (let length = 1; length <= word.length; length++) {
    const part = word.slice(0, length);
    const nowhere = 'q'.repeat(length);
    for (const more of ['', 'common ', 'prices ', 'plans ']) {
      expect([part, await find(more + part)]).toEqual([part, await find(more + nowhere)]);
      expect([part, await find(`${part} ${more}`)]).toEqual([part, await find(`${nowhere} ${more}`)]);
    }
    expect(await find(part)).toEqual([]);
  }
  expect((await find('common words')).map(({ title }) => title).toSorted()).toEqual(['Other', 'Plans']);
  expect((await find('common zebra', { team: true })).map(({ title }) => title)).toEqual(['Plans']);
  const [plans] = await find('zebracode 4711', { team: true });
  expect(plans?.sections[0]?.text).toBe('The zebracode is 4711.');
});

test('hidden text changes neither the order nor the number of the results', async () => {
  const service = await testInstance();
  const { space, find } = await makePublishedSite(service);
  // More pages than results, all with the word where everybody sees it.
  for (let index = 10; index < 26; index++) await insertPage(service, space, `Page ${index}`, 'Pump and valve.');
  const hidden = `# Pump\n\n## Pump pump\n\n${'Pump valve. '.repeat(50)}`;
  const bait = await insertPage(service, space, 'Bait', `Valve.\n\n${forTeams('nothing')}`);
  const quiet = await insertPage(service, space, 'Quiet', `Pump. Valve.\n\n${forTeams('nothing')}`);
  const answers = async (): Promise<unknown[]> => {
    const all = [];
    for (const query of ['pump', 'valve', 'pump valve', 'pump pump', 'bait', 'quiet valve', 'nothing'])
      all.push(await find(query));
    return all;
  };
  const before = await answers();

  for (const page of [bait, quiet])
    await updatePage(service, space, page, {
      document: { markdown: `${page === quiet ? 'Pump. ' : ''}Valve.\n\n${forTeams(hidden)}` },
    });

  expect(await answers()).toEqual(before);
  expect((await find('pump', { team: true }))[0]?.title).toBe('Bait');
});

test('conditions are the same in the search and the Markdown as on the page', async () => {
  const service = await testInstance();
  const { space, get, find } = await makePublishedSite(service);
  const base64 = Buffer.from('beta: "off"').toString('base64');
  await service.call('POST', `${space}/content`, {
    changes: [
      { operation: 'insert_files', files: [{ name: '.gitbook/vars.yaml', base64, contentType: 'text/plain' }] },
    ],
  });
  await insertPage(
    service,
    space,
    'Page',
    `---
vars:
  internal: true
  note: frontword
---

Open words.

{% if space.vars.beta == "off" %}
spacevisible
{% else %}
spacehidden
{% endif %}

{% if page.vars.internal != true %}
pagehidden
{% else %}
pagevisible
{% endif %}

<!-- commentword -->

{% if visitor.claims.unsigned.plan == "team" %}teamword <code class="expression">visitor.claims.unsigned.plan + "-sum"</code>{% elif unreadable( %}brokenword{% endif %}

Costs <code class="expression">visitor.claims.unsigned.plan == "team" ? "secretprice" : "publicprice"</code>.
And <code class='x expression'>visitor.claims.unsigned.plan == "team" ? "secretagain" : "publicagain"</code>.

\`<code class="expression">1 + sampleword</code>\`
`,
  );

  const page = (await get('page', { accept: 'text/html' })).text;
  const hidden = [
    'spacehidden',
    'pagehidden',
    'commentword',
    'teamword',
    'brokenword',
    'frontword',
    'secretprice',
    'secretagain',
  ];
  const visible = ['spacevisible', 'pagevisible', 'publicprice', 'publicagain', 'sampleword'];
  for (const name of ['page.md', 'llms-full.txt']) {
    const { text } = await get(name);
    for (const word of hidden) expect([name, text]).toEqual([name, expect.not.stringContaining(word)]);
    for (const word of visible) expect([name, text]).toEqual([name, expect.stringContaining(word)]);
  }
  for (const word of hidden) {
    expect(page).not.toContain(word);
    expect([word, await find(word), await find(`open ${word.slice(0, 8)}`)]).toEqual([
      word,
      [],
      await find('open qqqq'),
    ]);
  }
  for (const word of visible) {
    expect(page).toContain(word);
    expect([word, await find(word)]).toEqual([word, [expect.objectContaining({ title: 'Page' })]]);
  }
  expect(await find('teamword team-sum secretprice', { team: true })).toHaveLength(1);
});

test('a change of hidden text changes no answer to those who do not see it', async () => {
  const service = await testInstance();
  const { space, get } = await makePublishedSite(service);
  const text = (hidden: string) =>
    `Open.\n\n${forTeams(hidden)}\n\n{% updates %}\n{% update date="2026-02-01" %}\n## News\n\n${forTeams(hidden)}\n{% endupdate %}\n{% endupdates %}`;
  const page = await insertPage(service, space, 'Plans', text('First.'));
  const other = await insertPage(service, space, 'Other', 'Text.');
  const names = [
    '',
    'plans',
    'plans.md',
    'plans/rss.xml',
    'other',
    'llms.txt',
    'llms-full.txt',
    'sitemap.xml',
    'robots.txt',
    '~search?q=open',
    '~search?q=first',
  ];
  const answers = async (options = {}) => {
    const all = [];
    for (const name of names)
      for (const accept of ['text/html', 'application/json']) {
        const { headers, ...answer } = await get(name, { ...options, accept });
        all.push([name, accept, { ...answer, headers: { ...headers, 'x-request-id': '' } }]);
      }
    return all;
  };
  const before = await answers();
  const beforeForTeam = await answers({ team: true });

  service.clock.advance(86_400_000);
  await updatePage(service, space, page, { document: { markdown: text('Second, which is longer than the first.') } });

  expect(await answers()).toEqual(before);
  expect(await answers({ team: true })).not.toEqual(beforeForTeam);
  await updatePage(service, space, other, { document: { markdown: 'Changed.' } });
  expect((await get('sitemap.xml')).text).toContain('<lastmod>2026-03-02');
});

test('a search does the same work whether or not hidden text has its words', async () => {
  const service = await testInstance();
  const { space, find } = await makePublishedSite(service);
  for (let index = 0; index < 5; index++)
    await insertPage(
      service,
      space,
      `Plans ${index}`,
      `Open.\n\n${forTeams(`zebracode ${'long text. '.repeat(2_000)}`)}`,
    );
  const run = vi.spyOn(service.instance.texts, 'run');
  const callsFor = async (query: string) => {
    run.mockClear();
    await find(query);
    return run.mock.calls.map(([name]) => name);
  };

  await callsFor('open');
  expect(await callsFor('zebracode')).toEqual(await callsFor('nowhere'));
  expect(await callsFor('open zebracode')).toEqual(await callsFor('open nowhere'));
  for (let index = 0; index < 5; index++)
    await insertPage(service, space, `More ${index}`, `Open.\n\n${forTeams('zebracode')}`);
  const cold = await callsFor('zebracode');
  await insertPage(service, space, 'One more', `Open.\n\n${forTeams('zebracode')}`);
  expect(await callsFor('nowhere')).toEqual(cold);
});

test('the texts of many pages are read in parts, and one that is too complex is found by its title', async () => {
  const service = await testInstance({ textLimits: { timeMs: 1_000 } });
  const { space, find } = await makePublishedSite(service);
  for (let index = 0; index < 30; index++)
    await insertPage(
      service,
      space,
      `Plan ${index}`,
      `Word${index}.\n\n${forTeams(`zebracode ${'long text. '.repeat(1_000)}`)}`,
    );

  expect((await find('word17')).map(({ title }) => title)).toEqual(['Plan 17']);
  expect(await find('zebracode')).toEqual([]);
  expect(await find('zebracode', { team: true })).toHaveLength(12);
  expect((await find('plan 7')).map(({ title }) => title)).toEqual(['Plan 7']);
});

/** Takes back the migrations from the one that marks adaptive pages. */
async function downgrade(file: string): Promise<void> {
  const statements = [
    'drop table session',
    ...(onPostgres ? [] : ['drop table page_word']),
    'drop index searched_page_outdated',
    'alter table searched_page drop column outdated',
    'drop index searched_page_adaptive',
    'alter table searched_page drop column adaptive',
  ];
  if (onPostgres) {
    const client = new pg.Client(file);
    await client.connect();
    for (const statement of [...statements, 'update docsctl_schema set version = 2']) await client.query(statement);
    return client.end();
  }
  const sqlite = new DatabaseSync(file);
  for (const statement of [...statements, 'pragma user_version = 2']) sqlite.exec(statement);
  sqlite.close();
}

async function emptyDatabase(): Promise<string> {
  if (onPostgres) {
    const { address, drop } = await newDatabase();
    onTestFinished(drop);
    return address;
  }
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-hidden-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'instance.db');
}

test('the search of a database from before knows which texts depend on the reader', async () => {
  const file = await emptyDatabase();
  const before = await openTestInstance({ file });
  const { space } = await makePublishedSite(before);
  await insertPage(before, space, 'Plans', `Common.\n\n${forTeams('zebracode')}`);
  await insertPage(
    before,
    space,
    'Sums',
    'Common. <code class="expression">visitor.claims.x ? "zebracode" : "none"</code>',
  );
  await insertPage(before, space, 'Other', 'Common. {% hint %}As ever{% endhint %}');
  await before.close();
  await downgrade(file);

  const after = await testInstance({ file });
  const titles = async (q: string) => {
    const answer = await after.instance.handle({
      method: 'GET',
      path: `/published/${before.org}/docs/~search`,
      query: new URLSearchParams({ q }),
      headers: { accept: 'application/json' },
    });
    return JSON.parse(String(answer.body)).results.map(({ title }: any) => title);
  };

  expect(await titles('zebracode')).toEqual([]);
  expect(await titles('common z')).toEqual(await titles('common'));
  expect((await titles('common')).toSorted()).toEqual(['Other', 'Plans', 'Sums']);
  expect(await titles('as ever')).toEqual(['Other']);
});
