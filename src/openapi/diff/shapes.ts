import { hasMembers, isObject } from '../../shared/is-object.ts';
import { isPlainReference, isReference, segmentsOf } from '../parse/reference.ts';
import { shapeOf, type Fields, type Shape } from './shape.ts';

/** The shapes of which one must fit, and whether null is allowed instead. */
export interface Choice {
  id: number;
  isNullable: boolean;
  options: Option[];
  /** Whether a value must fit only one of several (`oneOf`). */
  isExclusive: boolean;
  /** The schemas that it was read from. */
  sources: readonly Fields[];
  discriminator: Discriminator | undefined;
  /** Whether there are more alternatives than are compared. */
  isCut: boolean;
  /** A reference that does not lead to a schema of the document. */
  missing: string | undefined;
}

interface Discriminator {
  source: Fields;
  propertyName: string;
  /** Names of schemas by value. */
  mapping: ReadonlyMap<string, string>;
}

export interface Option {
  /** The name of the referenced schema, else the title. It identifies the same option in another version. */
  name: string | undefined;
  shape: Shape;
}

interface Composition {
  variants: unknown[];
  isExclusive: boolean;
}

/** Longer chains of references and deeper compositions matter to no comparison. */
const maxChain = 100;
const maxNesting = 4;
const maxOptions = 100;
/** How many variants are looked at to find them: nested ones that are too deep give none. */
const maxSteps = 500;

interface Expansion {
  parts: Fields[];
  compositions: Composition[];
  visited: ReadonlySet<unknown>;
  missing: string | undefined;
}

/** A description whose parts may refer to each other. */
export interface Source {
  document: unknown;
  /** What a reference in an object leads to; undefined for nothing. Without it, all lead into the document itself. */
  resolve?: Resolve;
  /** Why a reference leads to nothing; it ends a sentence that begins with the reference. */
  reasonFor?: (reference: string, holder: object) => string | undefined;
}

export type Resolve = (reference: string, holder: object) => unknown;

/** The schemas of one document. */
export class Shapes {
  /** References that were followed and lead to nothing, by the objects that hold them. */
  readonly missing = new Map<object, string>();
  readonly #document: Fields;
  readonly #resolve: Resolve;
  /** Up to 3.0, fields beside `$ref` mean nothing. */
  readonly #ignoresSiblings: boolean;
  readonly #choices = new Map<unknown, Choice>();
  readonly #ids = new Map<unknown, number>();
  readonly #joined = new Map<string, { allOf: unknown[] }>();
  readonly #members = new Map<unknown, unknown[]>();
  #anchors: Map<string, unknown> | undefined;
  #lastId = 0;

  constructor({ document, resolve }: Source) {
    this.#document = isObject(document) ? document : {};
    this.#resolve = resolve ?? ((reference) => this.#find(reference));
    this.#ignoresSiblings = this.#document.swagger !== undefined || String(this.#document.openapi).startsWith('3.0');
  }

  choiceOf(schema: unknown): Choice {
    let choice = this.#choices.get(schema);
    if (!choice) {
      const target = this.#onlyTarget(schema);
      choice = target === undefined ? this.#choose(schema) : this.choiceOf(target);
      this.#choices.set(schema, choice);
    }
    return choice;
  }

