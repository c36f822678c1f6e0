import { isObject } from '../../shared/is-object.ts';
import { effectOf, type PairReport } from './pair.ts';
import type { Direction, FixedFamily } from './rules.ts';
import { sourceOf, type Fields, type Shape } from './shape.ts';
import type { Shapes } from './shapes.ts';

/** The objects that two shapes describe, and how to look into their properties. */
interface Sides {
  before: Shape;
  after: Shape;
  oldShapes: Shapes;
  newShapes: Shapes;
  report: PairReport;
}

const directions: Direction[] = ['request', 'response'];

/** Compares properties and which of them are required, by direction: read-only ones are in no request. */
export function compareObjects(sides: Sides): void {
  const { before, after, report } = sides;
  const names = new Set([
    ...before.properties.keys(),
    ...after.properties.keys(),
    ...before.required,
    ...after.required,
  ]);
  for (const name of names) {
    const uses = directions.map((direction) => comparePropertyUse(sides, name, direction));
    const compared = directions.filter((_, index) => uses[index]);
    if (compared.length === 0 || !(before.properties.has(name) || after.properties.has(name))) continue;
    const old = before.properties.has(name) ? before.properties.get(name) : restFor(before, name);
    const now = after.properties.has(name) ? after.properties.get(name) : restFor(after, name);
    report.within(`/${name}`, old, now, compared.length === 1 ? compared[0] : undefined);
  }
  compareOtherProperties(sides);
  comparePatternProperties(sides);
  compareNames(sides);
  compareDependencies(sides);
}

/** Compares where a property stands in one direction. Gives whether its schemas are to be compared, too. */
function comparePropertyUse(sides: Sides, name: string, direction: Direction): boolean {
  const { before, after, oldShapes, newShapes } = sides;
  const isListedBefore = before.properties.has(name);
  const isListedAfter = after.properties.has(name);
  const wasUsed = !isHidden(oldShapes, before.properties.get(name), direction);
  const isUsed = !isHidden(newShapes, after.properties.get(name), direction);
  const wasRequired = wasUsed && before.required.has(name);
  const isRequired = isUsed && after.required.has(name);
  const add = (fixed: FixedFamily, effect: 'narrowed' | 'widened', message: string) =>
    addProperty(sides, name, direction, { fixed, effect, message });
  if (isListedBefore && wasUsed && !(isListedAfter && isUsed)) {
    return reportRemoved(sides, name, direction, isListedAfter);
  }
  if (isListedAfter && isUsed && !(isListedBefore && wasUsed)) {
    const what = isListedBefore ? `is no longer ${direction === 'request' ? 'readOnly' : 'writeOnly'}` : 'is new';
    if (isRequired && !wasRequired) add('property-added-required', 'narrowed', `${what} and required`);
    else if (before.additional === false) add('property-added-to-closed', 'widened', what);
    else add('property-added', 'widened', what);
    return !isListedBefore && restFor(before, name) !== undefined && restFor(before, name) !== false;
  }
  if (isRequired && !wasRequired) add('property-required', 'narrowed', 'is now required');
  if (wasRequired && !isRequired) add('property-optional', 'widened', 'is no longer required');
  return isListedBefore && isListedAfter && wasUsed;
}

function reportRemoved(sides: Sides, name: string, direction: Direction, isListed: boolean): boolean {
  const { after } = sides;
  const effect = direction === 'request' ? 'narrowed' : 'widened';
  const rest = restFor(after, name);
  if (isListed) {
    const fixed = direction === 'request' ? 'property-read-only' : 'property-write-only';
    const message = `is now ${direction === 'request' ? 'readOnly' : 'writeOnly'}`;
    addProperty(sides, name, direction, { fixed, effect, message });
    return false;
  }
  const fixed = rest === false ? 'property-refused' : 'property-removed';
  addProperty(sides, name, direction, { fixed, effect, message: 'was removed' });
  return isObject(rest);
}

function addProperty(
  { before, after, report }: Sides,
  name: string,
  direction: Direction,
  { fixed, effect, message }: { fixed: FixedFamily; effect: 'narrowed' | 'widened'; message: string },
): void {
  report.add({
    rule: { fixed },
    effect,
    message,
    pointer: `/${name}`,
    before: propertySource(before, name),
    after: propertySource(after, name),
    only: direction,
  });
}

function propertySource({ parts }: Shape, name: string): { node: object; key?: string } | undefined {
  for (const { properties } of parts) {
    if (isObject(properties) && Object.hasOwn(properties, name)) return { node: properties, key: name };
  }
  return sourceOf(parts, 'properties', 'required');
}

/** The schema of a property that is not listed. */
function restFor({ patterns, additional }: Shape, name: string): unknown {
  for (const [pattern, schema] of patterns) if (matches(pattern, name)) return schema;
  return additional;
}

function matches(pattern: string, name: string): boolean {
  // Patterns come from users: only those of literal characters are tried.
  const [, start, text = '', end] = /^(\^?)([\w-]*)(\$?)$/.exec(pattern) ?? [];
  if (start === undefined) return false;
  if (start && end) return name === text;
  if (start) return name.startsWith(text);
  return end ? name.endsWith(text) : name.includes(text);
}

/** Keywords with other schemas that say what a value is. */
const composing = ['$ref', 'allOf', 'oneOf', 'anyOf'];

