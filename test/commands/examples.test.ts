import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bin } from '../support/cli.ts';
import { layOut } from '../support/demo-files.ts';
import { type Demo, type DemoHome, makeDemo } from '../support/shell.ts';
import { commandsOfTree, wordsOf } from '../support/tree.ts';

/** Examples that need a person, or a service elsewhere. This list only gets shorter. */
const notHere = new Set([
  'docsctl auth login --profile work',
  'docsctl auth login --with-token --url https://docs.example < token.txt',
]);

let demo: Demo;
beforeAll(async () => {
  demo = await makeDemo();
});
afterAll(() => demo.remove());

async function run(home: DemoHome, line: string) {
  const words = wordsOf(line);
  if (words?.[0] === 'docsctl') return home.run(words.slice(1));
  const script = `docsctl() { "${process.execPath}" "${bin}" "$@"; }\nset -o pipefail\n${line}`;
  const result = await execa('bash', ['-uc', script], {
    cwd: home.dir,
    env: home.env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  return { exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr };
}

const commands = await commandsOfTree();

for (const { path, command } of commands) {
  const examples = (command.examples ?? []).filter((example) => !notHere.has(example.run));
  test.runIf(examples.length > 0)(`the examples of ${path} work as they are written`, async () => {
    for (const example of examples) {
      const home = await demo.copy();
      await layOut(home.dir);
      const { exitCode, stderr } = await run(home, example.run);
      await home.remove();
      expect({ example: example.run, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({
        example: example.run,
        exitCode: 0,
        stderr: '',
      });
    }
  });
}

/** Commands whose help does not teach yet. This list only gets shorter. */
const terse = new Set([
  'invites accept',
  'invites links list',
  'invites links create',
  'invites links view',
  'invites links edit',
  'invites links delete',
  'sso providers list',
  'sso providers create',
  'sso providers view',
  'sso providers edit',
  'sso providers delete',
  'sso logins',
  'openapi validate',
  'init',
  'serve',
  'serve token create',
  'serve token list',
  'serve token revoke',
  'serve backup',
  'serve check',
  'auth logout',
  'auth token',
  'profiles list',
  'profiles view',
  'profiles create',
  'profiles use',
  'profiles rename',
  'profiles delete',
  'config list',
  'config get',
  'config set',
  'config unset',
  'config path',
  'completion bash',
  'completion zsh',
  'completion fish',
  'completion powershell',
  'help',
]);

test.each(commands.filter(({ path }) => !terse.has(path)))(
  'the help of $path says what it does, shows it twice, and leads on',
  ({ command }) => {
    const { summary, description, endpoint, examples = [], see = [] } = command;

    expect(summary ?? endpoint?.summary).toMatch(/^[A-Z].*[.]$/);
    expect((description ?? endpoint?.description ?? '').length).toBeGreaterThan(20);
    expect(examples.length).toBeGreaterThanOrEqual(2);
    expect(see.length).toBeGreaterThanOrEqual(1);
  },
);

test('what help leads to is there', async () => {
  const { topics } = await import('../../src/commands/help-topics.ts');
  const known = new Set([...commands.map(({ path }) => path), ...Object.keys(topics).map((topic) => `help ${topic}`)]);
  const groups = new Set(commands.map(({ path }) => path.split(' ')[0]));

  const missing = commands
    .flatMap(({ command }) => command.see ?? [])
    .filter((name) => !known.has(name) && !groups.has(name));

  expect(missing).toEqual([]);
});