  /** What a schema leads to that is nothing but a reference: all of them share one choice. */
  #onlyTarget(schema: unknown): unknown {
    const isOnlyReference = this.#ignoresSiblings ? isReference(schema) : isPlainReference(schema);
    return isOnlyReference ? this.follow(schema) : undefined;
  }

  /** A choice of one shape alone, without null. */
  single(shape: Shape): Choice {
    let choice = this.#choices.get(shape);
    if (!choice) {
      choice = this.#newChoice({ options: [{ name: undefined, shape }], sources: shape.parts });
      this.#choices.set(shape, choice);
    }
    return choice;
  }

  /** A value, or the value in the document that it refers to; undefined where there is none. */
  follow(value: unknown): unknown {
    let current = value;
    for (let chain = 0; isReference(current); chain += 1) {
      current = chain > maxChain ? undefined : this.#target(current.$ref, current);
    }
    return current;
  }

  /**
   * The schema that combines several schemas. The same ones give the same result: otherwise a schema that refers to
   * itself in two places would have infinitely many.
   */
  readonly join = (schemas: unknown[]): unknown => {
    if (schemas.length === 1) return schemas[0];
    const members = new Set(schemas.map((schema) => (isPlainReference(schema) ? this.follow(schema) : schema)));
    const unique = [...new Set([...members].flatMap((member) => this.#members.get(member) ?? [member]))];
    if (unique.length === 1) return unique[0];
    const key = unique
      .map((schema) => this.#idOf(schema))
      .toSorted((a, b) => a - b)
      .join(' ');
    const joined = this.#joined.get(key) ?? { allOf: unique };
    this.#joined.set(key, joined);
    this.#members.set(joined, joined.allOf);
    return joined;
  };

  /** Whether a schema is one that `join` made: it is not in the document. */
  isJoined(schema: object): boolean {
    return this.#members.has(schema);
  }

  #newChoice(members: Partial<Choice>): Choice {
    return {
      id: (this.#lastId += 1),
      isNullable: false,
      options: [],
      isExclusive: false,
      sources: [],
      discriminator: undefined,
      isCut: false,
      missing: undefined,
      ...members,
    };
  }

  #choose(schema: unknown): Choice {
    const start = this.#expand(schema, new Set());
    const found = start.compositions.length === 0 ? [this.#single(start, undefined)] : [];
    const state = { isCut: false, steps: 0 };
    if (start.compositions.length > 0) this.#variants(start, undefined, 0, found, state);
    return this.#newChoice({
      isNullable: found.some(({ isNullable }) => isNullable),
      options: found.flatMap(({ option }) => option ?? []),
      isExclusive: start.compositions.some(({ isExclusive }) => isExclusive),
      sources: start.parts,
      discriminator: discriminatorIn(start.parts),
      isCut: state.isCut,
      missing: start.missing,
    });
  }

  /** Adds an alternative for each combination of variants. */
  #variants(
    { parts, compositions, visited, missing }: Expansion,
    name: string | undefined,
    nesting: number,
    found: { isNullable: boolean; option: Option | undefined }[],
    state: { isCut: boolean; steps: number },
  ): void {
    const [composition, ...others] = compositions;
    if (!composition) {
      found.push(this.#single({ parts, compositions, visited, missing }, name));
      return;
    }
    for (const variant of composition.variants) {
      state.steps += 1;
      if (found.length >= maxOptions || nesting > maxNesting || state.steps > maxSteps) {
        state.isCut = true;
        return;
      }
      const inner = this.#expand(variant, new Set(visited));
      const whole: Expansion = {
        parts: [...parts, ...inner.parts],
        compositions: [...others, ...inner.compositions],
        visited: new Set([...visited, ...inner.visited]),
        missing: missing ?? inner.missing,
      };
      this.#variants(whole, name ?? nameOf(variant), nesting + 1, found, state);
    }
  }

  #single(
    { parts, missing }: Expansion,
    name: string | undefined,
  ): { isNullable: boolean; option: Option | undefined } {
    const shape = shapeOf(parts, this.join, missing);
    const isNullable = missing === undefined && parts.every(allowsNull) && (!shape.types || parts.some(statesType));
    // A schema that only allows null has no other shape.
    const onlyNull = isNullable && (shape.types?.size === 0 || shape.values?.size === 0);
    return { isNullable, option: onlyNull ? undefined : { name, shape } };
  }

  /** All schemas that apply together: a schema, the one it refers to, and those of its `allOf`. */
  #expand(schema: unknown, visited: Set<unknown>): Expansion {
    const parts: Fields[] = [];
    const compositions: Composition[] = [];
    let missing: string | undefined;
    const waiting = [schema];
    while (waiting.length > 0) {
      const next = waiting.shift();
      if (next === false) parts.push(nothing);
      if (!isObject(next) || visited.has(next) || visited.size > maxChain) continue;
      visited.add(next);
      // Where a schema stands alone, a dynamic reference leads where its anchor is.
      for (const reference of [next.$ref, next.$dynamicRef]) {
        if (typeof reference !== 'string') continue;
        const target = this.#target(reference, next);
        if (target === undefined) missing ??= reference;
        waiting.unshift(target);
      }
      if (this.#ignoresSiblings && typeof next.$ref === 'string') continue;
      if (Array.isArray(next.allOf)) waiting.unshift(...next.allOf);
      for (const keyword of ['oneOf', 'anyOf']) {
        const variants = next[keyword];
        if (!Array.isArray(variants) || variants.length === 0) continue;
        compositions.push({ variants, isExclusive: keyword === 'oneOf' && variants.length > 1 });
      }
      parts.push(next);
    }
    return { parts, compositions, visited, missing };
  }

  #target(reference: string, holder: object): unknown {
    const target = this.#resolve(reference, holder);
    if (target === undefined) this.missing.set(holder, reference);
    return target;
  }

  #find(reference: string): unknown {
    if (!reference.startsWith('#')) return undefined;
    if (reference === '#' || reference.startsWith('#/')) return valueAt(this.#document, reference);
    this.#anchors ??= anchorsIn(this.#document);
    return this.#anchors.get(reference.slice(1));
  }

  #idOf(schema: unknown): number {
    const id = this.#ids.get(schema) ?? this.#ids.size;
    this.#ids.set(schema, id);
    return id;
  }
}

const nothing: Fields = { type: [] };

function discriminatorIn(parts: readonly Fields[]): Discriminator | undefined {
  for (const part of parts) {
    const { discriminator } = part;
    // In Swagger 2, it is the name of the property.
    if (typeof discriminator === 'string') return { source: part, propertyName: discriminator, mapping: new Map() };
    if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') continue;
    const entries = isObject(discriminator.mapping) ? Object.entries(discriminator.mapping) : [];
    const mapping = new Map(entries.map(([value, name]) => [value, String(name).split('/').at(-1) ?? '']));
    return { source: part, propertyName: discriminator.propertyName, mapping };
  }
  return undefined;
}

function allowsNull(part: Fields): boolean {
  const { type } = part;
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  if (type !== undefined) return part.nullable === true || part['x-nullable'] === true;
  const values = Object.hasOwn(part, 'const') ? [part.const] : part.enum;
  return !Array.isArray(values) || values.includes(null);
}

/** Whether a schema says itself which types there are: otherwise, null is not among those that it implies. */
const statesType = (part: Fields): boolean =>
  ['type', 'enum', 'const', 'nullable', 'x-nullable'].some((keyword) => part[keyword] !== undefined);

/** The name of the referenced schema, else the title. */
export function nameOf(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1);
  return typeof schema.title === 'string' ? schema.title : undefined;
}

function valueAt(document: unknown, reference: string): unknown {
  let value = document;
  for (const key of segmentsOf(reference.slice(1))) {
    if (!hasMembers(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** What `#name` leads to. */
function anchorsIn(document: unknown): Map<string, unknown> {
  const anchors = new Map<string, unknown>();
  const waiting = [document];
  const visited = new Set<unknown>();
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (!hasMembers(value) || visited.has(value)) continue;
    visited.add(value);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = value[keyword];
      if (typeof name === 'string' && !anchors.has(name)) anchors.set(name, value);
    }
    for (const member of Object.values(value)) waiting.push(member);
  }
  return anchors;
}
