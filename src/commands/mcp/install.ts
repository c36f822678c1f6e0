import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { printList } from '../../cli/command/list.ts';
import { print } from '../../cli/command/invocation.ts';
import { profileNamed } from '../../cli/settings/config.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { nearest } from '../../shared/suggest.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { type Client, clients } from './clients.ts';
import { clientNames } from './client-names.ts';

type InstallInvocation = Invocation<
  { client?: string | undefined },
  {
    folder?: string[] | undefined;
    readOnly?: boolean | undefined;
    fullPath?: boolean | undefined;
    org?: string | undefined;
  }
>;

/** Prints the configuration of a client, or lists the clients. */
export async function install(invocation: InstallInvocation): Promise<void> {
  const { args, globals, io, session } = invocation;
  const profile = await session.profileName();
  if (profile) profileNamed(session.config.profiles, profile.value, profile.source);
  if (args.client === undefined)
    return printList(
      invocation,
      clientNames.map((client) => ({ client, file: clients[client].file })),
    );
  const client = clientNamed(args.client);
  const words = wordsOf(invocation);
  const { file, configuration, command } = client;
  const added = command?.(words);
  if (globals.output !== undefined || globals.jq !== undefined || globals.columns !== undefined)
    return print(invocation, {
      client: args.client,
      file,
      configuration: configuration(words),
      ...(added && { command: shellCommand(added) }),
    });
  await io.note(`Add this to ${file}${added ? `, or run: ${shellCommand(added)}` : ''}`);
  await io.out.write(configuration(words));
  if (profile === undefined)
    await io.note('No profile is in use. Create one for the agent with "docsctl auth login --profile agent".');
}

function clientNamed(text: string): Client {
  const name = clientNames.find((each) => each === text);
  if (name) return clients[name];
  const near = nearest(text, clientNames);
  throw new UsageError(
    `There is no client "${text}".`,
    near === undefined ? `Clients: ${clientNames.join(', ')}.` : `Did you mean "${near}"?`,
  );
}

/** The command line that the client starts. It names the profile: a token would be saved in the file of the client. */
function wordsOf({ flags, globals }: InstallInvocation): [string, ...string[]] {
  const { folder = [], readOnly, fullPath, org } = flags;
  const program: [string, ...string[]] = fullPath ? [process.execPath, resolve(process.argv[1] ?? '')] : ['docsctl'];
  return [
    ...program,
    'mcp',
    ...(globals.profile === undefined ? [] : ['--profile', globals.profile]),
    ...(org === undefined ? [] : ['--org', org]),
    ...folder.flatMap((path) => ['--folder', resolve(path)]),
    ...(readOnly ? ['--read-only'] : []),
  ];
}
