import { fieldsOf, itemsOf } from '../fields.ts';
import { isObject } from '../../shared/is-object.ts';
import { compareLifecycle } from './lifecycle.ts';
import { conditionEffect, effectOf, type PairReport } from './pair.ts';
import type { Effect, SchemaRule } from './rules.ts';
import { canonical, firstValue, hasType, type Limit, limitKeywords, type Shape, typesText } from './shape.ts';

const scalars = new Set(['integer', 'number', 'boolean']);

/** Compares types. Returns those that both sides allow, undefined for any. */
export function compareTypes(before: Shape, after: Shape, report: PairReport): ReadonlySet<string> | undefined {
  const lost = lostTypes(before, after);
  const gained = lostTypes(after, before);
  const effect = effectOf({ narrows: lost.length > 0, widens: gained.length > 0 });
  if (effect) {
    const message = `type was ${typesText(before)}, is now ${typesText(after)}`;
    report.add('type', effect, message, ['type'], { asText: textEffect(before, after, lost, gained) });
  }
  const [old, now] = [before.types, after.types];
  if (!old || !now) return old ?? now;
  return new Set([...[...old].filter((type) => hasType(now, type)), ...[...now].filter((type) => hasType(old, type))]);
}

function lostTypes({ types: old }: Shape, { types: now }: Shape): string[] {
  if (!now) return [];
  return old ? [...old].filter((type) => !hasType(now, type)) : ['anything'];
}

/** If all values are written as text, a string without further conditions includes every number and boolean. */
function textEffect(before: Shape, after: Shape, lost: string[], gained: string[]): Effect | 'same' {
  const isLost = (other: Shape) => (type: string) => !(scalars.has(type) && isAnyText(other));
  return effectOf({ narrows: lost.some(isLost(after)), widens: gained.some(isLost(before)) }) ?? 'same';
}

const isAnyText = ({ types, values, format, pattern, limits }: Shape): boolean =>
  types?.has('string') === true && !values && format === undefined && pattern === undefined && limits.size === 0;

/** Compares the values of `enum` and `const`. */
export function compareValues(before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const add = (rule: 'enum' | 'const', effect: Effect, message: string) =>
    report.add(rule, effect, message, ['enum', 'const']);
  const ruleFor = (values: ReadonlySet<string>) => (values.size === 1 ? 'const' : 'enum');
  if (!old || !now) {
    if (now) add(ruleFor(now), 'narrowed', `allowed any value, is now only ${listOf(now)}`);
    if (old) add(ruleFor(old), 'widened', `was only ${listOf(old)}, is now any value`);
    return;
  }
  const [removed, added] = [old.difference(now), now.difference(old)];
  if (removed.size === old.size && added.size > 0) {
    add(ruleFor(old), 'changed', `was ${listOf(old)}, is now ${listOf(now)}`);
    return;
  }
  const count = (values: Set<string>) => `${values.size === 1 ? 'value' : 'values'} ${listOf(values)}`;
  if (removed.size > 0) add('enum', 'narrowed', `${count(removed)} removed`);
  if (added.size > 0) add('enum', 'widened', `${count(added)} added`);
}

function valuesOf({ values, types }: Shape): ReadonlySet<string> | undefined {
  const isBoolean = types?.size === 1 && types.has('boolean');
  return values ?? (isBoolean ? new Set(['true', 'false']) : undefined);
}

const maxListed = 10;

function listOf(values: ReadonlySet<string>): string {
  const first = [...values].slice(0, maxListed).join(', ');
  return values.size > maxListed ? `${first} and ${values.size - maxListed} more` : first;
}

/** Each is part of the ones after it. */
const widerFormats = [
  ['int32', 'int64', 'bigint'],
  ['float', 'double'],
  ['uri', 'iri'],
  ['uri', 'uri-reference', 'iri-reference'],
  ['email', 'idn-email'],
  ['hostname', 'idn-hostname'],
];
/** Formats that define how a value is displayed and not which values are allowed. */
const displayFormats = new Set(['password']);

