import { isObject } from '../../shared/is-object.ts';
import { type Fields, fieldsOf, itemsOf } from '../fields.ts';
import { effectOf, eventText, type PairReport } from './pair.ts';
import type { Direction, SchemaRule } from './rules.ts';
import { firstValue, type Ref, type Shape, sourceOf } from './shape.ts';
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

/** Compares properties and which of them are required, by direction: requests have no read-only properties. */
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
  compareDependentSchemas(sides);
}

/** Compares how a property is used in one direction. Returns whether its schemas are compared, too. */
function comparePropertyUse(sides: Sides, name: string, direction: Direction): boolean {
  const { before, after, oldShapes, newShapes, report } = sides;
  const add = (rule: SchemaRule, effect: 'narrowed' | 'widened', message: string) =>
    report.add(rule, effect, message, [], {
      pointer: `/${name}`,
      before: propertySource(before, name),
      after: propertySource(after, name),
      only: direction,
    });
  const isListedBefore = before.properties.has(name);
  const isListedAfter = after.properties.has(name);
  const wasUsed = !isHidden(oldShapes, before.properties.get(name), direction);
  const isUsed = !isHidden(newShapes, after.properties.get(name), direction);
  const wasRequired = wasUsed && before.required.has(name);
  const isRequired = isUsed && after.required.has(name);
  const [hides, hidden] =
    direction === 'request'
      ? (['property-read-only', 'readOnly'] as const)
      : (['property-write-only', 'writeOnly'] as const);
  if (isListedBefore && wasUsed && !(isListedAfter && isUsed)) {
    const effect = direction === 'request' ? 'narrowed' : 'widened';
    const rest = isListedAfter ? undefined : restFor(after, name);
    if (isListedAfter) add(hides, effect, `is now ${hidden}`);
    else add(rest === false ? 'property-refused' : 'property-removed', effect, 'was removed');
    return isObject(rest);
  }
  if (isListedAfter && isUsed && !(isListedBefore && wasUsed)) {
    const what = isListedBefore ? `is no longer ${hidden}` : 'is new';
    if (isRequired && !wasRequired) add('property-added-required', 'narrowed', `${what} and required`);
    else add(before.additional === false ? 'property-added-to-closed' : 'property-added', 'widened', what);
    return !isListedBefore && restFor(before, name) !== undefined && restFor(before, name) !== false;
  }
  if (isRequired && !wasRequired) add('property-required', 'narrowed', 'is now required');
  if (wasRequired && !isRequired) add('property-optional', 'widened', 'is no longer required');
  return isListedBefore && isListedAfter && wasUsed;
}

function propertySource({ parts }: Shape, name: string): Ref | undefined {
  const node = parts.map(({ properties }) => properties).find((each) => isObject(each) && Object.hasOwn(each, name));
  return isObject(node) ? { node, key: name } : sourceOf(parts, ['properties', 'required']);
}

/** The schema of a property without its own. */
function restFor({ patterns, additional }: Shape, name: string): unknown {
  for (const [pattern, schema] of patterns) if (matches(pattern, name)) return schema;
  return additional;
}

function matches(pattern: string, name: string): boolean {
  // Patterns come from users, and some take forever, so only those with literal characters are tried.
  const [, start, text = '', end] = /^(\^?)([\w-]*)(\$?)$/.exec(pattern) ?? [];
  if (start === undefined) return false;
  if (start && end) return name === text;
  if (start) return name.startsWith(text);
  return end ? name.endsWith(text) : name.includes(text);
}

/** Keywords whose schemas also describe the value itself. */
const composing = ['$ref', 'allOf', 'oneOf', 'anyOf'];

function isHidden(shapes: Shapes, property: unknown, direction: Direction): boolean {
  const keyword = direction === 'request' ? 'readOnly' : 'writeOnly';
  if (!isObject(property) || (property[keyword] !== true && !composing.some((each) => Object.hasOwn(property, each))))
    return false;
  const { options } = shapes.choiceOf(property);
  const isAbsent = direction === 'request' ? 'isReadOnly' : 'isWriteOnly';
  return options.length > 0 && options.every(({ shape }) => shape[isAbsent]);
}

