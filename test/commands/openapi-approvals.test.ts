import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from '../support/in-process.ts';

const operation = (name: string, more = '') =>
  `  /${name}:\n    get: { operationId: ${name}, summary: Get it, ${more}responses: { 200: { description: Fine }, 400: { description: No } } }\n`;
const api = (...operations: string[]) =>
  [
    'openapi: 3.0.3',
    'info: { title: Pets, version: "1", license: { name: MIT, url: https://a.test } }',
    'servers: [{ url: https://a.test }]',
    'security: []',
    `paths:\n${operations.join('')}`,
  ].join('\n');
const full = api(operation('a'), operation('b'), operation('c'));
const withoutB = api(operation('a'), operation('c'));
const withoutBAndC = api(operation('a'));

interface Fixtures {
  /** Publishes a text with `--fail-on breaking` and these flags. */
  gated: (text: string, ...flags: string[]) => Promise<{ exitCode: number; stderr: string; json: any }>;
  write: (name: string, text: string) => Promise<void>;
}

const it = test.extend<Fixtures>({
  write: async ({ home }, use) => use((name, text) => writeFile(join(home.dir, name), text)),
  gated: async ({ docsctl, write }, use) =>
    use(async (text, ...flags) => {
      await write('api.yaml', text);
      const words = ['openapi', 'publish', 'api.yaml', '--slug', 'pets', '--wait', '--json', '--fail-on', 'breaking'];
      return docsctl(...words, ...flags);
    }),
});

describe('publish --fail-on breaking --ignore', () => {
  it('allows what an entry accepts, and nothing else', async ({ gated, write }) => {
    await write('approved.yaml', '- { rule: path-removed, path: GET /b, reason: Unused, author: Ann }\n');
    await gated(full);

    const more = await gated(withoutBAndC, '--ignore', 'approved.yaml');
    const approved = await gated(withoutB, '--ignore', 'approved.yaml');

    expect(more.exitCode).toBe(9);
    expect(more.stderr).toContain('GET /c: path: was removed');
    expect(more.stderr).not.toContain('GET /b: path: was removed');
    expect(approved).toMatchObject({ exitCode: 0, json: { result: 'updated', breaking: 'none' } });
    expect(approved.stderr).toContain('1 change is ignored by approved.yaml.');
  });

  it('reports entries that match nothing or have expired', async ({ gated, write }) => {
    await write(
      'approved.yaml',
      [
        '- { rule: path-removed, path: GET /b, until: 2020-01-31, reason: Unused, author: Ann }',
        '- { rule: path-removed, path: GET /z, reason: Never was, author: Bo }',
      ].join('\n'),
    );
    await gated(full);

    const run = await gated(withoutB, '--ignore', 'approved.yaml');

    expect(run.exitCode).toBe(9);
    expect(run.stderr).toContain('path-removed, GET /z (Never was, Bo) matches no change.');
    expect(run.stderr).toMatch(/warning .*expired.* path-removed, GET \/b, until 2020-01-31 \(Unused, Ann\)/);
  });

  it('an entry for a change that clients need not care about is used', async ({ gated, write }) => {
    await write('approved.yaml', '- { rule: path-added, reason: New, author: Ann }\n');
    await gated(withoutB);

    const run = await gated(full, '--ignore', 'approved.yaml');

    expect(run.exitCode).toBe(0);
    expect(run.stderr).not.toContain('matches no change');
  });

  it('needs the check', async ({ docsctl, write }) => {
    await write('api.yaml', full);
    await write('approved.yaml', '[]');

    const run = await docsctl('openapi', 'publish', 'api.yaml', '--ignore', 'approved.yaml');

    expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--ignore needs --fail-on breaking.') });
  });
});

