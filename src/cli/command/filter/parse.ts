import { UsageError } from '../../program/failure.ts';
import { type Operator, operators } from './types.ts';

/** One `--filter`, before its value has a type. */
export interface Comparison {
  /** As it was typed, for messages. */
  source: string;
  field: string;
  operator: Operator;
  value: string;
  /** In double quotes a value is a text, whatever it looks like. */
  quoted: boolean;
}

/** Reads `FIELD OP VALUE`. @throws UsageError */
export function parseComparison(source: string): Comparison {
  const text = source.trim();
  const start = text.search(/[=!<>~]/);
  if (start === -1) {
    throw refusal(
      source,
      'there is no operator',
      `Write a field, an operator and a value between quotes: 'title=Writers'. Outside quotes, shells read < and > as redirections. Operators: ${operators.join(' ')}`,
    );
  }
  const field = text.slice(0, start).trim();
  if (field === '' || /\s/.test(field))
    throw refusal(source, field === '' ? 'there is no field' : `"${field}" is not the name of a field`, examplesHint);
  const [sign = ''] = /^[=!<>~]+/.exec(text.slice(start)) ?? [];
  const operator = operators.find((one) => one === sign || (one === '=' && sign === '=='));
  if (operator === undefined) {
    throw refusal(
      source,
      `"${sign}" is not an operator`,
      `Operators: ${operators.join(' ')}. A value that begins with one of these signs needs double quotes.`,
    );
  }
  const value = text.slice(start + sign.length).trim();
  if (value === '') {
    throw refusal(
      source,
      `there is no value after ${operator}`,
      'Perhaps a shell variable in it is not set. Write "" for the empty text, null for no value.',
    );
  }
  return { source, field, operator, ...unquoted(source, value) };
}

const examplesHint = '"docsctl help filters" has examples.';

function unquoted(source: string, value: string): Pick<Comparison, 'value' | 'quoted'> {
  if (!value.startsWith('"')) return { value, quoted: false };
  try {
    const text: unknown = JSON.parse(value);
    if (typeof text === 'string') return { value: text, quoted: true };
  } catch {
    // Reported below.
  }
  throw refusal(
    source,
    'the double quotes around the value are not complete',
    'Inside them a quote is \\" and a backslash is \\\\, as in JSON.',
  );
}

/** The error for a `--filter`. */
export const refusal = (source: string, problem: string, hint?: string) =>
  new UsageError(`--filter '${source}': ${problem}.`, hint);
