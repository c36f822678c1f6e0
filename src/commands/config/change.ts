import type { Invocation } from '../../cli/command/command.ts';
import { argument } from '../../cli/command/invocation.ts';
import { UsageError, unauthenticated } from '../../cli/program/failure.ts';
import { type Profile, updateConfig, profileNamed } from '../../cli/settings/config.ts';
import { forgetToken, placeOfToken } from '../../cli/settings/credentials.ts';
import { isUnencrypted, normalizedAddress } from '../shared/profile-address.ts';
import { wordsOfCommand } from '../../cli/settings/token-command.ts';
import { journalValue } from '../../cli/settings/session.ts';
import type { Key } from './options.ts';
import { keyNamed, settingOf } from './show.ts';
import { needsLookup } from '../../cli/naming/reading.ts';
import { visible } from '../../cli/output/index.ts';
import type { ScopeName } from '../../contract/objects.ts';
import { messageOf } from '../../shared/error-text.ts';

export async function set(invocation: Invocation): Promise<void> {
  const key = keyNamed(argument(invocation, 'key'));
  const value = argument(invocation, 'value').trim();
  if (value === '') throw new UsageError('The value is empty.', `Remove it with "docsctl config unset ${key}".`);
  if (key === 'profile') await setCurrentProfile(invocation, value);
  else await setInProfile(invocation, key, key === 'url' ? normalizedAddress(value) : value);
}

async function setCurrentProfile({ globals, io, session }: Invocation, name: string): Promise<void> {
  profileNamed(session.config.profiles, name);
  if (globals.dryRun) return io.note(`Would set the current profile to ${name}.`);
  await updateConfig((config) => {
    profileNamed(config.profiles, name);
    config.current = name;
  });
  await io.note(`Set the current profile to ${name}.`);
}

async function setInProfile(invocation: Invocation, key: Exclude<Key, 'profile'>, text: string): Promise<void> {
  const { globals, io, session } = invocation;
  const name = await profileToChange(invocation);
  const setting = `"${key}" of the profile "${name}"`;
  const { id: value, note } = await resolved(invocation, name, key, text);
  const shown = note === undefined ? value : `${value} (${note})`;
  if (globals.dryRun) return io.note(`Would set ${setting} to ${shown}.`);
  const before = await updateConfig((config) => {
    const profile = profileNamed(config.profiles, name);
    const before = { ...profile };
    profile[key] = value;
    if (key === 'url' && !isSameService(before, value)) {
      delete profile.database;
      delete profile['token-command'];
    }
    return before;
  });
  await io.note(`Set ${setting} to ${shown}.`);
  if (key === 'token-command' && placeOfToken(name) !== undefined)
    await io.note('It takes precedence over the saved token, which "docsctl auth logout" removes.');
  if (key === 'url' && before['token-command'] !== undefined && !isSameService(before, value))
    await io.note(`Unset "token-command", which prints a token for ${before.url}.`);
  if (key === 'url' && before.url !== value) await keepOrForgetToken(invocation, name, before, value);
  const inEffect = await settingOf(session, key);
  if (inEffect && inEffect.origin !== 'profile' && inEffect.value !== value)
    await io.note(`${inEffect.source} sets "${key}" to ${inEffect.value} and takes precedence.`);
}

async function resolved(
  invocation: Invocation,
  profile: string,
  key: Exclude<Key, 'profile'>,
  text: string,
): Promise<Resolved> {
  if (key === 'url') return { id: text };
  if (key === 'journal') return { id: journalValue(text, 'journal') };
  if (key === 'token-command') {
    wordsOfCommand(text);
    return { id: text };
  }
  return idForSetting(invocation, profile, key, text);
}

async function keepOrForgetToken({ io }: Invocation, name: string, before: Profile, url: string): Promise<void> {
  if (placeOfToken(name) === undefined) return;
  if (isSameService(before, url)) return io.note('Kept the token, because the host is the same.');
  await forgetToken(name);
  await io.note(`Removed the token for ${before.url}. Sign in with "docsctl auth login --profile ${name}".`);
}

/**
 * Whether the token of a profile may be kept. It must never be sent to another host, or unencrypted if it was encrypted
 * before. Another port counts as another host, except in a profile that "serve" saved.
 */
function isSameService({ url: before, database }: Profile, now: string): boolean {
  if (!/^https?:/.test(before) || !/^https?:/.test(now)) return false;
  const isDowngraded = before.startsWith('https:') && isUnencrypted(now);
  const part = database === undefined ? 'host' : 'hostname';
  return !isDowngraded && new URL(before)[part] === new URL(now)[part];
}

export async function unset(invocation: Invocation): Promise<void> {
  const { globals, io } = invocation;
  const key = keyNamed(argument(invocation, 'key'));
  if (key === 'url')
    throw new UsageError(
      'The address of a profile cannot be removed.',
      'Delete the whole profile with "docsctl profiles delete".',
    );
  const name = key === 'profile' ? '' : await profileToChange(invocation);
  const setting = key === 'profile' ? 'the current profile' : `"${key}" of the profile "${name}"`;
  if (globals.dryRun) return io.note(`Would unset ${setting}.`);
  await updateConfig((config) => {
    if (key === 'profile') delete config.current;
    else delete profileNamed(config.profiles, name)[key];
  });
  await io.note(`Unset ${setting}.`);
}

async function profileToChange({ session }: Invocation): Promise<string> {
  const profile = await session.profileInUse();
  if (profile !== undefined) {
    profileNamed(session.config.profiles, profile.value, profile.source);
    return profile.value;
  }
  throw unauthenticated(
    'No profile is in use.',
    'Create one with "docsctl auth login", "docsctl init" or "docsctl profiles create".',
  );
}

const checkTimeout = { timeout: 5, retries: 0 };

/** The ID to store as a default, and a note about it. */
export interface Resolved {
  id: string;
  note?: string;
}

/**
 * Looks up a default organization, space or site by ID or name on the service of the profile. If the service does not
 * respond, an ID is accepted unchecked, but a name is not.
 *
 * @throws CommandError (status 5) if the service does not know it
 */
export async function idForSetting(
  { session }: Invocation,
  profile: string,
  scope: ScopeName,
  text: string,
): Promise<Resolved> {
  const settings = profileNamed(session.config.profiles, profile);
  const [{ NameLookup }, { ClientError }, { HttpError }] = await Promise.all([
    import('../../cli/naming/lookup.ts'),
    import('../../client/errors/client-error.ts'),
    import('../../client/errors/http-error.ts'),
  ]);
  const client = await session.clientFor(settings.url, await session.tokenOfProfile(profile), checkTimeout);
  try {
    const lookup = new NameLookup({ client, setting: async (name) => settings[name] });
    const name = { param: `${scope}Id`, text, params: {} };
    const id = await lookup.idOrNameOf(name);
    const title = await lookup.titleOf({ ...name, text: id });
    return { id, ...(title !== undefined && title !== id ? { note: visible(title) } : {}) };
  } catch (error) {
    const isUnanswered =
      error instanceof ClientError && !(error instanceof HttpError && error.status < 500 && error.status !== 401);
    if (!isUnanswered || needsLookup(text)) throw error;
    return { id: text, note: `not checked: ${messageOf(error)}` };
  } finally {
    await client.close();
  }
}
