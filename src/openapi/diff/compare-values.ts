import { isObject } from '../../shared/is-object.ts';
import { effectOf, type PairReport } from './pair.ts';
import type { Effect } from './rules.ts';
import { compareStability, compareSunsets } from './sunset.ts';
import {
  canonical,
  exclusiveOf,
  hasType,
  lowerLimits,
  sourceOf,
  typeOfLimit,
  typesText,
  upperLimits,
} from './shape.ts';
import type { Fields, Limit, Shape } from './shape.ts';

const scalars = new Set(['integer', 'number', 'boolean']);

/** Compares types. Gives the types that both allow, undefined for any. */
export function compareTypes(before: Shape, after: Shape, report: PairReport): ReadonlySet<string> | undefined {
  const lost = lostTypes(before, after);
  const gained = lostTypes(after, before);
  const effect = effectOf({ narrows: lost.length > 0, widens: gained.length > 0 });
  if (effect) {
    const asText = textEffect(before, after, lost, gained);
    report.add({
      rule: { graded: 'type' },
      effect,
      message: `type was ${typesText(before)}, is now ${typesText(after)}`,
      before: sourceOf(before.parts, 'type'),
      after: sourceOf(after.parts, 'type'),
      ...(asText === effect ? {} : { asText }),
    });
  }
  if (!before.types || !after.types) return before.types ?? after.types;
  const accepted = after.types;
  const allowed = before.types;
  return new Set([
    ...[...allowed].filter((type) => hasType(accepted, type)),
    ...[...accepted].filter((type) => hasType(allowed, type)),
  ]);
}

function lostTypes(from: Shape, to: Shape): string[] {
  const accepted = to.types;
  if (!accepted) return [];
  return from.types ? [...from.types].filter((type) => !hasType(accepted, type)) : ['anything'];
}

/** A string without further conditions is any number or truth value too where all are written as text. */
function textEffect(before: Shape, after: Shape, lost: string[], gained: string[]): Effect | 'same' {
  const isLost = (other: Shape) => (type: string) => !(scalars.has(type) && isAnyText(other));
  const effect = effectOf({ narrows: lost.some(isLost(after)), widens: gained.some(isLost(before)) });
  return effect ?? 'same';
}

const isAnyText = ({ types, values, format, pattern, limits }: Shape): boolean =>
  types?.has('string') === true && !values && format === undefined && pattern === undefined && limits.size === 0;

/** Compares the values of `enum` and `const`. */
export function compareValues(before: Shape, after: Shape, report: PairReport): void {
  const old = valuesOf(before);
  const now = valuesOf(after);
  if (!old && !now) return;
  const places = { before: sourceOf(before.parts, 'enum', 'const'), after: sourceOf(after.parts, 'enum', 'const') };
  const removed = old && now ? [...old].filter((value) => !now.has(value)) : [];
  const added = old && now ? [...now].filter((value) => !old.has(value)) : [];
  if (old && now && removed.length === old.size && added.length > 0) {
    const message = `was ${listOf(old)}, is now ${listOf(now)}`;
    report.add({ rule: { graded: old.size === 1 ? 'const' : 'enum' }, effect: 'changed', message, ...places });
    return;
  }
  const count = (values: string[]) => (values.length === 1 ? 'value' : 'values');
  if (removed.length > 0) {
    const message = `${count(removed)} ${listOf(removed)} removed`;
    report.add({ rule: { graded: 'enum' }, effect: 'narrowed', message, ...places });
  }
  if (added.length > 0) {
    const message = `${count(added)} ${listOf(added)} added`;
    report.add({ rule: { graded: 'enum' }, effect: 'widened', message, ...places });
  }
  if (!old && now) {
    const message = `allowed any value, is now only ${listOf(now)}`;
    report.add({ rule: { graded: now.size === 1 ? 'const' : 'enum' }, effect: 'narrowed', message, ...places });
  }
  if (old && !now) {
    const message = `was only ${listOf(old)}, is now any value`;
    report.add({ rule: { graded: old.size === 1 ? 'const' : 'enum' }, effect: 'widened', message, ...places });
  }
}

