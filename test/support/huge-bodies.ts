import type { z } from 'zod/mini';
import { definitionOf } from '../../src/contract/definition.ts';
import { referencedBy } from '../../src/contract/schema.ts';
import type { World } from './world.ts';

type Schema = z.core.$ZodType;

export interface HugeBody {
  /** What is huge in it. */
  what: string;
  json: string;
}

interface Sizes {
  /** Of a body. */
  bytes: number;
  /** Items of lists that a body of this size may have. */
  items: number;
}

/** Bodies of a schema in each of which one list, record, text or free value is huge, and all else is as small as can be. */
export class HugeBodies {
  readonly #world: World;
  readonly #sizes: Sizes;

  constructor(world: World, sizes: Sizes) {
    this.#world = world;
    this.#sizes = sizes;
  }

  *of(schema: Schema): Generator<HugeBody> {
    const { bytes, items } = this.#sizes;
    yield { what: 'unknown members', json: `{${members(items, '1')}}` };
    yield { what: 'an unknown text', json: `{"unknown":"${'a'.repeat(bytes)}"}` };
    yield* this.#within(schema, '', (json) => json, 0);
  }

  *#within(schema: Schema, path: string, around: (json: string) => string, depth: number): Generator<HugeBody> {
    const def = definitionOf(schema);
    const { bytes, items } = this.#sizes;
    const huge = (what: string, json: string): HugeBody => ({ what: `${path} ${what}`, json: around(json) });
    switch (def.type) {
      case 'array': {
        const item = JSON.stringify(this.#smallest(def.element));
        for (const each of new Set(['""', '{}', item])) {
          for (const count of [1_000, items, Math.floor(bytes / (each.length + 1))]) {
            yield huge(`${count} x ${each}`, `[${times(count, each)}]`);
          }
        }
        yield* this.#within(def.element, `${path}/0`, (json) => around(`[${json}]`), depth + 1);
        return;
      }
      case 'record': {
        const item = JSON.stringify(this.#smallest(def.valueType));
        for (const each of new Set(['""', '{}', item])) {
          for (const count of [1_000, items]) yield huge(`${count} x ${each}`, `{${members(count, each)}}`);
        }
        yield huge('a long name', `{"${'a'.repeat(bytes)}":{}}`);
        yield* this.#within(def.valueType, `${path}/name`, (json) => around(`{"name":${json}}`), depth + 1);
        return;
      }
      case 'object': {
        if (depth > 4) return;
        for (const [name, member] of Object.entries(def.shape)) {
          const others: object = { ...this.#smallest(schema), [name]: undefined };
          const rest = JSON.stringify(others).slice(1);
          const aroundMember = (json: string) => around(`{"${name}":${json}${rest === '}' ? '' : ','}${rest}`);
          yield* this.#within(member, `${path}/${name}`, aroundMember, depth + 1);
        }
        return;
      }
      case 'union':
        for (const option of def.options) yield* this.#within(option, path, around, depth + 1);
        return;
      case 'lazy':
        yield* this.#within(def.getter(), path, around, depth);
        return;
      case 'unknown':
        yield huge('empty objects', `[${times(items, '{}')}]`);
        yield huge('a text', `"${'a '.repeat(bytes / 2)}"`);
        return;
      case 'string':
        yield huge('a long text', `"${'a'.repeat(bytes)}"`);
        return;
      default:
        if ('innerType' in def) yield* this.#within(def.innerType, path, around, depth);
    }
  }

  /** The smallest value of a schema, with ids of the world. The rules of texts are not known here. */
  #smallest(schema: Schema): any {
    const def = definitionOf(schema);
    switch (def.type) {
      case 'object': {
        const entries = Object.entries(def.shape).map(([name, member]) => [name, this.#smallest(member)]);
        return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
      }
      case 'array':
        return [];
      case 'record':
        return {};
      case 'union':
        return this.#smallest(def.options[0]!);
      case 'enum':
        return Object.values(def.entries)[0];
      case 'literal':
        return def.values[0];
      case 'lazy':
        return this.#smallest(def.getter());
      case 'string': {
        const param = referencedBy(schema)?.param;
        return param !== undefined && param in this.#world ? this.#world[param as keyof World] : 'aa';
      }
      case 'number':
        return 1;
      case 'boolean':
        return true;
      case 'nullable':
        return null;
      default:
        return undefined;
    }
  }
}

const times = (count: number, item: string) => Array.from({ length: count }, () => item).join();
const members = (count: number, value: string) =>
  Array.from({ length: count }, (_, index) => `"k${index}":${value}`).join();
