import { addressOf } from '../../client/address.ts';
import { isProfileName } from '../../cli/settings/config.ts';
import { failureOf, UsageError } from '../../cli/program/failure.ts';
import { embeddedFile } from '../../cli/settings/session.ts';

/** @throws UsageError where a profile cannot have this name */
export function checkProfileName(name: string): void {
  if (isProfileName(name)) return;
  throw new UsageError(
    `"${name}" cannot be the name of a profile.`,
    'Use up to 64 letters, digits, dots, dashes, underscores and @. The first must be a letter or a digit.',
  );
}

/** The address with its scheme and without a slash at its end. @throws UsageError where it is not a service URL */
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

export const addressMissing = () => new UsageError('No address of a service given.', 'Pass --url https://...');

/** Whether others on the network can read what is sent to a service. */
export const isUnencrypted = (url: string): boolean =>
  url.startsWith('http:') && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
