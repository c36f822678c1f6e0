/** The longest subsequence whose places rise. */
export function longestIncreasingSubsequence(items: readonly string[], placeOf: (item: string) => number): string[] {
  const places = items.map(placeOf);
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [index, place] of places.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[tails[middle]!]! < place) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? tails[low - 1]! : -1;
    tails[low] = index;
  }
  const rise: string[] = [];
  for (let at = tails.at(-1) ?? -1; at !== -1; at = previous[at]!) rise.push(items[at]!);
  return rise.toReversed();
}
