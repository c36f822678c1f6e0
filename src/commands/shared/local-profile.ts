import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import type { Invocation } from '../../cli/command/command.ts';
import type { Profile } from '../../cli/settings/config.ts';
import { placeOfToken } from '../../cli/settings/credentials.ts';
import { embeddedFile } from '../../cli/settings/database-folder.ts';
import { checkProfileName } from './profile-address.ts';

const firstName = 'local';

/** The profile to save for a local instance. */
export interface LocalProfile {
  name: string;
  /** The profile for another service that has this name now. */
  replaced: Profile | undefined;
}

/**
 * Chooses the profile for a database: that of `--profile`, or else its existing one, or else a new one. Replaces only the
 * profile of `--profile`, and asks first if its token would be lost.
 *
 * @param isFor whether a profile is for this database
 * @throws UsageError if the name is invalid, or if a confirmation is required and missing
 */
export async function chooseLocalProfile(
  invocation: Invocation,
  isFor: (profile: Profile) => boolean,
): Promise<LocalProfile> {
  const { profiles, current } = invocation.session.config;
  const requested = invocation.globals.profile;
  if (requested === undefined) {
    const names = Object.keys(profiles).filter((name) => isFor(profiles[name]!));
    const own = names.find((name) => name === current) ?? names[0];
    return { name: own ?? freeName(profiles), replaced: undefined };
  }
  checkProfileName(requested);
  const before = profiles[requested];
  if (before === undefined || isFor(before)) return { name: requested, replaced: undefined };
  if (databaseBehind(before) === undefined && placeOfToken(requested) !== undefined) {
    const question = `Replace the profile "${requested}" (${before.url}) and remove its token?`;
    await confirmQuestion(invocation, question);
  }
  return { name: requested, replaced: before };
}

/** The database of a profile on this machine; undefined for a remote service. */
export const databaseBehind = ({ url, database }: Profile): string | undefined => database ?? embeddedFile(url);

/** `local`, or the first free name of `local-2`, `local-3`... */
function freeName(profiles: Record<string, Profile>): string {
  let name = firstName;
  for (let count = 2; profiles[name] !== undefined; count += 1) name = `${firstName}-${count}`;
  return name;
}

/** A note about the service that the profile was for before; empty if there was none. */
export const replacementNote = ({ name, replaced }: LocalProfile): string =>
  replaced === undefined ? '' : ` The profile "${name}" was for ${replaced.url} before.`;
