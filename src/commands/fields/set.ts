import { nearest } from '../../shared/suggest.ts';
import { UsageError } from '../../cli/program/failure.ts';
import type { Invocation } from '../../cli/command/command.ts';
import type { ArgsOf } from '../../cli/command/define.ts';
import { changesIn } from '../../contract/changes.ts';
import { dryRun } from '../../cli/command/dry-run/dry-run.ts';
import { paramsOf } from '../../cli/command/request.ts';
import { type FieldType, fields } from '../../contract/custom-fields.ts';

type Value = string | number | boolean | string[] | null;

type Arguments = ArgsOf<'set [values...]'>;

/** Sets the values of `name=value` pairs, parsed by the type of each field. */
export async function setValues(invocation: Invocation<Arguments, {}, typeof fields.setValues>): Promise<void> {
  const { args, globals, io } = invocation;
  const pairs = pairsIn(args.values ?? [], invocation.path);
  const params = await paramsOf(invocation);
  const client = await invocation.client();
  const present = await client.call(fields.viewValues, { params });
  const fieldNamed = new Map(present.map((field) => [field.customField.name, field]));
  const values: Record<string, { value: Value }> = {};
  for (const [name, text] of pairs) {
    const field = fieldNamed.get(name);
    if (!field) throw unknownField(name, [...fieldNamed.keys()]);
    values[name] = { value: valueFrom(name, field.customField.type, text) };
  }
  const body = { values };
  if (globals.dryRun) {
    const changes = Object.entries(values).flatMap(([name, { value }]) =>
      changesIn(name, fieldNamed.get(name)?.value, value),
    );
    return dryRun(invocation, { endpoint: fields.setValues, params, body }, changes);
  }
  await client.call(fields.setValues, { params, body });
  await io.note(`Set ${pairs.map(([name]) => name).join(', ')}.`);
}

function pairsIn(words: string[], path: string): [name: string, text: string][] {
  if (words.length === 0) throw new UsageError('<name=value> is missing.', `See "docsctl ${path} --help".`);
  return words.map((word) => {
    const index = word.indexOf('=');
    if (index < 1)
      throw new UsageError(
        `"${word}" is not name=value.`,
        `Write ${word || 'name'}=... with the new value; a space is named with --space.`,
      );
    return [word.slice(0, index), word.slice(index + 1)];
  });
}

function unknownField(name: string, names: string[]): UsageError {
  const near = nearest(name, names);
  return new UsageError(
    `There is no custom field "${name}".`,
    near
      ? `Did you mean "${near}"?`
      : `There are: ${names.join(', ') || 'none; create one with "docsctl fields create"'}.`,
  );
}

const booleans: Record<string, boolean> = { true: true, yes: true, false: false, no: false };

/** @throws UsageError */
function valueFrom(name: string, type: FieldType, text: string): Value {
  if (text === '') return null;
  switch (type) {
    case 'number': {
      const number = Number(text);
      if (text.trim() !== '' && Number.isFinite(number)) return number;
      throw new UsageError(`${name}: "${text}" is not a number.`);
    }
    case 'boolean': {
      const value = booleans[text.toLowerCase()];
      if (value !== undefined) return value;
      throw new UsageError(`${name}: "${text}" is neither true nor false.`);
    }
    case 'tags':
    case 'select:multi':
      return text.split(',').map((word) => word.trim());
    default:
      return text;
  }
}
