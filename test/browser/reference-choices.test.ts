// @module-tag browser
import { createServer, type Server } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Reference } from '../../src/site/reference/index.ts';
import { ReferencePreview } from '../../src/site/preview/reference-preview.ts';
import { type RunningPreview, servePreview } from '../../src/site/preview/preview-server.ts';
import { openBrowser } from '../support/browser.ts';
import { accessibilityFindings } from './support.ts';

let api: Server;
let running: RunningPreview;
let browser: Browser;
let page: Page;
let received: { url: string; token: string; body: string }[] = [];

const shape = { $ref: '#/components/schemas/Shape' };
const shapeOf = (field: string) => ({
  type: 'object',
  properties: { kind: { type: 'string' }, [field]: { type: 'number', minimum: 2 } },
});

const describeShapes = (address: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Shapes',
    version: '2.3.0',
    contact: { name: 'Support', email: 'help@shapes.example' },
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  },
  servers: [{ url: `${address}/live` }, { url: `${address}/test`, description: 'Sandbox' }],
  security: [{ token: [] }],
  paths: {
    '/shapes': {
      get: { tags: ['Shapes'], summary: 'List shapes', responses: { 200: { description: 'All' } } },
      post: {
        tags: ['Shapes'],
        summary: 'Add a shape',
        requestBody: {
          content: {
            'application/json': { schema: shape },
            'application/x-www-form-urlencoded': { schema: shapeOf('weight') },
            'application/long+json': { schema: { type: 'object' }, example: { text: 'long'.repeat(20_000) } },
          },
        },
        responses: { 201: { description: 'Created', content: { 'application/json': { schema: shape } } } },
      },
    },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Shape: {
        oneOf: [{ $ref: '#/components/schemas/Circle' }, { $ref: '#/components/schemas/Square' }],
        discriminator: {
          propertyName: 'kind',
          mapping: { circle: '#/components/schemas/Circle', square: '#/components/schemas/Square' },
        },
      },
      Circle: shapeOf('radius'),
      Square: shapeOf('side'),
    },
  },
});

