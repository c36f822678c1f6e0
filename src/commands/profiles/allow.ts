import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError, notFound } from '../../cli/program/failure.ts';
import type { InvocationOf } from '../../cli/command/define.ts';
import type { Io } from '../../cli/program/io.ts';
import { profileNamed } from '../../cli/settings/config.ts';
import { type Project, projectFileName, readProject } from '../../cli/settings/project.ts';
import { denyFolder, hasAnswers, setPermission } from '../../cli/settings/project-permission.ts';

type AllowInvocation = InvocationOf<'allow [folder]'>;

const folderOf = ({ args }: AllowInvocation) => resolve(args.folder ?? '.');

/** The project file in a folder or in its nearest parent. @throws CommandError (status 5) */
async function projectOf(io: Io, folder: string): Promise<Project> {
  if (!existsSync(folder)) throw notFound(`There is no folder ${folder}.`, 'Check the path.');
  const project = await readProject((text) => io.note(text), folder);
  if (project) return project;
  throw notFound(
    `There is no ${projectFileName} in ${folder} or above it.`,
    'Pass the folder of a project, or choose a profile with "docsctl profiles use".',
  );
}

/** Lets the project file of a folder select the profile that it names now. */
export async function allow(invocation: AllowInvocation): Promise<void> {
  const { globals, io, session } = invocation;
  const { file, profile } = await projectOf(io, folderOf(invocation));
  if (profile === undefined)
    throw new UsageError(`${file} names no profile, so there is nothing to allow.`, 'Add "profile:" to it.');
  const { url } = profileNamed(session.config.profiles, profile, file);
  const permission = `${file} to use the profile "${profile}" (${url})`;
  if (globals.dryRun) return io.note(`Would allow ${permission}.`);
  await setPermission(file, profile, true);
  await io.note(`Allowed ${permission}.`);
}

/** Removes the permission of a folder. */
export async function deny(invocation: AllowInvocation): Promise<void> {
  const { globals, io } = invocation;
  const path = folderOf(invocation);
  const folder = existsSync(path) ? realpathSync(path) : path;
  // Permissions can be removed even if the folder or its project file was deleted.
  const isFileDeleted = !existsSync(join(folder, projectFileName)) && hasAnswers(folder);
  const project = isFileDeleted ? undefined : await projectOf(io, path);
  const permission = `${project?.file ?? folder} the use of any profile`;
  if (globals.dryRun) return io.note(`Would deny ${permission}.`);
  await denyFolder(project ? realpathSync(dirname(project.file)) : folder, project?.profile);
  await io.note(`Denied ${permission}.`);
}
