import { confirmQuestion, permanentText } from '../../cli/command/confirm/questions.ts';
import { print } from '../../cli/command/invocation.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import type { Exchange } from '../../client/exchange.ts';
import { endpointOfAddress } from '../../journal/endpoints.ts';
import { type Difference, changedSince } from '../../rehearsal/compare.ts';
import { copyTwin, getTwin } from '../../rehearsal/twin/twin-file.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { reportText, requestsOf } from '../shared/rehearsal-text.ts';
import { type CopySource, type Rehearsal, withRehearsal } from '../shared/run-on-copy.ts';
import { organizationSource, twinDatabase } from '../shared/twin.ts';
import { type RehearseInvocation, rehearsedLine } from './rehearsed-line.ts';
import { jsonOf } from '../../shared/json-of.ts';

/** Tries a plan or a command on a copy of the organization. */
export async function runRehearse(invocation: RehearseInvocation): Promise<void> {
  const { flags, globals, io } = invocation;
  const words = await rehearsedLine(invocation);
  const line = shellCommand(['docsctl', ...words]);
  const source = await sourceOf(invocation);
  if (globals.dryRun)
    return io.note(
      `Would rehearse ${line} on a copy.${flags.thenApply ? ' Nothing would be sent without confirmation.' : ''}`,
    );
  const options = { words, source, asksService: !flags.twin };
  await withRehearsal(invocation, options, async ({ rehearsal, difference, notChecked, before }) => {
    await report(invocation, { line, rehearsal, difference, notChecked });
    if (rehearsal.status !== exit.done) throw refusal(invocation, rehearsal);
    if (!flags.twin) await noteApproval(invocation, rehearsal.exchanges);
    if (!flags.thenApply) return;
    await runForReal(invocation, { words, line, exchanges: rehearsal.exchanges }, async () => {
      const service = { ...before, client: await invocation.client(), refuse() {} };
      refuseChanged(await changedSince(before, service, difference.changes));
    });
  });
}

/** The organization to copy, or its twin. @throws EngineError or CommandError if there is no such twin */
async function sourceOf(invocation: RehearseInvocation): Promise<CopySource> {
  const { flags, session } = invocation;
  if (!flags.twin) return organizationSource(invocation);
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

/** Notes if one of the requests needs an approval. */
async function noteApproval({ session }: RehearseInvocation, exchanges: readonly Exchange[]): Promise<void> {
  for (const { request } of exchanges) {
    const addressed = await endpointOfAddress(request.method, request.path);
    if (addressed) await session.approvals.note({ ...addressed, body: jsonOf(request.body) });
  }
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
