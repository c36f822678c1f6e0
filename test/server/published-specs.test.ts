import { expect, test } from 'vitest';
import { blockDescriber } from '../../src/site/reference/printed.ts';
import { SpecReader } from '../../src/server/content/pdf/spec-reader.ts';
import { blockDrawer } from '../../src/server/sites/published-openapi.ts';
import { testInstance } from '../support/instance.ts';
import { copiedText } from '../support/pdf-text.ts';
import { insertPage } from '../support/page-writes.ts';
import { makeSite } from '../support/sites.ts';

test('a page of a published site draws the operations of the specifications of its organization', async () => {
  const paths = { '/pumps': { get: { summary: 'List pumps', responses: {} } } };
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Pumps', version: '1' }, paths });
  const spec = { slug: 'pumps', version: 'v1', text };
  const draw = await blockDrawer(
    new Map([
      ['pumps', spec],
      ['https://pumps.example/api.json', spec],
    ]),
  );
  const block = { kind: 'operation' as const, path: '/pumps', method: 'get', schemas: [], attributes: {} };

  expect(JSON.stringify(draw({ ...block, spec: 'pumps' }))).toContain('List pumps');
  expect(JSON.stringify(draw({ ...block, src: 'https://pumps.example/api.json' }))).toContain('List pumps');
  expect(draw({ ...block, spec: 'valves' })).toBeUndefined();
  expect(draw({ ...block, spec: 'pumps', method: 'put' })).toBeUndefined();
});

const summary = `# Contents

* [Home](README.md)
* [API](api/README.md)
  * \`\`\`yaml
    type: builtin:openapi
    props: { downloadLink: true }
    dependencies: { spec: { ref: { kind: openapi, spec: pumps } } }
    \`\`\`
`;
const description = {
  openapi: '3.1.0',
  info: { title: 'Pumps', version: '1' },
  paths: {
    '/pumps': {
      get: { tags: ['Pumps'], operationId: 'list', summary: 'List pumps', description: 'See [one](#operation/list).', responses: {} },
    },
  },
  components: { schemas: { Pump: { type: 'object', properties: { size: { type: 'integer' } } } } },
}; // prettier-ignore

