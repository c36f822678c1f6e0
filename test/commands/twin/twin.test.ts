import { readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type DemoHome, runHere, serveHere, sharedDemo } from '../../support/shell.ts';
import fc from '../../support/property.ts';
import { fillRandomly } from './random-organization.ts';
import { smallHome } from './small-organization.ts';

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
});

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

/** Every file below a folder with its bytes. */
function filesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [file.slice(folder.length), readFileSync(file).toString('base64')];
    }),
  );
}

async function expectSameExports(): Promise<void> {
  await done('export', 'original', '--comments', '--overwrite');
  await done('export', 'copy', '--comments', '--overwrite', '--profile', 'twin');
  expect(filesIn(join(home.dir, 'copy'))).toEqual(filesIn(join(home.dir, 'original')));
}

/** What an export does not have. */
async function expectSameAnswers(): Promise<void> {
  const { json: spaces } = await done('spaces', 'list', '-o', 'json');
  const lines = [
    ['access', 'matrix'],
    ['collections', 'list'],
    ['spaces', 'list'],
    ['invites', 'links', 'list'],
    ...spaces.flatMap(({ id }: { id: string }) => [
      ['comments', 'list', '--space', id],
      ...['draft', 'open', 'archived', 'merged'].map((status) => ['cr', 'list', '--space', id, '--status', status]),
    ]),
  ];
  for (const line of lines) {
    const { json } = await done(...line, '-o', 'json');
    expect((await done(...line, '-o', 'json', '--profile', 'twin')).json, line.join(' ')).toEqual(json);
    if (line[0] !== 'cr' || line.at(-1) === 'merged') continue;
    for (const { number } of json) {
      const content = ['content', 'view', '--space', String(line[3]), '--cr', String(number), '-o', 'json'];
      const [one, other] = [await done(...content), await done(...content, '--profile', 'twin')];
      expect(other.json.pages).toEqual(one.json.pages);
      expect(other.json.files).toEqual(one.json.files);
    }
  }
}

test('the twin of the demo has the same export, and passes the check', async () => {
  const { stderr } = await done('twin', 'create');
  expect(stderr).toContain('Not in a twin: ');

  await expectSameExports();
  await done('serve', 'check', '--db', join(home.dir, 'data', 'twin.db'));
});

test('the twin of a service has the same export', async () => {
  home = await smallHome(demo);
  const service = await serveHere(home.database);
  const { exitCode, stderr } = await runHere({ ...home, env: { ...home.env, ...service.env } }, ['twin', 'create']);
  await service.stop();
  expect(exitCode, stderr).toBe(0);

  await expectSameExports();
});

test('twins of random organizations have the same exports', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1_000_000), { minLength: 150, maxLength: 150 }), async (numbers) => {
      for (const name of ['original', 'copy', join('data', 'local.db'), join('data', 'twin.db')])
        for (const end of ['', '-wal', '-shm']) await rm(join(home.dir, name + end), { recursive: true, force: true });
      await fillRandomly(home.database, numbers);
      const { json: orgs } = await done('orgs', 'list', '-o', 'json');
      await done('config', 'set', 'org', orgs[0].id);
      await done('twin', 'create', '--yes');
      await expectSameExports();
      await expectSameAnswers();
      await done('serve', 'check', '--db', join(home.dir, 'data', 'twin.db'));
    }),
    { numRuns: 4 },
  );
});

test('a twin is replaced after a question only, and nothing else is', async () => {
  home = await smallHome(demo);
  await done('twin', 'create');
  const again = await home.run(['twin', 'create']);
  expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes') });
  await done('twin', 'create', '--yes');
  const itself = await home.run(['twin', 'create', '--from', 'twin']);
  expect(itself).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('The current profile is the twin itself.'),
  });

  await writeFile(join(home.dir, 'data', 'twin.db'), 'something else');
  const kept = await home.run(['twin', 'create', '--yes']);
  expect(kept).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('is not a twin created by this command') });
  await done('profiles', 'delete', 'twin', '--yes');
  await done('profiles', 'create', 'twin', '--url', 'https://docs.example');
  const other = await home.run(['twin', 'create', '--yes']);
  expect(other).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('profiles rename twin') });
});

test('what the caller may not read is named and counted', async () => {
  home = await smallHome(demo);
  const { stderr, exitCode, json } = await home.run(['twin', 'create', '--as', 'ada@lumen.example', '-o', 'json']);
  expect(exitCode, stderr).toBe(8);
  expect(json.notReadable).toMatchObject({ 'list of SSO providers': 1, 'list of invite links': 1 });
  expect((await done('whoami', '-o', 'json', '--profile', 'twin')).json.email).toBe('ada@lumen.example');
});
