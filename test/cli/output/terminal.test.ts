import { expect, test } from 'vitest';
import { canAnimate, terminal } from '../../../src/cli/output/index.ts';

const onTerminal = (env: Record<string, string>, columns: number | undefined = 100) =>
  terminal({ env, isTerminal: () => true, columns: () => columns });
const inPipe = (env: Record<string, string>) => terminal({ env, isTerminal: () => false, columns: () => 100 });

test('a terminal has colour and its width', () => {
  expect(onTerminal({})).toEqual({ terminal: true, color: true, links: false, width: 100 });
  expect(onTerminal({}, 0)).toMatchObject({ width: 80 });
  expect(terminal({ env: {}, isTerminal: () => true, columns: () => undefined })).toMatchObject({ width: 80 });
});

test('a pipe has neither', () => {
  expect(inPipe({})).toEqual({ terminal: false, color: false, links: false, width: Number.POSITIVE_INFINITY });
});

test('COLUMNS takes precedence over the width of the terminal when it is a number', () => {
  expect(onTerminal({ COLUMNS: '40' }).width).toBe(40);
  expect(inPipe({ COLUMNS: '40' }).width).toBe(40);
  expect(onTerminal({ COLUMNS: 'wide' }).width).toBe(100);
  expect(onTerminal({ COLUMNS: '0' }).width).toBe(100);
});

test.each([
  [{ NO_COLOR: '1' }, false],
  [{ NO_COLOR: '' }, true],
  [{ TERM: 'dumb' }, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  [{ FORCE_COLOR: '0' }, false],
] as [Record<string, string>, boolean][])('in a terminal %o means colour: %s', (env, color) => {
  expect(onTerminal(env).color).toBe(color);
});

test('colour can be forced into a pipe', () => {
  expect(inPipe({ FORCE_COLOR: '1' }).color).toBe(true);
  expect(inPipe({ FORCE_COLOR: 'false' }).color).toBe(false);
});

test('nothing is animated in CI, in a dumb terminal, in one without a width, or without a terminal', () => {
  const animates = (env: Record<string, string>, isTerminal = true, columns = 80) =>
    canAnimate({ env, isTerminal: () => isTerminal, columns: () => columns });
  expect(animates({})).toBe(true);
  expect(animates({ CI: 'true' })).toBe(false);
  expect(animates({ CI: 'false' })).toBe(true);
  expect(animates({ TERM: 'dumb' })).toBe(false);
  expect(animates({}, false)).toBe(false);
  expect(animates({}, true, 0)).toBe(false);
});
