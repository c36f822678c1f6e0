import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { undefinedIfMissing } from '../client/errors/http-error.ts';
import type { FolderTexts } from '../sync/local-folder.ts';
import { withFiles } from '../sync/pull.ts';
import { removeState } from '../sync/state-file.ts';
import { readContent, withAllTexts } from '../sync/read-remote.ts';
import { editFile } from './files/edit-files.ts';
import { namedOrganization, splitOverlay } from './files/environment.ts';
import { ExportedFolder } from './files/exported-folder.ts';
import { readDescribed } from './files/organization-folder.ts';
import { readText } from './files/read-text.ts';
import { filesOf, schemaFiles, writeYaml } from './files/write-files.ts';
import { type Lock, saveLock } from './lock.ts';
import { EngineError } from '../shared/engine-error.ts';
import { mapInOrder } from '../shared/map-in-order.ts';
import { contentPath, eachNamedKind, files, levelsFile, type NamedKind, namedKinds, nameIn, pathOf } from './parts.ts';
import type { OrganizationPort } from './port.ts';
import { Selection } from './selection.ts';
import { addKnownContent, addKnownObjects, type RevisionFiles } from './state/known-files.ts';
import { findRenames, renamedLock, renameInState } from './state/renames.ts';
import { type Known, readKnown } from './state/shared-state.ts';
import { readComments } from './service/comments.ts';
import { noProgress, showProgress, type Space } from './service/read-service.ts';
import { readOrganization, type Snapshot } from './service/read-organization.ts';
import { expire, todayIn } from './terms.ts';

export interface ExportOptions {
  /** The folder. */
  path: string;
  orgId: string;
  /** The environment, and the text of its file. */
  environment?: { env: string; overlay: string } | undefined;
  only: string[] | undefined;
  comments: boolean;
  /** Whether levels are read however many requests it takes. */
  levels: boolean;
  overwrite: boolean;
  dryRun: boolean;
  texts: FolderTexts;
  /** Variables that the files may use. */
  variables: Readonly<Record<string, string | undefined>>;
}

export interface Exported {
  snapshot: Snapshot;
  folder: ExportedFolder;
  /** Whether the folder was never exported before. */
  isFirst: boolean;
  /** Whether levels were skipped because reading them takes too many requests. */
  isWithoutLevels: boolean;
}

interface Run {
  port: OrganizationPort;
  options: ExportOptions;
  lock: Lock;
  folder: ExportedFolder;
  exported: ReadonlyMap<string, string>;
  /** Whether the lock is that of the last apply. */
  isCurrent: boolean;
}

/** Spaces whose content is read at once. */
const maxSpaces = 4;

/** The most requests that an export sends for levels unless they are requested. */
const maxLevelRequests = 250;

/** Writes an organization to a folder. @throws EngineError */
export async function exportOrganization(port: OrganizationPort, options: ExportOptions): Promise<Exported> {
  const { path, orgId } = options;
  const only = new Selection(options.only);
  const { environment } = options;
  const known = await readKnown(port, {
    path,
    orgId,
    env: environment?.env,
    isNamed: environment !== undefined && namedOrganization(environment.overlay) !== undefined,
  });
  const { isCurrent, exported } = known;
  const lock = await currentLock(known, options);
  // The other files may be older than the last apply.
  if (!isCurrent && options.only && lock.state) lock.state.serial = -1;
  const folder = new ExportedFolder(path, lock, options);
  const readsLevels =
    options.levels || lock.files.has(levelsFile) || (options.only !== undefined && only.has('levels'));
  const snapshot = await readOrganization(port, {
    orgId,
    only,
    ids: lock.ids,
    ...(!readsLevels && { maxLevelRequests }),
  });
  refuseMissing(only, snapshot);
  const { approval } = known.shared?.state ?? {};
  if (snapshot.organization.organization && approval) snapshot.organization.organization.approval = approval;
  lock.ids = snapshot.names.ids;
  for (const part of only.whole()) lock.parts.add(part);
  const isFirst = lock.files.size === 0;
  const [schemas, described] = [schemaFiles(), filesOf(snapshot.organization)];
  if (environment) splitOverlay(described, { ...environment, common: await readText(path, files.organization.file) });
  await folder.write(schemas);
  await folder.write(described, editFile);
  const written = new Set([...schemas.keys(), ...described.keys()]);
  const run = { port, options, lock, folder, exported, isCurrent };
  const spaces = [...snapshot.spaces].filter(([name]) => only.includes('content', name));
  try {
    let done = 0;
    const read = ([name, space]: [string, Space]) => readSpace(run, name, space);
    for await (const space of mapInOrder(spaces, maxSpaces, read)) {
      port.signal.throwIfAborted();
      for (const file of await writeSpace(run, space)) written.add(file);
      done += 1;
      showProgress(port, 'the content of spaces', done, spaces.length);
    }
    for (const name of isCurrent ? [] : lock.matches.keys())
      if (!snapshot.spaces.has(name) && only.includes('content', name)) await addKnown(run, name);
    await folder.remove([...lock.files.keys()].filter((file) => only.covers(file) && !written.has(file)));
  } finally {
    if (!options.dryRun) await saveLock(path, lock);
  }
  return { snapshot, folder, isFirst, isWithoutLevels: only.has('levels') && !snapshot.organization.levels };
}

