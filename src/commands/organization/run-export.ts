import { join, resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { argument, print, requireOrganization, scopeOf } from '../../cli/command/invocation.ts';
import { createProgress, type Progress } from '../../cli/output/index.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { schemaFiles } from '../../organization/files/json-schemas.ts';
import { levelsFile } from '../../organization/files/levels.ts';
import { filesOf } from '../../organization/files/write-files.ts';
import { writeYaml } from '../../organization/files/yaml.ts';
import type { Lock } from '../../organization/lock.ts';
import type { Selection } from '../../organization/selection.ts';
import { readComments } from '../../organization/service/comments.ts';
import type { Space } from '../../organization/service/content.ts';
import { readOrganization, type ReadOptions, type Snapshot } from '../../organization/service/read-organization.ts';
import { FolderTexts } from '../../sync/folder-texts.ts';
import { removeMark } from '../../sync/pull-mark.ts';
import { contentPath } from '../../organization/content/content-folder.ts';
import { contentFiles } from '../../organization/content/export-content.ts';
import { ExportedFolder } from '../../organization/files/exported-folder.ts';
import { lockIn, saveLock } from '../../organization/files/lock-file.ts';
import { selectionOf } from '../../organization/plan/only.ts';

type ExportInvocation = Invocation<
  { folder?: string | undefined },
  {
    only?: string[] | undefined;
    comments?: boolean | undefined;
    levels?: boolean | undefined;
    overwrite?: boolean | undefined;
  }
>;

interface Export {
  invocation: ExportInvocation;
  only: Selection;
  lock: Lock;
  path: string;
  folder: ExportedFolder;
  progress: Progress;
  texts: FolderTexts;
  reading: Pick<ReadOptions, 'client' | 'orgId' | 'warn' | 'progress' | 'signal'>;
}

/** Writes an organization into a folder. */
export async function runExport(invocation: ExportInvocation): Promise<void> {
  const { args, flags, globals, io, signal } = invocation;
  const path = resolve(argument(invocation, 'folder'));
  const only = selectionOf(flags.only);
  // The folder or plan has the id of its organization.
  const orgId = (await requireOrganization(invocation)) ?? (await scopeOf(invocation, 'org'));
  const client = await invocation.client();
  const lock = await lockIn(path, orgId);
  const folder = new ExportedFolder(path, lock, {
    overwrite: flags.overwrite ?? false,
    dryRun: globals.dryRun ?? false,
  });
  const warnings: string[] = [];
  const progress = createProgress('Reading the organization', { animated: io.canAnimate, quiet: io.quiet });
  const reading = {
    client,
    orgId,
    signal,
    warn: (message: string) => void warnings.push(message),
    progress: (what: string, done: number, total?: number) => {
      progress.say(`Reading ${what}`);
      progress.count(done, total);
    },
  };
  const texts = new FolderTexts(signal);
  try {
    const { organization, names, levelRequests } = await exportAll({
      invocation,
      only,
      lock,
      path,
      folder,
      progress,
      texts,
      reading,
    });
    progress.stop();
    if (names.numbered.length > 0) await io.note(numberedText(names.numbered));
    if (only.has('levels') && !organization.levels)
      await io.note(
        `Levels granted on spaces are left out: reading them takes ${levelRequests} requests. --levels reads them.`,
      );
    await report(invocation, folder, warnings, {
      folder: args.folder,
      members: organization.members?.length,
      teams: organization.teams?.size,
      spaces: organization.spaces?.size,
      sites: organization.sites?.size,
    });
  } finally {
    texts.close();
    progress.stop();
  }
}

async function exportAll(run: Export): Promise<Snapshot> {
  const { only, lock, folder, reading } = run;
  const snapshot = await readOrganization({
    ...reading,
    only,
    ids: lock.ids,
    ...(!readsLevels(run) && { maxLevelRequests }),
  });
  refuseUnknown(only, snapshot);
  lock.ids = snapshot.names.ids;
  for (const part of only.whole()) lock.parts.add(part);
  const before = [...lock.files.keys()].filter((path) => only.covers(path));
  const files = new Map([...schemaFiles(), ...filesOf(snapshot.organization)]);
  await folder.write(files);
  const written = new Set(files.keys());
  for (const [name, space] of snapshot.spaces) {
    reading.signal.throwIfAborted();
    if (!only.includes('content', name)) continue;
    for (const path of await exportSpace(run, snapshot, name, space)) written.add(path);
  }
  await folder.remove(before.filter((path) => !written.has(path)));
  if (!run.invocation.globals.dryRun) await saveLock(run.path, run.lock);
  return snapshot;
}

/** How many requests an export sends for levels that nobody asked for. */
const maxLevelRequests = 250;

/** Whether levels are read however many requests it takes. */
const readsLevels = ({ invocation, lock, only }: Export): boolean =>
  invocation.flags.levels === true ||
  lock.files.has(levelsFile) ||
  (only.has('levels') && invocation.flags.only !== undefined);

/** The content of a space, and its comments. @returns the paths of its files */
async function exportSpace(run: Export, { names }: Snapshot, name: string, space: Space): Promise<string[]> {
  const { invocation, lock, folder, reading, progress } = run;
  const under = `${contentPath(name)}/`;
  const paths = [...lock.files.keys()].filter((path) => path.startsWith(under));
  if (invocation.flags.comments) {
    const entries = await readComments({ ...reading, names, otherIds: new Map(), memberIds: new Map() }, space.id);
    const path = `comments/${name}.yaml`;
    if (entries.length > 0) await folder.write(new Map([[path, writeYaml(entries)]]));
    if (entries.length > 0) paths.push(path);
  }
  // Revisions never change: what was written of this one is still right.
  if (lock.revisions.get(name) === space.revision && (await folder.hasAll(paths))) {
    folder.counts.unchanged += paths.length;
    return paths;
  }
  progress.say(`Reading the content of ${name}`);
  const source = { spaceId: space.id, revisionId: space.revision, name };
  const content = await contentFiles(invocation, run.texts, source);
  const files = new Map([...content].map(([path, bytes]) => [under + path, bytes]));
  const before = folder.changedHere.length;
  await folder.write(files);
  // What the folder has of this revision must not count as changed here alone.
  if (folder.changedHere.length === before) {
    lock.revisions.set(name, space.revision);
    lock.applied.delete(name);
  }
  if (!run.invocation.globals.dryRun) {
    await removeMark(join(run.path, ...contentPath(name).split('/')));
    await saveLock(run.path, run.lock);
  }
  return [...files.keys(), ...paths.filter((path) => !path.startsWith(under))];
}

/** A name of --only that no object has must not end as an export of nothing. */
function refuseUnknown(only: Selection, { organization, spaces }: Snapshot): void {
  const missing = only.named().find(([part, name]) => {
    if (part === 'spaces' || part === 'content') return !spaces.has(name);
    const objects =
      part === 'teams' || part === 'sso' || part === 'sites' || part === 'openapi' ? organization[part] : undefined;
    return objects?.has(name) !== true;
  });
  if (!missing) return;
  const [part, name] = missing;
  throw new CommandError(`--only: there is no "${name}" in ${part}.`, {
    exitCode: exit.notFound,
    hint: `Names are those of the files, as an export of --only ${part} writes them.`,
  });
}

/** How many names a note has. */
const maxNamed = 5;

function numberedText(numbered: Snapshot['names']['numbered']): string {
  const names = numbered.slice(0, maxNamed).map(({ kind, name }) => `${kind}/${name}`);
  const more = numbered.length > maxNamed ? `, and ${numbered.length - maxNamed} more` : '';
  const objects =
    numbered.length === 1
      ? '1 object has the same title as another one, and a number in its name'
      : `${numbered.length} objects have the same title as another one, and a number in their names`;
  return `${objects}: ${names.join(', ')}${more}.`;
}

/** Prints the counts. @throws CommandError where something is not in the folder as the service has it */
async function report(
  invocation: ExportInvocation,
  folder: ExportedFolder,
  warnings: readonly string[],
  result: Record<string, unknown>,
): Promise<void> {
  const { io, globals } = invocation;
  const { changedHere, refused, counts } = folder;
  for (const warning of warnings) await io.note(warning);
  for (const { path, reason } of refused) await io.note(`${path} is left out: ${reason}.`);
  for (const path of changedHere) await io.note(`${path} was changed in the folder and is kept.`);
  const leftOut = warnings.length + refused.length;
  await print(invocation, { ...result, ...counts, kept: changedHere.length, leftOut });
  if (globals.dryRun) await io.note('Nothing was written.');
  if (changedHere.length > 0)
    throw new CommandError(
      `${changedHere.length === 1 ? 'A file was' : `${changedHere.length} files were`} changed in the folder since the last export, and not written.`,
      {
        exitCode: exit.refused,
        hint: 'Commit or undo the changes, apply them, or replace the files with --overwrite.',
      },
    );
  if (leftOut > 0)
    throw new CommandError(
      `${leftOut === 1 ? 'One thing is' : `${leftOut} things are`} not in the export; see above.`,
      {
        exitCode: exit.someFailed,
      },
    );
}
