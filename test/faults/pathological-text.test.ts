import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { parsers, size } from './pathological-parsers.ts';
import type { Measured } from './pathological-worker.ts';

/**
 * Every parser of ours gets long texts that were made to slow it. What libraries parse (Markdown, HTML, XML) is limited
 * in time from outside; here it is parsed beforehand, so that only our own steps are measured.
 */
const mostMs = size / 1_000;
/** The processor's time, but that of a machine that does other things too; a short text makes up for less of it. */
const allowance = size < 1_000_000 ? 4 : 2;
const hangsMs = 60_000;

let worker: Worker | undefined;
afterAll(async () => worker?.terminate());

/** Measures the cases of a parser on a thread of its own, which can be ended when one never ends. */
async function measure(parser: string): Promise<Measured[]> {
  const thread = (worker ??= new Worker(new URL('pathological-worker.ts', import.meta.url)));
  const results: Measured[] = [];
  let running = 'nothing';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onTimeout = () => reject(new Error(`${running} did not end within ${hangsMs / 1000} s`));
  let watch = setTimeout(onTimeout, hangsMs);
  const onMessage = (message: { begins?: string; measured?: Measured; done?: true }) => {
    clearTimeout(watch);
    if (message.done) return resolve();
    watch = setTimeout(onTimeout, hangsMs);
    if (message.begins !== undefined) running = message.begins;
    if (message.measured) results.push(message.measured);
  };
  thread.on('message', onMessage);
  thread.on('error', reject);
  thread.postMessage(parser);
  try {
    await promise;
  } catch (error) {
    await thread.terminate();
    worker = undefined;
    throw error;
  } finally {
    clearTimeout(watch);
    thread.off('message', onMessage).off('error', reject);
  }
  return results;
}

test.each(parsers)('%s: time grows with the text', { timeout: 300_000 }, async (parser) => {
  const results = await measure(parser);
  expect(results.length).toBeGreaterThan(0);
  const wrong = results.filter(({ ms, error }) => error !== undefined || ms > mostMs * allowance);
  expect(wrong).toEqual([]);
});
