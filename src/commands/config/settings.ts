import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { profileNamed } from '../../cli/settings/config.ts';
import { ProfileNotAllowed } from '../../cli/settings/project-permission.ts';
import type { Session, Setting } from '../../cli/settings/session.ts';
import { nearest } from '../../shared/suggest.ts';
import { type Key, keys } from './options.ts';

/** The value in effect and its origin. */
export async function settingOf(session: Session, key: Key): Promise<Setting | undefined> {
  if (key === 'profile') {
    const profile = await session.profileInUse({ ask: false });
    if (profile?.origin === 'flag') profileNamed(session.config.profiles, profile.value, profile.source);
    return profile;
  }
  try {
    if (key === 'journal') {
      const journal = await session.journal({ ask: false });
      return journal.source === '' ? undefined : journal;
    }
    return await (key === 'url' ? session.address({ ask: false }) : session.scope(key, undefined, { ask: false }));
  } catch (error) {
    if (isWithoutService(error)) return undefined;
    throw error;
  }
}

/** Without a service, there are no address and no defaults. */
const isWithoutService = (error: unknown) =>
  error instanceof CommandError && error.exitCode === exit.unauthenticated && !(error instanceof ProfileNotAllowed);

/** The setting with this name. @throws UsageError with the most similar name */
export function keyNamed(word: string): Key {
  const key = keys.find((candidate) => candidate === word);
  if (key) return key;
  const near = nearest(word, keys);
  throw new UsageError(
    `There is no setting "${word}".`,
    near ? `Did you mean "${near}"?` : `The settings are ${keys.join(', ')}.`,
  );
}
