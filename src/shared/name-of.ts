/** The name that people know an object by; undefined if it has none. */
export function nameOf(item: Readonly<Record<string, unknown>>): string | undefined {
  return ['displayName', 'title', 'name', 'label', 'subject', 'email', 'slug', 'path', 'id']
    .filter((key) => Object.hasOwn(item, key))
    .map((key) => item[key])
    .filter((value) => typeof value === 'string')
    .find((value) => value !== '');
}
