const maxValues = 1_000_000;
const maxDepth = 200;

/** What aliases of a YAML text repeat, written out: each alias of a list of aliases multiplies it. */
interface Extent {
  values: number;
  depth: number;
}

const endless: Extent = { values: Infinity, depth: Infinity };

/** Why the aliases of a text are not followed: a value contains itself, or is too large when they are written out. */
export function aliasProblem(value: unknown): string | undefined {
  const { values, depth } = extentOf(value, new Map());
  if (values === Infinity) return 'an alias contains itself';
  return values > maxValues || depth > maxDepth ? 'its aliases repeat too much' : undefined;
}

function extentOf(value: unknown, extents: Map<unknown, Extent>): Extent {
  if (typeof value !== 'object' || value === null) return { values: 1, depth: 1 };
  const before = extents.get(value);
  if (before) return before;
  // Met again while its members are measured, it contains itself.
  extents.set(value, endless);
  const extent = { values: 1, depth: 1 };
  for (const member of Object.values(value)) {
    const { values, depth } = extentOf(member, extents);
    extent.values += values;
    extent.depth = Math.max(extent.depth, depth + 1);
  }
  extents.set(value, extent);
  return extent;
}
