import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { print } from '../../cli/command/invocation.ts';
import { createProgress } from '../../cli/output/index.ts';
import { shellCommand } from '../../cli/output/shell-quote.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { compareSides, type Difference } from './compare.ts';
import { type Copies, makeCopies, organizationOf, type Rehearsal, runOnCopy, twinInUse } from './rehearsal.ts';
import { type RehearseInvocation, rehearsedLine } from './rehearsed-line.ts';
import { reportText, requestsOf } from './report-text.ts';

/** Tries a plan or a command on a copy of the organization. */
export async function runRehearse(invocation: RehearseInvocation): Promise<void> {
  const { flags, globals, io } = invocation;
  const words = await rehearsedLine(invocation);
  const line = shellCommand(['docsctl', ...words]);
  if (globals.dryRun) {
    await (flags.twin ? twinInUse(invocation) : organizationOf(invocation));
    return io.note(
      `Would rehearse ${line} on a copy.${flags.thenApply ? ' Nothing would be sent before a question.' : ''}`,
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-rehearsal-'));
  try {
    const copies = await makeCopies(invocation, folder);
    const rehearsal = await runOnCopy(invocation, words, { ...copies, folder });
    invocation.signal.throwIfAborted();
    await report(invocation, line, rehearsal, await compare(invocation, copies));
    if (rehearsal.status !== exit.done) throw refusal(invocation, rehearsal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (flags.thenApply) await applyForReal(invocation, words, line);
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

function refusal({ flags }: RehearseInvocation, { status, failure }: Rehearsal): CommandError {
  const notSent = flags.thenApply ? ' Nothing was sent to the service.' : '';
  return new CommandError(
    `The rehearsal ended with status ${status}: ${failure?.message ?? 'it was stopped.'}${notSent}`,
    {
      exitCode: status,
      ...(failure?.hint !== undefined && { hint: failure.hint }),
    },
  );
}

/** Does in the service what was rehearsed. The question was asked here, so that the command asks none. */
async function applyForReal(invocation: RehearseInvocation, words: readonly string[], line: string): Promise<void> {
  const { lines, globals, session, flags } = invocation;
  const { value } = await session.address();
  await confirmQuestion(invocation, `Run this at ${value} now? ${line}`);
  const { status, failure } = await lines.run(words, {
    globals: { ...globals, yes: true },
    env: { ...session.env, ...(flags.org !== undefined && { DOCSCTL_ORG: flags.org }) },
    streams: lines.streams,
    exchanges: session.exchanges,
  });
  if (status !== exit.done)
    throw new CommandError(`${line} ended with status ${status}${failure ? `: ${failure.message}` : ''}`, {
      exitCode: status,
      hint: 'The organization was changed since it was copied, or follows other rules than the copy.',
    });
}
