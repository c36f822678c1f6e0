import { hasMembers, isObject } from '../../shared/is-object.ts';
import { isPlainReference, isReference, valueAt } from '../parse/reference.ts';
import { type Fields, fieldsOf, itemsOf } from '../fields.ts';
import { shapeOf, type Shape } from './shape.ts';

/** The shapes that a value may have, and whether null is allowed instead. */
export interface Choice {
  id: number;
  isNullable: boolean;
  options: Option[];
  /** Whether a value must match exactly one of several (`oneOf`). */
  isExclusive: boolean;
  /** The schemas that apply to all shapes. */
  sources: readonly Fields[];
  discriminator: Discriminator | undefined;
  /** Whether there are too many alternatives to compare all. */
  isCut: boolean;
  /** A reference that cannot be resolved. */
  missing: string | undefined;
}

interface Discriminator {
  source: Fields;
  propertyName: string;
  /** Names of schemas by value. */
  mapping: ReadonlyMap<string, string>;
}

export interface Option {
  /** The name of the referenced schema, or else the title. It identifies the same option in another version. */
  name: string | undefined;
  shape: Shape;
}

/** Longer chains of references and deeper compositions are mistakes. */
const maxChain = 100;
const maxNesting = 4;
const maxOptions = 100;
/** How many variants are read to find the options. Variants that are nested too deeply have none. */
const maxSteps = 500;

interface Expansion {
  parts: Fields[];
  compositions: { variants: unknown[]; isExclusive: boolean }[];
  visited: ReadonlySet<unknown>;
  missing: string | undefined;
}

/** The options found so far. */
interface Expanding {
  options: Option[];
  /** Includes those that only allow null. */
  count: number;
  isNullable: boolean;
  isCut: boolean;
  steps: number;
}

/** A description and how to resolve its references. */
export interface Source {
  document: unknown;
  /** The target of a reference in an object, if there is one. By default, all references are within the document. */
  resolve?: Resolve;
  /** Why a reference cannot be resolved, as the end of a sentence that begins with the reference. */
  reasonFor?: (reference: string, holder: object) => string | undefined;
}

export type Resolve = (reference: string, holder: object) => unknown;

/** The schemas of one document. */
export class Shapes {
  /** References that could not be resolved, by the objects that contain them. */
  readonly missing = new Map<object, string>();
  readonly #document: Fields;
  readonly #resolve: Resolve;
  /** Up to 3.0, fields next to `$ref` have no effect. */
  readonly #ignoresSiblings: boolean;
  readonly #choices = new Map<unknown, Choice>();
  readonly #ids = new Map<unknown, number>();
  readonly #joined = new Map<string, { allOf: unknown[] }>();
  readonly #members = new Map<unknown, unknown[]>();
  #anchors: Map<string, unknown> | undefined;
  #lastId = 0;

  constructor({ document, resolve }: Source) {
    this.#document = fieldsOf(document);
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

  /** The target of a schema that is only a reference. All of these share one choice. */
  #onlyTarget(schema: unknown): unknown {
    const isOnlyReference = this.#ignoresSiblings ? isReference(schema) : isPlainReference(schema);
    return isOnlyReference ? this.follow(schema) : undefined;
  }

  /** A choice of one shape, without null. */
  single(shape: Shape): Choice {
    let choice = this.#choices.get(shape);
    if (!choice) {
      choice = this.#newChoice({ options: [{ name: undefined, shape }], sources: shape.parts });
      this.#choices.set(shape, choice);
    }
    return choice;
  }

  /** A value, or the value that it refers to, if there is one. */
  follow(value: unknown): unknown {
    let current = value;
    for (let chain = 0; isReference(current); chain += 1) {
      current = chain > maxChain ? undefined : this.#target(current.$ref, current);
    }
    return current;
  }

