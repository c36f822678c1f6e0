import { Zip, type ZipInputFile, ZipPassThrough, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateRawSync } from 'node:zlib';
import { toTree } from '../../src/content/tree/from-markdown.ts';
import { Draft } from '../../src/server/content/changes/draft.ts';
import { findSpace } from '../../src/store/lookups.ts';
import { snapshotOf } from '../../src/store/snapshots.ts';
import { contentSpace, newSpace } from '../support/content-space.ts';
import { dataUrl, docx, docxParts, hostileMarkdown, wordParagraph } from '../support/hostile.ts';
import { insertPage } from '../support/page-writes.ts';
import { type Answer, openTestInstance, testInstance } from '../support/instance.ts';
import { isLong } from '../support/long-form.ts';
import { makeSite } from '../support/sites.ts';

/** Limits that a hostile text meets soon, and that leave a worker time to start. */
const textLimits = { timeMs: 500, memoryBytes: 256 * 1024 * 1024 };

// A thread that reads texts takes longer to start than most texts to read, so tests without limits share one service.
let shared: Awaited<ReturnType<typeof openTestInstance>>;
beforeAll(async () => {
  shared = await openTestInstance();
});
afterAll(() => shared.close());

/** How long others may wait for an answer: 100 ms on a machine that does nothing else, 8 s and more without workers. */
const othersWaitMs = 3_000;

const page = (markdown: string, more: object = {}) => ({ operation: 'insert_page', document: { markdown }, ...more });

/** Long, with nothing in it that takes time. */
const longText = (title: string, sections = 150) =>
  `# ${title}\n\n${Array.from({ length: sections }, (_, index) => `## Part ${index}\n\nWords about [pump ${index}](p${index}.md).\n`).join('\n')}`;

