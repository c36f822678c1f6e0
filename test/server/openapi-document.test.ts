import { expect, test } from 'vitest';
import { describeService } from '../../src/server/http/openapi-document.ts';
import { readDescription } from '../../src/openapi/index.ts';
import { described } from './documented-endpoints.ts';

const document = (await describeService({ version: '0.0.0', base: 'https://docs.example' })) as any;
const operations = new Set(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  ),
);

test('every endpoint that clients rely on has its operation', () => {
  expect(described.filter((row) => !operations.has(row))).toEqual([]);
});

test('nothing is found in the OpenAPI document', async () => {
  const { findings, version } = await readDescription({ text: JSON.stringify(document) });

  expect(findings).toEqual([]);
  expect(version).toBe('3.1');
});

test('every operation describes its effect, its permission and its errors', () => {
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, any>>)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method} ${path}`;
      expect(operation.summary, name).toMatch(/^[A-Z].*\.$/);
      expect(operation['x-access'], name).toBeTruthy();
      expect(operation.responses.default, name).toBeTruthy();
    }
  }
});