/** Compares the conditions for numbers and strings. `types` are those that both schemas allow. */
export function compareScalars(
  before: Shape,
  after: Shape,
  types: ReadonlySet<string> | undefined,
  report: PairReport,
): void {
  const filtered: PairReport = {
    ...report,
    add(rule, effect, ...rest) {
      // If values are listed, limits affect only those.
      if (effect === 'narrowed' && areWithin(before, after)) return;
      if (effect === 'widened' && areWithin(after, before)) return;
      report.add(rule, effect, ...rest);
    },
  };
  compareFormats(before, after, filtered);
  comparePatterns(before, after, report);
  for (const keyword of ['contentEncoding', 'contentMediaType']) {
    const [old, now] = [before, after].map((shape) => firstValue(shape, keyword, (value) => typeof value === 'string'));
    addChange('content', keyword, old, now, filtered, conditionEffect(old, now));
  }
  // By the specification, a limit for other types has no effect, but some tools apply it.
  const isSameType = typesText(before) === typesText(after);
  const isNumber = !types || types.has('number') || types.has('integer');
  for (const limit of limitKeywords) {
    const isRelevant = isSameType || (limit.type === 'number' ? isNumber : !types || types.has(limit.type));
    if (isRelevant) compareLimit(limit, before, after, filtered);
  }
  if (isNumber) compareMultiples(before, after, filtered);
  compareUniqueness(before, after, filtered);
  compareExtensibleEnums(before, after, report);
}

/** Whether all values that one shape lists are within the limits of another. */
function areWithin(listed: Shape, { limits }: Shape): boolean {
  const values = valuesOf(listed);
  if (!values) return false;
  return limitKeywords.every(({ keyword, type, isLower }) => {
    const limit = limits.get(keyword);
    return limit === undefined || values.values().every((json) => isWithin(sizeOf(json, type), limit, isLower));
  });
}

function isWithin(size: number | undefined, { value, isExclusive }: Limit, isLower: boolean): boolean {
  if (size === undefined) return true;
  if (size === value) return !isExclusive;
  return isLower ? size > value : size < value;
}

/** What a limit for a type of value counts. */
function sizeOf(json: string, type: string): number | undefined {
  const value: unknown = JSON.parse(json);
  if (type === 'number') return typeof value === 'number' ? value : undefined;
  if (type === 'string') return typeof value === 'string' ? [...value].length : undefined;
  if (type === 'array') return Array.isArray(value) ? value.length : undefined;
  return isObject(value) ? Object.keys(value).length : undefined;
}

/** Adds a change of a keyword with one value. */
function addChange(
  rule: SchemaRule,
  keyword: string,
  old: unknown,
  now: unknown,
  report: PairReport,
  effect: Effect | undefined,
): void {
  if (old !== now && effect) report.add(rule, effect, changeText(keyword, old, now), [keyword]);
}

const changeText = (name: string, old: unknown, now: unknown): string => {
  if (old === undefined) return `${name} is now ${String(now)}`;
  return now === undefined
    ? `${name} is no longer ${String(old)}`
    : `${name} was ${String(old)}, is now ${String(now)}`;
};

function compareFormats(before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = [before, after].map(({ format }) =>
    format === undefined || displayFormats.has(format) ? undefined : format,
  );
  const isWider = (wide: string | undefined, narrow: string | undefined) =>
    wide === undefined ||
    (narrow !== undefined &&
      widerFormats.some((formats) => formats.includes(narrow) && formats.indexOf(wide) > formats.indexOf(narrow)));
  addChange(
    'format',
    'format',
    old,
    now,
    report,
    isWider(now, old) ? 'widened' : isWider(old, now) ? 'narrowed' : 'changed',
  );
}

function comparePatterns(before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = [patternOf(before), patternOf(after)];
  if (old === now) return;
  // All listed values may match it. This is not checked, because a pattern from a user may take forever.
  const isListed = valuesOf(old === undefined ? before : after) !== undefined;
  const effect = isListed ? 'changed' : conditionEffect(old, now);
  report.add('pattern', effect, changeText('pattern', before.pattern, after.pattern), ['pattern']);
}

/** Undefined if every string matches. */
const patternOf = ({ pattern }: Shape): string | undefined =>
  pattern === undefined || /^\^?(?:\.\*|\[\\s\\S\]\*)?\$?$/.test(pattern) ? undefined : pattern;

