import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import type { Invocation } from '../../cli/command/invocation.ts';
import { profileNamed } from '../../cli/settings/profile.ts';
import { type Project, projectFileName, readProject } from '../../cli/settings/project.ts';
import { denyFolder, hasAnswers, setPermission } from '../../cli/settings/project-permission.ts';

const folderOf = ({ args }: Invocation) => resolve((args.folder as string | undefined) ?? '.');

/** The project file that counts in a folder. @throws CommandError (status 5) */
async function projectOf({ io }: Invocation, folder: string): Promise<Project> {
  if (!existsSync(folder))
    throw new CommandError(`There is no folder ${folder}.`, { exitCode: exit.notFound, hint: 'Check the path.' });
  const project = await readProject((text) => io.note(text), folder);
  if (project) return project;
  throw new CommandError(`There is no ${projectFileName} in ${folder} or above it.`, {
    exitCode: exit.notFound,
    hint: 'Name the folder of a project, or choose a profile with "docsctl profiles use".',
  });
}

/** Lets the project file of a folder choose the profile that it names now. */
export async function allow(invocation: Invocation): Promise<void> {
  const { globals, io, session } = invocation;
  const { file, profile } = await projectOf(invocation, folderOf(invocation));
  if (profile === undefined)
    throw new UsageError(`${file} names no profile.`, 'There is nothing to allow: it has no "profile:".');
  const { url } = profileNamed(session.config.profiles, profile, file);
  const what = `${file} to use the profile "${profile}" (${url})`;
  if (globals.dryRun) return io.note(`Would allow ${what}.`);
  await setPermission(file, profile, true);
  await io.note(`Allowed ${what}.`);
}

/** Takes back what was allowed for a folder. */
export async function deny(invocation: Invocation): Promise<void> {
  const { globals, io } = invocation;
  const path = folderOf(invocation);
  const folder = existsSync(path) ? realpathSync(path) : path;
  // What was allowed for a folder can be taken back when the folder or its project file is gone.
  const isFileGone = !existsSync(join(folder, projectFileName)) && hasAnswers(folder);
  const project = isFileGone ? undefined : await projectOf(invocation, path);
  const what = `${project?.file ?? folder} the use of any profile`;
  if (globals.dryRun) return io.note(`Would deny ${what}.`);
  await denyFolder(project ? realpathSync(dirname(project.file)) : folder, project?.profile);
  await io.note(`Denied ${what}.`);
}
