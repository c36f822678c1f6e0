/** One value that a slot had at one time. Its parents are those that its author saw, so a lost change can be told from a later one. */
export class Version {
  readonly value: string | undefined;
  /** Whether somebody set it in the app. */
  readonly isApp: boolean;
  /** Whether an apply ended with 0 whose files had it. */
  isApplied = false;
  /** Whether it was committed when an apply sent or found it. If not, it is drift for everybody else. */
  isShared = false;
  readonly parents: Set<Version>;
  /** Versions that an apply of this one replaced in the service, and named as changes made there. */
  readonly replaced = new Set<Version>();

  constructor(value: string | undefined, parents: readonly (Version | undefined)[] = [], isApp = false) {
    this.value = value;
    this.parents = new Set(parents.filter((parent) => parent !== undefined));
    this.isApp = isApp;
  }

  /** Whether it is the other version, was written in its knowledge, or replaced it. */
  follows(other: Version): boolean {
    return this.#leadsTo(other, ({ parents, replaced }) => [...parents, ...replaced]);
  }

  /** Whether it is the other version, or was written in its knowledge. */
  contains(other: Version): boolean {
    return this.#leadsTo(other, ({ parents }) => parents);
  }

  #leadsTo(other: Version, before: (version: Version) => Iterable<Version>): boolean {
    const waiting: Version[] = [this];
    const visited = new Set<Version>();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (next === other) return true;
      if (visited.has(next)) continue;
      visited.add(next);
      waiting.push(...before(next));
    }
    return false;
  }

  /** Two people made the same change: whoever knows one of them knows both. */
  static join(one: Version, other: Version): void {
    one.parents.add(other);
    other.parents.add(one);
  }
}

/** The newest version of each slot that a folder, a commit or the service has. A deleted slot has a version without a value. */
export type Versions = Map<string, Version>;