function compareLimit(
  { keyword, exclusive, isLower }: (typeof limitKeywords)[number],
  before: Shape,
  after: Shape,
  report: PairReport,
): void {
  const [old, now] = [before.limits.get(keyword), after.limits.get(keyword)];
  const order = compareTightness(isLower, old, now);
  if (order === 0) return;
  const effect = order > 0 ? 'narrowed' : 'widened';
  const message = changeText(keyword, old && limitText(old), now && limitText(now));
  report.add('limit', effect, message, [keyword, exclusive]);
}

/** Above 0 if the new limit is tighter. */
function compareTightness(isLower: boolean, old: Limit | undefined, now: Limit | undefined): number {
  if (!old || !now) return Number(now !== undefined) - Number(old !== undefined);
  if (old.value === now.value) return Number(now.isExclusive) - Number(old.isExclusive);
  return isLower ? now.value - old.value : old.value - now.value;
}

const limitText = ({ value, isExclusive }: Limit): string => (isExclusive ? `${value} (exclusive)` : String(value));

function compareMultiples(before: Shape, after: Shape, report: PairReport): void {
  const isFactor = (value: unknown): value is number => typeof value === 'number' && value > 0;
  const [old, now] = [firstValue(before, 'multipleOf', isFactor), firstValue(after, 'multipleOf', isFactor)];
  const isMultiple = (a: number, b: number) => Math.abs(a / b - Math.round(a / b)) < 1e-9;
  const narrows = now !== undefined && (old === undefined || !isMultiple(old, now));
  const widens = old !== undefined && (now === undefined || !isMultiple(now, old));
  addChange('limit', 'multipleOf', old, now, report, effectOf({ narrows, widens }));
}

function compareUniqueness(before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = [before, after].map(({ parts }) => parts.some(({ uniqueItems }) => uniqueItems === true));
  if (old === now) return;
  report.add('limit', now ? 'narrowed' : 'widened', `uniqueItems is ${now ? 'now' : 'no longer'} true`, [
    'uniqueItems',
  ]);
}

function compareExtensibleEnums(before: Shape, after: Shape, report: PairReport): void {
  const keyword = 'x-extensible-enum';
  const valuesIn = ({ parts }: Shape) => new Set(parts.flatMap((part) => itemsOf(part[keyword]).map(canonical)));
  const [old, now] = [valuesIn(before), valuesIn(after)];
  const [lost, gained] = [old.difference(now), now.difference(old)];
  const effect = effectOf({ narrows: lost.size > 0 && now.size > 0, widens: gained.size > 0 && old.size > 0 });
  if (!effect) return;
  const texts = [
    ...(lost.size > 0 ? [`${listOf(lost)} removed`] : []),
    ...(gained.size > 0 ? [`${listOf(gained)} added`] : []),
  ];
  report.add('extensible-enum', effect, `${keyword}: ${texts.join(', ')}`, [keyword], { isAnnotation: true });
}

/** Compares what does not affect which values are accepted: defaults, deprecation and names in XML. */
export function compareAnnotations(before: Shape, after: Shape, report: PairReport): void {
  const add = (rule: SchemaRule, message: string, key: string) =>
    report.add(rule, 'changed', message, [key], { isAnnotation: true });
  const [old, now] = [before, after].map(({ parts }) => {
    const part = parts.find((each) => Object.hasOwn(each, 'default'));
    return part && canonical(part.default);
  });
  if (old !== now)
    add(old === undefined ? 'default-added' : 'default-changed', changeText('default', old, now), 'default');
  const [first, second] = [before, after].map((shape) => ({
    'x-sunset': firstValue(shape, 'x-sunset'),
    'x-stability-level': firstValue(shape, 'x-stability-level'),
    deprecated: shape.isDeprecated,
  }));
  compareLifecycle(fieldsOf(first), fieldsOf(second), (rule, message, key) => add(`property-${rule}`, message, key));
  if (xmlOf(before) !== xmlOf(after)) add('xml-changed', 'xml changed how it is written', 'xml');
}

function xmlOf({ parts }: Shape): string {
  const xml = parts.map((part) => part.xml).find(isObject);
  if (!xml) return '';
  const { name, namespace, prefix, attribute, wrapped, nodeType } = xml;
  return canonical({ name, namespace, prefix, attribute: attribute === true, wrapped: wrapped === true, nodeType });
}
