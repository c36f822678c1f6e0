interface SpaceInSite {
  /** Path of its section; "" in a site without sections. */
  section: string;
  /** The name of the space. */
  space: string;
  /** How many earlier entries of the section contain the same space. */
  copy?: number | undefined;
}

/** The key of a space in its site. */
export const spaceKey = ({ section, space, copy = 0 }: SpaceInSite): string =>
  `${section}/${space}${copy === 0 ? '' : `/${copy + 1}`}`;

/** Counts how often each key was asked for before. */
export function copyCounter(): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count;
  };
}
