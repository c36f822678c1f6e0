import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DemoHome } from '../../support/shell.ts';
import { runHere, serveHere, sharedDemo } from '../../support/shell.ts';
import fc from '../../support/property.ts';
import { forwardTo } from './forwarding.ts';
import { fillRandomly } from './random-organization.ts';

const { demo } = await sharedDemo();

/** Serves the instance of a home, as a service with its list of grants or without. */
async function served(home: DemoHome, hidden?: RegExp) {
  const { env, stop } = await serveHere(home.database);
  const service = await forwardTo(env.DOCSCTL_URL!, hidden && { hidden });
  const run = (words: string[], token = env.DOCSCTL_TOKEN!) =>
    runHere({ dir: home.dir, env: { ...home.env, DOCSCTL_URL: service.url, DOCSCTL_TOKEN: token } }, words);
  const close = async () => {
    service.stop();
    await stop();
  };
  return { run, requests: service.requests, close };
}

test('the levels of all members take few requests, whatever their number', async () => {
  const home = await demo.copy();
  const { run, requests, close } = await served(home);
  onTestFinished(close);

  for (const words of [
    ['twin', 'create'],
    ['rehearse', '--', 'members', 'edit', 'member000002', '--role', 'read'],
    ['access', 'list', '--space', 'handbook0001'],
    ['access', 'matrix'],
  ]) {
    requests.length = 0;
    const { exitCode, stderr } = await run(words);
    expect(exitCode, stderr).toBe(0);
    expect(requests.length, words.join(' ')).toBeLessThanOrEqual(150);
  }
});

/** Grants levels on a space in nested collections, and on each of these, to a member and to a guest. */
async function grantOnCollections(done: (...words: string[]) => Promise<{ stdout: string }>): Promise<void> {
  const made = async (...words: string[]) => (await done(...words, '-o', 'id')).stdout.trim();
  await done('invites', 'send', 'reader@lumen.example', '--role', 'read');
  await done('invites', 'send', 'guest@lumen.example', '--role', 'guest');
  const outer = await made('collections', 'create', '--title', 'Outer');
  const inner = await made('collections', 'create', '--title', 'Inner', '--parent', outer);
  const space = await made('spaces', 'create', '--title', 'Nested', '--parent', inner);
  const beside = await made('spaces', 'create', '--title', 'Beside', '--parent', outer);
  for (const [place, role, person] of [
    [['--collection', outer], 'comment', 'guest'],
    [['--collection', inner], 'edit', 'reader'],
    [['--space', space], 'create', 'guest'],
    [['--space', beside], 'comment', 'reader'],
  ] as const) {
    const link = await made('invites', 'links', 'create', ...place, '--role', role);
    await done('invites', 'accept', link, '--as', `${person}@lumen.example`);
  }
}

/** What a command ended with, without the ID of its request. */
const resultOf = ({ exitCode, stdout, stderr }: Awaited<ReturnType<DemoHome['run']>>) => ({
  exitCode,
  stdout,
  stderr: stderr.replace(/"requestId":"\w+"/, ''),
});

const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read', 'guest'];

test('a service that lists its grants gives the same levels as one that is asked for each member', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1_000_000), { minLength: 150, maxLength: 150 }), async (numbers) => {
      const home = await demo.copy();
      await rm(home.database);
      await fillRandomly(home.database, numbers);
      const done = async (...words: string[]) => {
        const result = await home.run(words);
        expect(result.exitCode, result.stderr).toBe(0);
        return result;
      };
      const [org] = (await done('orgs', 'list', '-o', 'id')).stdout.split('\n');
      await done('config', 'set', 'org', org!);
      await grantOnCollections(done);
      const spaces = (await done('spaces', 'list', '-o', 'id')).stdout.trim().split('\n');
      const tokens: string[] = [];
      for (const role of roles) {
        const [user] = (await done('members', 'list', '--role', role, '--limit', '1', '-o', 'id')).stdout.split('\n');
        if (user) tokens.push((await done('serve', 'token', 'create', '--user', user, '--jq', '.token')).stdout.trim());
      }
      const [quick, slow] = [await served(home), await served(home, /\/grants$/)];
      for (const token of tokens)
        for (const words of [['access', 'matrix'], ...spaces.map((id) => ['access', 'list', '--space', id])]) {
          const [one, other] = [
            await quick.run([...words, '-o', 'json'], token),
            await slow.run([...words, '-o', 'json'], token),
          ];
          expect(resultOf(one)).toEqual(resultOf(other));
        }
      for (const token of tokens) {
        const levels: unknown[] = [];
        for (const { run } of [quick, slow]) {
          await rm(join(home.dir, 'data', 'twin.db'), { force: true });
          const made = await run(['twin', 'create', '--yes', '-q'], token);
          expect([0, 8], made.stderr).toContain(made.exitCode);
          const matrix = await home.run(['access', 'matrix', '-o', 'json', '--profile', 'twin']);
          levels.push([made.exitCode, matrix.exitCode, matrix.stdout]);
        }
        expect(levels[0]).toEqual(levels[1]);
      }
      for (const { close } of [quick, slow]) await close();
      await home.remove();
    }),
    { numRuns: 2, endOnFailure: true },
  );
});
