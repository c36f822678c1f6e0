import { expect, test } from 'vitest';
import { editAddress } from '../../src/site/edit-link.ts';

test.each([
  ['github', 'https://github.example/o/r/tree/main', 'https://github.example/o/r/edit/main/docs/a%20b.md'],
  ['github', 'https://github.example/o/r.git', 'https://github.example/o/r/blob/HEAD/docs/a%20b.md'],
  ['gitlab', 'https://gitlab.example/o/r/-/tree/next', 'https://gitlab.example/o/r/-/edit/next/docs/a%20b.md'],
  ['gitlab', 'https://gitlab.example/o/r/', 'https://gitlab.example/o/r/-/blob/HEAD/docs/a%20b.md'],
  ['github', 'javascript:alert(1)', undefined],
] as const)('the source of a page at %s, %s', (installationProvider, url, expected) => {
  expect(editAddress({ installationProvider, url }, 'docs/a b.md')).toBe(expected);
});

test('pages without Git Sync have no edit address', () => {
  expect(editAddress(undefined, 'a.md')).toBeUndefined();
  expect(editAddress({ url: 'https://github.example/o/r' }, undefined)).toBeUndefined();
});
