import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromJSONSchema, type ZodType } from 'zod';
import { isObject } from '../../src/shared/is-object.ts';
import { writeDemoFiles } from '../support/demo-files.ts';
import { type Demo, makeDemo } from '../support/shell.ts';
import { commands, nameOfRow, rows, wordsIn } from '../support/tree-rows.ts';

let demo: Demo;
let help: Help;
beforeAll(async () => {
  demo = await makeDemo();
  const home = await demo.copy();
  help = (await home.run(['help', '--json'])).json;
});
afterAll(() => demo.remove());

interface Output {
  format: 'json' | 'jsonl' | 'text' | 'nothing';
  schema?: object;
}
interface Help {
  command: string;
  output?: Output;
  schemas: Record<string, object>;
  commands?: Help[];
}

/** What the help says that a command prints. */
function outputOf(command: string, { commands = [] }: Help = help): Output {
  const next = commands.find((each) => each.command === command || command.startsWith(`${each.command} `));
  if (!next) throw new Error(`There is no command "${command}".`);
  return next.command === command ? next.output! : outputOf(command, next);
}

/** The schema as the only members that objects may have: readers must accept more, but these tests find what is missing. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (typeof copy.$ref === 'string') copy.$ref = copy.$ref.replace('#/schemas/', '#/$defs/');
  return isObject(schema.properties) && !('additionalProperties' in schema) && Object.keys(schema.properties).length > 0
    ? { ...copy, additionalProperties: false }
    : copy;
}

function validatorOf({ schema }: Output): ZodType {
  const { schemas } = help;
  return fromJSONSchema(closed({ ...schema, $defs: schemas }) as Parameters<typeof fromJSONSchema>[0]);
}

/** The line of a row, with JSON as its output. */
function asJson(line: string): string[] {
  const words = wordsIn(line.replace(/ (?:-o|--columns|--jq) \S+/g, ''));
  const end = words.indexOf('--');
  return words.toSpliced(end === -1 ? words.length : end, 0, '-o', 'json');
}

const valuesIn = (text: string, { format }: Output): unknown[] =>
  format === 'jsonl'
    ? text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [JSON.parse(text)];

for (const row of rows.filter(({ run, exits }) => exits === undefined && !run.includes('--dry-run'))) {
  test(`-o json: ${row.run}`, async () => {
    const home = await demo.copy();
    await writeDemoFiles(home.dir);
    const output = outputOf(nameOfRow(row)!);
    const { stdout } = await home.run(asJson(row.run));
    // With --out, only the file is written.
    if (output.format === 'nothing' || (stdout === '' && row.run.includes('--out '))) return expect(stdout).toBe('');
    if (output.format === 'text') return expect(stdout).not.toBe('');
    for (const value of valuesIn(stdout, output)) {
      const { error } = validatorOf(output).safeParse(value);
      expect(error?.issues).toBeUndefined();
    }
    await home.remove();
  });
}

test('a schema accepts nothing else', async () => {
  const token = validatorOf(outputOf('auth token'));

  expect(token.safeParse({ token: 'secret' }).success).toBe(true);
  expect(token.safeParse({ token: 1 }).success).toBe(false);
  expect(token.safeParse({ token: 'secret', more: 1 }).success).toBe(false);
  expect(validatorOf(outputOf('teams list')).safeParse([{ object: 'team' }]).success).toBe(false);
});

test('every command that does not follow from an endpoint says what it changes and prints', () => {
  for (const { path, command } of commands.filter(({ command: { endpoint } }) => !endpoint))
    expect({ path, changes: command.changes, prints: command.prints }).toEqual({
      path,
      changes: expect.any(Array),
      prints: expect.anything(),
    });
});
