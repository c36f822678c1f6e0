import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import type { LineOutcome } from '../../cli/command/command-lines.ts';
import { scopeSetting } from '../../cli/command/invocation.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import type { Exchange } from '../../client/exchange.ts';
import type { RehearseInvocation } from './rehearsed-line.ts';

/** The result of a command line on the copy. */
export interface Rehearsal extends LineOutcome {
  exchanges: Exchange[];
}

/** Runs a command line on the copy. @param folder for its data on this machine */
export async function runOnCopy(
  invocation: RehearseInvocation,
  words: readonly string[],
  { orgId, file, folder }: { orgId: string; file: string; folder: string },
): Promise<Rehearsal> {
  const { lines, globals, session } = invocation;
  const exchanges: Exchange[] = [];
  const nowhere = { write: () => {} };
  const scope = async (name: 'space' | 'site') => (await scopeSetting(invocation, name, { ask: false })).setting?.value;
  const { profile: _profile, har: _har, output: _output, jq: _jq, columns: _columns, ...others } = globals;
  // The folder of a plan belongs to the service, not to the copy.
  const line = words[0] === 'apply' ? [...words, '--leave-lock'] : words;
  const outcome = await lines.run(line, {
    globals: { ...others, url: `embedded:${file}`, yes: true, input: false, record: true },
    env: {
      ...session.env,
      DOCSCTL_URL: undefined,
      DOCSCTL_TOKEN: undefined,
      DOCSCTL_PROFILE: undefined,
      DOCSCTL_ORG: orgId,
      DOCSCTL_SPACE: await scope('space'),
      DOCSCTL_SITE: await scope('site'),
      // Data on this machine about the service must not be mixed with data about the copy.
      DOCSCTL_DATA_DIR: folder,
      DOCSCTL_JOURNAL: 'off',
      GITHUB_ACTIONS: undefined,
      GITLAB_CI: undefined,
    },
    streams: { out: nowhere, err: nowhere, screen: { terminal: false, color: false, width: Infinity } },
    exchanges,
  });
  return { ...outcome, exchanges };
}

/** Runs the rehearsed command on the service after a confirmation. @param check throws if the service was changed */
export async function runForReal(
  invocation: RehearseInvocation,
  { words, line }: { words: readonly string[]; line: string },
  check: () => Promise<void>,
): Promise<void> {
  const { lines, globals, session, flags } = invocation;
  const { value } = await session.address();
  await confirmQuestion(invocation, `Run this on ${value} now? ${line}`);
  await check();
  const { status, failure } = await lines.run(words, {
    globals: { ...globals, yes: true },
    env: { ...session.env, ...(flags.org !== undefined && { DOCSCTL_ORG: flags.org }) },
    streams: lines.streams,
    exchanges: session.exchanges,
  });
  if (status !== exit.done)
    throw new CommandError(`${line} ended with status ${status}${failure ? `: ${failure.message}` : ''}`, {
      exitCode: status,
      hint: failure?.hint ?? 'The organization was changed since it was copied, or has other rules than the copy.',
    });
}
