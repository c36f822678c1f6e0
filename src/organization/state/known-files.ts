import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from '../../content/folder/folder.ts';
import { readLayout } from '../../content/folder/layout.ts';
import type { Remote } from '../../sync/read-remote.ts';
import { hashesIn, hashOfAll } from '../content/plan-content.ts';
import type { ReadFiles } from '../files/read-files.ts';
import type { Lock } from '../lock.ts';
import { changeKinds, contentPath, files as partFiles, hasObjects, kinds, overlayFile, pathOf } from '../parts.ts';
import { hashesOf, objectsOf } from './hashes.ts';
import type { State } from './state.ts';

/** A file that was applied and is gone. */
const gone = '';

interface Described extends Pick<ReadFiles, 'organization' | 'secrets'> {
  hashes: ReadonlyMap<string, string>;
}

/** Adds to a lock the files of objects that contain what was last applied, which only the shared state knows. */
export function addKnownObjects(lock: Lock, state: State, { organization, secrets, hashes }: Described): void {
  const isUnchanged = new Map<string, boolean>();
  const managed = new Set<string>();
  const removed = new Set<string>();
  const hasLock = lock.files.size > 0;
  for (const kind of changeKinds) {
    const [objects, known] = [objectsOf(organization, kind), state.objects.get(kind) ?? new Map()];
    const { part } = kinds[kind];
    for (const name of new Set([...objects.keys(), ...known.keys()])) {
      const file = pathOf(part, name);
      const [object, base] = [objects.get(name), known.get(name)?.base];
      const now = hashesOf(kind, object, secrets);
      const isSame = object !== undefined && base?.size === now.size && now.isSubsetOf(base);
      isUnchanged.set(file, isSame && isUnchanged.get(file) !== false);
      if (base !== undefined) managed.add(file);
      // Without any object of this kind, the folder was never an export of them.
      if (base !== undefined && object === undefined && objects.size > 0 && hasObjects(part)) removed.add(file);
    }
  }
  const { file: settings } = partFiles.organization;
  for (const file of managed) {
    const paths = file === settings && lock.env !== undefined ? [file, overlayFile(lock.env)] : [file];
    for (const path of isUnchanged.get(file) ? paths : []) lock.files.set(path, hashes.get(path) ?? gone);
    if (removed.has(file) && !hasLock) lock.files.set(file, gone);
  }
}

/** The files of a revision, and the content that they are made of. */
export interface RevisionFiles {
  files: ReadonlyMap<string, string | Uint8Array>;
  remote: Remote;
}

interface KnownContent {
  path: string;
  lock: Lock;
  space: string;
  /** Reads the base, the revision that was last exported or applied. Undefined if it cannot be read. */
  readBase: (revision: string) => Promise<RevisionFiles | undefined>;
}

/** Adds to a lock the files in a content folder that are as in the base of the space. */
export async function addKnownContent({ path, lock, space, readBase }: KnownContent): Promise<void> {
  const under = `${contentPath(space)}/`;
  const hashes = existsSync(join(path, under)) ? await hashesIn(path, space) : new Map<string, string>();
  const file = pathOf('spaces', space);
  const isGone = lock.files.has(file) && !existsSync(join(path, file));
  // Without any file, the folder was never an export of the content, unless the space was removed from it.
  if (hashes.size === 0 && !isGone) return;
  const locked = [...lock.files].filter(([each]) => each.startsWith(under));
  if (locked.length > 0 && locked.every(([each, hash]) => hashes.get(each.slice(under.length)) === hash)) return;
  if (lock.matches.get(space)?.files === hashOfAll(hashes)) {
    for (const [each, hash] of hashes) lock.files.set(under + each, hash);
    return;
  }
  const applied = lock.applied.get(space);
  const revision = applied ?? lock.revisions.get(space);
  const base = revision === undefined ? undefined : await readBase(revision);
  if (!base) return;
  const layout = readLayout(base.remote.layouts?.[0]);
  const inFolder = new Set([
    ...(layout.base?.pages ?? []).map(({ file }) => file),
    ...layout.files.values(),
    layout.summary?.path,
  ]);
  for (const [each, bytes] of base.files) {
    const hash = hashOf(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
    const present = hashes.get(each);
    // A lock knows what the folder had. After an apply, the space can have pages that no folder had.
    const wasThere = isGone || applied === undefined || inFolder.has(each);
    const isRemoved = present === undefined && locked.length === 0 && wasThere;
    if (present === hash || isRemoved) lock.files.set(under + each, hash);
  }
}
