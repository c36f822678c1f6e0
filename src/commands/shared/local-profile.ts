import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import type { Invocation } from '../../cli/command/command.ts';
import type { Profile } from '../../cli/settings/config.ts';
import { placeOfToken } from '../../cli/settings/credentials.ts';
import { embeddedFile } from '../../cli/settings/session.ts';
import { checkProfileName } from './profile-address.ts';

/** Name of the profile of the first local instance. */
const firstName = 'local';

/** The profile to be written for the database of a local instance. */
export interface LocalProfile {
  name: string;
  /** What has the name now, where that is another place. */
  replaced: Profile | undefined;
}

/**
 * Chooses the profile for a database: the one of `--profile`, else the one it has, else a new one. Only what `--profile`
 * names is replaced, and only after a question where its token would be lost.
 *
 * @param isFor whether a profile is for the database already
 * @throws UsageError for a name that no profile can have, and where a confirmation is missing
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

/** The database that a profile leads to on this machine; undefined for another service. */
export const databaseBehind = ({ url, database }: Profile): string | undefined => database ?? embeddedFile(url);

/** `local`, or the first of `local-2`, `local-3`... that no profile has. */
function freeName(profiles: Record<string, Profile>): string {
  let name = firstName;
  for (let count = 2; profiles[name] !== undefined; count += 1) name = `${firstName}-${count}`;
  return name;
}

/** Says what a profile was for before; empty where it was for nothing else. */
export const replacementNote = ({ name, replaced }: LocalProfile): string =>
  replaced === undefined ? '' : ` The profile "${name}" was for ${replaced.url} before.`;
