import { decodeText } from '../../../contract/fields.ts';
import { nearest } from '../../../shared/suggest.ts';
import { UsageError } from '../../program/failure.ts';
import { fieldNamed, type ItemFields } from './field-type.ts';
import { type Expression, parseExpression } from './expression.ts';
import { momentForms, momentOf } from './moment.ts';
import { compareTexts } from './order.ts';
import { type Condition, type FieldType, type Operator, operators } from './types.ts';

/**
 * The conditions of one `--filter`, all of which must hold.
 *
 * @throws UsageError for an unknown field, and for a value or operator that the field cannot have
 */
export function conditionsOf(source: string, fields: ItemFields, now: number): Condition[] {
  const expression = parseExpression(source);
  const parts = expression.kind === 'and' ? expression.parts : [expression];
  return parts.map((part) => combined(part, fields, now));
}

function combined(expression: Expression, fields: ItemFields, now: number): Condition {
  if (expression.kind === 'comparison') return conditionOf(expression.source, fields, now);
  const parts = expression.kind === 'not' ? [expression.of] : expression.parts;
  const conditions = parts.map((part) => combined(part, fields, now));
  const holds: Record<'not' | 'and' | 'or', Condition['matches']> = {
    not: (item) => !conditions.some(({ matches }) => matches(item)),
    and: (item) => conditions.every(({ matches }) => matches(item)),
    or: (item) => conditions.some(({ matches }) => matches(item)),
  };
  // It is about no single field, so that the service is not asked for it.
  return { field: '', operator: '~', operand: undefined, matches: holds[expression.kind] };
}

/** One comparison. @throws UsageError */
export function conditionOf(source: string, fields: ItemFields, now: number): Condition {
  const typed = parseComparison(source);
  const comparison = { ...typed, field: fields.named(typed.field) };
  const { field, operator } = comparison;
  if (/\s/.test(field)) throw refusal(source, `"${field}" is not the name of a field`, examplesHint);
  const type = fieldNamed(field, fields, (problem, hint) => refusal(source, problem, hint));
  const { test, operand } = testOf(comparison, type, fields, now);
  return { field, operator, operand, matches: (item) => test(fields.valuesAt(item, field)) };
}

interface Test {
  /** @param values those of the field: none if it is absent */
  test: (values: unknown[]) => boolean;
  operand: unknown;
}

function testOf(comparison: Comparison, type: FieldType, fields: ItemFields, now: number): Test {
  const { operator, value } = comparison;
  const isNull = value === 'null' || (value === 'never' && type.kind === 'date');
  const asksForNull = isNull && !comparison.quoted && (type.nullable || type.kind !== 'text');
  if (operator === '=~') return patternTest(comparison, type);
  if (operator !== '~' && asksForNull) return nullTest(comparison);
  if (type.kind === 'object') throw isObjectRefusal(comparison, fields);
  if (operator === '~') {
    const part = value.toLowerCase();
    return { operand: value, test: (values) => values.some((one) => textOf(one, type).toLowerCase().includes(part)) };
  }
  if (type.ranks) return rankTest(comparison, type, type.ranks);
  const compare = comparisonWith(comparison, type, now);
  const holds = holdsFor(operator);
  const isTrue = (one: unknown) => {
    const difference = one === null ? undefined : compare.to(one);
    return difference !== undefined && holds(difference);
  };
  // "Not equal" is the opposite of "equal", so that each item matches one of them.
  const test = (values: unknown[]) => values.some(isTrue) === (operator !== '!=');
  return { operand: compare.operand, test };
}

/** @throws UsageError for an invalid regular expression */
function patternTest({ source, value }: Comparison, type: FieldType): Test {
  try {
    // slow-regexp: the user writes it for a list of their own.
    const pattern = new RegExp(value, 'iu');
    return { operand: value, test: (values) => values.some((one) => pattern.test(textOf(one, type))) };
  } catch {
    throw refusal(source, `"${value}" is not a regular expression`, 'Special characters need a backslash: \\.');
  }
}

/** A list without items counts as null. */
function nullTest(comparison: Comparison): Test {
  const { operator, source } = comparison;
  const isNull = (values: unknown[]) => values.every((value) => value === null);
  if (operator === '=') return { operand: null, test: isNull };
  if (operator === '!=') return { operand: null, test: (values) => !isNull(values) };
  throw refusal(source, `null can be compared with = and != only`);
}

