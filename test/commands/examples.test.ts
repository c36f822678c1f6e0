import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitMeanings } from '../../src/cli/program/failure.ts';
import { examplesOf } from '../../src/cli/command/command.ts';
import { exitsOf } from '../../src/cli/program/help.ts';
import { topics } from '../../src/commands/help/topics.ts';
import { bin, spawnIn } from '../support/cli.ts';
import { makeRepository, writeDemoFiles } from '../support/demo-files.ts';
import { type Demo, type DemoHome, makeDemo, serveHere } from '../support/shell.ts';
import { commandsOfTree, wordsOf } from '../support/tree.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await makeDemo();
});
afterAll(() => demo.remove());

interface Outcome {
  exitCode?: number | undefined;
  stderr: string;
}

async function run(home: DemoHome, line: string): Promise<Outcome> {
  const words = wordsOf(line);
  if (words?.[0] === 'docsctl') return home.run(words.slice(1));
  const script = `docsctl() { "${process.execPath}" "${bin}" "$@"; }\nset -o pipefail\n${line}`;
  return execa('bash', ['-uc', script], {
    cwd: home.dir,
    env: home.env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
}

/** With the demo as a service elsewhere, which wants a token: in a variable, and in a file. */
async function runElsewhere(home: DemoHome, line: string): Promise<Outcome> {
  const { env, stop } = await serveHere(home.database);
  await writeFile(join(home.dir, 'token.txt'), `${env.DOCSCTL_TOKEN}\n`);
  // The one word of an example that is everybody's own.
  const outcome = await run(
    { ...home, env: { ...home.env, ...env } },
    line.replaceAll('https://docs.example', env.DOCSCTL_URL!),
  );
  await stop();
  return outcome;
}

/** What answers until it is interrupted works when it says where it is, and ends as it should. */
async function runUntilReady(home: DemoHome, line: string): Promise<Outcome> {
  const child = execa(process.execPath, [bin, ...wordsOf(line)!.slice(1)], {
    cwd: home.dir,
    env: home.env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    all: true,
  });
  let output = '';
  let isStopped = false;
  child.all.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    // Once: a second signal would end it at once, with another status.
    if (!isStopped && /http:\/\/127\.0\.0\.1:\d+.*\n/.test(output)) isStopped = child.kill('SIGTERM');
  });
  return child;
}

/** What reads standard input until it ends gets an empty one, which this process does not have. */
const runWithoutInput = (home: DemoHome, line: string): Promise<Outcome> => spawnIn(home, ...wordsOf(line)!.slice(1));

const runners: Record<string, typeof run> = {
  'auth login': runElsewhere,
  'auth token': runElsewhere,
  mcp: runWithoutInput,
  preview: runUntilReady,
  serve: runUntilReady,
};

/** `--web` shows something until it is interrupted. */
const runnerOf = (path: string, line: string) => (line.includes(' --web') ? runUntilReady : (runners[path] ?? run));

const commands = await commandsOfTree();

/**
 * `twin/twin.test.ts` runs those that copy the whole organization for each example, `twin/list-remove.test.ts` that of
 * removals, and `postgres/copy.test.ts` that of databases.
 */
const elsewhere = new Set(['twin create', 'twin remove', 'rehearse', 'serve copy']);
/** `proposals/proposals.test.ts` runs these: they need a proposal. */
const isAboutProposal = (path: string) => path === 'propose' || /^proposals (?!list)/.test(path);

for (const { path, command } of commands.filter((each) => !elsewhere.has(each.path) && !isAboutProposal(each.path))) {
  test(`the examples of ${path} work as they are written`, async () => {
    for (const example of examplesOf(command)) {
      const home = await demo.copy();
      await writeDemoFiles(home.dir);
      if (path === 'openapi check') makeRepository(home.dir);
      if (firstWord(path) === 'mcp')
        await home.run(['profiles', 'create', 'agent', '--url', `embedded:${home.database}`]);
      const { exitCode, stderr } = await runnerOf(path, example.run)(home, example.run);
      await home.remove();
      // The folder of the examples has one of several teams, so that drift finds others.
      const expected = path === 'drift' ? 9 : 0;
      expect({ example: example.run, exitCode, stderr: exitCode === expected ? '' : stderr }).toEqual({
        example: example.run,
        exitCode: expected,
        stderr: '',
      });
    }
  });
}

test.each(commands)('the help of $path says what it does, shows it twice, and leads on', ({ path, command }) => {
  const { endpoint, summary, description, seeAlso: see = [] } = command;

  expect(summary ?? endpoint?.summary).toMatch(/^[A-Z].*[.]$/);
  expect((description ?? endpoint?.description ?? '').length).toBeGreaterThan(20);
  const examples = examplesOf(command);
  expect(examples.length).toBeGreaterThanOrEqual(2);
  expect(new Set(examples.map((example) => example.run)).size).toBe(examples.length);
  for (const example of examples) expect(example.run).toContain(`docsctl ${firstWord(path)}`);
  expect(see.length).toBeGreaterThanOrEqual(1);
  expect(see).not.toContain(path);
});

/** `orgs search` is shown as the shorter `search`. */
const firstWord = (path: string) => (path === 'orgs search' ? 'search' : path.split(' ')[0]!);

test.each(commands)('$path names exit statuses that there are', ({ command }) => {
  const statuses = exitMeanings.map(([status]) => status);

  const named = Object.entries(exitsOf(command));

  for (const [status, meaning] of named) {
    expect(statuses).toContain(Number(status));
    expect(meaning).toMatch(/^[^.]{8,}$/);
  }
});

test('the exit statuses are those that scripts rely on', () => {
  expect(exitMeanings.map(([status]) => status)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130, 143]);
});

test('everything that help refers to exists', () => {
  const helpPages = new Set([
    ...commands.map(({ path }) => path),
    ...Object.keys(topics).map((topic) => `help ${topic}`),
  ]);

  const missing = commands.flatMap(({ command }) => command.seeAlso ?? []).filter((name) => !helpPages.has(name));

  expect(missing).toEqual([]);
});
