/** A copy without the members that are undefined. */
export function withoutUndefined<T extends object>(object: T): T {
  const copy = { ...object };
  for (const key in copy) if (copy[key] === undefined) delete copy[key];
  return copy;
}
