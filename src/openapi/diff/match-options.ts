import type { Effects } from './pair.ts';
import { canonical, typesText, type Shape } from './shape.ts';
import type { Choice, Option } from './shapes.ts';

/** Which options of two choices correspond to each other. */
export interface Matches {
  pairs: [before: Shape, after: Shape][];
  /** Those that no option of the new choice accepts. */
  removed: Option[];
  /** Those that no option of the old choice accepted. */
  added: Option[];
  /** Those with a name whose values another option of the other choice accepts. */
  repeated: { removed: Option[]; added: Option[] };
  /** Those that several options accept, although a value must match exactly one. */
  ambiguous: Option[];
}

type EffectsOf = (before: Shape, after: Shape) => Effects;

/** Options of larger choices are matched by name and fingerprint only. */
const maxTrials = 1_000;

export function matchOptions(before: Choice, after: Choice, effectsOf: EffectsOf): Matches {
  const [oldOptions, newOptions] = [before.options, after.options];
  const repeated = { removed: [], added: [] };
  const matches: Matches = { pairs: [], removed: [], added: [], repeated, ambiguous: [] };
  const [[first], [second]] = [oldOptions, newOptions];
  if (first && second && oldOptions.length === 1 && newOptions.length === 1) {
    matches.pairs.push([first.shape, second.shape]);
    return matches;
  }
  const old = new Set(oldOptions);
  const now = new Set(newOptions);
  pairBy(({ name }) => name, old, now, matches);
  pairBy(({ shape }) => fingerprintOf(shape), old, now, matches);
  const [oldRest, newRest] = [splitTypes([...old]), splitTypes([...now])];
  if (oldRest.length === 0 && newRest.length === 0) return matches;
  const lost = oldRest.filter((option) => {
    const accepting = acceptingOf(option, after, (from, to) => !effectsOf(from, to).narrows);
    if (accepting > 1 && after.isExclusive && !before.isExclusive) matches.ambiguous.push(option);
    else if (accepting > 0 && isRepeated(option, before, after)) matches.repeated.removed.push(option);
    return accepting === 0;
  });
  const gained = newRest.filter((option) => {
    const accepting = acceptingOf(option, before, (from, to) => !effectsOf(to, from).widens);
    if (accepting > 0 && isRepeated(option, after, before)) matches.repeated.added.push(option);
    return accepting === 0;
  });
  pairAlike(lost, gained, matches);
  return matches;
}

/** Pairs the options that have the same key, if both sides have the same number of them. */
function pairBy(keyOf: (option: Option) => string | undefined, old: Set<Option>, now: Set<Option>, matches: Matches) {
  const byKey = Map.groupBy(now, keyOf);
  for (const [key, options] of Map.groupBy(old, keyOf)) {
    const others = byKey.get(key) ?? [];
    if (key === undefined || options.length !== others.length) continue;
    for (const [index, option] of options.entries()) {
      const other = others[index];
      if (!other) continue;
      matches.pairs.push([option.shape, other.shape]);
      old.delete(option);
      now.delete(other);
    }
  }
}

/** Whether all other named options remain, so that the option was not merged with another. */
const isRepeated = ({ name }: Option, { options }: Choice, other: Choice): boolean =>
  name !== undefined &&
  options.length > other.options.length &&
  other.options.every((option) => option.name !== undefined);

/** How many options accept all values of another. With a discriminator, only the option with the same name does. */
function acceptingOf(option: Option, other: Choice, accepts: (from: Shape, to: Shape) => boolean): number {
  if (other.options.length > maxTrials) return 0;
  const isNamed = other.discriminator !== undefined && option.name !== undefined;
  return splitTypes(other.options).filter(
    ({ name, shape }) =>
      !(isNamed && name !== undefined) && mayAccept(option.shape, shape) && accepts(option.shape, shape),
  ).length;
}

/** Whether two shapes have a type in common. Otherwise there is no need to compare the rest. */
function mayAccept(a: Shape, b: Shape): boolean {
  if (!a.types || !b.types) return true;
  const isNumeric = (types: ReadonlySet<string>) => types.has('integer') || types.has('number');
  return [...a.types].some((type) => b.types?.has(type)) || (isNumeric(a.types) && isNumeric(b.types));
}

const splits = new WeakMap<Shape, Option[]>();

/** Splits shapes of several types into one for each type. */
function splitTypes(options: readonly Option[]): Option[] {
  return options.flatMap((option) => {
    const { shape } = option;
    if (!shape.types || shape.types.size < 2) return [option];
    const split =
      splits.get(shape) ??
      [...shape.types].map((type, index): Option => ({
        name: option.name,
        // Other IDs of shapes are whole numbers.
        shape: {
          ...shape,
          id: shape.id + (index + 1) / 100,
          types: new Set([type]),
          values: valuesOfType(shape, type),
        },
      }));
    splits.set(shape, split);
    return split;
  });
}

function valuesOfType({ values }: Shape, type: string): ReadonlySet<string> | undefined {
  if (!values) return undefined;
  const isText = (value: string) => value.startsWith('"');
  return new Set([...values].filter((value) => isText(value) === (type === 'string')));
}

/** Pairs the remaining options by how much they have in common. */
function pairAlike(lost: Option[], gained: Option[], matches: Matches): void {
  const candidates = lost
    .flatMap((old) => gained.map((now) => ({ old, now, likeness: likenessOf(old, now, lost.length + gained.length) })))
    .filter(({ likeness }) => likeness >= 0.5)
    .toSorted((a, b) => b.likeness - a.likeness);
  const [removed, added] = [new Set(lost), new Set(gained)];
  for (const { old, now } of candidates) {
    if (!removed.has(old) || !added.has(now)) continue;
    removed.delete(old);
    added.delete(now);
    matches.pairs.push([old.shape, now.shape]);
  }
  matches.removed.push(...removed);
  matches.added.push(...added);
}

/** From 0 to 1. */
function likenessOf(old: Option, now: Option, count: number): number {
  const [a, b] = [old.shape, now.shape];
  if (typesText(a) !== typesText(b)) return 0;
  if (old.name !== undefined && now.name !== undefined && count > 2 && old.name !== now.name) return 0;
  const names = new Set([...a.properties.keys(), ...b.properties.keys()]);
  if (names.size === 0) return count === 2 ? 1 : 0.5;
  const shared = names.values().filter((name) => a.properties.has(name) && b.properties.has(name));
  return shared.toArray().length / names.size;
}

const fingerprints = new WeakMap<Shape, string>();

/** A text that is the same for shapes that differ only in nested schemas. */
function fingerprintOf(shape: Shape): string {
  const cached = fingerprints.get(shape);
  if (cached !== undefined) return cached;
  const { types, values, format, pattern, limits, properties, required, additional } = shape;
  const names = [types, values, properties.keys(), required].map((all) => (all ? [...all].toSorted() : null));
  const text = canonical([names, format, pattern, Object.fromEntries(limits), additional === false]);
  fingerprints.set(shape, text);
  return text;
}

/** The name of an option, or a description of it. */
export function optionText({ name, shape }: Option): string {
  if (name !== undefined) return name;
  const [first, ...others] = shape.values ?? [];
  if (first !== undefined) return others.length > 0 ? `${first}, ...` : first;
  const properties = [...shape.properties.keys()].slice(0, 3);
  return properties.length > 0 ? `object with ${properties.join(', ')}` : typesText(shape);
}
