// @module-tag browser
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RunningPreview, servePreview } from '../../src/commands/preview/preview-server.ts';
import { ReferencePreview } from '../../src/commands/preview/reference-preview.ts';
import { Reference } from '../../src/site/reference/index.ts';
import { accessibilityFindings } from './support.ts';
import { openBrowser } from '../support/browser.ts';

let api: Server;
let running: RunningPreview;
let browser: Browser;
let page: Page;
let received: { line: string; headers: IncomingMessage['headers']; body: string }[] = [];

const object = (properties: object, required: string[] = []) => ({ schema: { type: 'object', properties, required } });
const string = { type: 'string' };

const describePumps = (port: number) => ({
  openapi: '3.1.0',
  info: { title: 'Pumps', version: '1' },
  servers: [
    {
      url: `http://127.0.0.1:${port}/{stage}/{tenant}`,
      variables: { stage: { default: 'live', enum: ['live', 'test'] }, tenant: { default: 'acme' } },
    },
    { url: `http://localhost:${port}`, description: 'Without CORS' },
    { url: 'https://{host}/v1', variables: { host: { default: 'pumps.example' } } },
  ],
  components: {
    securitySchemes: {
      login: { type: 'http', scheme: 'basic' },
      key: { type: 'apiKey', in: 'query', name: 'key' },
      session: { type: 'apiKey', in: 'cookie', name: 'sid' },
    },
  },
  security: [{ login: [] }, { key: [], session: [] }, {}],
  paths: {
    '/pumps/{id}': {
      put: {
        tags: ['Pumps'],
        summary: 'Change a pump',
        parameters: [
          { in: 'path', name: 'id', required: true, schema: { type: 'string', example: 'a/b' } },
          { in: 'query', name: 'fields', schema: { type: 'array', items: string } },
          { in: 'query', name: 'state', schema: { enum: ['on', 'off'] } },
          { in: 'cookie', name: 'theme', schema: string },
          { in: 'header', name: 'Origin', schema: string },
        ],
        requestBody: {
          content: {
            'application/json': { schema: { type: 'object', properties: { name: { type: 'string', example: 'é' } } } },
            'application/x-www-form-urlencoded': object({ name: string, size: { type: 'integer' } }, ['name']),
            'multipart/form-data': object({ name: string, plan: { type: 'string', format: 'binary' } }),
            'text/plain': { schema: string },
            'application/octet-stream': {},
          },
        },
        responses: { 200: { description: 'Done', content: { 'application/json': {} } } },
      },
    },
  },
});

beforeAll(async () => {
  api = createServer(async (request, response) => {
    if (request.method === 'PUT') {
      received.push({ line: request.url ?? '', headers: request.headers, body: await readText(request) });
    }
    const isOpen = request.headers.host?.startsWith('127.0.0.1') === true;
    const open = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-allow-methods': 'PUT',
    };
    response.writeHead(200, { ...(isOpen && open), 'content-type': 'image/png' }).end(Buffer.alloc(7));
  });
  await new Promise<void>((resolve) => api.listen(0, resolve));
  const address = api.address();
  const reference = new Reference({
    document: describePumps(typeof address === 'object' && address ? address.port : 0),
  });
  const source = new ReferencePreview(reference, { hasTryIt: true });
  running = await servePreview(source, { port: 0, onError: (error) => console.error(error) });
  browser = await openBrowser();
});
beforeEach(async () => {
  received = [];
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(20_000);
  await page.goto(`${running.url}/pumps`);
  await page.locator('.api-try summary').click();
});
afterAll(async () => {
  await browser.close();
  await running.stop();
  api.closeAllConnections();
  api.close();
});

const send = async () => {
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.api-answer > p').first().waitFor();
  const answer = await page.locator('.api-answer').textContent();
  await page.locator('.api-answer').evaluate((element) => element.replaceChildren());
  return answer ?? '';
};

