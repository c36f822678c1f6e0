import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createConfig } from '@redocly/openapi-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatFinding } from '../../src/cli/report/finding.ts';
import { readDescription } from '../../src/openapi/index.ts';
import { equivalentRules } from '../../src/openapi/lint/spectral.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docsctl-config-'));
  write('project/.git/HEAD', '');
  write('project/api/openapi.yaml', description);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const description = [
  'openapi: 3.0.3',
  'info: { title: Pets, version: "1" }',
  'paths:',
  '  /pets/{id}/:',
  '    get: { responses: { 200: { description: Fine } } }',
].join('\n');

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** The findings about the description as `level rule`, and those about its configuration whole. */
async function check(path = 'api/openapi.yaml') {
  const { findings } = await readDescription({ path }, join(folder, 'project'));
  return {
    rules: findings.filter(({ rule }) => rule !== 'config').map(({ level, rule }) => `${level} ${rule}`),
    config: findings.filter(({ rule }) => rule === 'config').map(formatFinding),
  };
}

const structure = ['error path-parameters-defined'];

test('without one, what the specification forbids is an error and what else is recommended a warning', async () => {
  const { rules, config } = await check();

  expect(rules).toEqual(
    expect.arrayContaining([
      ...structure,
      'warning info-license',
      'warning operation-4xx-response',
      'warning no-path-trailing-slash',
    ]),
  );
  expect(rules.filter((rule) => rule.startsWith('error'))).toEqual(structure);
  expect(config).toEqual([]);
});

describe('without a repository', () => {
  beforeEach(() => rmSync(join(folder, 'project/.git'), { recursive: true }));

  test('the one in the working directory applies to descriptions in folders below', async () => {
    write('project/redocly.yaml', 'extends: [spec]');

    expect((await check()).rules).toEqual(structure);
  });

  test('one above the working directory does not apply', async () => {
    write('redocly.yaml', 'extends: [spec]');

    expect((await check()).rules).toContain('warning info-license');
  });
});

describe.each(['project/api/redocly.yaml', 'project/redocly.yaml'])('%s', (path) => {
  test('says what to extend', async () => {
    write(path, 'extends: [spec]');

    expect((await check()).rules).toEqual(structure);
  });

  test('says severities and options, over ours', async () => {
    write(
      path,
      'rules:\n  info-license: error\n  operation-4xx-response: off\n  path-parameters-defined: warn\n  operation-summary: { severity: error, message: "Say more: {{message}}" }',
    );

    const { rules } = await check();

    expect(rules).toEqual(
      expect.arrayContaining(['error info-license', 'warning path-parameters-defined', 'error operation-summary']),
    );
    expect(rules.join()).not.toContain('operation-4xx-response');
  });
});

test('the nearest one counts', async () => {
  write('project/redocly.yaml', 'extends: [recommended]');
  write('project/api/redocly.yaml', 'extends: [spec]');

  expect((await check()).rules).toEqual(structure);
});

test('one above the project does not count', async () => {
  write('redocly.yaml', 'extends: [spec]\nrules: { path-parameters-defined: off }');

  expect((await check()).rules).toContain('error path-parameters-defined');
});

test('it may have rules of its own by assertions', async () => {
  write(
    'project/redocly.yaml',
    'extends: [spec]\nrules:\n  rule/title:\n    subject: { type: Info, property: title }\n    assertions: { pattern: /API$/ }\n    message: Titles end in API',
  );

  expect((await check()).rules).toContain('error rule/title');
});

test('it extends files of the project, and what it says itself counts more', async () => {
  write('project/redocly.yaml', 'extends: [spec, rules/ours.yaml]\nrules: { info-license: warn }');
  write('project/rules/ours.yaml', 'rules: { info-license: error, info-contact: error }');

  expect((await check()).rules).toEqual(expect.arrayContaining(['warning info-license', 'error info-contact']));
});

test('an API of its own has rules of its own', async () => {
  write(
    'project/redocly.yaml',
    'extends: [spec]\napis:\n  pets: { root: ./api/openapi.yaml, rules: { info-contact: warn } }\n  other: { root: ./b.yaml, rules: { info-license: warn } }',
  );

  expect((await check()).rules).toEqual(expect.arrayContaining(['warning info-contact']));
  expect((await check()).rules.join()).not.toContain('info-license');
});

