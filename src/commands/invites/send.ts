import { scopeOf } from '../../cli/command/invocation.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { roleOf } from '../../people/roles.ts';
import { type Choices, invite } from './invite.ts';
import { isAddress, noteIgnored, readPeopleFile } from '../../people/people-file.ts';
import { addressesIn, commandFor, fileShape, type People, type SendInvocation } from './people.ts';

export async function send(invocation: SendInvocation): Promise<void> {
  const { args, flags, io } = invocation;
  const addresses = args.email ?? [];
  if (addresses.length > 0 && flags.from !== undefined)
    throw new UsageError('Addresses and --from cannot be combined.', 'Add the addresses to the file.');
  if (addresses.length === 0 && flags.from === undefined) {
    if (!io.interactive) {
      throw new UsageError(
        'No email address given.',
        'Pass addresses, or a CSV file with --from. In a terminal, this command asks for them.',
      );
    }
    const { inviteByWizard } = await import('./wizard.ts');
    return inviteByWizard(invocation);
  }
  const people =
    flags.from === undefined
      ? peopleOf(addresses)
      : readPeopleFile(fileText(flags.from, '--from'), flags.from, fileShape);
  if (flags.from !== undefined) await noteIgnored(invocation, flags.from, people);
  const { sso, updateRoles, result } = flags;
  const choices: Choices = {
    role: flags.role === undefined ? undefined : roleOf(flags.role),
    sso,
    updateRoles,
    result,
  };
  await invite(
    invocation,
    await scopeOf(invocation, 'org'),
    people,
    choices,
    commandFor(invocation, { ...flags, addresses }),
  );
}

function peopleOf(words: string[]): People {
  const emails = words.flatMap(addressesIn);
  const rejected = emails.filter((email) => !isAddress(email));
  if (emails.length === 1 && rejected.length === 1) throw new UsageError(`"${emails[0]}" is not an email address.`);
  return {
    rows: emails.filter(isAddress).map((name) => ({ name })),
    rejected: rejected.map((name) => ({ name, reason: 'not an email address' })),
  };
}
