import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatFinding } from '../../src/cli/report/finding.ts';
import { readDescription } from '../../src/openapi/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docsctl-overlay-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const base = `openapi: 3.1.0
info: { title: Pets, version: "1" }
tags: [{ name: a }, { name: b }, { name: c }, { name: d }]
paths:
  /pets: { get: { summary: List, tags: [a, b], responses: {} } }
  /internal: { x-internal: true }
plain: 1
shared: &shared { text: same }
other: *shared
`;

/** Applies one overlay for each list of actions. */
async function apply(...overlays: string[]) {
  writeFileSync(join(folder, 'pets.yaml'), base);
  const texts = overlays.map((actions, index) => ({
    name: `overlay-${index + 1}.yaml`,
    text: `overlay: 1.1.0\nactions:\n${actions}`,
  }));
  const { document, findings } = await readDescription({ path: 'pets.yaml' }, folder, [], { overlays: texts });
  return { document: document as Record<string, unknown>, findings };
}

const pets = { get: { summary: 'List', tags: ['a', 'b'], responses: {} } };

test.each([
  [
    'an object is merged',
    '- { target: $.info, update: { title: New, contact: { name: Ann } } }',
    'info',
    { title: 'New', version: '1', contact: { name: 'Ann' } },
  ],
  [
    'an item is added to a list',
    '- { target: $.tags, update: { name: e } }',
    'tags',
    [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }, { name: 'e' }],
  ],
  [
    'a list is added to a list',
    '- { target: $.tags, update: [{ name: e }, { name: f }] }',
    'tags',
    [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }, { name: 'e' }, { name: 'f' }],
  ],
  [
    'a list in a merged object grows',
    '- { target: "$.paths[\'/pets\'].get", update: { tags: [c] } }',
    'paths',
    { '/pets': { get: { ...pets.get, tags: ['a', 'b', 'c'] } }, '/internal': { 'x-internal': true } },
  ],
  ['a single value is replaced', '- { target: $.plain, update: 2 }', 'plain', 2],
  [
    'all selected items are removed',
    "- { target: \"$.tags[?@.name == 'a' || @.name == 'b' || @.name == 'd']\", remove: true }",
    'tags',
    [{ name: 'c' }],
  ],
  [
    'an item and a value in a later item are removed',
    '- { target: "$[\'tags\'][0,1][\'name\']", remove: true }\n- { target: "$.tags[0]", remove: true }',
    'tags',
    [{}, { name: 'c' }, { name: 'd' }],
  ],
  [
    'operations are removed by an extension',
    '- { target: "$.paths[?@[\'x-internal\']]", remove: true }',
    'paths',
    { '/pets': pets },
  ],
  [
    'a value is copied',
    '- { target: "$.paths[\'/internal\']", copy: "$.paths[\'/pets\']" }',
    'paths',
    { '/pets': pets, '/internal': { 'x-internal': true, ...pets } },
  ],
  [
    'an alias of a changed value stays as it is',
    '- { target: $.shared, update: { text: other } }',
    'other',
    { text: 'same' },
  ],
  [
    'a later action sees the result of an earlier one',
    '- { target: $.info, update: { made: {} } }\n- { target: $.info.made, update: { a: 1 } }',
    'info',
    { title: 'Pets', version: '1', made: { a: 1 } },
  ],
  [
    'a key may be __proto__',
    '- { target: $.shared, update: { __proto__: { polluted: true } } }',
    'shared',
    JSON.parse('{ "text": "same", "__proto__": { "polluted": true } }'),
  ],
  ['removal wins over an update', '- { target: $.plain, remove: true, update: 3 }', 'plain', undefined],
])('%s', async (_, actions, key, expected) => {
  const { document } = await apply(actions);

  expect(document[key]).toEqual(expected);
  expect({}).not.toHaveProperty('polluted');
});

test('several overlays apply in order', async () => {
  const { document } = await apply(
    '- { target: $.info, update: { title: One } }',
    '- { target: "$[?@.title == \'One\']", update: { title: Two } }',
  );

  expect(document.info).toEqual({ title: 'Two', version: '1' });
});

test('an action whose target selects nothing is a warning', async () => {
  const { findings } = await apply('- target: $.nothing\n  remove: true');

  expect(findings.filter(({ rule }) => rule === 'overlay').map(formatFinding)).toEqual([
    'overlay-1.yaml:3:11 warning The target of this action selects nothing in the description (overlay)',
  ]);
});

test('findings are at the place in the overlay or in the description, also after items were removed', async () => {
  const { findings } = await apply(
    [
      '- { target: "$.tags[0,1]", remove: true }',
      '- target: $.tags',
      '  update: [{ name: c }, { name: d }]',
      '- target: $.info',
      '  update:',
      '    license: 7',
    ].join('\n'),
  );
  const places = findings
    .filter(({ rule }) => rule === 'no-duplicated-tag-names' || rule === 'struct')
    .map(({ file, line, column }) => `${file}:${line}:${column}`);

  expect(places).toEqual(expect.arrayContaining(['overlay-1.yaml:5:12', 'overlay-1.yaml:8:14']));
});

describe('an overlay is refused, with the place', () => {
  test.each([
    ['for a wrong expression', '- { target: "$.[", remove: true }', /overlay-1\.yaml:3:13: "\$\.\[" is not JSONPath/],
    ['without a target', '- { remove: true }', /:3:3: "target" must be/],
    ['without an effect', '- { target: $.info }', /:3:3: an action needs "update"/],
    [
      'for a value of another kind',
      '- { target: $.info, update: [1] }',
      /a list cannot be merged into an object at \/info/,
    ],
    [
      'for a list that gets a single value',
      '- { target: $, update: { tags: 1 } }',
      /a single value cannot be merged into a list at \/tags/,
    ],
    ['for targets of several kinds', "- { target: \"$['info', 'tags']\", update: {} }", /values of different kinds/],
    ['for the whole description', '- { target: $, remove: true }', /the whole description cannot be removed/],
    ['for a copy of several values', '- { target: $.info, copy: "$.tags[*]" }', /"copy" must select one value, not 4/],
    ['for a list of something else', '- 7', /an action must be an object/],
    ['for broken YAML', '- {', /YAML: /],
  ])('%s', async (_, actions, message) => {
    await expect(apply(actions)).rejects.toThrow(message);
  });

  test('of another version', async () => {
    writeFileSync(join(folder, 'pets.yaml'), base);
    const overlays = [{ name: 'o.yaml', text: 'overlay: 2.0.0\nactions: []' }];

    await expect(readDescription({ path: 'pets.yaml' }, folder, [], { overlays })).rejects.toThrow(
      'Cannot apply the overlay o.yaml:1:10: it is no overlay of version 1.0 or 1.1',
    );
  });
});
