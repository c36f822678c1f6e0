import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bin, type Home, root, serve, test } from './support/cli.ts';
import { login } from './support/service.ts';
import { openScreen, type Screen } from './terminal/screen.ts';

const pages = ['administration.md', 'organization-as-code.md'];
const fileOf = (page: string) => join(root, 'docs', page);

/** A command of the page, and what the page says it prints. */
interface Step {
  command: string;
  output: string;
}

/** The commands of a block: each begins with "$ ", and goes on in lines that begin with "> ". */
function stepsOf(block: string): Step[] {
  const parts = block.split(/^\$ /m).slice(1);
  return parts.map((part) => {
    const [command] = part.match(/^.*\n(?:> .*\n)*/)!;
    return { command: command.replaceAll(/^> /gm, ''), output: part.slice(command.length) };
  });
}

/** The answer to a question, which may take two lines, or what was typed. */
const answers = /^✔ .*(?:\n.*)?? (Yes|No)$|^✔ [^?\n]*: (.+)$/gm;

const blockPattern = /^```console\n([^]*?)^```$/gm;

/** Ids, times and addresses, which differ from run to run, as words of the same length where it matters to a table. */
const masked = (text: string) =>
  text
    .replaceAll(/\b(?=\w*\d)[A-Za-z0-9]{12}\b|\b[A-Za-z]{12}\b/g, 'IDIDIDIDIDID')
    .replaceAll(/\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?/g, 'TIME')
    .replaceAll(/http:\/\/[\w.]+:\d+/g, 'ADDRESS');

/** A shell in a terminal, where `docsctl` is the built program, signed in to the service. */
async function openShell(home: Home): Promise<Screen> {
  const tools = join(home.dir, 'tools');
  await mkdir(tools);
  await writeFile(join(tools, 'docsctl'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  await chmod(join(tools, 'docsctl'), 0o755);
  return openScreen(home, ['--norc', '--noprofile', '-i'], {
    program: ['bash'],
    width: 180,
    // Higher than any output: nothing goes through a pager.
    height: 400,
    env: { PATH: `${tools}:${home.env.PATH}`, PS1: '', LC_ALL: 'C.UTF-8' },
  });
}

/** Runs a step, and answers its questions as the page does. @returns what is on the screen then, and the status */
async function runStep(home: Home, shell: Screen, { command, output }: Step, index: number, lastStatus: number) {
  const file = `step-${index}`;
  await writeFile(join(home.dir, file), `clear; echo 'begin of ${index}:'; (exit ${lastStatus})\n${command}`);
  await shell.answer(`. ./${file}; echo "end of ${index}: $?"`);
  const begin = new RegExp(`^begin of ${index}:\n`, 'm');
  const end = new RegExp(`^end of ${index}: (\\d+)$`, 'm');
  for (const [, isYes, typed] of output.matchAll(answers)) {
    const screen = await shell.shows(new RegExp(`${begin.source}[^]*^\\? |${end.source}`, 'm'));
    if (end.test(screen)) break;
    await shell.answer(typed ?? isYes!);
  }
  const screen = await shell.shows(end);
  const text = screen.slice(screen.search(begin), screen.search(end)).replace(begin, '');
  return { status: Number(end.exec(screen)![1]), text: text.replaceAll(/ +$/gm, '') };
}

for (const page of pages)
  test(`docs/${page} shows what its commands print`, { timeout: 240_000 }, async ({ home }) => {
    const service = await serve(home, '--seed', 'demo', '--log', 'off');
    await login(home, service, '--profile', 'lumen');
    const shell = await openShell(home);
    const text = await readFile(fileOf(page), 'utf8');
    const steps = [...text.matchAll(blockPattern)].flatMap(([, block]) => stepsOf(block!));
    const failed: string[] = [];
    const recorded: string[] = [];
    let status = 0;
    for (const [index, step] of steps.entries()) {
      const run = await runStep(home, shell, step, index, status);
      status = run.status;
      const isShown = steps[index + 1]?.command === 'echo $?\n';
      if (status !== 0 && !isShown) failed.push(`${step.command}${run.text}`);
      recorded.push(masked(run.text) === masked(step.output) ? step.output : run.text);
    }
    await service.stop();

    // With -u the page gets what was printed now.
    let index = 0;
    const now = text.replaceAll(blockPattern, (whole, block: string) => {
      const parts = stepsOf(block).map(({ command }) => {
        const [first, ...others] = command.trimEnd().split('\n');
        const lines = [`$ ${first}`, ...others.map((line) => `> ${line}`), ''];
        return `${lines.join('\n')}${recorded[index++]}`;
      });
      return whole.replace(block, () => parts.join(''));
    });
    await expect(now).toMatchFileSnapshot(fileOf(page));
    expect(failed).toEqual([]);
    expect(steps.length).toBeGreaterThan(10);
  });

test('docs/administration.md names everything without an id', async () => {
  const text = await readFile(fileOf('administration.md'), 'utf8');
  const commands = [...text.matchAll(blockPattern)]
    .flatMap(([, block]) => stepsOf(block!))
    .map(({ command }) => command);
  expect(commands.join('')).toContain('docsctl members');
  // Ids have 12 letters and digits. "organization" is a field, and "releasenotes" the id that looks like a word.
  const idPattern = /\b(?:releasenotes|(?![a-z]{12}\b)[A-Za-z0-9]{12})\b/;
  expect(commands.filter((command) => idPattern.test(command))).toEqual([]);
});
