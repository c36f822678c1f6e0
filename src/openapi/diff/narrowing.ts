import {
  canonical,
  lowerLimits,
  upperLimits,
  type Choice,
  type Limit,
  type Option,
  type Shape,
  type Shapes,
} from './shapes.ts';

/** Something that one schema accepts and another does not. */
export interface Narrowing {
  /** A path of property names, `*` for the items of an array and for properties of any other name. */
  pointer: string;
  what:
    | { kind: 'type' | 'values'; from: string; to: string }
    | { kind: 'null' | 'closed' | 'dropped' }
    | { kind: 'value'; value: string }
    | { kind: 'constraint'; keyword: string; from: string | undefined; to: string }
    | { kind: 'required'; isNew: boolean }
    | { kind: 'option'; name: string };
}

/** Decides which properties count: read-only ones are in no request, write-only ones in no response. */
export type Direction = 'request' | 'response';

interface Pair {
  from: Choice;
  to: Choice;
  pointer: string;
}

/** How many pairs of schemas may still be compared: without a limit, entangled documents would take minutes. */
export interface Budget {
  pairs: number;
  /** Of these, to find the alternative that accepts another one. When used up, only their types are compared. */
  trialPairs: number;
}

const maxNesting = 2;

/** Compares schemas of one document with schemas of another. */
export class Narrowings {
  readonly #from: Shapes;
  readonly #to: Shapes;
  readonly #direction: Direction;
  readonly #met = new Set<string>();
  readonly #budget: Budget;
  /** 0 for what is reported, 1 for a trial, 2 for a trial within it. */
  readonly #nesting: number;

  constructor(from: Shapes, to: Shapes, direction: Direction, budget: Budget, nesting = 0) {
    this.#from = from;
    this.#to = to;
    this.#direction = direction;
    this.#budget = budget;
    this.#nesting = nesting;
  }

  /** What `from` accepts and `to` does not. Schemas that were compared before are not compared again. */
  find(from: unknown, to: unknown): Narrowing[] {
    return this.#compare({ from: this.#from.choiceOf(from), to: this.#to.choiceOf(to), pointer: '' });
  }

  #compare(pair: Pair): Narrowing[] {
    const narrowings: Narrowing[] = [];
    const waiting = [pair];
    // The loop adds items to its own list. Recursion would go as deep as schemas refer to schemas.
    for (const next of waiting) {
      if (this.#nesting > 0 && narrowings.length > 0) break;
      const left = this.#nesting > 0 ? 'trialPairs' : 'pairs';
      if (this.#budget[left] <= 0) break;
      this.#budget[left] -= Math.max(1, next.from.options.length * next.to.options.length);
      this.#compareChoices(next, narrowings, waiting);
    }
    return narrowings;
  }

  #compareChoices({ from, to, pointer }: Pair, narrowings: Narrowing[], waiting: Pair[]): void {
    if (from.isNullable && !to.isNullable) narrowings.push({ pointer, what: { kind: 'null' } });
    for (const option of from.options) {
      const partner = this.#partnerOf(option, from, to);
      if (partner) this.#compareShapes(option.shape, partner, pointer, narrowings, waiting);
      else narrowings.push({ pointer, what: { kind: 'option', name: option.name ?? typesText(option.shape) } });
    }
  }

  /** The option of `to` that an option of `from` is best compared with. */
  #partnerOf(option: Option, from: Choice, to: Choice): Shape | undefined {
    const [only, ...others] = to.options;
    if (only && others.length === 0) return only.shape;
    const namesakes = to.options.filter(({ name }) => name !== undefined && name === option.name);
    const candidates = namesakes.length > 0 ? namesakes : to.options;
    const same = candidates.find(({ shape }) => fingerprintOf(shape) === fingerprintOf(option.shape));
    const counterpart = namesakes.length === 1 ? namesakes[0] : to.options[from.options.indexOf(option)];
    if (same) return same.shape;
    if (
      counterpart &&
      candidates.includes(counterpart) &&
      (namesakes.length === 1 || lookOf(counterpart.shape) === lookOf(option.shape))
    ) {
      return counterpart.shape;
    }
    const accepting = candidates.find(({ shape }) => this.#accepts(option.shape, shape));
    if (accepting) return accepting.shape;
    if (namesakes[0]) return namesakes[0].shape;
    const alike = candidates.filter(({ shape }) => typesText(shape) === typesText(option.shape));
    return from.options.length === 1 || alike.length === 1 ? alike[0]?.shape : undefined;
  }

