import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgress } from '../../../src/cli/output/index.ts';
import { createCollector } from './support.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function createSpinner() {
  const calls: string[] = [];
  const spinner = {
    text: '',
    start: () => calls.push(`start ${spinner.text}`),
    stop: () => calls.push('stop'),
    clear: () => calls.push('clear'),
  };
  const open = vi.fn<(text: string) => Promise<typeof spinner>>(async (text) => {
    spinner.text = text;
    return spinner;
  });
  return { calls, spinner, open };
}

test('work of less than 150 ms loads and shows no progress', async () => {
  const { calls, open } = createSpinner();
  const progress = createProgress('Listing members', { animated: true, open });
  await vi.advanceTimersByTimeAsync(149);
  progress.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(open).not.toHaveBeenCalled();
  expect(calls).toEqual([]);
});

test('longer work shows its progress, with safe text', async () => {
  const { calls, spinner, open } = createSpinner();
  const progress = createProgress('Listing \u001b[31mmembers', { animated: true, open, width: () => 57 });
  progress.count(50, 200);
  await vi.advanceTimersByTimeAsync(150);
  expect(calls).toEqual(['start Listing \\u001b[31mmembers [####------------] 50 of 200']);
  progress.count(100);
  expect(spinner.text).toBe('Listing \\u001b[31mmembers 100');
  progress.say('Waiting');
  expect(spinner.text).toBe('Waiting 100');
  progress.stop();
  progress.stop();
  expect(calls.slice(1)).toEqual(['stop']);
});

test.each([
  [100, 'Deleting [##############################] 10 of 10, 2 failed', 10, 10, 2],
  [40, 'Deleting [#########---------] 5 of 10', 5, 10, 0],
  [30, 'Deleting 5 of 10, 1 failed', 5, 10, 1],
  [40, 'Deleting [###################] 9 of 8', 9, 8, 0],
  [40, 'Deleting [###################] 0 of 0', 0, 0, 0],
])('a bar on %i columns is %s', async (columns, expected, ...count) => {
  const { spinner, open } = createSpinner();
  const progress = createProgress('Deleting', { animated: true, open, width: () => columns });
  await vi.advanceTimersByTimeAsync(150);
  progress.count(...(count as [number, number, number]));
  expect(spinner.text).toBe(expected);
  // The spinner with its blank stands before it, and the last column stays free.
  expect(spinner.text.length).toBeLessThanOrEqual(columns - 3);
  progress.stop();
});

test('a spinner that was still loading when the work ended is not shown', async () => {
  const { calls, spinner } = createSpinner();
  const loading = Promise.withResolvers<typeof spinner>();
  const progress = createProgress('Listing', { animated: true, open: () => loading.promise });
  await vi.advanceTimersByTimeAsync(150);
  progress.stop();
  loading.resolve(spinner);
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toEqual([]);
});

test.each([{ animated: false }, { animated: true, quiet: true }])('with %o nothing is animated', async (options) => {
  const { open } = createSpinner();
  const progress = createProgress('Listing', { ...options, open, messages: createCollector() });
  await vi.advanceTimersByTimeAsync(1000);
  progress.count(1, 2);
  progress.stop();
  expect(open).not.toHaveBeenCalled();
});

test('notes are printed except with --quiet, on one safe line', async () => {
  const messages = createCollector();
  await createProgress('Listing', { animated: false, messages }).note('waiting 5 s\u001b[2J\n');
  await createProgress('Listing', { animated: false, messages, quiet: true }).note('not this');
  expect(messages.text()).toBe('waiting 5 s\\u001b[2J↵\n');
});

test('results and notes go above the progress', async () => {
  const { calls, open } = createSpinner();
  const results = createCollector();
  const messages = createCollector();
  const progress = createProgress('Listing', { animated: true, open, messages });
  await vi.advanceTimersByTimeAsync(150);
  await progress.above(results).write('row\n');
  await progress.note('slow down');
  expect(calls.slice(1)).toEqual(['clear', 'clear']);
  expect(results.text() + messages.text()).toBe('row\nslow down\n');
  progress.stop();
});