test('findings that the ignore file names are skipped', async () => {
  write('project/redocly.yaml', 'extends: [spec]');
  write(
    'project/.redocly.lint-ignore.yaml',
    "api/openapi.yaml:\n  path-parameters-defined:\n    - '#/paths/~1pets~1{id}~1/get'",
  );

  expect((await check()).rules).toEqual([]);
});

test('our own rules can be turned off', async () => {
  write('project/api/openapi.yaml', description.replace('get: {', 'get: { security: [{ a: [] }],'));
  write('project/redocly.yaml', 'extends: [spec]');
  const before = await check();
  write('project/redocly.yaml', 'extends: [spec]\nrules: { docsctl/security-scheme-defined: off }');

  expect(before.rules).toContain('error docsctl/security-scheme-defined');
  expect((await check()).rules).not.toContain('error docsctl/security-scheme-defined');
});

describe('no code of it is run', () => {
  const marker = () => join(folder, 'ran');
  const code = () => `require('fs').writeFileSync(${JSON.stringify(marker())}, ''); module.exports = { id: 'evil' };`;

  test.each([
    ['a plugin', 'plugins: [./evil.cjs]\nextends: [spec]', 'evil.cjs'],
    [
      'a plugin of an API',
      'extends: [spec]\napis: { a: { root: api/openapi.yaml, plugins: [./evil.cjs] } }',
      'evil.cjs',
    ],
    ['the plugin in its usual place', 'extends: [spec]', '@theme/plugin.cjs'],
    ['the plugin in its usual place of a project without configuration', undefined, '@theme/plugin.cjs'],
    ['a plugin of a file that it extends', 'extends: [spec, more.yaml]', 'evil.cjs'],
  ])('%s', async (_, config, name) => {
    write(`project/${name}`, code());
    write('project/more.yaml', 'plugins: [./evil.cjs]\nrules: { info-license: off }');
    if (config !== undefined) write('project/redocly.yaml', config);

    await check();

    expect(existsSync(marker())).toBe(false);
  });

  test('that rules of plugins do not apply is said', async () => {
    write('project/redocly.yaml', 'extends: [spec, evil/all]\nplugins: [./evil.cjs]\nrules: { evil/rule: error }');

    expect((await check()).config).toEqual([
      expect.stringMatching(/^redocly\.yaml:1:17 error "evil\/all" is a ruleset of a plugin/),
      expect.stringMatching(/^redocly\.yaml:2:1 error Plugins are not run/),
    ]);
  });
});

test.each([
  ['an address', 'https://example.com/rules.yaml', 'is not downloaded'],
  ['a file outside of the project', '../secret.yaml', 'leads outside of the project'],
  ['a hidden file', '.env.yaml', 'leads to a hidden file'],
  ['a link out of the project', 'link.yaml', 'leads outside of the project'],
  ['a file that is not there', 'missing.yaml', 'there is no such file'],
])('%s is not extended, and that is an error', async (_, name, reason) => {
  write('secret.yaml', 'rules: { info-license: error }');
  write('project/.env.yaml', 'rules: { info-license: error }');
  symlinkSync(join(folder, 'secret.yaml'), join(folder, 'project/link.yaml'));
  write('project/redocly.yaml', `extends: [spec, '${name}']`);

  const { rules, config } = await check();

  expect(rules.join()).not.toContain('info-license');
  expect(config).toEqual([expect.stringContaining(reason)]);
  expect(config[0]).toContain(' error ');
});

test.each([
  ['YAML that is broken', 'rules: [', /^redocly\.yaml:1:\d+ error YAML: /],
  ['no object', '- spec', /error This configuration is not an object/],
  ['an unknown ruleset', 'extends: [recomended]', /1:11 error This is not a known ruleset/],
  [
    'a rule with a wrong name',
    'rules: { info-licence: error }',
    /1:10 error "info-licence" is not a known rule: did you mean "info-license"\?/,
  ],
  [
    'a severity that does not exist',
    'rules: { info-license: wran }',
    /1:10 error The severity of "info-license" must be error, warn or off/,
  ],
  ['rules that are a list', 'rules: [info-license]', /1:1 error "rules" must be an object/],
  ['decorators', 'decorators: { remove-x-internal: on }', /warning "decorators" has no effect/],
])('%s is a finding, and the description is checked all the same', async (_, text, message) => {
  write('project/redocly.yaml', text);

  const { rules, config } = await check();

  expect(config).toEqual([expect.stringMatching(message)]);
  expect(rules).toContain('error path-parameters-defined');
});

