import type { Invocation } from '../../cli/command/command.ts';
import { needsLookup } from '../../cli/naming/reading.ts';
import { visible } from '../../cli/output/index.ts';
import { profileNamed } from '../../cli/settings/config.ts';
import { readToken } from '../../cli/settings/credentials.ts';
import type { ScopeName } from '../../contract/objects.ts';
import { messageOf } from '../../shared/error-text.ts';

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
  const client = await session.clientFor(settings.url, await readToken(profile), checkTimeout);
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