beforeAll(async () => {
  api = createServer(async (request, response) => {
    const open = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    if (request.method !== 'OPTIONS') {
      const { url = '', headers } = request;
      received.push({ url, token: headers.authorization ?? '', body: await readText(request) });
    }
    response.writeHead(200, open).end('ok');
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const listening = api.address();
  const port = typeof listening === 'object' && listening ? listening.port : 0;
  const reference = new Reference({ document: describeShapes(`http://127.0.0.1:${port}`) });
  const source = new ReferencePreview(reference, { hasTryIt: true });
  running = await servePreview(source, { port: 0, onError: (error) => console.error(error) });
  browser = await openBrowser();
});
beforeEach(async () => {
  received = [];
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
});
afterEach(() => page.context().close());
afterAll(async () => {
  await browser.close();
  await running.stop();
  api.closeAllConnections();
  api.close();
});

const operation = () => page.locator('.api-operation').filter({ hasText: 'Add a shape' });
const sample = () => operation().locator('.api-sample:visible code').textContent();
const fields = () => operation().locator('.api-about .api-name:visible').allTextContents();

test('one choice of the variant changes the schema, the samples and the form', async () => {
  await page.goto(`${running.url}/shapes`);
  await operation().locator('.api-try > summary').click();
  expect(await sample()).toContain('"radius": 2');
  expect(await fields()).toEqual(['kind', 'radius', 'kind', 'radius']);

  await operation().locator('.api-about').getByLabel('Variant').first().selectOption('Square');

  expect(await sample()).toContain('"kind": "square",\n  "side": 2');
  expect(await fields()).toEqual(['kind', 'side', 'kind', 'radius']);
  const form = operation().locator('.api-try');
  expect(await form.getByLabel('Variant').inputValue()).toBe('1');
  expect(JSON.parse(await form.getByLabel('Body (application/json)').inputValue())).toEqual({
    kind: 'square',
    side: 2,
  });

  await operation().locator('.api-response').getByLabel('Variant').selectOption('Square');
  expect(await operation().locator('.tab-panel:visible code:visible').textContent()).toContain('"side": 2');
});

test('one choice of the content type changes the schema, the samples and the form', async () => {
  await page.goto(`${running.url}/shapes`);
  await operation().locator('.api-try > summary').click();
  await operation().getByLabel('Type of the body').selectOption('application/x-www-form-urlencoded');

  expect(await sample()).toContain("--data-raw 'kind=text&weight=2'");
  expect((await fields()).slice(0, 2)).toEqual(['kind', 'weight']);
  expect(await operation().getByLabel('Content type').first().inputValue()).toBe('1');
});

test('a choice whose example is too long for the page says so, and the others have their samples', async () => {
  await page.goto(`${running.url}/shapes`);
  const choose = (type: string) => operation().getByLabel('Content type').first().selectOption(type);
  await choose('application/long+json');
  expect(await sample()).toBe('The example is too long to show it here.');
  await choose('application/json');
  expect(await sample()).toContain('"radius": 2');
});

test('each page can be read and copied as Markdown', async () => {
  await page.goto(`${running.url}/shapes`);
  expect(await page.locator('.copy-page').getAttribute('data-href')).toBe('/shapes.md');
  const text = await (await fetch(`${running.url}/shapes.md`)).text();
  expect(text).toMatch(/^# Shapes\n/);
  expect(text).toContain('Add a shape');
  expect((await fetch(`${running.url}/index.md`)).headers.get('content-type')).toContain('text/markdown');
  expect((await fetch(`${running.url}/nothing.md`)).status).toBe(404);
});

test('samples are written in eight languages, and the choice holds on other pages', async () => {
  await page.goto(`${running.url}/shapes`);
  const language = operation().getByLabel('Language');
  expect(await language.locator('option').allTextContents()).toEqual([
    'curl', 'JavaScript', 'Python', 'Go', 'PHP', 'Ruby', 'Java', 'C#',
  ]); // prettier-ignore
  for (const [title, line] of [
    ['Go', 'http.NewRequest("POST"'],
    ['C#', 'new HttpMethod("POST")'],
    ['Ruby', "require 'net/http'"],
  ] as const) {
    await language.selectOption(title);
    expect(await sample()).toContain(line);
  }
  await page.reload();
  expect(await sample()).toContain("require 'net/http'");
  expect(await accessibilityFindings(page)).toEqual([]);
});

test('the server and the sign-in of the overview are those of all forms, if readers want it for the tab', async () => {
  await page.goto(`${running.url}/`);
  const card = page.locator('.api-card');
  expect(await card.locator('dl').innerText()).toMatch(/2\.3\.0[^]*OpenAPI 3\.1\.0[^]*Support[^]*MIT/);
  await card.getByLabel('Server').selectOption({ label: (await card.locator('option').last().textContent()) ?? '' });
  await card.getByText('Sign in').click();
  await card.getByLabel('Bearer token').fill('secret');
  await page.goto(`${running.url}/shapes`);
  expect(await page.locator('input[type="password"]').first().inputValue()).toBe('');

  await page.goto(`${running.url}/`);
  await card.getByText('Sign in').click();
  await card.getByLabel('Bearer token').fill('secret');
  await card.getByRole('checkbox').check();
  await page.goto(`${running.url}/shapes`);
  const form = page.locator('.api-try').first();
  await form.locator('summary').click();
  await form.getByRole('button').click();
  await form.locator('.api-answer pre').waitFor();
  expect(received).toEqual([{ url: '/test/shapes', token: 'Bearer secret', body: '' }]);
  expect(await sample()).toContain('/test/shapes');

  await form.getByLabel('Bearer token').fill('other');
  expect(await operation().locator('input[type="password"]').inputValue()).toBe('other');
  await form.getByRole('checkbox').uncheck();
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toMatch(/other|secret/);
});

test('the description is downloaded as JSON and as YAML', async () => {
  await page.goto(`${running.url}/`);
  const texts = [];
  for (const format of ['JSON', 'YAML']) {
    const href = await page.getByRole('link', { name: `Download ${format}` }).getAttribute('href');
    texts.push(await (await page.request.get(new URL(href ?? '', running.url).href)).text());
  }
  expect(JSON.parse(texts[0] ?? '').info.title).toBe('Shapes');
  expect(texts[1]).toContain('info:\n  title: Shapes\n');
});
