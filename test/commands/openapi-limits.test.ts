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
/** A pattern that takes minutes. */
const slow = (pattern: string) => ({ type: 'string', pattern, example: `${'a'.repeat(40)}!` });
const tooSlow = 'the pattern ^(a+)+$ takes too long to check';

test('a pattern that takes very long is reported, and all else is checked', async ({ home, docsctl }) => {
  const schemas = { A: slow('^(a+)+$'), B: slow('^(a+)+$'), C: { type: 'string', pattern: '^b+$', example: 'a' } };
  await writeFile(join(home.dir, 'slow.json'), JSON.stringify({ ...head, components: { schemas } }));

  const { exitCode, stdout } = await docsctl('openapi', 'validate', 'slow.json');

  expect(exitCode).toBe(0);
  expect(stdout.match(/Example validation errored: (.*) \(/g)).toEqual([
    `Example validation errored: ${tooSlow} (`,
    `Example validation errored: ${tooSlow} (`,
  ]);
  expect(stdout).toContain('must match pattern "^b+$"');
});

test('so is one of the rules of a project', async ({ home, docsctl }) => {
  const info = { title: `${'a'.repeat(40)}!`, version: '1' };
  await writeFile(join(home.dir, 'slow.json'), JSON.stringify({ ...head, info }));
  const assertions = { pattern: '^(a+)+$' };
  const rule = { subject: { type: 'Info', property: 'title' }, assertions };
  await writeFile(join(home.dir, 'redocly.yaml'), JSON.stringify({ rules: { 'rule/title': rule } }));

  const { exitCode, stdout } = await docsctl('openapi', 'validate', 'slow.json');

  expect(exitCode).toBe(9);
  expect(stdout).toContain(`The rule assertions could not be applied to this value: ${tooSlow}`);
});

test('Ctrl-C ends the check of a description whose patterns take very long', async ({ home }) => {
  const patterns = Array.from({ length: 9 }, (_, index) => [`S${index}`, slow(`^(a+)+$|${index}`)]);
  const components = { schemas: Object.fromEntries(patterns) };
  await writeFile(join(home.dir, 'slow.json'), JSON.stringify({ ...head, components }));
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
