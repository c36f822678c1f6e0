import * as z from 'zod/mini';
import { type Ids, namedKinds, noIds } from './organization.ts';

/** The name of the lock file in the folder. */
export const lockFile = 'docsctl.lock.json';

/** The version of the folder's format. */
export const formatVersion = 1;

const Lock = z.object({
  version: z.literal(formatVersion),
  organization: z.string(),
  ids: z.partialRecord(z.enum(namedKinds), z.record(z.string(), z.string())),
  /** Hashes of the files as they were last written or applied, by path. */
  files: z.record(z.string(), z.string()),
  /** Revisions of the spaces whose content is in the folder, by name. */
  revisions: z.record(z.string(), z.string()),
  /** Revisions that an apply made of content folders, by name of the space. */
  applied: z.optional(z.record(z.string(), z.string())),
  /** Parts that were exported whole. */
  parts: z.optional(z.array(z.string())),
});

/** What the files do not say: the ids behind the names, and what was last applied. */
export interface Lock {
  organization: string;
  ids: Ids;
  files: Map<string, string>;
  /** By name of the space: the revision that was exported, all of which is in the folder. */
  revisions: Map<string, string>;
  /** The revision that an apply made, whose layout says what the folder had. The space may have more pages. */
  applied: Map<string, string>;
  /** Parts that were exported whole: one without files was empty then, as Git keeps no empty folders. */
  parts: Set<string>;
}

export const newLock = (organization: string, ids = noIds()): Lock => ({
  organization,
  ids,
  files: new Map(),
  revisions: new Map(),
  applied: new Map(),
  parts: new Set(),
});

/** Why a lock file is not read. */
export class UnreadableLock extends Error {
  override readonly name = 'UnreadableLock';
}

/** @throws UnreadableLock */
export function readLock(text: string): Lock {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableLock('it is not JSON');
  }
  const result = Lock.safeParse(value);
  if (!result.success) {
    const version = z.object({ version: z.number() }).safeParse(value);
    throw new UnreadableLock(
      version.success && version.data.version > formatVersion
        ? `it has version ${version.data.version}; this docsctl knows version ${formatVersion}`
        : 'it does not have the members of a lock file',
    );
  }
  const { organization, ids, files, revisions, applied = {}, parts = [] } = result.data;
  const lock: Lock = {
    organization,
    ids: noIds(),
    files: mapOf(files),
    revisions: mapOf(revisions),
    applied: mapOf(applied),
    parts: new Set(parts),
  };
  for (const kind of namedKinds) lock.ids[kind] = mapOf(ids[kind] ?? {});
  return lock;
}

const mapOf = (record: Record<string, string>) => new Map(Object.entries(record));

/** The same text for the same lock: all entries are sorted. */
export function writeLock({ organization, ids, files, revisions, applied, parts }: Lock): string {
  const value = {
    version: formatVersion,
    organization,
    ids: Object.fromEntries(namedKinds.map((kind) => [kind, sorted(ids[kind])])),
    revisions: sorted(revisions),
    ...(applied.size > 0 && { applied: sorted(applied) }),
    ...(parts.size > 0 && { parts: [...parts].toSorted() }),
    files: sorted(files),
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

const sorted = (map: ReadonlyMap<string, string>) =>
  Object.fromEntries([...map].toSorted(([one], [other]) => (one < other ? -1 : 1)));
