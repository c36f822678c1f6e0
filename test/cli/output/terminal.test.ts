import { expect, test } from 'vitest';
import { canAnimate, terminal } from '../../../src/cli/output/index.ts';

const on = (env: Record<string, string>, columns: number | undefined = 100) =>
  terminal({ env, isTerminal: () => true, columns: () => columns });
const off = (env: Record<string, string>) => terminal({ env, isTerminal: () => false, columns: () => 100 });

test('a terminal has colour and the width it tells', () => {
  expect(on({})).toEqual({ terminal: true, color: true, width: 100 });
  expect(on({}, 0)).toMatchObject({ width: 80 });
  expect(terminal({ env: {}, isTerminal: () => true, columns: () => undefined })).toMatchObject({ width: 80 });
});

test('a pipe has neither', () => {
  expect(off({})).toEqual({ terminal: false, color: false, width: Number.POSITIVE_INFINITY });
});

test('COLUMNS goes before the width of the terminal when it is a number', () => {
  expect(on({ COLUMNS: '40' }).width).toBe(40);
  expect(off({ COLUMNS: '40' }).width).toBe(40);
  expect(on({ COLUMNS: 'wide' }).width).toBe(100);
  expect(on({ COLUMNS: '0' }).width).toBe(100);
});

test.each([
  [{ NO_COLOR: '1' }, false],
  [{ NO_COLOR: '' }, true],
  [{ TERM: 'dumb' }, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  [{ FORCE_COLOR: '0' }, false],
] as [Record<string, string>, boolean][])('in a terminal %o means colour: %s', (env, color) => {
  expect(on(env).color).toBe(color);
});

test('colour can be forced into a pipe', () => {
  expect(off({ FORCE_COLOR: '1' }).color).toBe(true);
  expect(off({ FORCE_COLOR: 'false' }).color).toBe(false);
});

test('nothing moves in CI, in a dumb terminal, in one of no width or where there is none', () => {
  const animates = (env: Record<string, string>, isTerminal = true, columns = 80) =>
    canAnimate({ env, isTerminal: () => isTerminal, columns: () => columns });
  expect(animates({})).toBe(true);
  expect(animates({ CI: 'true' })).toBe(false);
  expect(animates({ CI: 'false' })).toBe(true);
  expect(animates({ TERM: 'dumb' })).toBe(false);
  expect(animates({}, false)).toBe(false);
  expect(animates({}, true, 0)).toBe(false);
});
