import { slugify, uniqueSlug } from '../content/markdown/slug.ts';
import { getFrom } from '../shared/get-from.ts';
import { isObject } from '../shared/is-object.ts';
import { eachNamedKind, type Ids, type NamedKind, noIds } from './parts.ts';

/** Windows has devices with these names. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Titles of objects by their names in the files. */
export type Titles = Record<NamedKind, ReadonlyMap<string, string>>;

interface Named {
  id: string;
  title: string;
}

/**
 * The names of objects in the files. An object keeps the name that it has in `saved`. A new object is named after its
 * title, with a number if the name is taken.
 */
export class Names {
  /** IDs by name. Once a kind is named, only the objects that exist; until then, the saved ones. */
  readonly ids: Ids;
  readonly #byId: Record<NamedKind, Map<string, string>>;
  /** Objects that just got a number, because another object has the name of their title. */
  readonly numbered: { kind: NamedKind; name: string }[] = [];

  readonly #titles: Titles | undefined;
  readonly #groups: (readonly [kind: NamedKind, objects: readonly Named[]])[][] = [];

  /** @param titles an object without a name gets the name with its title, unless another object has the same title */
  constructor(saved: Ids, titles?: Titles) {
    this.#titles = titles;
    this.ids = { ...saved };
    this.#byId = eachNamedKind((kind) => new Map([...saved[kind]].map(([name, id]) => [id, name])));
  }

  /**
   * Names all objects of some kinds, so that none has the name of another. Every export chooses the same names, because
   * objects are numbered in the order of their IDs.
   */
  name(...groups: (readonly [kind: NamedKind, objects: readonly Named[]])[]): void {
    this.#groups.push(groups);
    const present = groups
      .flatMap(([kind, objects]) => objects.map(({ id, title }) => ({ kind, id, title })))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
    for (const [kind, objects] of groups) this.#nameByTitle(kind, objects);
    const taken = new Set(present.flatMap(({ kind, id }) => this.#byId[kind].get(id) ?? []));
    for (const { kind, id, title } of present) {
      if (this.#byId[kind].has(id)) continue;
      const slug = slugify(title);
      const base = reserved.test(slug) ? `${slug}-1` : slug;
      const name = uniqueSlug(base, taken);
      if (name !== base) this.numbered.push({ kind, name });
      taken.add(name);
      this.#byId[kind].set(id, name);
    }
    for (const [kind, objects] of groups)
      this.ids[kind] = new Map(objects.map(({ id }) => [this.nameOf(kind, id), id]));
  }

  /** Objects whose names do not follow from their titles: the names come from a lock file or a saved plan. */
  others(): { kind: NamedKind; name: string; id: string; title: string }[] {
    const own = new Names(noIds());
    for (const groups of this.#groups) own.name(...groups);
    return this.#groups.flat().flatMap(([kind, objects]) =>
      objects.flatMap(({ id, title }) => {
        const name = this.nameOf(kind, id);
        return name === own.nameOf(kind, id) ? [] : [{ kind, name, id, title }];
      }),
    );
  }

  #nameByTitle(kind: NamedKind, objects: readonly Named[]): void {
    const names = this.#byId[kind];
    const used = new Set(objects.flatMap(({ id }) => names.get(id) ?? []));
    const unnamed = Map.groupBy(
      objects.filter(({ id }) => !names.has(id)),
      ({ title }) => title,
    );
    for (const [name, title] of this.#titles?.[kind] ?? []) {
      const [object, ...others] = unnamed.get(title) ?? [];
      if (used.has(name) || !object || others.length > 0) continue;
      names.set(object.id, name);
      unnamed.delete(title);
    }
  }

  /** The name of an object; undefined if it does not exist or was not named. */
  find(kind: NamedKind, id: string): string | undefined {
    return this.#byId[kind].get(id);
  }

  nameOf(kind: NamedKind, id: string): string {
    return getFrom(this.#byId[kind], id);
  }
}

/** The members of a reference that contain the ID of a named object. */
const referenceKinds: Record<string, NamedKind> = { space: 'spaces', collection: 'collections' };

/** A copy of the settings of a site, in which IDs in references are replaced by names, or names by IDs. */
export function withReferences(
  settings: unknown,
  replace: (kind: NamedKind, idOrName: string) => string,
): Record<string, unknown> {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (!isObject(value)) return value;
    const isReference = typeof value['kind'] === 'string';
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const kind = referenceKinds[key];
        return [key, isReference && kind && typeof member === 'string' ? replace(kind, member) : copy(member)];
      }),
    );
  };
  const result = copy(settings);
  return isObject(result) ? result : {};
}
