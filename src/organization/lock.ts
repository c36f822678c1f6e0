import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { writeFileAtomic } from '../shared/atomic-write.ts';
import { EngineError } from '../shared/engine-error.ts';
import { codeOf } from '../shared/error-text.ts';
import { fileReason } from '../shared/file-reason.ts';
import { makeFolder } from '../shared/make-folder.ts';
import { LockLog } from './lock-log.ts';
import { contentPath, eachNamedKind, folders, type Ids, namedKinds, noIds, type Organization } from './parts.ts';

/** The name of the lock file in the folder. Every environment has its own. */
export const lockFile = (env?: string): string =>
  env === undefined ? 'docsctl.lock.json' : `docsctl.lock.${env}.json`;

/** The version of the folder's format. */
const formatVersion = 1;

const Match = z.object({
  /** The revision of the space. */
  revision: z.string(),
  /** A hash of all files in the content folder. */
  files: z.string(),
  /** Titles of the other pages of the space, which are kept. */
  kept: z.array(z.string()),
});
/** A content folder that was compared with its space without a difference. It never changes, so it need not be compared again. */
export type ContentMatch = z.output<typeof Match>;

const Lock = z.object({
  version: z.literal(formatVersion),
  organization: z.string(),
  ids: z.partialRecord(z.enum(namedKinds), z.record(z.string(), z.string())),
  /** Hashes of the files as last written or applied, by path. */
  files: z.record(z.string(), z.string()),
  /** Revisions of the spaces whose content is in the folder, by name. */
  revisions: z.record(z.string(), z.string()),
  /** Revisions that an apply created from content folders, by name of the space. */
  applied: z.optional(z.record(z.string(), z.string())),
  matches: z.optional(z.record(z.string(), Match)),
  parts: z.optional(z.array(z.string())),
  state: z.optional(z.object({ space: z.string(), serial: z.number() })),
});

/** What the files do not contain: the IDs behind the names, and what was last applied. */
export interface Lock {
  organization: string;
  /** The environment whose file it is. */
  env?: string | undefined;
  ids: Ids;
  files: Map<string, string>;
  /** By name of the space: the revision that was exported completely. */
  revisions: Map<string, string>;
  /** The revision that an apply created, whose layout lists the content of the folder. The space may have more pages. */
  applied: Map<string, string>;
  /** The last match of each content folder, by name of the space. */
  matches: Map<string, ContentMatch>;
  /** Parts that were exported as a whole. One without files was empty, because Git keeps no empty folders. */
  parts: Set<string>;
  /** The shared state that the file is a copy of: its space, and how many changes it had. */
  state?: { space: string; serial: number } | undefined;
}

export const newLock = (
  organization: string,
  { ids = noIds(), env }: { ids?: Ids; env?: string | undefined } = {},
): Lock => ({
  organization,
  env,
  ids,
  files: new Map(),
  revisions: new Map(),
  applied: new Map(),
  matches: new Map(),
  parts: new Set(),
});

/** The lock file of the folder, or an empty lock. @throws EngineError if it belongs to another organization */
export async function lockIn(path: string, orgId: string, env?: string): Promise<Lock> {
  const file = join(path, lockFile(env));
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return withLog(path, newLock(orgId, { env }));
    throw new EngineError('failed', `${file} cannot be read: ${fileReason(error)}.`);
  }
  const lock = { ...readLock(file, text), env };
  if (lock.organization === orgId) return withLog(path, lock);
  const what = env === undefined ? path : `The environment "${env}" of ${path}`;
  throw new EngineError('refused', `${what} is the export of another organization, ${lock.organization}.`, {
    hint: 'Select that organization with --org, use another folder, or give each organization an environment with --env.',
  });
}

export async function saveLock(path: string, lock: Lock): Promise<void> {
  makeFolder(path);
  await writeFileAtomic(join(path, lockFile(lock.env)), writeLock(lock));
  await logOf(path, lock).remove();
}

export const logOf = (path: string, { env }: Pick<Lock, 'env'>): LockLog => new LockLog(path, lockFile(env));

async function withLog(path: string, lock: Lock): Promise<Lock> {
  for (const [file, hash] of await logOf(path, lock).written(lock.organization)) lock.files.set(file, hash);
  return lock;
}

/** @throws EngineError */
function readLock(file: string, text: string): Lock {
  const unusable = (reason: string) =>
    new EngineError('failed', `${file} cannot be used: ${reason}.`, {
      hint: 'Restore it, for example from git. Without it, objects are matched by name.',
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable('it is not JSON');
  }
  const result = Lock.safeParse(value);
  if (!result.success) {
    const version = z.object({ version: z.number() }).safeParse(value);
    throw unusable(
      version.success && version.data.version > formatVersion
        ? `it has version ${version.data.version}; this docsctl supports version ${formatVersion}`
        : 'it does not have the fields of a lock file',
    );
  }
  const { organization, ids, files, revisions, applied = {}, matches = {}, parts = [], state } = result.data;
  return {
    organization,
    ids: eachNamedKind((kind) => mapOf(ids[kind] ?? {})),
    files: mapOf(files),
    revisions: mapOf(revisions),
    applied: mapOf(applied),
    matches: mapOf(matches),
    parts: new Set(parts),
    ...(state && { state }),
  };
}

const mapOf = <Value>(record: Record<string, Value>) => new Map(Object.entries(record));

/** Entries are sorted, so that equal locks have equal texts. */
function writeLock({ organization, ids, files, revisions, applied, matches, parts, state }: Lock): string {
  const value = {
    version: formatVersion,
    organization,
    ...(state && { state }),
    ids: eachNamedKind((kind) => sorted(ids[kind])),
    revisions: sorted(revisions),
    ...(applied.size > 0 && { applied: sorted(applied) }),
    ...(matches.size > 0 && { matches: sorted(matches) }),
    ...(parts.size > 0 && { parts: [...parts].toSorted() }),
    files: sorted(files),
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

const sorted = <Value>(map: ReadonlyMap<string, Value>) =>
  Object.fromEntries([...map].toSorted(([one], [other]) => (one < other ? -1 : 1)));

/**
 * Adds the parts that were empty when they were exported: Git keeps no empty folders. A part that had files then and has
 * none now is no longer managed.
 */
export function addEmptyParts(
  { organization, contents }: { organization: Organization; contents: Set<string> },
  lock: Lock,
): void {
  for (const part of folders) if (lock.parts.has(part) && !hasFilesIn(lock, part)) organization[part] ??= new Map();
  for (const name of organization.spaces?.keys() ?? []) if (wasEmpty(lock, name)) contents.add(name);
}

/** Whether the space had neither pages nor files when its content was exported. */
export const wasEmpty = (lock: Lock, space: string): boolean =>
  lock.revisions.has(space) && !hasFilesIn(lock, contentPath(space));

const hasFilesIn = ({ files }: Lock, folder: string) => [...files.keys()].some((file) => file.startsWith(`${folder}/`));

/** Sets the revision of a space that its content folder is compared with. @param base how it was created */
export function recordBase(
  { revisions, applied }: Lock,
  name: string,
  { revision, base }: { revision: string; base: 'exported' | 'applied' },
): void {
  const [map, other] = base === 'exported' ? [revisions, applied] : [applied, revisions];
  map.set(name, revision);
  other.delete(name);
}