function valuesOf({ values, types }: Shape): ReadonlySet<string> | undefined {
  const isBoolean = types?.size === 1 && types.has('boolean');
  return values ?? (isBoolean ? new Set(['true', 'false']) : undefined);
}

const maxListed = 10;

function listOf(values: Iterable<string>): string {
  const all = [...values];
  const first = all.slice(0, maxListed).join(', ');
  return all.length > maxListed ? `${first} and ${all.length - maxListed} more` : first;
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
/** Formats that say how a value is shown, and not which values there are. */
const displayFormats = new Set(['password']);

/** Compares what numbers and strings must be like. `types` are those that both schemas allow. */
export function compareScalars(
  before: Shape,
  after: Shape,
  types: ReadonlySet<string> | undefined,
  report: PairReport,
): void {
  const filtered: PairReport = {
    ...report,
    add: (difference) => {
      // Where values are listed, limits matter to those only.
      if (difference.effect === 'narrowed' && areWithin(before, after)) return;
      if (difference.effect === 'widened' && areWithin(after, before)) return;
      report.add(difference);
    },
  };
  compareFormats(before, after, filtered);
  comparePatterns(before, after, report);
  compareEncodings(before, after, filtered);
  // A limit for other types has no effect by the specification, but tools differ.
  const isSameType = typesText(before) === typesText(after);
  const isNumber = !types || types.has('number') || types.has('integer');
  for (const keyword of [...lowerLimits, ...upperLimits]) {
    const type = typeOfLimit[keyword] ?? '';
    const matters = isSameType || (type === 'number' ? isNumber : !types || types.has(type));
    if (matters) compareLimit(keyword, before, after, filtered);
  }
  if (isNumber) compareMultiples(before, after, filtered);
  compareUniqueness(before, after, filtered);
  compareExtensibleEnums(before, after, report);
}

/** Whether all values that one shape lists are within the limits of another. */
function areWithin(listed: Shape, { limits }: Shape): boolean {
  const values = valuesOf(listed);
  if (!values) return false;
  return [...limits].every(([keyword, { value, isExclusive }]) =>
    [...values].every((json) => {
      const size = sizeOf(json, typeOfLimit[keyword] ?? '');
      if (size === undefined) return true;
      if (size === value) return !isExclusive;
      return lowerLimits.includes(keyword) ? size > value : size < value;
    }),
  );
}

/** What a limit for a type of value counts. */
function sizeOf(json: string, type: string): number | undefined {
  const value: unknown = JSON.parse(json);
  if (type === 'number') return typeof value === 'number' ? value : undefined;
  if (type === 'string') return typeof value === 'string' ? [...value].length : undefined;
  if (type === 'array') return Array.isArray(value) ? value.length : undefined;
  return isObject(value) ? Object.keys(value).length : undefined;
}

function compareFormats(before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = [formatOf(before), formatOf(after)];
  if (old === now) return;
  const isWider = (wide: string | undefined, narrow: string | undefined) =>
    wide === undefined ||
    (narrow !== undefined &&
      widerFormats.some((formats) => formats.includes(narrow) && formats.indexOf(wide) > formats.indexOf(narrow)));
  const effect = isWider(now, old) ? 'widened' : isWider(old, now) ? 'narrowed' : 'changed';
  report.add({
    rule: { graded: 'format' },
    effect,
    message: changeText('format', old, now),
    before: sourceOf(before.parts, 'format'),
    after: sourceOf(after.parts, 'format'),
  });
}

const formatOf = ({ format }: Shape): string | undefined =>
  format === undefined || displayFormats.has(format) ? undefined : format;

const changeText = (name: string, old: unknown, now: unknown): string => {
  if (old === undefined) return `${name} is now ${String(now)}`;
  return now === undefined
    ? `${name} is no longer ${String(old)}`
    : `${name} was ${String(old)}, is now ${String(now)}`;
};

function comparePatterns(before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = [patternOf(before), patternOf(after)];
  if (old === now) return;
  // Listed values may all match it: that is not tried, as a pattern of a stranger may take for ever.
  const isListed = valuesOf(old === undefined ? before : after) !== undefined;
  const effect = isListed ? 'changed' : old === undefined ? 'narrowed' : now === undefined ? 'widened' : 'changed';
  report.add({
    rule: { graded: 'pattern' },
    effect,
    message: changeText('pattern', before.pattern, after.pattern),
    before: sourceOf(before.parts, 'pattern'),
    after: sourceOf(after.parts, 'pattern'),
  });
}

/** Undefined where every string matches. */
const patternOf = ({ pattern }: Shape): string | undefined =>
  pattern === undefined || /^\^?(?:\.\*|\[\\s\\S\]\*)?\$?$/.test(pattern) ? undefined : pattern;

function compareEncodings(before: Shape, after: Shape, report: PairReport): void {
  for (const keyword of ['contentEncoding', 'contentMediaType']) {
    const [from, to] = [sourceOf(before.parts, keyword), sourceOf(after.parts, keyword)];
    const [old, now] = [textAt(before.parts, keyword), textAt(after.parts, keyword)];
    if (old === now) continue;
    const effect = old === undefined ? 'narrowed' : now === undefined ? 'widened' : 'changed';
    const message = changeText(keyword, old, now);
    report.add({ rule: { graded: 'content' }, effect, message, before: from, after: to });
  }
}

function textAt(parts: readonly Fields[], keyword: string): string | undefined {
  const value = parts.map((part) => part[keyword]).find((each) => typeof each === 'string');
  return typeof value === 'string' ? value : undefined;
}

function compareLimit(keyword: string, before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = [before.limits.get(keyword), after.limits.get(keyword)];
  const order = compareTightness(keyword, old, now);
  if (order === 0) return;
  const exclusive = exclusiveOf(keyword);
  report.add({
    rule: { graded: 'limit' },
    effect: order > 0 ? 'narrowed' : 'widened',
    message: changeText(keyword, old && limitText(old), now && limitText(now)),
    before: sourceOf(before.parts, keyword, exclusive),
    after: sourceOf(after.parts, keyword, exclusive),
  });
}

/** Above 0 where the new limit is tighter. */
function compareTightness(keyword: string, old: Limit | undefined, now: Limit | undefined): number {
  if (!old || !now) return Number(now !== undefined) - Number(old !== undefined);
  if (old.value === now.value) return Number(now.isExclusive) - Number(old.isExclusive);
  return lowerLimits.includes(keyword) ? now.value - old.value : old.value - now.value;
}

function limitText({ value, isExclusive }: Limit): string {
  return isExclusive ? `${value} (exclusive)` : String(value);
}

function compareMultiples(before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = [multipleOf(before), multipleOf(after)];
  if (old === now) return;
  const isMultiple = (a: number, b: number) => Math.abs(a / b - Math.round(a / b)) < 1e-9;
  const narrows = now !== undefined && (old === undefined || !isMultiple(old, now));
  const widens = old !== undefined && (now === undefined || !isMultiple(now, old));
  const effect = effectOf({ narrows, widens });
  if (!effect) return;
  report.add({
    rule: { graded: 'limit' },
    effect,
    message: changeText('multipleOf', old, now),
    before: sourceOf(before.parts, 'multipleOf'),
    after: sourceOf(after.parts, 'multipleOf'),
  });
}

function multipleOf({ parts }: Shape): number | undefined {
  const value = parts.map((part) => part.multipleOf).find((each) => typeof each === 'number' && each > 0);
  return typeof value === 'number' ? value : undefined;
}

function compareUniqueness(before: Shape, after: Shape, report: PairReport): void {
  const isUnique = ({ parts }: Shape) => parts.some(({ uniqueItems }) => uniqueItems === true);
  const [old, now] = [isUnique(before), isUnique(after)];
  if (old === now) return;
  report.add({
    rule: { graded: 'limit' },
    effect: now ? 'narrowed' : 'widened',
    message: now ? 'uniqueItems is now true' : 'uniqueItems is no longer true',
    before: sourceOf(before.parts, 'uniqueItems'),
    after: sourceOf(after.parts, 'uniqueItems'),
  });
}

function compareExtensibleEnums(before: Shape, after: Shape, report: PairReport): void {
  const keyword = 'x-extensible-enum';
  const valuesIn = ({ parts }: Shape) =>
    parts.flatMap((part) => (Array.isArray(part[keyword]) ? part[keyword].map(canonical) : []));
  const [old, now] = [new Set(valuesIn(before)), new Set(valuesIn(after))];
  const lost = [...old].filter((value) => !now.has(value));
  const gained = [...now].filter((value) => !old.has(value));
  const effect = effectOf({ narrows: lost.length > 0 && now.size > 0, widens: gained.length > 0 && old.size > 0 });
  if (!effect) return;
  const texts = [
    ...(lost.length > 0 ? [`${listOf(lost)} removed`] : []),
    ...(gained.length > 0 ? [`${listOf(gained)} added`] : []),
  ];
  report.add({
    rule: { graded: 'extensible-enum' },
    effect,
    message: `${keyword}: ${texts.join(', ')}`,
    before: sourceOf(before.parts, keyword),
    after: sourceOf(after.parts, keyword),
    isAnnotation: true,
  });
}

/** Compares what does not change which values are accepted: defaults, deprecation and names in XML. */
export function compareAnnotations(before: Shape, after: Shape, report: PairReport): void {
  const valueOf = ({ parts }: Shape, keyword: string) => {
    const part = parts.find((each) => Object.hasOwn(each, keyword));
    return part && (canonical(part[keyword]) ?? undefined);
  };
  const places = (keyword: string) => ({
    before: sourceOf(before.parts, keyword),
    after: sourceOf(after.parts, keyword),
  });
  const [old, now] = [valueOf(before, 'default'), valueOf(after, 'default')];
  if (old !== now) {
    const fixed = old === undefined ? 'default-added' : 'default-changed';
    const message = changeText('default', old, now);
    report.add({ rule: { fixed }, effect: 'changed', message, ...places('default'), isAnnotation: true });
  }
  if (before.isDeprecated !== after.isDeprecated) {
    const fixed = after.isDeprecated ? 'property-deprecated' : 'property-restored';
    const message = after.isDeprecated ? 'is now deprecated' : 'is no longer deprecated';
    report.add({ rule: { fixed }, effect: 'changed', message, ...places('deprecated'), isAnnotation: true });
  }
  const lifecycle = (shape: Shape) => ({
    'x-sunset': shape.parts.map((part) => part['x-sunset']).find((value) => value !== undefined),
    'x-stability-level': shape.parts.map((part) => part['x-stability-level']).find((value) => value !== undefined),
    deprecated: shape.isDeprecated,
  });
  const [first, second] = [lifecycle(before), lifecycle(after)];
  const addLifecycle = (
    rule: 'sunset-earlier' | 'sunset-removed' | 'sunset-invalid' | 'stability-decreased' | 'stability-invalid',
    message: string,
    key: string,
  ) =>
    report.add({ rule: { fixed: `property-${rule}` }, effect: 'changed', message, ...places(key), isAnnotation: true });
  compareSunsets(first, second, addLifecycle);
  compareStability(first, second, addLifecycle);
  if (xmlOf(before) !== xmlOf(after)) {
    const message = 'xml changed how it is written';
    report.add({ rule: { fixed: 'xml-changed' }, effect: 'changed', message, ...places('xml'), isAnnotation: true });
  }
}

function xmlOf({ parts }: Shape): string {
  const xml = parts.map((part) => part.xml).find(isObject);
  if (!xml) return '';
  const { name, namespace, prefix, attribute, wrapped, nodeType } = xml;
  return canonical({ name, namespace, prefix, attribute: attribute === true, wrapped: wrapped === true, nodeType });
}
