/** The longest subsequence of items whose places rise. */
export function longestIncreasingSubsequence<Item>(items: readonly Item[], placeOf: (item: Item) => number): Item[] {
  /** The end of a subsequence, and what comes before it there. */
  interface Link {
    item: Item;
    place: number;
    previous: Link | undefined;
  }
  // By length less one: of the subsequences of that length, the one whose last place is lowest.
  const ends: Link[] = [];
  for (const item of items) {
    const place = placeOf(item);
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.place ?? Infinity) < place) low = middle + 1;
      else high = middle;
    }
    ends[low] = { item, place, previous: ends[low - 1] };
  }
  const longest: Item[] = [];
  for (let link = ends.at(-1); link; link = link.previous) longest.push(link.item);
  return longest.toReversed();
}
