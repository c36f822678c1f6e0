import { runLocalBatch } from '../../cli/command/batch/local.ts';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import type { InvocationOf } from '../../cli/command/define.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { argument, print } from '../../cli/command/invocation.ts';
import { refused } from '../../cli/program/failure.ts';
import { type Config, type Profile, readConfig, updateConfig, profileNamed } from '../../cli/settings/config.ts';
import { renameToken, writeToken } from '../../cli/settings/credentials.ts';
import { renameJournal } from '../../journal/journal-files.ts';
import { stateDir } from '../../cli/settings/paths.ts';
import { forgetPermissions } from '../../cli/settings/project-permission.ts';
import { embeddedFile } from '../../cli/settings/database-folder.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import { removeProfile } from '../shared/remove-profile.ts';
import { addressMissing, checkProfileName, normalizedAddress } from '../shared/profile-address.ts';
import type { createFlags } from './options.ts';
import { chooseProfile, profileRow } from './show.ts';

export async function create(invocation: InvocationOf<'create <name>', typeof createFlags>): Promise<void> {
  const { flags, globals, io } = invocation;
  const name = argument(invocation, 'name');
  checkProfileName(name);
  if (globals.url === undefined) throw addressMissing();
  const { org, space, site } = flags;
  const profile: Profile = { url: normalizedAddress(globals.url), ...withoutUndefined({ org, space, site }) };
  if (globals.dryRun) return io.note(`Would create the profile "${name}" for ${profile.url}.`);
  const isCurrent = await updateConfig((config) => {
    if (config.profiles[name])
      throw nameTaken(name, `Change it with "docsctl config set url ... --profile ${name}", or delete it first.`);
    config.profiles[name] = profile;
    if (flags.use || config.current === undefined) config.current = name;
    return config.current === name;
  });
  // A stale token with this name belonged to another profile.
  await writeToken(name, undefined);
  const use = isCurrent ? ', which is now the current one' : '';
  const signIn = embeddedFile(profile.url) === undefined ? ` Sign in with "docsctl auth login --profile ${name}".` : '';
  await io.note(`Created the profile "${name}"${use}.${signIn}`);
  await print(invocation, profileRow(name, profile, isCurrent ? name : undefined));
}

const nameTaken = (name: string, hint?: string) => refused(`There is already a profile "${name}".`, hint);

export async function use(invocation: InvocationOf<'use [name]'>): Promise<void> {
  const { args, globals, io, session } = invocation;
  const name = args.name ?? (await chooseProfile(invocation));
  if (globals.dryRun) {
    profileNamed(session.config.profiles, name);
    return io.note(`Would make the profile "${name}" the current one.`);
  }
  const { url } = await updateConfig((config) => {
    const profile = profileNamed(config.profiles, name);
    config.current = name;
    return profile;
  });
  await io.note(`The current profile is now "${name}": ${url}.`);
  await noteOverride(invocation, name);
}

/** Notes what takes precedence over the current profile, because it is easily forgotten. */
async function noteOverride({ session, io, globals }: Invocation, name: string): Promise<void> {
  const { DOCSCTL_URL, DOCSCTL_PROFILE } = session.env;
  if (DOCSCTL_URL) return io.note('DOCSCTL_URL is set and takes precedence.');
  if (DOCSCTL_PROFILE && DOCSCTL_PROFILE !== name)
    return io.note(`DOCSCTL_PROFILE is set to "${DOCSCTL_PROFILE}" and takes precedence.`);
  if (globals.profile !== undefined) return;
  const project = await session.project();
  if (project?.profile !== undefined && project.profile !== name)
    await io.note(`${project.file} names the profile "${project.profile}", which takes precedence in this folder.`);
}

export async function rename(invocation: Invocation): Promise<void> {
  const { globals, io, session } = invocation;
  const from = argument(invocation, 'old');
  const to = argument(invocation, 'new');
  checkProfileName(to);
  if (globals.dryRun) {
    checkRename(session.config, from, to);
    return io.note(`Would rename the profile "${from}" to "${to}".`);
  }
  await updateConfig((config) => {
    checkRename(config, from, to);
    if (from === to) return;
    // Keep the order of the profiles.
    config.profiles = Object.fromEntries(
      Object.entries(config.profiles).map(([name, profile]) => [name === from ? to : name, profile]),
    );
    if (config.current === from) config.current = to;
  });
  if (from !== to) {
    await renameToken(from, to);
    renameJournal(stateDir(session.env), from, to);
    await forgetPermissions(from);
  }
  await io.note(`Renamed the profile "${from}" to "${to}".`);
}

function checkRename({ profiles }: Config, from: string, to: string): void {
  profileNamed(profiles, from);
  if (profiles[to] && from !== to) throw nameTaken(to);
}

export async function remove(invocation: InvocationOf<'delete [name...]'>): Promise<void> {
  const { args, globals, io, session } = invocation;
  if ((args.name ?? []).length === 0) args.name = [await chooseProfile(invocation)];
  await runLocalBatch(invocation, {
    name: 'name',
    check: (name) => void profileNamed(session.config.profiles, name),
    async before(names) {
      const list = names.map((name) => `"${name}"`).join(', ');
      const what = names.length === 1 ? `the profile ${list} and its token` : `the profiles ${list} and their tokens`;
      if (globals.dryRun) return io.note(`Would delete ${what}.`);
      await confirmQuestion(invocation, `Delete ${what}?`);
    },
    change: (name) => removeProfile(invocation, name),
  });
  const config = readConfig();
  if (config.current === undefined && Object.keys(config.profiles).length > 0)
    await io.note('There is no current profile now. Select one with "docsctl profiles use".');
}
