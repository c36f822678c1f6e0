import { addressOf } from '../../client/address.ts';
import { isProfileName } from '../../cli/settings/config.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { embeddedFile } from '../../cli/settings/session.ts';

/** @throws UsageError where a profile cannot be called so */
export function checkProfileName(name: string): void {
  if (isProfileName(name)) return;
  throw new UsageError(
    `"${name}" cannot be the name of a profile.`,
    'Take up to 64 letters, digits, dots, dashes, underscores and @, beginning with a letter or digit.',
  );
}

/** The address with its scheme and without a slash at its end. @throws UsageError where it is none */
export function normalized(given: string): string {
  if (embeddedFile(given) !== undefined) return given;
  const isLocal = /^(localhost|127\.|\[::1\])/.test(given);
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `${isLocal ? 'http' : 'https'}://${given}`;
  try {
    const { origin, prefix } = addressOf(url);
    return origin + prefix;
  } catch (error) {
    throw new UsageError((error as Error).message, (error as { hint?: string }).hint);
  }
}
