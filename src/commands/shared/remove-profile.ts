import type { Invocation } from '../../cli/command/command.ts';
import { updateConfig } from '../../cli/settings/config.ts';
import { forgetToken, writeToken } from '../../cli/settings/credentials.ts';
import { forgetPermissions } from '../../cli/settings/project-permission.ts';
import { messageOf } from '../../shared/error-text.ts';

/** Removes a profile with its token and its permissions. */
export async function removeProfile({ io }: Pick<Invocation, 'io'>, name: string): Promise<void> {
  try {
    await forgetToken(name);
  } catch (error) {
    await io.note(`${messageOf(error)} The token stays in the keyring, but no profile uses it.`);
    await writeToken(name, undefined);
  }
  await updateConfig((config) => {
    delete config.profiles[name];
    if (config.current === name) delete config.current;
  });
  await forgetPermissions(name);
  await io.note(`Deleted the profile "${name}".`);
}