  /**
   * The schema that combines several schemas. The same schemas have the same result. Otherwise a schema that refers to
   * itself twice would have infinitely many.
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

  /** Whether `join` created a schema, so that it is not in the document. */
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
    const state: Expanding = { options: [], count: 0, isNullable: false, isCut: false, steps: 0 };
    this.#expandVariants(start, undefined, 0, state);
    return this.#newChoice({
      isNullable: state.isNullable,
      options: state.options,
      isExclusive: start.compositions.some(({ isExclusive }) => isExclusive),
      sources: start.parts,
      discriminator: discriminatorIn(start.parts),
      isCut: state.isCut,
      missing: start.missing,
    });
  }

  /** Adds an option for each combination of variants. */
  #expandVariants(whole: Expansion, name: string | undefined, nesting: number, state: Expanding): void {
    const { parts, compositions, visited, missing } = whole;
    const [composition, ...others] = compositions;
    if (!composition) {
      this.#addOption(whole, name, state);
      return;
    }
    for (const variant of composition.variants) {
      state.steps += 1;
      if (state.count >= maxOptions || nesting > maxNesting || state.steps > maxSteps) {
        state.isCut = true;
        return;
      }
      const inner = this.#expand(variant, new Set(visited));
      const combined: Expansion = {
        parts: [...parts, ...inner.parts],
        compositions: [...others, ...inner.compositions],
        visited: visited.union(inner.visited),
        missing: missing ?? inner.missing,
      };
      this.#expandVariants(combined, name ?? nameOf(variant), nesting + 1, state);
    }
  }

  #addOption({ parts, missing }: Expansion, name: string | undefined, state: Expanding): void {
    const shape = shapeOf(parts, this.join, missing);
    const isNullable = missing === undefined && parts.every(allowsNull) && (!shape.types || parts.some(statesType));
    state.count += 1;
    state.isNullable ||= isNullable;
    // A schema that only allows null has no other shape.
    const onlyNull = isNullable && (shape.types?.size === 0 || shape.values?.size === 0);
    if (!onlyNull) state.options.push({ name, shape });
  }

  /** All schemas that apply together: a schema, the one it refers to, and those in its `allOf`. */
  #expand(schema: unknown, visited: Set<unknown>): Expansion {
    const parts: Fields[] = [];
    const compositions: Expansion['compositions'] = [];
    let missing: string | undefined;
    const waiting = [schema];
    while (waiting.length > 0) {
      const next = waiting.shift();
      if (next === false) parts.push(nothing);
      if (!isObject(next) || visited.has(next) || visited.size > maxChain) continue;
      visited.add(next);
      // For a single schema, a dynamic reference leads to its anchor.
      for (const reference of [next.$ref, next.$dynamicRef]) {
        if (typeof reference !== 'string') continue;
        const target = this.#target(reference, next);
        if (target === undefined) missing ??= reference;
        waiting.unshift(target);
      }
      if (this.#ignoresSiblings && typeof next.$ref === 'string') continue;
      if (Array.isArray(next.allOf)) waiting.unshift(...next.allOf);
      for (const keyword of ['oneOf', 'anyOf']) {
        const variants = itemsOf(next[keyword]);
        if (variants.length === 0) continue;
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
    if (reference === '#' || reference.startsWith('#/')) return valueAt(this.#document, reference.slice(1));
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
    // In Swagger 2, it is only the name of the property.
    if (typeof discriminator === 'string') return { source: part, propertyName: discriminator, mapping: new Map() };
    if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') continue;
    const entries = Object.entries(fieldsOf(discriminator.mapping));
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

/** Whether a schema states its types. The types that other keywords imply do not include null. */
const statesType = (part: Fields): boolean =>
  ['type', 'enum', 'const', 'nullable', 'x-nullable'].some((keyword) => part[keyword] !== undefined);

/** The name of the referenced schema, or else the title. */
export function nameOf(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1);
  return typeof schema.title === 'string' ? schema.title : undefined;
}

/** The targets of references such as `#name`. */
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
