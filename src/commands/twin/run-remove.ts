import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { visible } from '../../cli/output/index.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import { embeddedFile } from '../../cli/settings/database-folder.ts';
import { findTwin } from '../../rehearsal/twin/existing-twins.ts';
import { removeDatabase } from '../../rehearsal/twin/twin-file.ts';
import { removeProfile } from '../shared/remove-profile.ts';
import { twinDatabase } from '../shared/twin.ts';
import { profilesByFile } from './run-list.ts';

type RemoveInvocation = Invocation<{ twin?: string | undefined }>;

/** Deletes a twin and the profiles that use it. @throws CommandError if it is not a twin */
export async function runRemove(invocation: RemoveInvocation): Promise<void> {
  const { globals, io, session } = invocation;
  const file = fileOf(invocation);
  const twin = findTwin(file);
  if (!twin) throw notTwin(file);
  const profiles = profilesByFile(session.config, session.env).get(file) ?? [];
  const names = profiles.map((name) => `"${name}"`).join(', ');
  const used = profiles.length > 0 ? `, and the ${profiles.length === 1 ? 'profile' : 'profiles'} ${names}` : '';
  const what = `the twin of ${visible(twin.title)} (${visible(twin.url)}, created on ${visible(twin.createdAt)}), ${file}${used}`;
  if (globals.dryRun) return io.note(`Would delete ${what}.`);
  await confirmQuestion(invocation, `Delete ${what}?`);
  removeDatabase(file);
  for (const profile of profiles) await removeProfile(invocation, profile);
  await io.note(`Deleted ${file}.`);
}

/** The file that the argument names: that of a profile, or a path. */
function fileOf({ args, session }: RemoveInvocation): string {
  const { twin: name } = args;
  if (name === undefined) return twinDatabase(session.env);
  const profile = session.config.profiles[name];
  const file = profile && embeddedFile(profile.url, session.env);
  if (profile && file === undefined)
    throw new CommandError(`The profile "${name}" is for ${profile.url}, which is not a twin.`, {
      exitCode: exit.refused,
      hint: '"docsctl twin list" shows the twins.',
    });
  return file ?? resolve(name);
}

function notTwin(file: string): CommandError {
  if (!existsSync(file))
    return new CommandError(`There is no twin ${file}.`, {
      exitCode: exit.notFound,
      hint: '"docsctl twin list" shows the twins.',
    });
  return new CommandError(`${file} is not a twin, and was left unchanged.`, {
    exitCode: exit.refused,
    hint: 'Only copies that "docsctl twin create" made are deleted.',
  });
}