function rankTest(comparison: Comparison, { words = [], nullWord, many }: FieldType, ranks: readonly string[]): Test {
  const { operator, value } = comparison;
  const isNullWord = value === nullWord;
  if (!isNullWord) requireWord(comparison, nullWord === undefined ? words : [...words, nullWord]);
  const expected = isNullWord ? -1 : ranks.indexOf(value);
  const holds = holdsFor(operator);
  // An unknown word of a newer service has no rank.
  const rank = (one: unknown) => (one === null ? -1 : ranks.indexOf(String(one)));
  const hasRank = (one: unknown) => one === null || rank(one) !== -1;
  const operand = isNullWord ? null : value;
  if (operator === '!=')
    return { operand, test: (values) => !values.some((one) => hasRank(one) && rank(one) === expected) };
  return {
    operand,
    test: (values) =>
      values.some((one) => hasRank(one) && !(many && one === null) && holds(Math.sign(rank(one) - expected))),
  };
}

interface Comparing {
  /** Below 0, 0 or above 0 as `compare` of a sort; undefined for a value of another kind. */
  to(value: unknown): number | undefined;
  operand: unknown;
}

function comparisonWith(comparison: Comparison, type: FieldType, now: number): Comparing {
  const { source, operator, value } = comparison;
  const isEquality = operator === '=' || operator === '!=';
  const noOrder = () => refusal(source, `${comparison.field} has no order`, 'Use =, != or ~.');
  switch (type.kind) {
    case 'boolean': {
      if (value !== 'true' && value !== 'false') throw refusal(source, `"${value}" is not true or false`);
      if (!isEquality) throw noOrder();
      const operand = value === 'true';
      return { operand, to: (one) => (typeof one === 'boolean' ? Number(one !== operand) : undefined) };
    }
    case 'number': {
      const operand = decodeText({ kind: 'number', optional: false, nullable: false }, value);
      if (typeof operand !== 'number') throw refusal(source, `"${value}" is not a number`);
      return { operand, to: (one) => (typeof one === 'number' ? Math.sign(one - operand) : undefined) };
    }
    case 'date':
      return dateComparing(comparison, now);
    case 'word':
      requireWord(comparison, type.words ?? []);
      if (!isEquality) throw noOrder();
      return { operand: value, to: (one) => Number(one !== value) };
    case 'any':
      return anyComparing(value, isEquality);
    default:
      return { operand: value, to: textComparing(value, isEquality) };
  }
}

function dateComparing({ source, operator, value }: Comparison, now: number): Comparing {
  const moment = momentOf(value, now);
  if (!moment) throw refusal(source, `"${value}" is not ${momentForms}`);
  if (moment.isAge && (operator === '=' || operator === '!='))
    throw refusal(source, `an age has no ${operator}`, `Use < for "longer ago than ${value}", > for "since then".`);
  const { start, end } = moment;
  return {
    operand: value,
    to(one) {
      const time = typeof one === 'string' ? Date.parse(one) : Number.NaN;
      if (Number.isNaN(time)) return undefined;
      if (time < start) return -1;
      // An age is a point in time.
      return time >= end && time > start ? 1 : 0;
    },
  };
}

/** Equality of texts is exact, as that of ids must be; their order is that of `--sort-by`. */
const textComparing = (value: string, isEquality: boolean) => (one: unknown) =>
  isEquality ? Number(String(one) !== value) : compareTexts(String(one), value);

/** A value of no known kind is compared as what it is. */
function anyComparing(value: string, isEquality: boolean): Comparing {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const compareText = textComparing(value, isEquality);
  return {
    operand: value,
    to(one) {
      if (typeof one === 'number') return Number.isNaN(number) ? undefined : Math.sign(one - number);
      return compareText(typeof one === 'object' ? JSON.stringify(one) : one);
    },
  };
}

const inequalities: Partial<Record<Operator, (difference: number) => boolean>> = {
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
};

const holdsFor = (operator: Operator) => inequalities[operator] ?? ((difference: number) => difference === 0);

/** @throws UsageError for a word that the enumeration does not have */
function requireWord({ source, value }: Comparison, words: readonly string[]): void {
  if (words.includes(value)) return;
  const near = nearest(value, words);
  throw refusal(
    source,
    `"${value}" is not one of ${words.join(', ')}`,
    near === undefined ? undefined : `Did you mean "${near}"?`,
  );
}

function isObjectRefusal({ source, field }: Comparison, { paths }: ItemFields) {
  const members = paths.filter((path) => path.startsWith(`${field}.`));
  return refusal(
    source,
    `"${field}" has no single value`,
    `Name a member of it: ${members.slice(0, 10).join(', ')}; or compare it with null.`,
  );
}

function textOf(value: unknown, { nullWord = '' }: FieldType): string {
  if (value === null) return nullWord;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

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
  if (field === '') throw refusal(source, 'there is no field', examplesHint);
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
const refusal = (source: string, problem: string, hint?: string) =>
  new UsageError(`--filter '${source}': ${problem}.`, hint);