test.each([
  [
    'a rule of a plugin that is not named',
    'rules: { evil/rule: error }',
    /^redocly\.yaml:1:10 error "evil\/rule" is a rule/,
  ],
  [
    'a wrong rule of an API',
    'apis: { a: { root: x, rules: { info-licence: warn } } }',
    /:1:\d+ error "info-licence" is not/,
  ],
  ['a plugin of an API', 'apis: { a: { root: x, plugins: [./p.cjs] } }', /:1:\d+ error Plugins are not run/],
  ['a wrong rule of another file', 'extends: [spec, more.yaml]', /^more\.yaml:2:10 error "info-licence" is not/],
])('%s is an error', async (_, text, message) => {
  write('project/more.yaml', '\nrules: { info-licence: warn }');
  write('project/redocly.yaml', text);

  expect((await check()).config).toEqual([expect.stringMatching(message)]);
});

test('a configuration under a former name is an error', async () => {
  write('project/.redocly.yaml', 'extends: [spec]');

  const { rules, config } = await check();

  expect(config).toEqual([expect.stringContaining('.redocly.yaml:1:1 error Its rules do not apply')]);
  expect(rules).toContain('warning info-license');
});

describe('a ruleset of Spectral', () => {
  const spectral = async () => {
    const { findings } = await readDescription({ path: 'api/openapi.yaml' }, join(folder, 'project'));
    return findings.filter(({ rule }) => rule === 'docsctl/spectral-ruleset').map(formatFinding);
  };
  const ruleset = [
    'extends: [[spectral:oas, recommended], https://example.com/ruleset.yaml]',
    'rules:',
    '  operation-success-response: error',
    '  info-contact: off',
    '  tag-description: { severity: hint }',
    '  title-case: { given: $.info, then: { field: title, function: casing } }',
  ].join('\n');

  test('is refused with its rules for redocly.yaml', async () => {
    write('project/.spectral.yaml', ruleset);

    expect(await spectral()).toEqual([
      '.spectral.yaml:1:1 error Spectral rulesets are not run, so its rules do not apply. In redocly.yaml, they are "extends: [recommended], rules: { operation-2xx-response: error, info-contact: off, tag-description: warn }". Without an equivalent: title-case. Not read: https://example.com/ruleset.yaml (docsctl/spectral-ruleset)',
    ]);
  });

  test.each([
    ['that is code', 'project/api/.spectral.js', 'throw new Error("It was run");'],
    ['that is broken', 'project/api/.spectral.json', '{'],
  ])('%s is refused, too', async (_, path, text) => {
    write(path, text);

    expect(await spectral()).toEqual([expect.stringContaining('Write them into redocly.yaml')]);
  });

  test('has the severity in redocly.yaml', async () => {
    write('project/.spectral.yaml', ruleset);
    write('project/redocly.yaml', 'rules: { docsctl/spectral-ruleset: warn }');
    const warnings = await spectral();
    write('project/redocly.yaml', 'rules: { docsctl/spectral-ruleset: off }');

    expect(warnings).toEqual([expect.stringContaining('.spectral.yaml:1:1 warning ')]);
    expect(await spectral()).toEqual([]);
  });
});

test('the documented equivalents of rules of Spectral are the ones in messages, and exist', async () => {
  const page = readFileSync('docs/openapi-rules.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([^`]+)` \| `([^`]+)` \|$/gm)].map(([, spectral, ours]) => [spectral, ours]);
  const { plugins } = await createConfig({});
  const known = new Set(plugins.flatMap(({ rules }) => Object.values(rules ?? {}).flatMap((set) => Object.keys(set))));

  expect(Object.fromEntries(rows)).toEqual(equivalentRules);
  const others = Object.values(equivalentRules).filter((rule) => !rule.startsWith('docsctl/'));
  expect(others.filter((rule) => !known.has(rule))).toEqual([]);
});