/**
 * The lock with the names that objects have in the files now, so that a renamed file is not written under its old name, too.
 * If it is not the lock of the last apply, the shared state tells which files were not changed since.
 */
async function currentLock({ lock, shared, isCurrent }: Known, options: ExportOptions): Promise<Lock> {
  const { path, environment, variables } = options;
  const isGone = (file: string) => !existsSync(join(path, ...file.split('/')));
  const objects = namedKinds.flatMap((kind) => [...lock.ids[kind].keys()].map((name) => pathOf(kind, name)));
  if (isCurrent && !objects.some(isGone)) return lock;
  // The folder has them from an export: somebody else renamed them.
  const present = (kind: NamedKind) =>
    [...lock.files.keys()].flatMap((file): [string, string][] => {
      const name = kind === 'collections' ? undefined : nameIn(kind, file);
      return name === undefined || isGone(file) ? [] : [[name, '']];
    });
  try {
    const read = await readDescribed(path, { variables, env: environment?.env });
    const ids = eachNamedKind((kind) => new Map([...present(kind), ...lock.ids[kind]]));
    const { renames } = findRenames({ lock: { ...lock, ids }, state: shared?.state }, read);
    const renamed = renamedLock(lock, renames);
    if (isCurrent || !shared) return renamed;
    const state = structuredClone(shared.state);
    renameInState(state, renames);
    expire(read.organization, read.terms, todayIn(variables));
    addKnownObjects(renamed, state, read);
    return renamed;
  } catch (error) {
    // There is no folder yet.
    if (error instanceof EngineError) return lock;
    throw error;
  }
}

/** A space with its new files; without them if those of the last export are still correct. */
interface ReadSpace {
  name: string;
  space: Space;
  comments: Map<string, string>;
  content: Map<string, string | Uint8Array> | undefined;
}

async function readSpace(run: Run, name: string, space: Space): Promise<ReadSpace> {
  const { port, lock, folder, exported, options } = run;
  const reading = { ...port, progress: noProgress };
  const entries = options.comments ? await readComments({ ...reading, orgId: options.orgId }, space.id) : [];
  const comments = new Map(entries.length > 0 ? [[`comments/${name}.yaml`, writeYaml(entries)]] : []);
  // Revisions never change, so files of this one are still correct.
  const files = filesIn(lock, name);
  if (exported.get(name) === space.revision && files.length > 0 && (await folder.hasAll(files)))
    return { name, space, comments, content: undefined };
  const read = (revisionId: string) => contentFiles(reading, options.texts, { spaceId: space.id, revisionId, name });
  const content = await read(space.revision);
  // An apply of a clone without a lock file writes one that lacks the files of unchanged content.
  if (!run.isCurrent || files.length === 0)
    await addKnown(run, name, async (revision) =>
      revision === space.revision ? content : read(revision).catch(undefinedIfMissing),
    );
  return {
    name,
    space,
    comments,
    content: new Map([...content.files].map(([path, bytes]) => [under(name) + path, bytes])),
  };
}

/** @param readBase if the space still exists */
const addKnown = (
  { lock, options: { path } }: Run,
  space: string,
  readBase: (revision: string) => Promise<RevisionFiles | undefined> = async () => undefined,
): Promise<void> => addKnownContent({ path, lock, space, readBase });

const under = (space: string) => `${contentPath(space)}/`;

const filesIn = ({ files }: Lock, space: string) => [...files.keys()].filter((path) => path.startsWith(under(space)));

/** @returns the paths of the files of the space */
async function writeSpace(
  { lock, folder, options }: Run,
  { name, space, comments, content }: ReadSpace,
): Promise<string[]> {
  await folder.write(comments);
  if (!content) {
    const paths = filesIn(lock, name);
    folder.counts.unchanged += paths.length;
    return [...paths, ...comments.keys()];
  }
  // If files were not written, they must not count as changed in the folder only.
  if (await folder.write(content)) {
    lock.revisions.set(name, space.revision);
    lock.applied.delete(name);
  }
  if (!options.dryRun) await removeState(join(options.path, ...contentPath(name).split('/')));
  return [...content.keys(), ...comments.keys()];
}

/** The pages and files of a revision, as `content pull` writes them to an empty folder. */
async function contentFiles(
  port: OrganizationPort,
  texts: FolderTexts,
  { spaceId, revisionId, name }: { spaceId: string; revisionId: string; name: string },
): Promise<RevisionFiles> {
  const content = await readContent(port, { spaceId, revisionId });
  const remote = await withAllTexts(port, spaceId, content);
  const written = await texts.run(
    'writeFolder',
    { remote },
    { folder: name, texts: remote.pages.map(({ text }) => text) },
  );
  return { files: await withFiles(port, content, written), remote: content.remote };
}

function refuseMissing(only: Selection, { organization, spaces }: Snapshot): void {
  only.refuseMissing(
    (part, name) => {
      if (part === 'spaces' || part === 'content') return spaces.has(name);
      const objects = organization[part];
      return objects instanceof Map && objects.has(name);
    },
    (part) => `Use the names from the files; "docsctl export --only ${part}" writes them.`,
  );
}
