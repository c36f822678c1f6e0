import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bin, type Run } from '../support/cli.ts';
import { writeDemoFiles } from '../support/demo-files.ts';
import { type Demo, type DemoHome, makeDemo } from '../support/shell.ts';
import { commandsOfTree, wordsOf } from '../support/tree.ts';

let demo: Demo;
let home: DemoHome;
beforeAll(async () => {
  demo = await makeDemo();
  home = await demo.copy();
  await writeDemoFiles(home.dir);
  await mkdir(join(home.dir, 'folder.json'));
  await writeFile(join(home.dir, 'locked.json'), '{}');
  await chmod(join(home.dir, 'locked.json'), 0);
});
afterAll(() => demo.remove());

/** Command lines that read the file behind them. */
const readers = [
  'invites send --from',
  'sites customization set --site lumensite001',
  'sites schema set --site lumensite001',
  'openapi publish',
  'openapi validate',
  'openapi create pumps',
  'comments create --space handbook0001 --body-file',
  'comments edit comment00001 --space handbook0001 --body-file',
  'comments replies create comment00001 --space handbook0001 --body-file',
  'sso setup --label Okta --metadata',
  'sso setup --label Okta --entity-id urn:x --sso-url https://id.example/sso --certificate',
  'api orgs --input',
  'api POST orgs -F title=@',
].map((line) => ({ line }));

const takesFolders = new Set(['openapi validate', 'openapi publish']);

const bodies = (await commandsOfTree()).flatMap(
  ({ path, command: { endpoint, run, input: { without } = {}, examples = {} } }) => {
    const words = Object.values(examples)
      .map(wordsOf)
      .find((all) => all?.[0] === 'docsctl');
    const takesData = endpoint?.body && !run && without !== 'all';
    return words && takesData ? [{ path, words: words.slice(1) }] : [];
  },
);

/** One sentence that names the file and says why, and a hint. */
const errorPattern = (file: string, why: string) =>
  new RegExp(`^error: [^\\n]*${file}[^\\n]*: ${why}\\.\\nhint: [A-Z][^\\n]+\\.\\n$`);

const missing = 'there is no such file';

async function expectFileError(words: string[], file: string, why: string, run = home.run) {
  const { exitCode, stdout, stderr } = await run([...words, '--yes']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(errorPattern(file, why));
  expect(stderr).not.toMatch(/\bE[A-Z]{3,}\b/);
}

const behind = (line: string, file: string) => (line.endsWith('@') ? `${line}${file}` : `${line} ${file}`).split(' ');

test.each(readers)('$line reports the problem with a file', async ({ line }) => {
  await expectFileError(behind(line, 'missing.json'), 'missing.json', missing);
  const reason = takesFolders.has(line) ? 'it contains no OpenAPI descriptions' : 'it is a folder';
  await expectFileError(behind(line, 'folder.json'), 'folder.json', reason);
  await expectFileError(
    behind(line, 'petstore.yaml/x.json'),
    'petstore.yaml/x.json',
    'a part of its path is not a folder',
  );
});

/** Runs the program without the rights by which root passes over permissions. */
async function runAsOwner(words: string[]): Promise<Run> {
  const options = { cwd: home.dir, env: home.env, extendEnv: false, reject: false, stripFinalNewline: false } as const;
  const run = await execa(
    'setpriv',
    ['--bounding-set=-dac_override,-dac_read_search', process.execPath, bin, ...words],
    { ...options, stdin: 'ignore' },
  );
  return { exitCode: run.exitCode ?? 1, stdout: run.stdout, stderr: run.stderr, json: undefined };
}

test('a file without read permission is reported', async () => {
  const run = process.getuid?.() === 0 ? runAsOwner : home.run;
  for (const { line } of readers)
    await expectFileError(behind(line, 'locked.json'), 'locked.json', 'permission denied', run);
});

test.each(bodies)('$path --data names the file that cannot be read', async ({ words }) => {
  await expectFileError([...words, '--data', '@missing.json'], 'missing.json', missing);
});

test.each([
  ['spaces', 'create', '--data', '@'],
  ['invites', 'send', '--from', ''],
  ['api', 'orgs', '--input', ''],
])('%s %s %s without a name', async (...words) => {
  const { exitCode, stderr } = await home.run(words);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^error: --\w+: No file is named\.\nhint: /);
});
