/** The value of a key that must be in the map: a missing one is an error in this program. */
export function getFrom<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`There is no entry ${String(key)}.`);
  return value;
}
