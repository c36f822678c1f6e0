import { dirname } from 'node:path';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { print, scopeOf } from '../../cli/command/invocation.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { updateConfig } from '../../cli/settings/config.ts';
import { embeddedFile } from '../../cli/settings/database-folder.ts';
import { putInPlace, replacedTwin } from '../../rehearsal/twin/twin-file.ts';
import { createBeside } from '../../shared/atomic-write.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { copyOrganization, organizationOf, twinDatabase, twinProfile } from '../shared/twin.ts';

type CreateInvocation = Invocation<{}, { from?: string | undefined }>;

/** Creates the twin and its profile. */
export async function runCreate(invocation: CreateInvocation): Promise<void> {
  const { globals, io, session } = invocation;
  useProfileOfFlag(invocation);
  const file = twinDatabase(session.env);
  await refuseOwn(invocation, file);
  refuseOtherProfile(invocation, file);
  const before = await replacedTwin(file);
  const organization = await organizationOf(invocation, await scopeOf(invocation, 'org'));
  const { id, title } = organization;
  if (globals.dryRun) {
    await io.note(
      `Would copy the organization ${title} into ${file}, as the profile "${twinProfile}".${before ? ' The existing twin would be replaced.' : ''}`,
    );
    return;
  }
  if (before) await confirmQuestion(invocation, `Replace the twin of ${before.url}, created on ${before.createdAt}?`);
  makeFolder(dirname(file));
  const beside = createBeside(file, 0o600);
  const { leftOut, ...counts } = await copyOrganization(invocation, { organization, file: beside });
  putInPlace(beside, file);
  await updateConfig((config) => {
    config.profiles[twinProfile] = { url: `embedded:${file}`, org: id };
  });
  const refused = [...leftOut.refused.values()].reduce((sum, each) => sum + each, 0);
  await print(invocation, {
    profile: twinProfile,
    database: file,
    organization: id,
    ...counts,
    refused,
    notReadable: Object.fromEntries(leftOut.refused),
    notInTwin: Object.fromEntries(leftOut.hidden),
  });
  await io.note(`Use it with --profile ${twinProfile}: docsctl spaces list --profile ${twinProfile}`);
  if (refused > 0)
    throw new CommandError('The twin lacks objects that you may not read; see above.', {
      exitCode: exit.someFailed,
      hint: 'An administrator can read all of them.',
    });
}

/** `--from` selects the profile, like `--profile`. */
function useProfileOfFlag({ flags, globals }: CreateInvocation): void {
  if (flags.from === undefined) return;
  if (globals.profile !== undefined && globals.profile !== flags.from)
    throw new UsageError('--from and --profile cannot be combined.', 'Use only --from.');
  globals.profile = flags.from;
}

async function refuseOwn({ session }: CreateInvocation, file: string): Promise<void> {
  if (embeddedFile((await session.address()).value, session.env) !== file) return;
  throw new UsageError(
    'The current profile is the twin itself.',
    'Select the profile of the organization to copy with --from.',
  );
}

/** @throws CommandError if the profile of the twin is used for something else */
function refuseOtherProfile({ session }: CreateInvocation, file: string): void {
  const profile = session.config.profiles[twinProfile];
  if (profile && profile.url !== `embedded:${file}`)
    throw new CommandError(
      `The profile "${twinProfile}" is for ${profile.url}, which is not a twin created by this command.`,
      {
        exitCode: exit.refused,
        hint: `Rename it: docsctl profiles rename ${twinProfile} <name>`,
      },
    );
}