  #accepts(from: Shape, to: Shape): boolean {
    if (this.#budget.trialPairs <= 0 || this.#nesting >= maxNesting) return typesText(from) === typesText(to);
    const trial = new Narrowings(this.#from, this.#to, this.#direction, this.#budget, this.#nesting + 1);
    const choice = (shape: Shape): Choice => ({ isNullable: false, options: [{ name: undefined, shape }] });
    return trial.#compare({ from: choice(from), to: choice(to), pointer: '' }).length === 0;
  }

  #compareShapes(from: Shape, to: Shape, pointer: string, narrowings: Narrowing[], waiting: Pair[]): void {
    const key = `${from.id} ${to.id}`;
    if (this.#met.has(key)) return;
    this.#met.add(key);
    const shared = sharedTypes(from, to);
    if (to.types && !(from.types && from.types.size === shared?.size)) {
      narrowings.push({ pointer, what: { kind: 'type', from: typesText(from), to: typesText(to) } });
    }
    if (shared?.size === 0) return;
    for (const what of [...compareValues(from, to), ...compareConstraints(from, to)])
      narrowings.push({ pointer, what });
    if (!shared || shared.has('object')) this.#compareObjects(from, to, pointer, narrowings, waiting);
    if ((!shared || shared.has('array')) && to.items !== undefined) {
      this.#wait(from.items ?? true, to.items, `${pointer}/*`, waiting);
    }
  }

  #compareObjects(from: Shape, to: Shape, pointer: string, narrowings: Narrowing[], waiting: Pair[]): void {
    for (const name of to.required) {
      if (from.required.has(name) || !this.#counts(this.#to, to.properties.get(name))) continue;
      const isNew = !from.properties.has(name);
      // A property that was removed from a response is reported as removed below.
      if (this.#direction === 'request' || !isNew) {
        narrowings.push({ pointer: `${pointer}/${name}`, what: { kind: 'required', isNew } });
      }
    }
    for (const [name, schema] of to.properties) {
      if (!this.#counts(this.#to, schema)) continue;
      if (from.properties.has(name)) this.#wait(from.properties.get(name), schema, `${pointer}/${name}`, waiting);
      else if (this.#direction === 'response')
        narrowings.push({ pointer: `${pointer}/${name}`, what: { kind: 'dropped' } });
    }
    const others = [...from.properties].filter(([name]) => !to.properties.has(name));
    if (to.additional === false && this.#direction === 'request') {
      for (const [name] of others) narrowings.push({ pointer: `${pointer}/${name}`, what: { kind: 'dropped' } });
      if (from.additional !== false) narrowings.push({ pointer, what: { kind: 'closed' } });
    } else if (to.additional) {
      for (const [name, schema] of others) this.#wait(schema, to.additional, `${pointer}/${name}`, waiting);
      if (from.additional) this.#wait(from.additional, to.additional, `${pointer}/*`, waiting);
    }
  }

  #wait(from: unknown, to: unknown, pointer: string, waiting: Pair[]): void {
    waiting.push({ from: this.#from.choiceOf(from), to: this.#to.choiceOf(to), pointer });
  }

  #counts(shapes: Shapes, property: unknown): boolean {
    const absent = this.#direction === 'request' ? 'isReadOnly' : 'isWriteOnly';
    const { options } = shapes.choiceOf(property);
    return options.length === 0 || !options.every(({ shape }) => shape[absent]);
  }
}

/** Undefined for any. */
function sharedTypes(from: Shape, to: Shape): ReadonlySet<string> | undefined {
  const accepted = to.types;
  if (!from.types || !accepted) return from.types ?? accepted;
  const isAccepted = (type: string) => accepted.has(type) || (type === 'integer' && accepted.has('number'));
  return new Set([...from.types].filter(isAccepted));
}

function* compareValues(from: Shape, to: Shape): Generator<Narrowing['what']> {
  if (!to.values) return;
  const isBoolean = from.types?.size === 1 && from.types.has('boolean');
  const values = from.values ?? (isBoolean ? new Set(['true', 'false']) : undefined);
  if (!values) yield { kind: 'values', from: typesText(from), to: [...to.values].join(', ') };
  else for (const value of values) if (!to.values.has(value)) yield { kind: 'value', value };
}

const widerFormats: Record<string, string> = { int32: 'int64', float: 'double' };

function* compareConstraints(from: Shape, to: Shape): Generator<Narrowing['what']> {
  // Listed values were compared already, and nothing else matters then.
  if (from.values) return;
  if (to.format !== undefined && to.format !== from.format && widerFormats[from.format ?? ''] !== to.format) {
    yield { kind: 'constraint', keyword: 'format', from: from.format, to: to.format };
  }
  if (to.pattern !== undefined && to.pattern !== from.pattern) {
    yield { kind: 'constraint', keyword: 'pattern', from: from.pattern, to: to.pattern };
  }
  if (to.isUnique && !from.isUnique) {
    yield { kind: 'constraint', keyword: 'uniqueItems', from: undefined, to: 'true' };
  }
  for (const keyword of [...lowerLimits, ...upperLimits]) {
    const [before, after] = [from.limits.get(keyword), to.limits.get(keyword)];
    if (after && isTighter(keyword, after, before)) {
      yield { kind: 'constraint', keyword, from: before && limitText(before), to: limitText(after) };
    }
  }
}

function isTighter(keyword: string, limit: Limit, than: Limit | undefined): boolean {
  // No length or count is below 0.
  const other = than ?? (/^min./.test(keyword) && keyword !== 'minimum' ? { value: 0, isExclusive: false } : undefined);
  if (!other) return true;
  if (limit.value === other.value) return limit.isExclusive && !other.isExclusive;
  return lowerLimits.includes(keyword) ? limit.value > other.value : limit.value < other.value;
}

/** A shape without the schemas of its properties. */
const lookOf = remembered((shape) => {
  const names = [shape.properties.keys(), shape.required, shape.values ?? []].map((all) => [...all].toSorted());
  return JSON.stringify([typesText(shape), ...names]);
});

/** All members of a shape, without the schemas that it refers to. */
const fingerprintOf = remembered(({ types, values, limits, properties, required, ...plain }) => {
  const sets = [types, values, required].map((set) => set && [...set].toSorted());
  return canonical([{ ...plain, id: undefined }, sets, Object.fromEntries(limits), Object.fromEntries(properties)]);
});

function remembered(describe: (shape: Shape) => string): (shape: Shape) => string {
  const texts = new WeakMap<Shape, string>();
  return (shape) => {
    const text = texts.get(shape) ?? describe(shape);
    texts.set(shape, text);
    return text;
  };
}

function limitText({ value, isExclusive }: Limit): string {
  return isExclusive ? `${value} (exclusive)` : String(value);
}

function typesText({ types }: Shape): string {
  return types ? [...types].toSorted().join(', ') || 'nothing' : 'anything';
}
