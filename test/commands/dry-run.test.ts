import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerPaths, printedPaths } from '../../src/cli/command/answer-paths.ts';
import { writeDemoFiles } from '../support/demo-files.ts';
import { type Demo, type DemoHome, makeDemo } from '../support/shell.ts';
import { commandsOfTree, wordsOf } from '../support/tree.ts';

let demo: Demo;
let home: DemoHome;
beforeAll(async () => {
  demo = await makeDemo();
  home = await demo.copy();
  await writeDemoFiles(home.dir);
  await home.run(['whoami']);
  await home.run(['profiles', 'create', 'agent', '--url', `embedded:${home.database}`]);
});
afterAll(() => demo.remove());

/** Every file below a folder with what is in it, but for what may be lost and what SQLite needs while it is open. */
function filesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\/cache\b|-shm$/.test(join(entry.parentPath, entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file): [string, Buffer] => [file, readFileSync(file)])
    .filter(([, bytes]) => bytes.length > 0);
  return Object.fromEntries(files.map(([file, bytes]) => [file, createHash('sha256').update(bytes).digest('hex')]));
}

const writing = (await commandsOfTree()).filter(
  ({ path, command: { endpoint, run, examples = {} } }) =>
    // `twin/twin.test.ts` runs those that copy the whole organization, and `postgres/copy.test.ts` that of databases.
    // A dry run about a proposal needs one.
    !/^proposals (?!list)/.test(path) &&
    !['twin create', 'twin remove', 'rehearse', 'propose', 'serve copy'].includes(path) &&
    (endpoint?.method !== 'GET' || run) &&
    Object.values(examples).some((line) => wordsOf(line) !== undefined),
);

test.each(writing)('$path --dry-run changes nothing', async ({ path, command }) => {
  for (const run of Object.values(command.examples ?? {})) {
    const words = wordsOf(run);
    if (words?.[0] !== 'docsctl') continue;
    const before = filesOf(home.dir);

    const { exitCode } = await home.run([...words.slice(1), '--dry-run']);

    // The folder of the examples has one of several teams, so that drift finds others, and is no Git repository.
    const expected = path === 'drift' ? 9 : path === 'openapi check' ? 2 : 0;
    expect({ run, exitCode, files: filesOf(home.dir) }).toEqual({ run, exitCode: expected, files: before });
  }
});

/** Of every command that tells a request, the words of an example. */
const exampleLines = await Promise.all(writing.map(exampleOf)).then((lines) => lines.flat());

async function exampleOf({ path, command: { examples = {}, endpoint, prints } }: (typeof writing)[number]) {
  const words = Object.values(examples)
    .map(wordsOf)
    .find((line) => line?.[0] === 'docsctl');
  const isShaped = words?.some((word) => ['-o', '--json', '--jq', '--columns', '--dry-run'].includes(word));
  const paths =
    typeof prints === 'function' ? printedPaths(await prints()) : endpoint ? answerPaths(endpoint, undefined) : [];
  const columns = paths[0] ?? 'id';
  // What `run` prints is that of its commands.
  return words === undefined || isShaped || path === 'run'
    ? []
    : [{ path, words: [...words.slice(1), '--dry-run'], columns }];
}
const isRequest = (text: string) => /^(GET|POST|PUT|PATCH|DELETE) (embedded|https?):/.test(text);

test.each(exampleLines)(
  '$path --dry-run prints its request whatever the output flags are',
  async ({ words, columns }) => {
    const { stdout: request } = await home.run(words);
    if (!isRequest(request)) return;

    for (const outputFlags of [
      ['-o', 'id'],
      ['--jq', '.id'],
      ['--columns', columns],
      ['-o', 'csv', '--jq', '.[]'],
    ]) {
      const { exitCode, stdout, stderr } = await home.run([...words, ...outputFlags]);
      expect({ outputFlags, exitCode, stdout }).toEqual({ outputFlags, exitCode: 0, stdout: '' });
      expect(stderr).toContain(request);
    }
    for (const format of ['table', 'csv', 'tsv'])
      expect(await home.run([...words, '-o', format])).toMatchObject({ exitCode: 0, stdout: request });
    const { json } = await home.run([...words, '-o', 'json']);
    for (const one of Array.isArray(json) ? json : [json]) expect(request).toContain(`${one.method} ${one.url}\n`);
  },
);

test('several requests are one JSON document', async () => {
  const ids = ['member000007', 'member000008'];

  const { json } = await home.run(['members', 'remove', ...ids, '--dry-run', '-o', 'json']);

  expect(json.map(({ url }: { url: string }) => url.slice(-12))).toEqual(ids);
});

test('a dry run never prints its plan where the id of the new object is expected', async () => {
  const { exitCode, stdout, stderr } = await home.run([
    'content',
    'push',
    'docs',
    '--new',
    'Pumps',
    '--adopt',
    '--space',
    'handbook0001',
    '-o',
    'id',
    '--dry-run',
  ]);

  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  expect(stderr).toContain('readme\n');
});

test('a list is asked for page by page, and in a dry run once', async () => {
  const { exitCode, stdout } = await home.run(['api', 'orgs', '--paginate', '--dry-run']);

  expect({ exitCode, lines: stdout.split('\n').length }).toEqual({ exitCode: 0, lines: 2 });
});
