import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect, test } from 'vitest';
import { bin } from '../support/cli.ts';
import { runs } from '../support/long-form.ts';
import fc from '../support/property.ts';
import { serveHere, sharedDemo } from '../support/shell.ts';

const { demo } = await sharedDemo();
const home = await demo.copy();
const service = await serveHere(home.database);
afterAll(() => service.stop());
const state = join(home.dir, 'state');
const env = { ...home.env, ...service.env, DOCSCTL_STATE_DIR: state };

const edit = (title: string) =>
  execa(process.execPath, [bin, 'teams', 'edit', 'writers00001', '--title', title], {
    cwd: home.dir,
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });

test('commands at once, some of them killed, leave a whole journal', { timeout: 600_000 }, async () => {
  let whole = 0;
  let killed = 0;
  const kills = fc.array(fc.option(fc.nat({ max: 400 })), { minLength: 6, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(kills, async (delays) => {
      const ended = await Promise.all(
        delays.map(async (delay, index) => {
          const child = edit(`Title ${index}`);
          if (delay !== null) setTimeout(() => child.kill('SIGKILL'), delay);
          return child;
        }),
      );
      whole += ended.filter(({ exitCode }) => exitCode === 0).length;
      killed += ended.filter(({ exitCode }) => exitCode !== 0).length;
      // The next command takes over what the killed ones left.
      expect((await edit('Last')).exitCode).toBe(0);
      whole += 1;
      const [folder = ''] = readdirSync(join(state, 'journal')).map((name) => join(state, 'journal', name));
      const lines = readFileSync(join(folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n');
      const entries = lines.map((line) => JSON.parse(line));
      expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1));
      const made = entries.filter(({ result }) => result === 'done').length;
      expect(made).toBeGreaterThanOrEqual(whole);
      // A command may be killed after its line is written.
      expect(made).toBeLessThanOrEqual(whole + killed);
      expect(readdirSync(folder).filter((name) => name.startsWith('running-'))).toEqual([]);
    }),
    { numRuns: runs(2, 20) },
  );
});
