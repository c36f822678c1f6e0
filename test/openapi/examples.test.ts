import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDescription } from '../../src/openapi/index.ts';
import { readErrors } from './read-errors.ts';
import { breakingChanges } from './breaking-changes.ts';
import { reversed } from './reverse-keys.ts';

const folder = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));
const examples = globSync('{2.0,3.0,3.1}/**/*.{json,yaml}', { cwd: folder }).toSorted();

/** Not valid: they name security schemes that they do not define, or have an array without items. */
const faulty: Record<string, string[]> = {
  '3.0/json/response-http-behavior.json': ['docsctl/security-scheme-defined'],
  '3.0/yaml/response-http-behavior.yaml': ['docsctl/security-scheme-defined'],
  '3.0/json/schema-types.json': ['docsctl/array-items'],
  '3.0/yaml/schema-types.yaml': ['docsctl/array-items'],
};

test('there are examples', () => {
  expect(examples.length).toBeGreaterThan(125);
});

describe.each(examples)('%s', (path) => {
  const text = readFileSync(join(folder, path), 'utf8');

  test('is valid and sent unchanged', async () => {
    const description = await readErrors({ path }, folder);

    const rules = description.findings.filter(({ level }) => level === 'error').map(({ rule }) => rule);
    expect([...new Set(rules)]).toEqual(faulty[path] ?? []);
    expect(description).toMatchObject({ source: path, version: path.slice(0, 3), text });
    expect(description.title).not.toBe('');
  });

  test('is read by the service with its version', () => {
    const { version, title, document } = parseDescription(text);

    expect(version).toBe(path.slice(0, 3));
    expect(document).toMatchObject({ info: { title } });
  });

  test('has no differences from itself, in any order of its keys', () => {
    const { document } = parseDescription(text);

    expect(breakingChanges(document, reversed(document))).toEqual([]);
    expect(breakingChanges(reversed(document), document)).toEqual([]);
  });
});
