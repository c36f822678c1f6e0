import type { Invocation } from '../../cli/command/command.ts';
import { needsLookup } from '../../cli/naming/reading.ts';
import { visible } from '../../cli/output/index.ts';
import { profileNamed } from '../../cli/settings/profile.ts';
import { readToken } from '../../cli/settings/credentials.ts';
import type { ScopeName } from '../../contract/objects.ts';
import { messageOf } from '../../shared/error-text.ts';

const checkTimeout = { timeout: 5, retries: 0 };

/** A default of a profile: the id that is stored, and a remark about it. */
export interface Resolved {
  id: string;
  note?: string;
}

/**
 * The id for a default organization, space or site that may be given by its name. It is looked up on the service of the
 * profile. An id is kept although the service cannot be asked; a name cannot be.
 *
 * @throws CommandError (status 5) where the service knows neither an id nor a name like this
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
