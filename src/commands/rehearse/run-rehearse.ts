import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { print } from '../../cli/command/invocation.ts';
import { createProgress } from '../../cli/output/index.ts';
import { shellCommand } from '../../cli/output/shell-quote.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { changedSince, compareSides, type Difference } from '../../rehearsal/compare.ts';
import {
  type Copies,
  makeCopies,
  organizationOf,
  type Rehearsal,
  runOnCopy,
  twinInUse,
} from '../../rehearsal/rehearsal.ts';
import { type RehearseInvocation, rehearsedLine } from '../../rehearsal/rehearsed-line.ts';
import { reportText, requestsOf } from './report-text.ts';

/** Tries a plan or a command on a copy of the organization. */
export async function runRehearse(invocation: RehearseInvocation): Promise<void> {
  const { flags, globals, io } = invocation;
  const words = await rehearsedLine(invocation);
  const line = shellCommand(['docsctl', ...words]);
  if (globals.dryRun) {
    await (flags.twin ? twinInUse(invocation) : organizationOf(invocation));
    return io.note(
      `Would rehearse ${line} on a copy.${flags.thenApply ? ' Nothing would be sent without confirmation.' : ''}`,
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-rehearsal-'));
  try {
    const copies = await makeCopies(invocation, folder);
    const rehearsal = await runOnCopy(invocation, words, { ...copies, folder });
    invocation.signal.throwIfAborted();
    const difference = await compare(invocation, copies);
    await report(invocation, line, rehearsal, difference);
    if (rehearsal.status !== exit.done) throw refusal(invocation, rehearsal);
    if (flags.thenApply) await applyForReal(invocation, { words, line, copies, difference });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare({ session, signal, io }: RehearseInvocation, copies: Copies): Promise<Difference> {
  const { orgId } = copies;
  const progress = createProgress('Comparing', { animated: io.canAnimate, quiet: io.quiet });
  const before = await session.clientFor(`embedded:${copies.before}`, undefined);
  try {
    const after = await session.clientFor(`embedded:${copies.after}`, undefined);
    try {
      return await compareSides({ client: before, orgId, signal }, { client: after, orgId, signal });
    } finally {
      await after.close();
    }
  } finally {
    await before.close();
    progress.stop();
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
  // What the command says of what it made is about the copy, which is gone.
  const hint =
    exchanges.length > 0
      ? 'This was on a copy: the organization is unchanged. Correct what was refused and rehearse again.'
      : failure?.hint;
  return new CommandError(
    `The rehearsal ended with status ${status}: ${failure?.message ?? 'it was stopped.'}${notSent}`,
    {
      exitCode: status,
      ...(hint !== undefined && { hint }),
    },
  );
}

interface Rehearsed {
  words: readonly string[];
  line: string;
  copies: Copies;
  difference: Difference;
}

/** Does in the service what was rehearsed. The question was asked here, so that the command asks none. */
async function applyForReal(invocation: RehearseInvocation, rehearsed: Rehearsed): Promise<void> {
  const { lines, globals, session, flags } = invocation;
  const { words, line } = rehearsed;
  const { value } = await session.address();
  await confirmQuestion(invocation, `Run this on ${value} now? ${line}`);
  await refuseChanged(invocation, rehearsed);
  const { status, failure } = await lines.run(words, {
    globals: { ...globals, yes: true },
    env: { ...session.env, ...(flags.org !== undefined && { DOCSCTL_ORG: flags.org }) },
    streams: lines.streams,
    exchanges: session.exchanges,
  });
  if (status !== exit.done)
    throw new CommandError(`${line} ended with status ${status}${failure ? `: ${failure.message}` : ''}`, {
      exitCode: status,
      hint: failure?.hint ?? 'The organization was changed since it was copied, or follows other rules than the copy.',
    });
}

/** How many changed objects an error names. */
const maxNamed = 10;

/** @throws CommandError where somebody changed meanwhile what the rehearsal changed */
async function refuseChanged(invocation: RehearseInvocation, { copies, difference }: Rehearsed): Promise<void> {
  const { session, signal } = invocation;
  const { orgId } = copies;
  const copy = await session.clientFor(`embedded:${copies.before}`, undefined);
  try {
    const service = { client: await invocation.client(), orgId, signal };
    const names = await changedSince({ client: copy, orgId, signal }, service, difference.changes);
    if (names.length === 0) return;
    const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
    throw new CommandError(
      `Changed since the copy was made: ${names.slice(0, maxNamed).join(', ')}${more}. Nothing was sent to the service.`,
      { exitCode: exit.refused, hint: 'Rehearse it again, without --twin or after a new "docsctl twin create".' },
    );
  } finally {
    await copy.close();
  }
}
