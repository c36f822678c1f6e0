import { type Profile, updateConfig } from '../../cli/settings/config.ts';
import { writeToken } from '../../cli/settings/credentials.ts';
import type { LocalProfile } from '../shared/local-profile.ts';

interface Service {
  file: string;
  url: string;
  organization: string;
  newToken: string | undefined;
}

/** The saved profile of a service, and what changed in it. */
export interface KeptProfile {
  name: string;
  /** Whether it is new, and another profile is the current one. */
  isAside: boolean;
  /** Its previous address for the same database. */
  movedFrom: string | undefined;
  /** The address of the other service that it was for. */
  replaced: string | undefined;
}

/**
 * Saves a new token in a profile. Without a new token, updates the address in the profile of the database, because the
 * service may listen on another port than before.
 *
 * @returns undefined if the database has no profile
 */
export async function keepProfile(
  { name, replaced }: LocalProfile,
  { file, url, organization, newToken }: Service,
  profiles: Readonly<Record<string, Profile>>,
): Promise<KeptProfile | undefined> {
  if (newToken === undefined) {
    const own = profiles[name];
    if (own?.database !== file) return undefined;
    // Without a change, the settings may be read-only.
    if (own.url === url) return { name, isAside: false, movedFrom: undefined, replaced: undefined };
  }
  const kept = await updateConfig((config): KeptProfile | undefined => {
    const before = config.profiles[name];
    const isOwn = before?.database === file;
    if (newToken === undefined && !isOwn) return undefined;
    // The previous default space and site do not exist in a new database.
    config.profiles[name] =
      newToken === undefined && before ? { ...before, url } : { url, org: organization, database: file };
    if (newToken !== undefined) config.current ??= name;
    return {
      name,
      isAside: newToken !== undefined && config.current !== name,
      movedFrom: isOwn && before.url !== url ? before.url : undefined,
      replaced: replaced?.url,
    };
  });
  if (newToken !== undefined) await writeToken(name, newToken);
  return kept;
}

/** What users should know about the profile. */
export function notesOn(kept: KeptProfile | undefined): string[] {
  if (kept === undefined) return [];
  const { name, isAside, movedFrom, replaced } = kept;
  return [
    ...(replaced === undefined ? [] : [`The profile "${name}" was for ${replaced} before.`]),
    ...(movedFrom === undefined ? [] : [`The profile "${name}" has the new address; it was ${movedFrom}.`]),
    ...(isAside
      ? [`Use it with --profile ${name}, or make it the current one with "docsctl profiles use ${name}".`]
      : []),
  ];
}
