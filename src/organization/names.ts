import { slugify, uniqueSlug } from '../content/markdown/slug.ts';
import { getFrom } from '../shared/get-from.ts';
import { type Ids, type NamedKind, namedKinds, noIds } from './organization.ts';

/** Windows has devices of these names. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Titles of objects by the names that files use. */
export type Titles = Record<NamedKind, ReadonlyMap<string, string>>;

interface Named {
  id: string;
  title: string;
}

/**
 * The names that objects have in the files. An object keeps the name that it has in `kept`; a new one is named after its
 * title, with a number where the name is taken.
 */
export class Names {
  /** Ids by name: of the objects that are there, where the kind was named, else those that were kept. */
  readonly ids: Ids;
  readonly #byId: Record<NamedKind, Map<string, string>>;
  /** Objects that got a number now, because another one has the name of their title. */
  readonly numbered: { kind: NamedKind; name: string }[] = [];

  readonly #titles: Titles | undefined;
  readonly #groups: (readonly [kind: NamedKind, objects: readonly Named[]])[][] = [];

  /** @param titles an object without a name gets the one whose title it has, if no other object has that title */
  constructor(kept: Ids, titles?: Titles) {
    this.#titles = titles;
    this.ids = { ...kept };
    this.#byId = noIds();
    for (const kind of namedKinds) this.#byId[kind] = new Map([...kept[kind]].map(([name, id]) => [id, name]));
  }

  /** Names all objects of a kind. Two exports name them alike, as they are numbered in the order of their ids. */
  name(kind: NamedKind, objects: readonly Named[]): void {
    this.nameTogether([kind, objects]);
  }

  /** Names objects of several kinds, so that none has the name of another. */
  nameTogether(...groups: (readonly [kind: NamedKind, objects: readonly Named[]])[]): void {
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
      this.ids[kind] = new Map(objects.map(({ id }) => [getFrom(this.#byId[kind], id), id]));
  }

  /** Objects whose names do not follow from their titles: a lock file or a plan says which objects these names mean. */
  others(): { kind: NamedKind; name: string; id: string; title: string }[] {
    const own = new Names(noIds());
    for (const groups of this.#groups) own.nameTogether(...groups);
    return this.#groups.flat().flatMap(([kind, objects]) =>
      objects.flatMap(({ id, title }) => {
        const name = this.nameOf(kind, id);
        return name === own.nameOf(kind, id) ? [] : [{ kind, name, id, title }];
      }),
    );
  }

  #nameByTitle(kind: NamedKind, objects: readonly Named[]): void {
    const names = this.#byId[kind];
    const there = new Set(objects.flatMap(({ id }) => names.get(id) ?? []));
    const unnamed = Map.groupBy(
      objects.filter(({ id }) => !names.has(id)),
      ({ title }) => title,
    );
    for (const [name, title] of this.#titles?.[kind] ?? []) {
      const [object, ...others] = unnamed.get(title) ?? [];
      if (there.has(name) || !object || others.length > 0) continue;
      names.set(object.id, name);
      unnamed.delete(title);
    }
  }

  /** The name of an object that was named; undefined for one that is not there. */
  find(kind: NamedKind, id: string): string | undefined {
    return this.#byId[kind].get(id);
  }

  nameOf(kind: NamedKind, id: string): string {
    return getFrom(this.#byId[kind], id);
  }
}