describe('a baseline of changes', () => {
  it('is written by diff, accepted by publish, and keeps what people add', async ({ docsctl, gated, home, write }) => {
    await gated(full);
    await write('api.yaml', withoutB);

    const written = await docsctl('openapi', 'diff', 'pets', 'api.yaml', '--write-baseline', 'known.json');
    const text = await readFile(join(home.dir, 'known.json'), 'utf8');
    await write('known.json', text.replace('"}', '","reason":"Unused","author":"Ann","until":"2999-01-31"}'));
    await docsctl('openapi', 'diff', 'pets', 'api.yaml', '--write-baseline', 'known.json');
    const more = await gated(withoutBAndC, '--baseline', 'known.json');
    const accepted = await gated(withoutB, '--baseline', 'known.json');

    expect(written.exitCode, written.stderr).toBe(0);
    expect(more.exitCode).toBe(9);
    expect(accepted).toMatchObject({ exitCode: 0, json: { result: 'updated' } });
    expect(accepted.stderr).toContain('1 change accepted by known.json.');
    expect(await readFile(join(home.dir, 'known.json'), 'utf8')).toContain('"author":"Ann"');
  });

  it('holds findings and changes together', async ({ docsctl, gated, write }) => {
    await gated(full);
    await write('api.yaml', withoutB.replace('operationId: a', 'operationId: 1'));

    await docsctl('openapi', 'validate', 'api.yaml', '--write-baseline', 'known.json');
    await docsctl('openapi', 'diff', 'pets', 'api.yaml', '--write-baseline', 'known.json');
    const validated = await docsctl('openapi', 'validate', 'api.yaml', '--baseline', 'known.json');
    const published = await gated(withoutB.replace('operationId: a', 'operationId: 1'), '--baseline', 'known.json');

    expect(validated.exitCode).toBe(0);
    expect(validated.stderr).not.toContain('fixed');
    expect(published.exitCode, published.stderr).toBe(0);
  });

  it('has entries that expire, and reports those that are no longer needed', async ({ docsctl, gated, write }) => {
    await gated(full);
    await write('api.yaml', withoutB);
    await docsctl('openapi', 'diff', 'pets', 'api.yaml', '--write-baseline', 'known.json');
    const entry = { file: 'api.yaml', rule: 'path-removed', at: 'GET /b: path: was removed', author: 'Ann' };
    const other = { ...entry, at: 'GET /z: path: was removed' };
    await write('known.json', JSON.stringify({ version: 1, findings: [{ ...entry, until: '2020-01-31' }, other] }));

    const run = await gated(withoutB, '--baseline', 'known.json');

    expect(run.exitCode).toBe(9);
    expect(run.stderr).toContain(
      'known.json: the entry has expired and has no effect: path-removed in api.yaml at GET /b',
    );
    expect(run.stderr).toContain('known.json: path-removed in api.yaml at GET /z: path: was removed (Ann) is fixed.');
  });
});

describe('a broken description that is published', () => {
  const broken = (text: string) => api(operation('a', text));

  it.for([
    [
      'a parameter',
      'parameters: [{ $ref: "#/gone" }], ',
      'parameters: [{ name: q, in: query, required: true, description: Q, schema: { type: string } }], ',
    ],
    [
      'a request body',
      'requestBody: { $ref: "#/gone" }, ',
      'requestBody: { required: true, content: { text/plain: { schema: { type: string } } } }, ',
    ],
    [
      'a schema',
      'requestBody: { content: { text/plain: { schema: { $ref: "#/gone" } } } }, ',
      'requestBody: { content: { text/plain: { schema: { type: string } } } }, ',
    ],
  ] as const)('%s: does not block its repair', async ([, before, after], { gated, docsctl, write }) => {
    await write('api.yaml', broken(before));
    await docsctl('openapi', 'publish', 'api.yaml', '--slug', 'pets', '--wait', '--fail-on', 'none');

    const repaired = await gated(broken(after));

    expect(repaired.exitCode, repaired.stderr).toBe(0);
    expect(repaired.json).toMatchObject({ result: 'updated', breaking: 'warnings' });
    expect(repaired.stderr).toContain('the reference #/gone cannot be resolved');
  });

  it('does not hide what breaks elsewhere', async ({ gated, docsctl, write }) => {
    await write('api.yaml', api(operation('a', 'parameters: [{ $ref: "#/gone" }], '), operation('b')));
    await docsctl('openapi', 'publish', 'api.yaml', '--slug', 'pets', '--wait', '--fail-on', 'none');

    const run = await gated(api(operation('a')));

    expect(run.exitCode).toBe(9);
    expect(run.stderr).toContain('api.yaml has 1 breaking change.');
  });
});
