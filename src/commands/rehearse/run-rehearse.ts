import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LineOutcome } from '../../cli/command/command-lines.ts';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { print, scopeOf, scopeSetting } from '../../cli/command/invocation.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import type { Client } from '../../client/client.ts';
import type { Exchange } from '../../client/exchange.ts';
import { type Difference, changedSince, compareSides } from '../../rehearsal/compare.ts';
import { copyTwin, getTwin } from '../../rehearsal/twin/twin-file.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { copyOrganization, organizationOf, twinDatabase } from '../shared/twin.ts';
import { type RehearseInvocation, rehearsedLine } from './rehearsed-line.ts';
import { reportText, requestsOf } from './report-text.ts';

/** Tries a plan or a command on a copy of the organization. */
export async function runRehearse(invocation: RehearseInvocation): Promise<void> {
  const { flags, globals, io, session, signal } = invocation;
  const words = await rehearsedLine(invocation);
  const line = shellCommand(['docsctl', ...words]);
  const source = await sourceOf(invocation);
  if (globals.dryRun)
    return io.note(
      `Would rehearse ${line} on a copy.${flags.thenApply ? ' Nothing would be sent without confirmation.' : ''}`,
    );
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-rehearsal-'));
  const [before, after] = [join(folder, 'before.db'), join(folder, 'after.db')];
  try {
    await source.copyTo(before);
    await copyFile(before, after);
    const { orgId } = source;
    const rehearsal = await runOnCopy(invocation, words, { orgId, file: after, folder });
    signal.throwIfAborted();
    const sideOf = (client: Client) => ({ client, orgId, signal });
    const progress = io.progress('Comparing');
    const difference = await withCopy(session, before, (old) =>
      withCopy(session, after, (now) => compareSides(sideOf(old), sideOf(now))),
    ).finally(() => progress.stop());
    await report(invocation, line, rehearsal, difference);
    if (rehearsal.status !== exit.done) throw refusal(invocation, rehearsal);
    if (flags.thenApply)
      await runForReal(invocation, { words, line }, async () => {
        const service = sideOf(await invocation.client());
        await withCopy(session, before, async (copy) =>
          refuseChanged(await changedSince(sideOf(copy), service, difference.changes)),
        );
      });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Source {
  orgId: string;
  copyTo(file: string): Promise<void>;
}

/** The organization to copy, or its twin. @throws EngineError or CommandError if there is no such twin */
async function sourceOf(invocation: RehearseInvocation): Promise<Source> {
  const { flags, session } = invocation;
  if (!flags.twin) {
    const organization = await organizationOf(invocation, await scopeOf(invocation, 'org'));
    const copyTo = async (file: string) => void (await copyOrganization(invocation, { organization, file }));
    return { orgId: organization.id, copyTo };
  }
  const twin = twinDatabase(session.env);
  const source = await getTwin(twin);
  const address = flags.thenApply ? (await session.address()).value : source.url;
  if (address !== source.url)
    throw new CommandError(`The twin is a copy from ${source.url}, but the current service is ${address}.`, {
      exitCode: exit.refused,
      hint: 'Omit --twin, or select the profile of that service with --profile.',
    });
  return { orgId: source.organization, copyTo: (file) => copyTwin(twin, file) };
}

async function withCopy<T>(
  session: RehearseInvocation['session'],
  file: string,
  run: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await session.clientFor(`embedded:${file}`, undefined);
  try {
    return await run(client);
  } finally {
    await client.close();
  }
}

async function report(
  invocation: RehearseInvocation,
  line: string,
  rehearsal: Rehearsal,
  difference: Difference,
): Promise<void> {
  const { globals, io } = invocation;
  const requests = requestsOf(rehearsal.exchanges);
  if (globals.output === undefined && globals.jq === undefined && globals.columns === undefined) {
    await io.out.write(await reportText({ requests, difference, color: io.screen.color }));
    return;
  }
  const { status, failure } = rehearsal;
  const { changes, access, brokenLinks } = difference;
  await print(invocation, {
    command: line,
    result: status === exit.done ? 'done' : 'refused',
    status,
    ...(failure && { error: failure.message }),
    requests,
    changes,
    access,
    brokenLinks,
  });
}

function refusal({ flags }: RehearseInvocation, { status, failure, exchanges }: Rehearsal): CommandError {
  const notSent = flags.thenApply ? ' Nothing was sent to the service.' : '';
  // The hint of the command is about the copy, which no longer exists.
  const hint =
    exchanges.length > 0
      ? 'This happened on a copy: the organization is unchanged. Fix the refused change and rehearse again.'
      : failure?.hint;
  return new CommandError(
    `The rehearsal ended with status ${status}: ${failure?.message ?? 'it was stopped.'}${notSent}`,
    {
      exitCode: status,
      ...(hint !== undefined && { hint }),
    },
  );
}

/** The most changed objects in an error. */
const maxNamed = 10;

/** @throws CommandError if rehearsed objects were changed in the meantime */
function refuseChanged(names: readonly string[]): void {
  if (names.length === 0) return;
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  throw new CommandError(
    `Changed since the copy was made: ${names.slice(0, maxNamed).join(', ')}${more}. Nothing was sent to the service.`,
    {
      exitCode: exit.refused,
      hint: 'Rehearse it again without --twin, or create a new twin with "docsctl twin create".',
    },
  );
}

/** The result of a command line on the copy. */
interface Rehearsal extends LineOutcome {
  exchanges: Exchange[];
}

/** Runs a command line on the copy. @param folder for its data on this machine */
async function runOnCopy(
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
async function runForReal(
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
