import type { InvocationOf } from '../../cli/command/define.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { print } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { type Profile, profileNamed } from '../../cli/settings/config.ts';
import { foldersAllowed } from '../../cli/settings/project-permission.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import { databaseBehind } from '../shared/local-profile.ts';
import { tokenPlace } from '../shared/profile-address.ts';
import { UsageError } from '../../cli/program/failure.ts';

/** A profile for display, without its token. */
export const profileRow = (name: string, profile: Profile, current: string | undefined) => ({
  name,
  current: name === current,
  ...profile,
  ...withoutUndefined({ database: databaseBehind(profile) }),
  token: tokenPlace(name, profile),
});

export async function list(invocation: Invocation): Promise<void> {
  const { session, io } = invocation;
  const { name: current, refusal } = await session.profileStatus();
  const rows = Object.entries(session.config.profiles).map(([name, profile]) => profileRow(name, profile, current));
  await printList(invocation, rows);
  if (refusal) await io.note(`${refusal.message} ${refusal.hint ?? ''}`.trimEnd());
  if (rows.length === 0)
    await io.note(
      'There are no profiles. Create one with "docsctl auth login", or with "docsctl init" for a local instance.',
    );
}

export async function view(invocation: InvocationOf<'view [name]'>): Promise<void> {
  const { args, session } = invocation;
  const { name: current, refusal } = await session.profileStatus();
  if (args.name === undefined && refusal) throw refusal;
  const name = args.name ?? current ?? (await chooseProfile(invocation));
  const profile = profileNamed(session.config.profiles, name);
  await print(invocation, { ...profileRow(name, profile, current), folders: foldersAllowed(name) });
}

/** Asks for a profile. @throws UsageError if there is no terminal or no profile */
export async function chooseProfile(invocation: Invocation): Promise<string> {
  const { io, path, session } = invocation;
  const profiles = Object.entries(session.config.profiles);
  if (!io.interactive || profiles.length === 0)
    throw new UsageError('<name> is missing.', `See "docsctl ${path} --help".`);
  const { openPrompt } = await import('../../cli/prompt/open-prompt.ts');
  const prompt = await openPrompt(invocation);
  return prompt.select({
    message: 'Which profile?',
    choices: profiles.map(([name, { url }]) => ({ value: name, title: name, note: url })),
    start: session.config.current,
  });
}
