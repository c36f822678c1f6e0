import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { argument, print } from '../../cli/command/invocation.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import { type Exported, exportOrganization } from '../../organization/export.ts';
import { notExportedNote } from '../../organization/not-exported.ts';
import { checkSelection } from '../../organization/selection.ts';
import { FolderTexts } from '../../sync/local-folder.ts';
import { readOverlay } from '../../organization/files/environment.ts';
import { organizationFor, withOrganization } from './run.ts';

type ExportInvocation = Invocation<
  { folder?: string | undefined },
  {
    only?: string[] | undefined;
    comments?: boolean | undefined;
    levels?: boolean | undefined;
    overwrite?: boolean | undefined;
    env?: string | undefined;
  }
>;

/** Exports an organization to a folder. */
export async function runExport(invocation: ExportInvocation): Promise<void> {
  const { args, flags, globals, session, signal } = invocation;
  const path = resolve(argument(invocation, 'folder'));
  const { only, comments = false, levels = false, overwrite = false } = flags;
  const { dryRun = false } = globals;
  checkSelection(only);
  const { env } = flags;
  const environment =
    env === undefined ? undefined : { env, overlay: await readOverlay(path, args.folder ?? '.', env) };
  const orgId = await organizationFor(invocation, environment?.overlay);
  const texts = new FolderTexts(signal);
  try {
    const variables = session.env;
    const options = { path, orgId, environment, only, comments, levels, overwrite, dryRun, texts, variables };
    await report(
      invocation,
      await withOrganization(invocation, 'Reading the organization', (port) => exportOrganization(port, options)),
    );
  } finally {
    texts.close();
  }
}

/** The most names in a note. */
const maxNamed = 5;

function numberedText(numbered: Exported['snapshot']['names']['numbered']): string {
  const names = numbered.slice(0, maxNamed).map(({ kind, name }) => `${kind}/${name}`);
  const more = numbered.length > maxNamed ? `, and ${numbered.length - maxNamed} more` : '';
  const objects =
    numbered.length === 1
      ? '1 object has the same title as another one, and therefore a number in its name'
      : `${numbered.length} objects have the same title as another one, and therefore a number in their names`;
  return `${objects}: ${names.join(', ')}${more}.`;
}

/** Prints the counts. @throws CommandError if the folder does not completely match the service */
async function report(
  invocation: ExportInvocation,
  { snapshot, folder, isFirst, isWithoutLevels }: Exported,
): Promise<void> {
  const { args, io, globals } = invocation;
  const { organization, names, levelRequests } = snapshot;
  const { changedHere, refused, counts } = folder;
  if (names.numbered.length > 0) await io.note(numberedText(names.numbered));
  if (isFirst) await io.note(notExportedNote);
  if (isWithoutLevels)
    await io.note(
      `Levels granted on spaces are skipped, because reading them takes ${levelRequests} requests. Use --levels to export them.`,
    );
  for (const warning of snapshot.warnings) await io.note(warning);
  for (const { path, reason } of refused) await io.note(`${path} is skipped: ${reason}.`);
  for (const path of changedHere) await io.note(`${path} was changed in the folder and was not overwritten.`);
  const leftOut = snapshot.warnings.length + refused.length;
  await print(invocation, {
    folder: args.folder,
    members: organization.members?.length,
    teams: organization.teams?.size,
    spaces: organization.spaces?.size,
    sites: organization.sites?.size,
    ...counts,
    kept: changedHere.length,
    leftOut,
  });
  if (globals.dryRun) await io.note('Nothing was written.');
  if (changedHere.length > 0)
    throw new CommandError(
      `${changedHere.length === 1 ? 'A file was' : `${changedHere.length} files were`} changed in the folder since the last export, and not overwritten.`,
      { exitCode: exit.refused, hint: 'Undo or apply the changes, or replace the files with --overwrite.' },
    );
  if (leftOut > 0)
    throw new CommandError(
      `${leftOut === 1 ? 'One thing is' : `${leftOut} things are`} not in the export; see above.`,
      { exitCode: exit.someFailed },
    );
}
