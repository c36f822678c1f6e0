import { longestIncreasingSubsequence } from '../shared/longest-increasing-subsequence.ts';
import type { RemotePage } from './remote.ts';

/** The order of siblings while operations are carried out one after the other. */
export class SiblingOrder {
  readonly #children = new Map<string | null, string[]>();
  readonly #parents = new Map<string, string | null>();
  /** The page that was placed last under each parent. */
  readonly #lastPlaced = new Map<string | null, string>();
  /** Pages that need not move, by parent. */
  readonly #staying = new Map<string | null, Set<string>>();

  constructor(pages: readonly RemotePage[]) {
    for (const { id, parent } of pages) {
      this.#parents.set(id, parent);
      this.#childrenOf(parent).push(id);
    }
  }

  /** Sets in advance in which order the siblings will be placed, so that as few as possible move. */
  expect(parent: string | null, order: readonly string[]): void {
    const places = new Map(this.#childrenOf(parent).map((id, index) => [id, index]));
    const present = order.filter((id) => places.has(id));
    this.#staying.set(parent, new Set(longestIncreasingSubsequence(present, (id) => places.get(id) ?? -1)));
  }

  /** Places a page after those placed before it under the same parent; undefined where it stays in its place. */
  place(id: string, parent: string | null): number | undefined {
    const before = this.#parents.get(id);
    if (before === parent && this.#staying.get(parent)?.has(id)) {
      this.#lastPlaced.set(parent, id);
      return undefined;
    }
    if (before !== undefined) this.#childrenOf(before).splice(this.#childrenOf(before).indexOf(id), 1);
    return this.add(id, parent);
  }

  /** Like `place`, for a page that has no place yet. */
  add(id: string, parent: string | null): number {
    const last = this.#lastPlaced.get(parent);
    this.#lastPlaced.set(parent, id);
    const siblings = this.#childrenOf(parent);
    const index = last === undefined ? 0 : siblings.indexOf(last) + 1;
    siblings.splice(index, 0, id);
    this.#parents.set(id, parent);
    return index;
  }

  parentOf(id: string): string | null {
    return this.#parents.get(id) ?? null;
  }

  #childrenOf(parent: string | null): string[] {
    const children = this.#children.get(parent) ?? [];
    this.#children.set(parent, children);
    return children;
  }
}
