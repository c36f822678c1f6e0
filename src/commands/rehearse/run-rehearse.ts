import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { confirmQuestion, permanentText } from '../../cli/command/confirm/questions.ts';
import { print, scopeOf } from '../../cli/command/invocation.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import type { Client } from '../../client/client.ts';
import type { Exchange } from '../../client/exchange.ts';
import { endpointOfAddress } from '../../journal/endpoints.ts';
import { type Difference, changedSince, compareSides } from '../../rehearsal/compare.ts';
import { addReader, copyTwin, getTwin } from '../../rehearsal/twin/twin-file.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { copyOrganization, organizationOf, twinDatabase } from '../shared/twin.ts';
import { type RehearseInvocation, rehearsedLine } from './rehearsed-line.ts';
import { reportText, requestsOf } from './report-text.ts';
import { type Rehearsal, rehearse } from './run-on-copy.ts';

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
    const notChecked = await source.copyTo(before);
    const { orgId } = source;
    const rehearsal = await rehearse(invocation, words, { orgId, before, after, folder, notChecked });
    const sideOf = (client: Client) => ({ client, orgId, signal });
    const isChanged = rehearsal.exchanges.some(mayHaveChanged);
    const reader = isChanged ? await addReader([before, after], orgId) : undefined;
    const compare = async (user: string) => {
      const progress = io.progress('Comparing');
      return withCopy(session, { file: before, user }, (old) =>
        withCopy(session, { file: after, user }, (now) => compareSides(sideOf(old), sideOf(now))),
      ).finally(() => progress.stop());
    };
    const difference = reader === undefined ? noDifference : await compare(reader);
    await report(invocation, { line, rehearsal, difference, notChecked });
    if (rehearsal.status !== exit.done) throw refusal(invocation, rehearsal);
    if (flags.thenApply)
      await runForReal(invocation, { words, line, exchanges: rehearsal.exchanges }, async () => {
        if (reader === undefined) return;
        const service = { ...sideOf(await invocation.client()), refuse() {} };
        await withCopy(session, { file: before, user: reader }, async (copy) =>
          refuseChanged(await changedSince(sideOf(copy), service, difference.changes)),
        );
      });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const noDifference: Difference = { changes: [], access: [], brokenLinks: [] };

/** Nothing else leaves the copies different: what is refused is not done. */
const mayHaveChanged = ({ request, response }: Exchange): boolean =>
  request.method !== 'GET' && (response === undefined || response.status < 400 || response.status >= 500);

interface Source {
  orgId: string;
  /** @returns what the copy lacks because the caller may not read it, with the number of each */
  copyTo(file: string): Promise<Record<string, number>>;
}

/** The organization to copy, or its twin. @throws EngineError or CommandError if there is no such twin */
async function sourceOf(invocation: RehearseInvocation): Promise<Source> {
  const { flags, session } = invocation;
  if (!flags.twin) {
    const organization = await organizationOf(invocation, await scopeOf(invocation, 'org'));
    const copyTo = async (file: string) => {
      const { leftOut } = await copyOrganization(invocation, { organization, file });
      return Object.fromEntries(leftOut.refused);
    };
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
  const copyTo = async (file: string) => {
    await copyTwin(twin, file);
    return source.notReadable ?? {};
  };
  return { orgId: source.organization, copyTo };
}

async function withCopy<T>(
  session: RehearseInvocation['session'],
  { file, user }: { file: string; user: string },
  run: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await session.clientFor(`embedded:${file}`, undefined, { user });
  try {
    return await run(client);
  } finally {
    await client.close();
  }
}

interface Result {
  line: string;
  rehearsal: Rehearsal;
  difference: Difference;
  /** What the copy lacks because the caller may not read it. */
  notChecked: Record<string, number>;
}

async function report(
  invocation: RehearseInvocation,
  { line, rehearsal, difference, notChecked }: Result,
): Promise<void> {
  const { globals, io } = invocation;
  const requests = requestsOf(rehearsal.exchanges);
  if (globals.output === undefined && globals.jq === undefined && globals.columns === undefined) {
    await io.out.write(await reportText({ requests, difference, notChecked, color: io.screen.color }));
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
    notChecked,
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

/** Runs the rehearsed command on the service after a confirmation. @param check throws if the service was changed */
async function runForReal(
  invocation: RehearseInvocation,
  { words, line, exchanges }: { words: readonly string[]; line: string; exchanges: readonly Exchange[] },
  check: () => Promise<void>,
): Promise<void> {
  const { lines, globals, session, flags } = invocation;
  const { value } = await session.address();
  const sent = await Promise.all(exchanges.map(({ request: { method, path } }) => endpointOfAddress(method, path)));
  const permanent = await permanentText(...sent.flatMap((each) => each ?? []));
  await confirmQuestion(invocation, `Run this on ${value} now? ${line}${permanent}`);
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