test('the reference that SUMMARY.md of a pushed folder asks for is a part of the published site', async () => {
  const service = await testInstance();
  const { call, instance, org, orgPath } = service;
  const { path, spaces } = await makeSite(service);
  await call('POST', `${path}/publish`);
  const space = `/v1/spaces/${spaces[0]}`;
  await insertPage(service, space, 'Home', 'See [the pumps](api/pumps).');
  await insertPage(service, space, 'API', 'Text');
  const layout = JSON.stringify({ version: 1, serial: 1, summary: { path: 'SUMMARY.md', text: summary } });
  const file = { name: '.docsctl/layout-1.json', base64: Buffer.from(layout).toString('base64'), contentType: 'application/json', ref: 'layout' }; // prettier-ignore
  await call('POST', `${space}/content`, { changes: [{ operation: 'insert_files', files: [file] }] });
  const browse = async (address: string, accept = 'text/html', query = '') => {
    const request = { method: 'GET', path: `/published/${org}/docs/${address}`, query: new URLSearchParams(query) };
    const { status, body } = await instance.handle({ ...request, headers: { accept } });
    return { status, text: String(body) };
  };

  expect((await browse('api/pumps')).status).toBe(404);
  await call('POST', `${orgPath}/openapi`, { slug: 'pumps', source: { text: JSON.stringify(description) } });
  await expect.poll(async () => (await browse('api/pumps')).status).toBe(200);

  const page = (await browse('api/pumps')).text;
  expect(page).toContain('<title>Pumps – Docs</title>');
  expect(page).toContain('id="list"');
  expect(page).toContain('href="../api/pumps#list"');
  expect((await browse('')).text).toContain('href="./api/pumps"');
  expect((await browse('api/schemas/pump')).text).toContain('size');
  expect((await browse('api/pumps.md', '*/*')).text).toMatch(/^# Pumps\n\n> .*\n\n## List pumps\n\n`GET \/pumps`/);
  expect((await browse('api/overview')).text).toContain('href="../api/overview/openapi.json" download=""');
  const offered = await browse('api/overview/openapi.json', '*/*');
  expect([offered.status, JSON.parse(offered.text)]).toEqual([200, description]);
  expect((await browse('api/pumps/openapi.json', '*/*')).status).toBe(404);
  expect((await browse('api/overview/openapi.yaml', '*/*')).text).toContain('openapi: 3.');
  expect((await browse('sitemap.xml', '*/*')).text).toContain('/docs/api/schemas/pump</loc>');
  expect((await browse('llms.txt', '*/*')).text).toContain('[Pumps](');
  expect((await browse('llms-full.txt', '*/*')).text).toContain('`GET /pumps`');
  const { results } = JSON.parse((await browse('~search', 'application/json', 'q=list+pumps')).text);
  expect(results[0]).toMatchObject({ title: 'Pumps', href: './api/pumps', trail: ['API'] });

  const { id } = (await call('POST', `${space}/change-requests`, { subject: 'Print' })).body;
  const { pathname } = new URL((await call('GET', `${space}/change-requests/${id}/pdf`)).body.url);
  const printed = { method: 'GET', path: pathname, query: new URLSearchParams(), headers: {} };
  const pdf = Buffer.from((await instance.handle(printed)).body).toString('latin1');
  const bookmarks = [...pdf.matchAll(/\/Title \((.*?)\)\n/g)].map(([, title]) => title);
  expect(bookmarks).toEqual(expect.arrayContaining(['Home', 'API', 'Overview', 'Pumps', 'List pumps', 'Pump']));
  expect(copiedText(pdf)).toContain('List pumps');
  expect(copiedText(pdf)).toMatch(/GET \/pumps.*sizeinteger/s);
});

test('a block names a specification by the address that it is published from', async () => {
  const service = await testInstance();
  const { call, instance, org, orgPath } = service;
  const { path, spaces } = await makeSite(service);
  await call('POST', `${path}/publish`);
  const src = 'https://pumps.example/api.json';
  await insertPage(service, `/v1/spaces/${spaces[0]}`, 'Home', `{% openapi src="${src}" path="/pumps" method="get" %}\n[api](${src})\n{% endopenapi %}`); // prettier-ignore
  const browse = async () => {
    const headers = { accept: 'text/html' };
    const request = { method: 'GET', path: `/published/${org}/docs/`, query: new URLSearchParams(), headers };
    return String((await instance.handle(request)).body);
  };
  const before = await browse();
  await call('POST', `${orgPath}/openapi`, { slug: 'pumps', source: { text: JSON.stringify(description) } });
  await instance.store.write(async (db) => {
    await db.updateTable('openapi_spec').set({ source_url: src }).execute();
  });

  expect(before).toContain(`href="${src}"`);
  await expect.poll(browse).toContain('List pumps');
});

test('a PDF prints the operations and schemas of blocks in short', async () => {
  const specs = new SpecReader(async () => JSON.stringify(description));
  const describe = await blockDescriber('{% openapi-operation spec="pumps" %}', specs);
  const shown = (name: string, attributes: Record<string, string>) => describe?.({ name, attributes });

  expect(shown('openapi-operation', { spec: 'pumps', path: '/pumps', method: 'get' })).toContain('`GET /pumps`');
  expect(shown('openapi-schemas', { spec: 'pumps', schemas: 'Pump' })).toContain('| `size` | integer |');
  expect(shown('openapi-schemas', { spec: 'pumps', schemas: 'Valve' })).toBeUndefined();
  expect(shown('openapi-operation', { spec: 'valves', path: '/pumps', method: 'get' })).toBeUndefined();
});
