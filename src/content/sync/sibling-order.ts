import { longestIncreasingSubsequence } from '../../shared/longest-increasing-subsequence.ts';
import type { RemotePage } from './remote.ts';

/** The siblings as they stand while operations are carried out one after the other. */
export class Placing {
  readonly #children = new Map<string | null, string[]>();
  readonly #parents = new Map<string, string | null>();
  /** The page that was placed last under each parent. */
  readonly #placed = new Map<string | null, string>();
  readonly #steady = new Map<string | null, Set<string>>();

  constructor(pages: readonly RemotePage[]) {
    for (const { id, parent } of pages) {
      this.#parents.set(id, parent);
      this.#childrenOf(parent).push(id);
    }
  }

  /** Tells the siblings' wanted order beforehand, so that as few as possible move. */
  expect(parent: string | null, wanted: readonly string[]): void {
    const places = new Map(this.#childrenOf(parent).map((id, index) => [id, index]));
    const here = wanted.filter((id) => places.has(id));
    this.#steady.set(parent, new Set(longestIncreasingSubsequence(here, (id) => places.get(id)!)));
  }

  /** Puts a page behind those placed before it under the same parent; undefined when it stands there already. */
  place(id: string, parent: string | null): number | undefined {
    const last = this.#placed.get(parent);
    this.#placed.set(parent, id);
    const siblings = this.#childrenOf(parent);
    if (this.#parents.get(id) === parent && this.#steady.get(parent)?.has(id)) return undefined;
    const old = this.#parents.get(id);
    if (old !== undefined) this.#childrenOf(old).splice(this.#childrenOf(old).indexOf(id), 1);
    const at = last === undefined ? 0 : siblings.indexOf(last) + 1;
    siblings.splice(at, 0, id);
    this.#parents.set(id, parent);
    return at;
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