function isHidden(shapes: Shapes, property: unknown, direction: Direction): boolean {
  const keyword = direction === 'request' ? 'readOnly' : 'writeOnly';
  if (!isObject(property) || (property[keyword] !== true && !composing.some((each) => Object.hasOwn(property, each)))) {
    return false;
  }
  const { options } = shapes.choiceOf(property);
  const isAbsent = direction === 'request' ? 'isReadOnly' : 'isWriteOnly';
  return options.length > 0 && options.every(({ shape }) => shape[isAbsent]);
}

function compareOtherProperties({ before, after, report }: Sides): void {
  const [old, now] = [before.additional, after.additional];
  const keywords = ['additionalProperties', 'unevaluatedProperties'];
  const places = { before: sourceOf(before.parts, ...keywords), after: sourceOf(after.parts, ...keywords) };
  if (now === false && old !== false) {
    const message = 'other properties are no longer allowed';
    report.add({ rule: { graded: 'other-properties' }, effect: 'narrowed', message, ...places });
  } else if (old === false && now !== false) {
    const message = 'other properties are now allowed';
    report.add({ rule: { graded: 'other-properties' }, effect: 'widened', message, ...places });
  } else if (old !== undefined || now !== undefined) {
    report.within('/*', old, now);
  }
}

function comparePatternProperties({ before, after, report }: Sides): void {
  for (const pattern of new Set([...before.patterns.keys(), ...after.patterns.keys()])) {
    const [old, now] = [before, after].map(({ patterns, additional }) =>
      patterns.has(pattern) ? patterns.get(pattern) : additional,
    );
    const pointer = `/{${pattern}}`;
    if (old !== false && now !== false) {
      report.within(pointer, old, now);
      continue;
    }
    if (old === now) continue;
    report.add({
      rule: { graded: 'other-properties' },
      effect: now === false ? 'narrowed' : 'widened',
      message: `properties whose names match ${pattern} are ${now === false ? 'no longer' : 'now'} allowed`,
      pointer,
      before: sourceOf(before.parts, 'patternProperties'),
      after: sourceOf(after.parts, 'patternProperties'),
    });
  }
}

/** The names of properties are strings. */
const anyName: Fields = { type: 'string' };

function compareNames({ before, after, report }: Sides): void {
  const namesOf = ({ parts }: Shape) =>
    parts.map(({ propertyNames }) => propertyNames).find((names) => names !== undefined);
  const [old, now] = [namesOf(before), namesOf(after)];
  if (old === undefined && now === undefined) return;
  const effect = effectOf(report.effectsOf(withType(old), withType(now)));
  if (!effect) return;
  report.add({
    rule: { graded: 'property-names' },
    effect,
    message: `propertyNames ${old === undefined ? 'is new' : now === undefined ? 'was removed' : 'changed'}`,
    before: sourceOf(before.parts, 'propertyNames'),
    after: sourceOf(after.parts, 'propertyNames'),
  });
}

const typedNames = new WeakMap<Fields, Fields>();

function withType(names: unknown): unknown {
  if (!isObject(names)) return names === false ? false : anyName;
  const typed = typedNames.get(names) ?? { allOf: [anyName, names] };
  typedNames.set(names, typed);
  return typed;
}

function compareDependencies({ before, after, report }: Sides): void {
  const keyword = 'dependentRequired';
  const places = { before: sourceOf(before.parts, keyword), after: sourceOf(after.parts, keyword) };
  const [old, now] = [dependenciesOf(before), dependenciesOf(after)];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const isLost = (from: Set<string> | undefined, to: Set<string> | undefined) =>
      [...(from ?? [])].filter((other) => !to?.has(other));
    const removed = isLost(old.get(name), now.get(name));
    const added = isLost(now.get(name), old.get(name));
    const add = (effect: 'narrowed' | 'widened', message: string) =>
      report.add({ rule: { graded: 'dependency' }, effect, message, pointer: `/${name}`, ...places });
    if (added.length > 0) add('narrowed', `now requires ${added.join(', ')} where it is present`);
    if (removed.length > 0) add('widened', `no longer requires ${removed.join(', ')}`);
  }
  compareDependentSchemas(before, after, report);
}

function compareDependentSchemas(before: Shape, after: Shape, report: PairReport): void {
  const keyword = 'dependentSchemas';
  const schemasOf = ({ parts }: Shape) =>
    new Map(parts.flatMap((part) => (isObject(part[keyword]) ? Object.entries(part[keyword]) : [])));
  const [old, now] = [schemasOf(before), schemasOf(after)];
  const places = { before: sourceOf(before.parts, keyword), after: sourceOf(after.parts, keyword) };
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    if (old.has(name) && now.has(name)) {
      report.within(`/${name}?`, old.get(name), now.get(name));
      continue;
    }
    const isNew = now.has(name);
    report.add({
      rule: { graded: 'dependency' },
      effect: isNew ? 'narrowed' : 'widened',
      message: isNew ? 'has new conditions where it is present' : 'has no further conditions any more',
      pointer: `/${name}`,
      ...places,
    });
  }
}

function dependenciesOf({ parts }: Shape): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const { dependentRequired } of parts) {
    for (const [name, others] of isObject(dependentRequired) ? Object.entries(dependentRequired) : []) {
      if (Array.isArray(others)) all.set(name, new Set([...(all.get(name) ?? []), ...others.map(String)]));
    }
  }
  return all;
}
