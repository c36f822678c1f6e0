import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Instance } from '../../src/server/engine/instance.ts';
import { newSpace, png } from '../support/content-space.ts';
import { openTestInstance, type TestInstance, testInstance } from '../support/instance.ts';

// A thread that lays out PDFs takes longer to start than a PDF to lay out, so the tests share one service.
let shared: Awaited<ReturnType<typeof openTestInstance>>;
beforeAll(async () => {
  shared = await openTestInstance();
});
afterAll(() => shared.close());

const page = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});

/** What anybody gets from an address of the instance. */
async function fetchFrom(instance: Instance, url: string) {
  const { pathname, searchParams } = new URL(url);
  const { status, headers, body } = await instance.handle({
    method: 'GET',
    path: pathname,
    query: searchParams,
    headers: {},
  });
  return { status, headers, bytes: Buffer.from(body) };
}

async function printable(service: TestInstance = shared) {
  const made = await newSpace(service);
  const cr = await made.request();
  const { status: changed, body } = await made.change(
    [
      page('Guides', 'All [of them](./install.md) ![](./pump)', { ref: 'guides' }),
      page('Install', 'Close the valve.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n', { into: 'guides', ref: 'install' }),
      page('First run', 'Open it.', { into: 'install' }),
      page('Reference', 'Words.'),
      {
        operation: 'insert_files',
        files: [{ name: 'pump.png', base64: png(2, 2).toString('base64'), contentType: 'image/png', ref: 'pump' }],
      },
    ],
    cr,
  );
  expect([changed, body.error]).toEqual([200, undefined]);
  const [guides, install] = body.changes.map((change: any) => change.page.id);
  const fetch = (url: string) => fetchFrom(made.instance, url);
  const pdf = async (query = '') => (await made.call('GET', `${cr}/pdf${query}`)).body.url as string;
  return { ...made, cr, guides, install, fetch, pdf };
}

/** Titles of the bookmarks, which are those of the pages; in no order. */
const bookmarks = (bytes: Buffer) =>
  [...bytes.toString('latin1').matchAll(/\/Title \((.*?)\)\n/g)].map(([, title]) => title!).toSorted();

test('the address of a PDF is on the instance, needs no token and returns a PDF', async () => {
  const { pdf, fetch } = await printable();
  const url = await pdf();

  const { status, headers, bytes } = await fetch(url);

  expect(url).toMatch(/^http:\/\/localhost:4000\/pdf\/[\w.-]+\.pdf$/);
  expect([status, headers['content-type']]).toEqual([200, 'application/pdf']);
  expect(headers['content-disposition']).toContain('inline; filename="Docs.pdf"');
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(bytes.subarray(-6).toString()).toContain('%%EOF');
});

test('a PDF has all pages, one with those under it, or only one', async () => {
  const { pdf, fetch, install } = await printable();
  const titles = async (query?: string) => bookmarks((await fetch(await pdf(query))).bytes);

  expect(await titles()).toEqual(['First run', 'Guides', 'Install', 'Reference']);
  expect(await titles(`?page=${install}`)).toEqual(['First run', 'Install']);
  expect(await titles(`?page=${install}&only=true`)).toEqual(['Install']);
});

test('a PDF shows the request as it was when the address was given', async () => {
  const { pdf, fetch, change, cr, guides } = await printable();
  const url = await pdf();
  await change([{ operation: 'update_page', page: guides, title: 'Renamed' }], cr);

  expect(bookmarks((await fetch(url)).bytes)).toContain('Guides');
  expect(bookmarks((await fetch(await pdf())).bytes)).toContain('Renamed');
});

test('damaged pictures and invalid links do not prevent a PDF', async () => {
  const { call, change, request, instance } = await newSpace(shared);
  const cr = await request();
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const packed = deflateSync(Buffer.alloc(4 * (1 + 4 * 4)));
  packed.fill(0xff, packed.length - 4);
  const damaged = Buffer.concat([png(4, 4), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))]);
  await change(
    [
      page('X', '![damaged](./bad) ![cut](./cut) [odd](#%) [odder](%zz) [x](/pages/%E0)'),
      {
        operation: 'insert_files',
        files: [
          { name: 'a.png', base64: damaged.toString('base64'), contentType: 'image/png', ref: 'bad' },
          { name: 'b.png', base64: png(4, 4).toString('base64'), contentType: 'image/png', ref: 'cut' },
        ],
      },
    ],
    cr,
  );

  const { status } = await fetchFrom(instance, (await call('GET', `${cr}/pdf`)).body.url);

  expect(status).toBe(200);
});

test('an empty request has a PDF too', async () => {
  const { call, request, instance } = await newSpace(shared);
  const { url } = (await call('GET', `${await request()}/pdf`)).body;
  const { status, bytes } = await fetchFrom(instance, url);

  expect([status, bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
});

test('an address works for one hour', async () => {
  const { pdf, fetch, clock } = await printable();
  const url = await pdf();
  clock.advance(3_599_999);
  expect((await fetch(url)).status).toBe(200);
  clock.advance(1);
  const { status, bytes } = await fetch(url);
  expect([status, JSON.parse(bytes.toString()).error.reason]).toEqual([404, 'not-found']);
});

test('a changed address is not found', async () => {
  const { pdf, fetch } = await printable();
  const { fetch: elsewhere } = await printable(await testInstance());
  const url = await pdf();
  const [revision, , only, until, signature] = url.slice(url.lastIndexOf('/') + 1, -4).split('.');
  const forged = [
    [revision, '', only, Number(until) + 1, signature],
    [revision, 'other', only, until, signature],
    [revision, '', only, until, ''],
    [revision],
  ];
  for (const parts of forged) {
    expect((await fetch(`${url.slice(0, url.lastIndexOf('/'))}/${parts.join('.')}.pdf`)).status).toBe(404);
  }
  expect((await elsewhere(url)).status).toBe(404);
});

test('a deleted space has no PDF', async () => {
  const { call, path, pdf, fetch } = await printable();
  const url = await pdf();
  await call('DELETE', path);
  expect((await fetch(url)).status).toBe(404);
});

test('invalid queries are refused', async () => {
  const { call, cr } = await printable();
  const cases: [string, unknown][] = [
    ['?only=true', { in: 'query', path: 'page', rule: 'required' }],
    ['?page=nowhere', { in: 'query', path: 'page', rule: 'reference' }],
    ['?only=perhaps', { in: 'query', path: 'only', rule: 'type' }],
  ];
  for (const [query, fault] of cases) {
    const { status, error } = await call('GET', `${cr}/pdf${query}`);
    expect([query, status, error.details]).toMatchObject([query, 400, [fault]]);
  }
  expect((await call('GET', `${cr.replace(/\d+$/, '99')}/pdf`)).status).toBe(404);
});
