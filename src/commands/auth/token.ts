import type { Invocation } from '../../cli/command/command.ts';
import { print } from '../../cli/command/invocation.ts';
import { unauthenticated } from '../../cli/program/failure.ts';
import { forgetToken, placeOfToken } from '../../cli/settings/credentials.ts';
import { tokenVariable } from '../../cli/settings/token-sources.ts';
import { profileNamed } from '../../cli/settings/config.ts';
import { embeddedFile } from '../../cli/settings/database-folder.ts';
import type { LogoutInvocation } from './options.ts';

export async function logout(invocation: LogoutInvocation): Promise<void> {
  const { flags, globals, io, session } = invocation;
  const names = flags.all ? Object.keys(session.config.profiles) : [await profileInUse(invocation)];
  for (const name of names) {
    if (globals.dryRun) {
      const place = placeOfToken(name);
      await io.note(
        place === undefined
          ? `Would remove the token of the profile "${name}", but there is none.`
          : `Would remove the token of the profile "${name}" from the ${place}.`,
      );
      continue;
    }
    const isRemoved = await forgetToken(name);
    await io.note(
      isRemoved
        ? `Removed the token of the profile "${name}" from this machine. It stays valid until the service revokes it.`
        : `The profile "${name}" has no token.`,
    );
  }
  const commands = names.filter((name) => session.config.profiles[name]?.['token-command'] !== undefined);
  for (const name of commands)
    await io.note(
      `The profile "${name}" has a token-command; "docsctl config unset token-command --profile ${name}" removes it.`,
    );
  const variable = tokenVariable(session.env);
  if (variable !== undefined) await io.note(`${variable} is still set.`);
}

async function profileInUse({ session }: Invocation): Promise<string> {
  const profile = await session.profileInUse();
  if (profile === undefined) throw unauthenticated('No profile is in use.', 'Name one with --profile.');
  profileNamed(session.config.profiles, profile.value, profile.source);
  return profile.value;
}

/** Prints the current token, for other programs. */
export async function printToken(invocation: Invocation): Promise<void> {
  const { session, globals, io } = invocation;
  const token = await session.token();
  if (!token) {
    const address = await session.address();
    if (embeddedFile(address.value) === undefined) throw session.tokenMissing(address);
    throw unauthenticated(
      `${address.value} is a local instance in this process, which needs no token.`,
      'To connect other programs, start "docsctl serve" and create a token with "docsctl serve token create".',
    );
  }
  if (globals.output !== undefined || globals.jq !== undefined) return print(invocation, { token: token.value });
  await io.out.write(`${token.value}\n`);
}
