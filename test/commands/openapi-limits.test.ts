import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { NeedsThread, readDescription } from '../../src/openapi/index.ts';
import { bin } from '../support/cli.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { test } from '../support/in-process.ts';

const head = { openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths: {} };
/** A pattern that takes a minute or so. */
const slow = { type: 'string', pattern: '^(a+)+$', example: `${'a'.repeat(34)}!` };

test('Ctrl-C ends the check of a description whose pattern takes very long', async ({ home }) => {
  await writeFile(join(home.dir, 'slow.json'), JSON.stringify({ ...head, components: { schemas: { A: slow } } }));
  const words = [bin, 'openapi', 'validate', 'slow.json'];
  const child = spawn(process.execPath, words, { cwd: home.dir, env: home.env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  // It has come to the pattern when it has computed much longer than it takes to start.
  await expect.poll(() => cpuMs(child.pid!), { interval: 50 }).toBeGreaterThan(2_000);

  child.kill('SIGINT');
  const start = performance.now();
  const [status] = await once(child, 'exit');

  expect(status).toBe(130);
  expect(performance.now() - start).toBeLessThan(15_000);
});

const branch = (index: number) => ({
  allOf: [{ $ref: `#/components/schemas/S${index}` }, { $ref: `#/components/schemas/S${index}` }],
});
test.for([
  ['a pattern', { A: { type: 'string', pattern: 'a' } }],
  ['many branches', Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`S${index}`, branch(index + 1)]))],
  ['a long text', { A: { description: 'a'.repeat(70_000) } }],
  ['a document at an address', { A: { $ref: 'https://a.test/b.json' } }],
] as const)('%s is read in a thread', async ([, schemas]) => {
  const text = JSON.stringify({ ...head, components: { schemas } });

  await expect(readDescription({ text }, undefined, [], { onlyHarmless: true })).rejects.toThrow(NeedsThread);
});