/** Answers to others while something is under way: how long each took. */
async function meanwhile(others: () => Promise<Answer>, work: Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  let isDone = false;
  void work.finally(() => (isDone = true)).catch(() => {});
  while (!isDone) {
    const start = performance.now();
    expect((await others()).status).toBe(200);
    took.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return took.toSorted((a, b) => a - b);
}

describe('a long text', () => {
  test('is read as a short one is: title, sections, links, tree', async () => {
    const { change, call, path, content, markdown } = await newSpace(shared);
    const text = longText('Manual');

    const made = await change([page(text, { ref: 'manual' })]);

    const id = made.body.changes[0].page.id;
    expect(await markdown(id)).toBe(text);
    expect((await call('GET', `${path}/links?limit=0`)).body.stats.total).toBe(150);
    const results = (await call('GET', `${path}/search?query=149`)).body.items;
    expect(results[0].sections[0]).toMatchObject({ id: 'part-149', title: 'Part 149' });
    const read = (await call('GET', `${content}/page/${id}?format=document`)).body;
    expect(read).toMatchObject({ title: 'Manual', path: 'manual' });
    expect(read.document).toEqual(toTree(text));
  });

  test('is accepted as a tree too, and errors in the tree have their place', async () => {
    const { change, markdown } = await newSpace(shared);
    const tree = toTree(longText('Manual'));

    const { body } = await change([{ operation: 'insert_page', document: tree }]);
    expect(await markdown(body.changes[0].page.id)).toBe(longText('Manual'));

    const broken = {
      ...tree,
      nodes: [...tree.nodes, { object: 'block', type: 'paragraph', nodes: [{ object: 'x' }] }],
    };
    const refused = await change([page('First'), { operation: 'insert_page', document: { document: broken } }]);
    expect(refused.status).toBe(400);
    expect(refused.error.details).toEqual([
      expect.objectContaining({ path: `/changes/1/document/document/nodes/${tree.nodes.length}/nodes/0/object` }),
    ]);
  });

  test('is merged by lines, and conflicts have their lines', async () => {
    const { change, call, request, markdown } = await newSpace(shared);
    const text = longText('Manual');
    const { body } = await change([page(text)]);
    const { id } = body.changes[0].page;
    const update = (from: string, to: string, where?: string) =>
      change([{ operation: 'update_page', page: id, document: { markdown: text.replace(from, to) } }], where);
    const [one, other] = [await request({ open: true }), await request({ open: true })];
    await update('## Part 7\n', '## Seven\n', one);
    await update('## Part 100\n', '## Hundred\n', other);
    await update('## Part 100\n', '## 100\n');

    expect((await call('POST', `${one}/merge`)).body.result).toBe('merge');
    expect(await markdown(id)).toBe(text.replace('## Part 7\n', '## Seven\n').replace('## Part 100\n', '## 100\n'));
    const { result, conflicts } = (await call('POST', `${other}/merge`)).body;
    expect(result).toBe('conflicts');
    expect(conflicts).toEqual([
      expect.objectContaining({
        page: id,
        kind: 'content',
        hunks: [{ line: 403, base: '## Part 100\n', main: '## 100\n', changeRequest: '## Hundred\n' }],
      }),
    ]);
  });

  test('gives the block that a comment is about, and the bodies of many comments', async () => {
    const { change, call, path, content } = await newSpace(shared);
    const { body } = await change([page(`${longText('Manual')}\nThe last [link](last.md).\n`)]);
    const { id } = body.changes[0].page;
    const links = (await call('GET', `${content}/page/${id}/links?limit=1000`)).body.items;
    const { node } = links.at(-1).locationReferences[0].internalLocation;

    const posted = await call('POST', `${path}/comments`, { body: { markdown: 'Why?' }, page: id, node });
    expect(posted.body.target.node).toEqual({ id: node, preview: 'The last link.' });

    for (let index = 0; index < 30; index++) {
      await call('POST', `${path}/comments`, { body: { markdown: `**${index}** ${'- a\n'.repeat(50)}` } });
    }
    const { items } = (await call('GET', `${path}/comments?format=document`)).body;
    expect(items).toHaveLength(31);
    expect(items.map((item: any) => item.body.document)).toContainEqual(toTree(`**6** ${'- a\n'.repeat(50)}`));
  });
});

describe('beyond the limits', () => {
  // Each of them took from 8 s to minutes, in which nobody was answered.
  test.for(['nested lists', 'lazy lines of a quote', 'rows of a table'])(
    '%s end with 422, nothing is written, and others are answered meanwhile',
    async (kind) => {
      const { change, call, path, pages } = await contentSpace({ textLimits });
      const work = change([page('Before'), page(hostileMarkdown[kind]!(1_000_000))]);

      const took = await meanwhile(() => call('GET', path), work);
      const { status, error } = await work;

      expect([status, error.reason]).toEqual([422, 'too-complex']);
      expect(error.message).toMatch(
        /^The text of \/changes\/1\/document could not be read within (0\.5 s|5 s|256 MiB of memory): make it simpler, or split it\.$/,
      );
      expect(await pages()).toEqual([]);
      expect(took.at(-1)).toBeLessThan(othersWaitMs);
    },
  );

  test.for(['keys of front matter', 'front matter without an end', 'blanks in a comment', 'brackets', 'emphasis'])(
    '%s are read',
    async (kind) => {
      const { change } = await newSpace(shared);
      expect((await change([page(hostileMarkdown[kind]!(isLong ? 100_000 : 30_000))])).status).toBe(200);
    },
  );

  test('an import that exceeds the limits is an error that names the limit', async () => {
    const { call, content, path, pages } = await contentSpace({ textLimits: { timeMs: 250 } });
    const html = `<main>${'<p>a</p>'.repeat(100_000)}</main>`;
    const zip = zipSync({ 'a.md': Buffer.from('# A'), 'b.md': Buffer.from(hostileMarkdown['nested lists']!(900_000)) });
    for (const [source, url] of [
      ['html', dataUrl('text/html', html)],
      ['markdown', dataUrl('text/markdown', hostileMarkdown['nested lists']!(900_000))],
      ['zip', dataUrl('application/zip', zip)],
    ]) {
      const work = call('POST', `${content}/import`, { source, url });
      const took = await meanwhile(() => call('GET', path), work);
      const { status, error } = await work;
      expect([source, status, error.reason]).toEqual([source, 422, 'import-failed']);
      expect(error.message).toMatch(/^Nothing was imported\. .* could not be read within ([\d.]+ s|\d+ MiB of memory)/);
      expect(took.at(-1)).toBeLessThan(othersWaitMs);
    }
    expect(await pages()).toEqual([]);
  });

  test('one caller waits for their own texts, others do not', async () => {
    const { change, user, as, path } = await contentSpace({ textLimits: { memoryBytes: 96 * 1024 * 1024 } });
    const other = as(await user({ role: 'admin' }));
    const done: string[] = [];
    const hostile = Array.from({ length: 3 }, async () => {
      const { status } = await change([page(hostileMarkdown['rows of a table']!(1_000_000))]);
      done.push(`hostile ${status}`);
    });
    const ordinary = change([page(longText('Manual'))], path, other).then(({ status }) => done.push(`ok ${status}`));

    await Promise.all([...hostile, ordinary]);

    expect(done.indexOf('ok 200')).toBeLessThanOrEqual(1);
    expect(done.filter((each) => each === 'hostile 422')).toHaveLength(3);
  });

  test('a description of an API that takes too much has an error instead of a version', async () => {
    // The limit applies to reading the request, too, which takes some milliseconds.
    const { call, orgPath, instance } = await testInstance({ textLimits: { timeMs: 250 } });
    const text = `openapi: 3.1.0\nx: [${'[],'.repeat(2_000_000)}]\n`;

    const { status } = await call('POST', `${orgPath}/openapi`, { slug: 'large', source: { text } });
    expect(status).toBe(201);
    await instance.background.drain();

    expect((await call('GET', `${orgPath}/openapi/large`)).body).toMatchObject({
      processingState: 'complete',
      lastProcessErrorCode: 'PARSE_ERROR',
    });
  });

  test('stopping ends running tasks', async () => {
    const { change, instance } = await contentSpace();
    const work = change([page(hostileMarkdown['nested lists']!(1_000_000))]);
    const before = process.cpuUsage();
    // Its worker belongs to this process, which does nothing else.
    await expect.poll(() => process.cpuUsage(before).user).toBeGreaterThan(200_000);

    await instance.texts.close();

    const { status, error } = await work;
    expect([status, error.reason]).toEqual([503, 'unavailable']);
  });
});

describe('an archive', () => {
  /** Documents by their path, under an address. */
  async function served(files: Record<string, Uint8Array>): Promise<string> {
    const server = createServer((request, response) => response.end(files[request.url!]));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** A Word document whose text has this many bytes. Packed by zlib: fflate takes seconds. */
  function bombOf(size: number): Uint8Array {
    const chunks: Uint8Array[] = [];
    const zip = new Zip((_, chunk) => chunks.push(chunk));
    for (const [name, part] of Object.entries(docxParts(''))) {
      if (name === 'word/document.xml') continue;
      const file = new ZipPassThrough(name);
      zip.add(file);
      file.push(part, true);
    }
    const content = Buffer.alloc(size, 32);
    const text: ZipInputFile = { filename: 'word/document.xml', size, crc: crc32(content), compression: 8 };
    zip.add(text);
    text.ondata!(null, deflateRawSync(content, { level: 1 }), true);
    zip.end();
    return Buffer.concat(chunks);
  }

  test('a document of some kilobytes that unpacks to much is refused soon', async () => {
    const many = docx(wordParagraph('a').repeat(300_000));
    const bomb = bombOf(210_000_000);
    const base = await served({ '/many.docx': many, '/bomb.docx': bomb });
    expect(many.length).toBeLessThan(100_000);

    for (const [name, limits, message] of [
      ['many.docx', textLimits, /could not be read within/],
      // Its size is known before it is unpacked.
      ['bomb.docx', {}, /The archive unpacks to more than 200 MB\./],
    ] as const) {
      const { call, content, path } = await contentSpace({ allowPrivateImports: true, textLimits: limits });
      const work = call('POST', `${content}/import`, { source: 'docx', url: `${base}/${name}` });
      const took = await meanwhile(() => call('GET', path), work);
      const { status, error } = await work;
      expect([name, status, error.reason]).toEqual([name, 422, 'import-failed']);
      expect(error.message).toMatch(message);
      expect(took.at(-1)).toBeLessThan(othersWaitMs);
    }
  });

  test('with two directories is read by one reader only', async () => {
    // Two documents of one length, one behind the other: some readers take the directory from where the end says it is,
    // and some the one right before the end, so that what was judged would not be what is unpacked.
    const stored = (text: string) => zipSync(docxParts(wordParagraph(text)), { level: 0 });
    const base = await served({ '/two.docx': Buffer.concat([stored('Judged'), stored('Beyond')]) });
    const { call, content, pages, markdown } = await contentSpace({ allowPrivateImports: true });

    const { status } = await call('POST', `${content}/import`, { source: 'docx', url: `${base}/two.docx` });

    expect(status).toBe(201);
    expect(await markdown((await pages())[0].id)).toContain('Judged');
  });
});

test('thousands of pages under one parent are drafted in time that grows with their number', async () => {
  const { instance, space } = await contentSpace();
  const now = new Date(0).toISOString();

  const took = await instance.store.read(async (db) => {
    const row = await findSpace(db, space);
    const draft = new Draft(db, await snapshotOf(db, row!.revision));
    const start = performance.now();
    for (let index = 0; index < 20_000; index++) {
      const page = `p${index}`;
      draft.add(page, {
        parent: null,
        position: await draft.positionUnder(null, page),
        type: 'document',
        title: page,
        slug: page,
        emoji: null,
        icon: null,
        description: null,
        document: null,
        hidden: 0,
        no_index: 0,
        no_robots_index: 0,
        extra: null,
        created_at: now,
        updated_at: now,
      });
    }
    await draft.separateSlugs();
    expect((await draft.children(null)).map(({ page }) => page)).toEqual(
      Array.from({ length: 20_000 }, (_, index) => `p${index}`),
    );
    return performance.now() - start;
  });

  // It took a minute where each page was compared with all others.
  expect(took).toBeLessThan(20_000);
});

describe('a published page', () => {
  async function published(timeMs = 5_000) {
    const service = await testInstance({ textLimits: { timeMs } });
    const { path, spaces } = await makeSite(service);
    await service.call('POST', `${path}/publish`);
    const browse = async (address = '', accept = 'text/html') => {
      const { status, headers, body } = await service.instance.handle({
        method: 'GET',
        path: `/published/${service.org}/docs/${address}`,
        query: new URLSearchParams(),
        headers: { accept },
      });
      return { status, requestId: headers['x-request-id'], html: String(body) };
    };
    return { ...service, site: path, space: `/v1/spaces/${spaces[0]}`, browse };
  }

  test('is rendered once for each revision, and again when the site changes', async () => {
    const service = await published();
    const { space, browse, call, site } = service;
    await insertPage(service, space, 'Manual', longText('Manual'));
    const first = await browse('manual');
    await insertPage(service, space, 'Other', longText('Other'));
    const again = await browse('manual');
    expect(first.html).toContain('<h2 id="part-149">Part 149<');
    expect(again.html).toContain('>Other</span>');
    await call('PATCH', site, { title: 'Renamed' });
    expect((await browse('manual')).html).toContain('<title>Manual – Renamed</title>');

    // Without workers only what is kept can be answered.
    await service.instance.texts.close();
    expect((await browse('manual')).status).toBe(200);
    expect((await browse('other', '*/*')).status).toBe(503);
  });

  test('that many request at the same time is sent to each of them', async () => {
    const service = await published();
    await insertPage(service, service.space, 'Manual', longText('Manual'));

    const answers = await Promise.all(Array.from({ length: 5 }, () => service.browse('manual')));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ requestId }) => requestId)).size).toBe(5);
  });

  test('has links to pages and files of its space by their ids, but none to what readers cannot see', async () => {
    const service = await published();
    const { space, browse, call, org } = service;
    const id = space.slice(space.lastIndexOf('/') + 1);
    const pump = await insertPage(service, space, 'Pump', longText('Pump'));
    const other = (await call('POST', `/v1/orgs/${org}/spaces`, { title: 'Inside' })).body.id;
    const secret = await insertPage(service, `/v1/spaces/${other}`, 'Secret', 'x');
    const links = [`/pages/${pump}#part-3`, `/spaces/${id}/pages/${pump}`, `/spaces/${other}/pages/${secret}`, '#end'];
    await insertPage(service, space, 'Links', `${longText('Links')}\n${links.map((to) => `[x](${to})`).join(' ')}\n`);

    const { html } = await browse('links');

    expect(html).toContain(
      '<p><a href="./pump#part-3">x</a> <a href="./pump">x</a> <span class="broken-link">x</span> <a href="#end">x</a></p>',
    );
  });

  test('that exceeds the limits is tried once, and the error says why', async () => {
    const service = await published(500);
    const { space, browse, instance } = service;
    await insertPage(service, space, 'Slow', 'x');
    // As it may be stored by an older version.
    await instance.store.write((db) =>
      db
        .updateTable('document')
        .set({ markdown: hostileMarkdown['nested lists']!(1_000_000) })
        .execute(),
    );

    const [one, two] = await Promise.all([browse('slow'), browse('slow')]);
    // Without workers only what is kept can be answered.
    await instance.texts.close();
    const later = await browse('slow', '*/*');

    expect([one.status, two.status, later.status]).toEqual([422, 422, 422]);
    expect(one.html).toContain('The page &quot;Slow&quot; could not be read within');
    expect(JSON.parse(later.html).error.reason).toBe('too-complex');
  });
});
