import { addressOf } from '../../client/address.ts';
import { isProfileName, type Profile } from '../../cli/settings/config.ts';
import { placeOfToken } from '../../cli/settings/credentials.ts';
import { failureOf, UsageError } from '../../cli/program/failure.ts';
import { embeddedFile } from '../../cli/settings/database-folder.ts';

/** @throws UsageError if the name is invalid */
export function checkProfileName(name: string): void {
  if (isProfileName(name)) return;
  throw new UsageError(
    `"${name}" is not a valid profile name.`,
    'Use up to 64 letters, digits, dots, dashes, underscores and @. Start with a letter or a digit.',
  );
}

/** The address with its scheme and without a trailing slash. @throws UsageError if it is not the URL of a service */
export function normalizedAddress(text: string): string {
  if (embeddedFile(text) !== undefined) return text;
  const isLocal = /^(localhost|127\.|\[::1\])/.test(text);
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`;
  try {
    const { origin, prefix } = addressOf(url);
    return origin + prefix;
  } catch (error) {
    const { message, hint } = failureOf(error);
    throw new UsageError(message, hint);
  }
}

export const addressMissing = () => new UsageError('No service address given.', 'Pass --url https://...');

/** Whether others on the network can read the requests to a service. */
export const isUnencrypted = (url: string): boolean =>
  url.startsWith('http:') && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** Where the token of a profile is stored, for display. */
export function tokenPlace(name: string, profile: Pick<Profile, 'url' | 'token-command'>): string {
  if (embeddedFile(profile.url) !== undefined) return 'not needed';
  return profile['token-command'] === undefined ? (placeOfToken(name) ?? 'none') : 'token-command';
}
