import type { Invocation } from '../command/command.ts';
import { CommandError, exit } from '../program/failure.ts';

/** Runs a command line on a copy of the organization, as `docsctl rehearse` does. @throws CommandError with its status */
export async function rehearseLine(
  { lines, globals, session, flags: { org, space, site } }: Invocation,
  words: readonly string[],
): Promise<void> {
  const { status } = await lines.run(['rehearse', ...(org === undefined ? [] : ['--org', org]), '--', ...words], {
    globals,
    env: {
      ...session.env,
      ...(space !== undefined && { DOCSCTL_SPACE: space }),
      ...(site !== undefined && { DOCSCTL_SITE: site }),
    },
    streams: lines.streams,
    exchanges: session.exchanges,
  });
  // The rehearsal has reported its error.
  if (status !== exit.done) throw new CommandError('', { exitCode: status });
}