function compareOtherProperties({ before, after, report }: Sides): void {
  const [old, now] = [before.additional, after.additional];
  if (old === now && (old === false || old === undefined)) return;
  if (old !== false && now !== false) report.within('/*', old, now);
  else addAllowed(report, now !== false, 'other properties', ['additionalProperties', 'unevaluatedProperties']);
}

function comparePatternProperties({ before, after, report }: Sides): void {
  for (const pattern of new Set([...before.patterns.keys(), ...after.patterns.keys()])) {
    const [old, now] = [before, after].map(({ patterns, additional }) =>
      patterns.has(pattern) ? patterns.get(pattern) : additional,
    );
    const pointer = `/{${pattern}}`;
    if (old !== false && now !== false) report.within(pointer, old, now);
    else if (old !== now) {
      const what = `properties whose names match ${pattern}`;
      addAllowed(report, now !== false, what, ['patternProperties'], pointer);
    }
  }
}

function addAllowed(report: PairReport, isAllowed: boolean, what: string, keywords: string[], pointer = ''): void {
  const message = `${what} are ${isAllowed ? 'now' : 'no longer'} allowed`;
  report.add('other-properties', isAllowed ? 'widened' : 'narrowed', message, keywords, { pointer });
}

/** The names of properties are strings. */
const anyName: Fields = { type: 'string' };

function compareNames({ before, after, report }: Sides): void {
  const keyword = 'propertyNames';
  const [old, now] = [firstValue(before, keyword), firstValue(after, keyword)];
  if (old === undefined && now === undefined) return;
  const effect = effectOf(report.effectsOf(withType(old), withType(now)));
  if (effect) report.add('property-names', effect, eventText(keyword, old, now), [keyword]);
}

const typedNames = new WeakMap<Fields, Fields>();

function withType(names: unknown): unknown {
  if (!isObject(names)) return names === false ? false : anyName;
  const typed = typedNames.get(names) ?? { allOf: [anyName, names] };
  typedNames.set(names, typed);
  return typed;
}

function compareDependencies({ before, after, report }: Sides): void {
  const [old, now] = [dependenciesOf(before), dependenciesOf(after)];
  const none = new Set<string>();
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [first, second] = [old.get(name) ?? none, now.get(name) ?? none];
    const [removed, added] = [first.difference(second), second.difference(first)];
    const add = (effect: 'narrowed' | 'widened', message: string) =>
      report.add('dependency', effect, message, ['dependentRequired'], { pointer: `/${name}` });
    if (added.size > 0) add('narrowed', `now requires ${[...added].join(', ')} if it is present`);
    if (removed.size > 0) add('widened', `no longer requires ${[...removed].join(', ')}`);
  }
}

function dependenciesOf({ parts }: Shape): Map<string, Set<string>> {
  const entries = parts.flatMap((part) => Object.entries(fieldsOf(part.dependentRequired)));
  const byName = Map.groupBy(entries, ([name]) => name);
  return new Map(
    [...byName].map(([name, all]) => [name, new Set(all.flatMap(([, names]) => itemsOf(names).map(String)))]),
  );
}

function compareDependentSchemas({ before, after, report }: Sides): void {
  const keyword = 'dependentSchemas';
  const schemasOf = ({ parts }: Shape) => new Map(parts.flatMap((part) => Object.entries(fieldsOf(part[keyword]))));
  const [old, now] = [schemasOf(before), schemasOf(after)];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    if (old.has(name) && now.has(name)) {
      report.within(`/${name}?`, old.get(name), now.get(name));
      continue;
    }
    const [effect, message] = now.has(name)
      ? (['narrowed', 'has new conditions if it is present'] as const)
      : (['widened', 'no longer has conditions'] as const);
    report.add('dependency', effect, message, [keyword], { pointer: `/${name}` });
  }
}
