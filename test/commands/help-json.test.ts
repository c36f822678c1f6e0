import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHome, root } from '../support/cli.ts';
import { runHere } from '../support/shell.ts';
import { commandsOfTree } from '../support/tree.ts';

const home = await makeHome();
const run = (...words: string[]) => runHere(home, words);

test('help --json describes the program with its commands and topics', async () => {
  const { exitCode, json } = await run('help', '--json');

  expect(exitCode).toBe(0);
  expect(json).toMatchObject({
    command: 'docsctl',
    version: expect.stringMatching(/^\d/),
    usage: 'docsctl <command> [options]',
    topics: expect.arrayContaining(['exit-codes']),
  });
  expect(json.commands).toContainEqual(
    expect.objectContaining({ command: 'teams', aliases: [], summary: expect.any(String) }),
  );
  expect(json.globalOptions).toContainEqual(
    expect.objectContaining({ name: '--timeout', type: 'number', value: 'seconds' }),
  );
});

test('the help of a command has its arguments, flags with types and values, examples and exit statuses', async () => {
  const { exitCode, json } = await run('help', 'members', 'list', '-o', 'json');

  expect(exitCode).toBe(0);
  expect(json).toMatchObject({
    command: 'members list',
    aliases: ['ls'],
    usage: expect.stringMatching(/^docsctl members list .*\[options\]$/),
    exitStatuses: { 4: expect.any(String), 5: expect.any(String) },
  });
  expect(json.options).toContainEqual(
    expect.objectContaining({
      name: '--role',
      type: 'string',
      repeatable: true,
      values: expect.arrayContaining(['admin', 'read']),
    }),
  );
  expect(json.options).toContainEqual(expect.objectContaining({ name: '--limit', type: 'number' }));
  expect(json.examples[0]).toEqual({ run: expect.stringMatching(/^docsctl members list/), does: expect.any(String) });
});

test('a group, a topic, yaml and jq', async () => {
  const [group, topic, yaml, jq] = [
    await run('help', 'teams', '--json'),
    await run('help', 'exit-codes', '--json'),
    await run('help', 'teams', '-o', 'yaml'),
    await run('help', 'teams', '--jq', '.commands[0].command'),
  ];

  expect(group.json.commands).toContainEqual(expect.objectContaining({ command: 'teams members' }));
  expect(topic.json).toEqual({ topic: 'exit-codes', text: expect.stringContaining('Exit status') });
  expect(yaml.stdout).toMatch(/^command: teams\n/);
  expect(jq.stdout).toBe('teams list\n');
});

test('help errors lists the codes and explains each', async () => {
  const list = await run('help', 'errors');
  const one = await run('help', 'errors', 'no-token');
  const json = await run('help', 'errors', 'no-token', '--json');
  const misspelled = await run('help', 'errors', 'no-tokens');

  expect(list.stdout).toMatch(/^3: [^\n]+\n\n {2}[^\n]*\bno-token\b/m);
  expect(one.stdout).toMatch(/^no-token \(exit status 3\)\n\n\w/);
  expect(json.json).toEqual({ code: 'no-token', exitStatus: 3, cause: expect.any(String), remedy: expect.any(String) });
  expect(misspelled).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Did you mean "no-token"?') });
});

test('an error without a hint of its own refers to the help of its code', async () => {
  const { stderr } = await run('members', 'list', '--role', 'boss', '-o', 'json');

  const { code, hint } = JSON.parse(stderr).error;
  expect(hint).toBe(`See "docsctl help errors ${code}".`);
  expect((await run(...hint.slice('See "docsctl '.length, -'".'.length).split(' '))).exitCode).toBe(0);
});

test('what does not exist is an error, and no prose', async () => {
  expect(await run('help', 'nowhere', '--json')).toMatchObject({ exitCode: 2, stdout: '' });
});

test('every command is described, and each of its flags has a type', async () => {
  for (const { path, command } of await commandsOfTree()) {
    const { exitCode, json } = await run('help', ...path.split(' '), '--json');
    expect({ path, exitCode, command: json.command }).toEqual({ path, exitCode: 0, command: path });
    expect(json.arguments).toHaveLength(command.use.split(' ').length - 1);
    for (const option of json.options)
      expect(option).toMatchObject({
        name: expect.stringMatching(/^-/),
        type: expect.stringMatching(/^(?:string|number|boolean)$/),
      });
  }
});

test('what programs depend on changes on purpose only', async () => {
  const { json } = await run('help', '--json');

  await expect(contractLines(json).join('\n')).toMatchFileSnapshot(join(root, 'test', 'golden', 'contract.txt'));
});

interface Described {
  command: string;
  aliases?: string[];
  arguments?: { description: string }[];
  options?: { name: string; description: string }[];
  exitStatuses?: Record<string, string>;
  commands?: Described[];
  [member: string]: unknown;
}

/** A line for each command, option and schema, without what only people read. */
function contractLines({ commands = [], globalOptions, schemas, exitStatuses }: Described): string[] {
  const optionLines = (command: string, options: unknown) =>
    (options as Described['options'] & object).map((option) => `${command} ${option.name} ${withoutProse(option)}`);
  const lines = (described: Described): string[] => {
    const { command, commands: below = [], options = [] } = described;
    const { summary: _, usage: _____, examples: __, seeAlso: ___, docs: ____, ...facts } = described;
    const others = { ...facts, command: undefined, commands: undefined, options: undefined, schemas: undefined };
    return [
      `${command} ${withoutProse({ ...others, exitStatuses: Object.keys(described.exitStatuses ?? {}).join(' ') })}`,
      ...optionLines(command, options),
      ...below.flatMap(lines),
    ];
  };
  return [
    ...optionLines('docsctl', globalOptions),
    `docsctl ${Object.keys(exitStatuses ?? {}).join(' ')}`,
    ...commands.flatMap(lines),
    ...Object.entries(schemas as object).map(([name, schema]) => `#/schemas/${name} ${withoutProse(schema)}`),
    '',
  ];
}

const withoutProse = (value: unknown) =>
  JSON.stringify(value, (key, member: unknown) =>
    (key === 'description' && typeof member === 'string') || (key === 'reason' && typeof member === 'string')
      ? undefined
      : member,
  );
