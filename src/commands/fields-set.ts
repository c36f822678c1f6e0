import { nearest } from '../cli/derive.ts';
import { UsageError } from '../cli/failure.ts';
import type { Invocation } from '../cli/invocation.ts';
import { paramsOf, printRequest } from '../cli/run.ts';
import { type FieldType, fields } from '../contract/customFields.ts';

type Value = string | number | boolean | string[] | null;

/** Sets `name=value` pairs as the types of the fields want them. */
export async function setValues(invocation: Invocation): Promise<void> {
  const { args, globals, io } = invocation;
  const given = pairs((args.values as string[] | undefined) ?? [], invocation.path);
  const params = (await paramsOf(invocation)) as { spaceId: string };
  const client = await invocation.client();
  const known = new Map(
    (await client.call(fields.viewValues, { params })).map(({ customField: { name, type } }) => [name, type]),
  );
  const values: Record<string, { value: Value }> = {};
  for (const [name, text] of given) {
    const type = known.get(name);
    if (type === undefined) throw unknown(name, [...known.keys()]);
    values[name] = { value: valueFrom(name, type, text) };
  }
  const body = { values };
  if (globals.dryRun) return printRequest(invocation, { endpoint: fields.setValues, params, query: {}, body });
  await client.call(fields.setValues, { params, body });
  await io.note(`Set ${given.map(([name]) => name).join(', ')}.`);
}

function pairs(words: string[], path: string): [name: string, text: string][] {
  if (words.length === 0) throw new UsageError('<name=value> is missing.', `See "docsctl ${path} --help".`);
  return words.map((word) => {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`"${word}" is not name=value.`, `Write ${word || 'name'}=... with the new value.`);
    return [word.slice(0, at), word.slice(at + 1)];
  });
}

function unknown(name: string, names: string[]): UsageError {
  const near = nearest(name, names);
  return new UsageError(
    `There is no custom field "${name}".`,
    near
      ? `Did you mean "${near}"?`
      : `There are: ${names.join(', ') || 'none; make one with "docsctl fields create"'}.`,
  );
}

const words: Record<string, boolean> = { true: true, yes: true, false: false, no: false };

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
      const value = words[text.toLowerCase()];
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
