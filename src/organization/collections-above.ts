import type { collections } from '../contract/collections.ts';
import type { AnswerOf } from '../contract/endpoint.ts';

export type Collection = Pick<AnswerOf<typeof collections.view>, 'id' | 'title' | 'parent' | 'defaultLevel'>;
export type Collections = ReadonlyMap<string, Collection>;
/** What determines the levels on a space or collection. */
export type Placed = Pick<Collection, 'parent' | 'defaultLevel'>;

/** The collections that contain a space, innermost first. @returns `complete` is false if one of them is not visible */
export function collectionsAbove(
  { parent }: Pick<Placed, 'parent'>,
  collections: Collections,
): { above: Collection[]; complete: boolean } {
  const above: Collection[] = [];
  for (let id = parent; id !== undefined; id = above.at(-1)?.parent) {
    const collection = collections.get(id);
    // A service that reports a cycle must not cause an endless loop.
    if (!collection || above.includes(collection)) return { above, complete: false };
    above.push(collection);
  }
  return { above, complete: true };
}
