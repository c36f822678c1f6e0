import type { Difference, Pair } from './pair.ts';
import type { Pairs } from './pairs.ts';
import type { Operations } from './operations.ts';
import { schemaRule, type Direction, type PlainRule, type SchemaRule } from './rules.ts';
import { canonical, type Ref } from './shape.ts';
import type { Shapes } from './shapes.ts';

/** The two documents, and where changes are collected. */
export interface Documents {
  before: Operations;
  after: Operations;
  collector: Collector;
  now: Date;
}

/** The operation that is compared. */
export interface Context extends Documents {
  name: string;
  sender: Sender;
}

/** Who sends a request. The API itself sends those of callbacks and webhooks. */
type Sender = 'client' | 'api';

interface Default {
  /** As JSON. */
  text: string;
  place: Ref;
}

/** Where a part of a description is used. */
export interface Use {
  /** `POST /pets` or `webhook newPet`; empty for parts of the document. */
  operation: string;
  /** Its place in the operation: `request body`, `query parameter limit`. */
  where: string;
  /** What a part that was removed belonged to, in the new document. Of several uses, that of the first one counts. */
  around?: Ref;
}

/** Where a schema is used, and how its values are written there. */
export interface SchemaUse extends Use {
  direction: Direction;
  /** Values are written as text, so that 1 and "1" are the same. */
  isText?: boolean;
  isXml?: boolean;
  /** Whether the default of the schema itself is compared elsewhere. */
  hasDefault?: boolean;
}

/** A change, with all operations that share the changed part. */
export interface CollectedChange {
  rule: string;
  message: string;
  /** The place in the first operation. */
  where: string;
  operations: Set<string>;
  before: Ref | undefined;
  after: Ref | undefined;
}

/** Collects changes: one for each place in the documents, with all operations that use it. */
export class Collector {
  readonly #pairs: Pairs;
  readonly #changes = new Map<string, CollectedChange>();
  readonly #ids = new Map<object, number>();
  readonly #roots: { pair: Pair; use: SchemaUse }[] = [];

  constructor(pairs: Pairs) {
    this.#pairs = pairs;
  }

  add(rule: PlainRule, use: Use, message: string, before: Ref | undefined, after: Ref | undefined): void {
    this.#put(rule, use, message, before, after);
  }

  /** Compares two schemas. Their changes belong to this use. */
  compare(before: unknown, after: unknown, use: SchemaUse): void {
    this.#roots.push({ pair: this.#pairs.of(before, after), use });
  }

  /** Whether values of a schema have parts: items or properties. */
  hasParts(schema: unknown): boolean {
    const { options } = this.#pairs.oldShapes.choiceOf(schema);
    return options.some(({ shape }) => shape.types?.has('array') || shape.types?.has('object'));
  }

  /** The defaults of two schemas, in themselves or in the schemas they refer to. */
  defaultsOf(before: unknown, after: unknown): { before: Default | undefined; after: Default | undefined } {
    const defaultIn = (shapes: Shapes, schema: unknown): Default | undefined => {
      const node = shapes.choiceOf(schema).sources.find((each) => Object.hasOwn(each, 'default'));
      return node && { text: canonical(node.default), place: { node, key: 'default' } };
    };
    return { before: defaultIn(this.#pairs.oldShapes, before), after: defaultIn(this.#pairs.newShapes, after) };
  }

  /** The items of a schema that became an array, if it accepts arrays of one item. */
  itemsForOne(before: unknown, after: unknown): unknown {
    if (this.hasParts(before)) return undefined;
    const [option, ...others] = this.#pairs.newShapes.choiceOf(after).options;
    const { types, items, limits, prefixItems } = option?.shape ?? {};
    const isArray = others.length === 0 && types?.size === 1 && types.has('array') && prefixItems?.length === 0;
    const acceptsOne = (limits?.get('minItems')?.value ?? 0) <= 1 && limits?.get('maxItems')?.value !== 0;
    return isArray && acceptsOne ? (items ?? true) : undefined;
  }

  changes(): CollectedChange[] {
    const changing = this.#changingPairs();
    for (const { pair, use } of this.#roots) if (changing.has(pair)) this.#collect(pair, use, changing);
    if (this.#pairs.isExhausted) {
      const use = { operation: '', where: 'schemas' };
      this.#put('not-compared', use, 'there are too many pairs of schemas to compare all', undefined, undefined);
    }
    return [...this.#changes.values()];
  }

  /** All pairs with a difference in them or in nested pairs. */
  #changingPairs(): Set<Pair> {
    const all = new Set(this.#roots.map(({ pair }) => pair));
    const holders = new Map<Pair, Pair[]>();
    // The loop adds pairs to its own set.
    for (const pair of all) {
      this.#pairs.compare(pair);
      for (const { pair: inner } of pair.inner) {
        all.add(inner);
        const others = holders.get(inner) ?? [];
        holders.set(inner, others);
        others.push(pair);
      }
    }
    const changing = new Set([...all].filter(({ differences }) => differences.length > 0));
    for (const pair of changing) for (const holder of holders.get(pair) ?? []) changing.add(holder);
    return changing;
  }

  #collect(root: Pair, use: SchemaUse, changing: ReadonlySet<Pair>): void {
    const visited = new Set([root]);
    const waiting = [{ pair: root, pointer: '' }];
    for (const { pair, pointer } of waiting) {
      for (const difference of pair.differences) this.#addDifference(difference, pointer, use);
      for (const { pair: inner, pointer: below, only } of pair.inner) {
        if ((only && only !== use.direction) || visited.has(inner) || !changing.has(inner)) continue;
        visited.add(inner);
        waiting.push({ pair: inner, pointer: pointer + below });
      }
    }
  }

  #addDifference(difference: Difference, above: string, use: SchemaUse): void {
    const { rule, message, before, after, only, asText } = difference;
    const pointer = above + difference.pointer;
    if ((only && only !== use.direction) || isIrrelevant(rule, pointer, use)) return;
    const isText = use.isText === true && (pointer === '' || pointer === '/*');
    const effect = (isText && asText) || difference.effect;
    if (effect === 'same') return;
    const where = pointer ? `${use.where} ${pointer}` : use.where;
    this.#put(schemaRule(rule, use.direction, effect), { operation: use.operation, where }, message, before, after);
  }

  #put(
    rule: string,
    { operation, where, around }: Use,
    message: string,
    before: Ref | undefined,
    after: Ref | undefined,
  ): void {
    const place = before || after ? '' : `${operation} ${where}`;
    const key = [rule, message, this.#idOf(before), this.#idOf(after), place].join('\0');
    let change = this.#changes.get(key);
    if (!change) {
      change = { rule, message, where, operations: new Set(), before, after: after ?? around };
      this.#changes.set(key, change);
    }
    if (operation !== '') change.operations.add(operation);
  }

  #idOf(ref: Ref | undefined): string {
    if (!ref) return '';
    const id = this.#ids.get(ref.node) ?? this.#ids.size;
    this.#ids.set(ref.node, id);
    return `${id} ${ref.key ?? ''}`;
  }
}

/** Names in XML do not matter in JSON, and some defaults are compared elsewhere. */
function isIrrelevant(rule: SchemaRule, pointer: string, { isXml, hasDefault }: SchemaUse): boolean {
  if (rule === 'xml-changed') return isXml !== true;
  return rule.startsWith('default-') && pointer === '' && hasDefault === true;
}
