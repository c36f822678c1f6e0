import { hasMembers } from '../../shared/is-object.ts';

/** Where a value was written: the path in a source, which is a file. */
export interface Origin<S> {
  source: S;
  path: readonly string[];
}

/**
 * A value that overlays change, and where its parts come from. The original is left as it is: what changes is copied, because
 * one object may be in several places.
 */
export class Overlaid<S> {
  readonly #source: S;
  readonly #root: { value: unknown };
  readonly #copies = new WeakSet<object>();
  /** Of values that are no longer at their place. */
  readonly #moved = new WeakMap<object, Origin<S>>();
  /** Of values that were set, by what holds them and their key. */
  readonly #set = new WeakMap<object, Map<string, Origin<S>>>();

  constructor(source: S, value: unknown) {
    this.#source = source;
    this.#root = { value };
  }

  get value(): unknown {
    return this.#root.value;
  }

  at(path: readonly string[]): unknown {
    let node: unknown = this.value;
    for (const key of path) node = hasMembers(node) && Object.hasOwn(node, key) ? node[key] : undefined;
    return node;
  }

  /** Where the value at a path was written, or the nearest one above it that exists. */
  originOf(path: readonly string[]): Origin<S> {
    let origin: Origin<S> = { source: this.#source, path: [] };
    let node: unknown = this.value;
    for (const key of path) {
      if (!hasMembers(node) || !Object.hasOwn(node, key)) return { ...origin, path: [...origin.path, key] };
      origin = this.#childOrigin(node, key, origin);
      node = node[key];
    }
    return origin;
  }

  /** Sets a value that was written somewhere else. It is copied. */
  set(path: readonly string[], value: unknown, origin: Origin<S>): void {
    const key = path.at(-1);
    if (key === undefined) return void (this.#root.value = structuredClone(value));
    const holder = this.#own(path.slice(0, -1));
    if (!hasMembers(holder)) throw new Error('A value is set in something without members.');
    // Also for a key such as __proto__.
    const property = { value: structuredClone(value), enumerable: true, writable: true, configurable: true };
    Object.defineProperty(holder, key, property);
    const origins = this.#set.get(holder) ?? new Map<string, Origin<S>>();
    this.#set.set(holder, origins.set(key, origin));
  }

  remove(path: readonly string[]): void {
    const key = path.at(-1);
    const above = path.slice(0, -1);
    const holder = this.#own(above);
    if (key === undefined || !hasMembers(holder)) return;
    if (!Array.isArray(holder)) return void delete holder[key];
    const origin = this.originOf(above);
    // The items after it get other indexes.
    for (const [index, item] of holder.entries()) {
      if (hasMembers(item)) this.#moved.set(item, this.#childOrigin(holder, String(index), origin));
    }
    holder.splice(Number(key), 1);
  }

  #childOrigin(holder: Record<string, unknown>, key: string, origin: Origin<S>): Origin<S> {
    const child = holder[key];
    const moved = hasMembers(child) ? this.#moved.get(child) : undefined;
    return moved ?? this.#set.get(holder)?.get(key) ?? { ...origin, path: [...origin.path, key] };
  }

  /** The value at a path, which may be changed. */
  #own(path: readonly string[]): unknown {
    this.#root.value = this.#copy(this.#root.value);
    let node = this.#root.value;
    for (const key of path) {
      if (!hasMembers(node)) return undefined;
      node[key] = this.#copy(node[key]);
      node = node[key];
    }
    return node;
  }

  #copy(value: unknown): unknown {
    if (!hasMembers(value) || this.#copies.has(value)) return value;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    this.#copies.add(copy);
    const moved = this.#moved.get(value);
    if (moved) this.#moved.set(copy, moved);
    const origins = this.#set.get(value);
    if (origins) this.#set.set(copy, new Map(origins));
    return copy;
  }
}
