import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { breakingChanges, formatFinding, parseDescription, readDescription } from '../../src/openapi/index.ts';
import { reversed } from './reverse-keys.ts';

const folder = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));
const examples = globSync('{2.0,3.0,3.1}/**/*.{json,yaml}', { cwd: folder }).toSorted();

test('there are examples', () => {
  expect(examples.length).toBeGreaterThan(125);
});

describe.each(examples)('%s', (path) => {
  const text = readFileSync(join(folder, path), 'utf8');

  test('is valid and sent unchanged', async () => {
    const description = await readDescription({ path }, folder);

    expect(description.findings.filter(({ severity }) => severity === 'error').map(formatFinding)).toEqual([]);
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
