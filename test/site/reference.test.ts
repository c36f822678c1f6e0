import { readFileSync } from 'node:fs';
import type { ElementContent } from 'hast';
import { expect, test } from 'vitest';
import { highlight } from '../../src/content/html/code-colors.ts';
import { textIn } from '../../src/content/html/hast.ts';
import { parseText } from '../../src/openapi/parse/syntax.ts';
import { colorJson } from '../../src/site/reference/color-json.ts';
import {
  drawReferenceBlock,
  drawReferencePage,
  findReferencePage,
  Reference,
  referencePages,
} from '../../src/site/reference/index.ts';

const addresses = { page: (path: string, anchor = '') => `/${path}${anchor && `#${anchor}`}` };

const reference = new Reference({
  document: parseText(readFileSync(new URL('../browser/pumps.yaml', import.meta.url), 'utf8')),
});

async function draw(path: string, of = reference): Promise<string> {
  const page = findReferencePage(of, path);
  return (await drawReferencePage(of, page!, addresses)).html;
}

test('every page is drawn, and every link in them leads to a page and an anchor that are there', async () => {
  const pages = referencePages(reference);
  const html = new Map<string, string>();
  for (const { path } of pages) html.set(path, await draw(path));

  expect(pages.map(({ path }) => path)).toContain('schemas/pump');
  for (const [from, text] of html) {
    for (const [, path = '', anchor] of text.matchAll(/href="\/([^"#]*)(?:#([^"]*))?"/g)) {
      expect([from, path, html.has(path)]).toEqual([from, path, true]);
      if (anchor) expect([path, html.get(path)?.includes(`id="${anchor}"`)]).toEqual([path, true]);
    }
    expect(text).not.toContain('style=');
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect([from, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([from, []]);
  }
});

test('a callback has its description, its body with an example, and the expected answers', async () => {
  const withCallback = new Reference({
    document: {
      openapi: '3.1.0',
      info: { title: 'Jobs', version: '1' },
      paths: {
        '/jobs': {
          post: {
            operationId: 'start',
            responses: { 202: { description: 'Started' } },
            callbacks: {
              done: {
                '{$request.body#/url}': {
                  post: {
                    summary: 'The job has ended',
                    requestBody: {
                      content: {
                        'application/json': {
                          schema: { type: 'object', properties: { seconds: { type: 'integer' } } },
                        },
                      },
                    },
                    responses: { 204: { description: 'Thanks' } },
                  },
                },
              },
            },
          },
        },
      },
    },
  });
  const page = referencePages(withCallback).find(({ kind }) => kind === 'group' || kind === 'operation');
  const html = await draw(page!.path, withCallback);

  expect(html).toContain('The job has ended');
  expect(html).toContain('<code class="api-name">seconds</code>');
  expect(html).toMatch(/Example<\/p>.*?seconds/s);
  expect(html).toContain('Thanks');
});

test('references to nothing are shown, and schemas in themselves end with a link', async () => {
  const html = await draw('pumps');

  expect(html).toContain('#/components/schemas/Nothing cannot be resolved.');
  expect(html).toContain('The same as above: <a href="/schemas/pump">Pump</a>');
});

test('what a description says cannot run: its texts are sanitized or escaped', async () => {
  const attack = '<script>alert(1)</script><img src=x onerror=alert(1)>';
  const link = '[x](javascript:alert(1))';
  const hostile = new Reference({
    document: {
      openapi: '3.1.0',
      info: { title: attack, version: attack, description: attack + link, termsOfService: 'javascript:alert(1)' },
      servers: [{ url: 'javascript:alert(1)', description: attack }],
      tags: [{ name: attack, description: attack, externalDocs: { url: 'javascript:alert(1)' } }],
      paths: {
        [`/${attack}`]: {
          get: {
            tags: [attack],
            summary: attack,
            operationId: attack,
            description: link,
            externalDocs: { url: 'javascript:alert(1)', description: attack },
            parameters: [
              { in: 'query', name: attack, description: attack, schema: { enum: [attack], pattern: attack } },
            ],
            responses: { [attack]: { description: attack, content: { [attack]: { example: attack } } } },
          },
        },
      },
      components: { schemas: { [attack]: { title: attack, properties: { [attack]: { default: attack } } } } },
    },
  });

  for (const page of referencePages(hostile)) {
    const { html } = await drawReferencePage(hostile, page, addresses);
    expect(html).not.toMatch(/href="javascript/i);
    expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<script|<img|<[^>]* onerror/i);
  }
});

test('a tag with many operations has a page for each', async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`/a${index}`, { get: { tags: ['All'], responses: {} } }]),
  );
  const large = new Reference({ document: { openapi: '3.0.0', info: { title: 'L', version: '1' }, paths } });

  expect(referencePages(large)).toHaveLength(32);
  expect(await draw('all', large)).toContain('href="/all/get-a7"');
  expect(await draw('all/get-a7', large)).toContain('/a7');
});

test('a schema that grows without end is cut', async () => {
  const level = (depth: number): object => ({
    type: 'object',
    properties: depth === 0 ? {} : Object.fromEntries(['a', 'b', 'c'].map((name) => [name, level(depth - 1)])),
  });
  const deep = new Reference({
    document: {
      openapi: '3.1.0',
      info: { title: 'D', version: '1' },
      components: { schemas: { Deep: level(9) } },
    },
  });

  expect((await draw('schemas/deep', deep)).length).toBeLessThan(200_000);
});

test('blocks of pages show an operation, a webhook or schemas, and nothing that is not there', () => {
  const block = (kind: 'operation' | 'webhook' | 'schemas', more: object) =>
    drawReferenceBlock(reference, { kind, schemas: [], attributes: {}, ...more }, undefined);

  expect(block('operation', { path: '/pumps', method: 'GET' })?.properties['className']).toContain('api-operation');
  expect(block('operation', { path: '/pumps', method: 'delete' })).toBeUndefined();
  expect(block('webhook', { attributes: { name: 'pumpStopped' }, method: 'post' })).toBeDefined();
  expect(block('schemas', { schemas: ['Pump', 'State'] })?.children).toHaveLength(2);
  expect(block('schemas', { schemas: ['Pump', 'None'] })).toBeUndefined();
});

test('samples of JSON have the colours that code has, and not one character less', () => {
  const json = '{\n  "a \\"b\\": c": "x: 1",\n  "n": -1.5e+3,\n  "list": [true, null, "<b>"]\n}';
  const classes = (nodes: ElementContent[]) =>
    nodes.flatMap((node) =>
      node.type === 'element' ? [`${String(node.properties['className'])} ${textIn(node)}`] : [],
    );

  expect(colorJson(json).map(textIn).join('')).toBe(json);
  const shown = new Set(['attr', 'string', 'number', 'literal'].map((kind) => `hljs-${kind}`));
  expect(classes(colorJson(json))).toEqual(
    classes(highlight(json, 'json') ?? []).filter((one) => shown.has(one.split(' ')[0] ?? '')),
  );
});