test('variables of the server, ways to sign in and parameters go into the request', async () => {
  await page.getByLabel('stage').selectOption('test');
  await page.getByLabel('tenant').fill('lumen');
  await page.getByLabel('User name').fill('ada');
  await page.getByLabel('Password').fill('söss');
  await page.getByLabel('fields').fill('a,b');
  await page.getByLabel('state').selectOption('off');
  // An answer of bytes is told, not printed.
  expect(await send()).toMatch(/^200 OK · \d+ ms7 bytes of image\/png$/);
  expect(received[0]?.line).toBe('/test/lumen/pumps/a%2Fb?fields=a&fields=b&state=off');
  expect(received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ada:söss').toString('base64')}`);
  expect(received[0]?.headers.accept).toBe('application/json');

  await page.getByLabel('Authentication').selectOption({ index: 1 });
  expect(await page.getByLabel('User name').isVisible()).toBe(false);
  await page.getByLabel('API key in the query').fill('secret');
  await send();
  expect(received[1]?.line).toContain('?key=secret&');
  expect(received[1]?.headers.authorization).toBeUndefined();

  const form = (await page.locator('.api-try').textContent()) ?? '';
  expect(form).toContain('The cookie sid is not sent');
  expect(form).toContain('The cookie theme is not sent');
  expect(form).toContain('The header Origin is not sent as you like');
});

test('the body is written as its type needs it', async () => {
  const type = page.getByLabel('Type of the body');
  await send();
  expect(received.at(-1)).toMatchObject({ body: '{\n  "name": "é"\n}' });
  expect(received.at(-1)?.headers['content-type']).toBe('application/json');
  await page.getByLabel('Body (application/json)').fill('{"name"');
  expect(await send()).toContain('The body is no JSON');
  expect(received).toHaveLength(1);

  await type.selectOption('application/x-www-form-urlencoded');
  await page.locator('[data-name="name"]:visible').fill('a b&c');
  await send();
  expect(received.at(-1)).toMatchObject({ body: 'name=a+b%26c' });

  await type.selectOption('multipart/form-data');
  const bytes = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('PLAN') };
  await page.getByLabel('plan').setInputFiles(bytes);
  await send();
  expect(received.at(-1)?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(received.at(-1)?.body).toMatch(/name="plan"; filename="plan.txt"\r\n.*\r\n\r\nPLAN\r\n/);

  await type.selectOption('text/plain');
  await page.getByLabel('Body (text/plain)').fill('seven');
  await send();
  expect(received.at(-1)).toMatchObject({ body: 'seven', headers: { 'content-type': 'text/plain' } });

  await type.selectOption('application/octet-stream');
  await page.getByLabel('Body (application/octet-stream)').setInputFiles(bytes);
  await send();
  expect(received.at(-1)).toMatchObject({ body: 'PLAN', headers: { 'content-type': 'application/octet-stream' } });
});

test('a server that refuses web pages is told, and so is a host that the policy does not name', async () => {
  const server = page.getByLabel('Server');
  await server.selectOption({ index: 1 });
  expect(await page.getByLabel('stage').isVisible()).toBe(false);
  expect(await send()).toContain('does not allow requests of web pages (CORS)');

  await server.selectOption({ index: 2 });
  const host = page.getByLabel('host');
  expect(await host.getAttribute('readonly')).toBe('');
  await host.evaluate((input: HTMLInputElement) => (input.value = 'elsewhere.example'));
  expect(await send()).toContain('this page may reach only the servers that the description names');
});

test.each(['light', 'dark'] as const)('axe finds nothing in the form in %s mode', async (colorScheme) => {
  await page.emulateMedia({ colorScheme });
  for (const type of ['application/json', 'multipart/form-data', 'application/octet-stream']) {
    await page.getByLabel('Type of the body').selectOption(type);
    expect([type, await accessibilityFindings(page)]).toEqual([type, []]);
  }
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});
