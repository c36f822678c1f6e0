import { fileText } from '../../cli/command/read-input.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { messageOf } from '../../shared/error-text.ts';
import { isObject } from '../../shared/is-object.ts';

type Fields = Record<string, unknown>;
type Container = Fields | unknown[];

/** Combines `-f` and `-F` into one object. @throws UsageError */
export function parseFields(texts: readonly string[] = [], typed: readonly string[] = []): Fields {
  // Without a prototype, "__proto__" is a key like any other.
  const fields: Fields = Object.create(null);
  for (const text of texts) addField(fields, text, (value) => value);
  for (const text of typed) addField(fields, text, typedValue);
  return fields;
}

function addField(fields: Fields, text: string, read: (value: string) => unknown): void {
  const equals = text.indexOf('=');
  if (equals < 1) throw new UsageError(`"${text}" is not in the form key=value.`, 'For example -f title=Pumps.');
  put(fields, stepsOf(text.slice(0, equals)), read(text.slice(equals + 1)), text);
}

/** `a[b][]` becomes `a`, `b` and an empty step, which appends to a list. */
function stepsOf(key: string): string[] {
  const [, first, brackets = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key) ?? [];
  if (first === undefined) throw new UsageError(`"${key}" is not a valid key.`, 'Keys are a, a[b], a[b][c] or a[].');
  return [first, ...Array.from(brackets.matchAll(/\[([^[\]]*)\]/g), ([, step = '']) => step)];
}

function put(target: Container, [step = '', ...rest]: readonly string[], value: unknown, text: string): void {
  const [next] = rest;
  if (Array.isArray(target)) {
    if (step !== '') throw new UsageError(`"${text}" sets a named field, but its key is a list.`);
    if (next === undefined) target.push(value);
    else put(itemFor(target, next), rest, value, text);
    return;
  }
  if (step === '') throw new UsageError(`"${text}" appends to a list, but its key has named fields.`);
  if (next === undefined) {
    target[step] = value;
    return;
  }
  const inner = (target[step] ??= emptyFor(next));
  if (!isObject(inner) && !Array.isArray(inner))
    throw new UsageError(`"${text}" sets a nested field, but its key already has a value.`);
  put(inner, rest, value, text);
}

/** The list item for the next field: `a[][b]=1 a[][c]=2` fills one object, until a key is repeated. */
function itemFor(list: unknown[], next: string): Container {
  const last = list.at(-1);
  if (next !== '' && isObject(last) && !(next in last)) return last;
  const item = emptyFor(next);
  list.push(item);
  return item;
}

const emptyFor = (step: string): Container => (step === '' ? [] : Object.create(null));

/** Parses the value of a `-F` field. */
function typedValue(text: string): unknown {
  if (text.startsWith('@')) return fileText(text.slice(1), '-F');
  if (!/^(true|false|null|-?\d+(\.\d+)?([eE][+-]?\d+)?|[[{"].*)$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    // A number such as 007 is not JSON.
    if (/^-?\d/.test(text)) return text;
    throw new UsageError(`-F: "${text}" is not JSON: ${messageOf(error)}`, 'To send it as text, use -f.');
  }
}
