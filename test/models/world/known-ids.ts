import type { Ids, Random } from './generate.ts';

/** The IDs of objects, by their kinds, as answers of the service have them. */
export class KnownIds implements Ids {
  readonly #kinds = new Map<string, Set<string>>();

  add(id: string, kind: string): void {
    for (const each of [kind, 'any']) this.#kinds.set(each, (this.#kinds.get(each) ?? new Set()).add(id));
  }

  all(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#kinds;
  }

  idsOf(kind: string): string[] {
    return [...(this.#kinds.get(kind) ?? [])];
  }

  /** Adds all objects in an answer. */
  learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const { id, object, type } = value as Record<string, unknown>;
    const kind = typeof object === 'string' ? object : type === 'document' || type === 'group' ? 'page' : 'other';
    if (typeof id === 'string') this.add(id, kind);
    for (const member of Object.values(value)) this.learn(member);
  }

  pick(kind: string, random: Random): string {
    const name = kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const own = this.#kinds.get(kindNames[name] ?? name);
    const ids = [...((random(12) > 0 && own) || this.#kinds.get('any')!)];
    return ids[random(ids.length)]!;
  }
}

/** The kinds of objects whose parameters have other names. */
const kindNames: Readonly<Record<string, string>> = {
  org: 'organization',
  parent: 'space',
  member: 'user',
};
