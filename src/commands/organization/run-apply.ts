import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { wantsResult } from '../../cli/command/result.ts';
import { outputOptions } from '../../cli/command/invocation.ts';
import { createListOutput } from '../../cli/output/index.ts';
import { branchIn, buildServer } from '../../cli/program/build-server.ts';
import { CommandError, exit, failureOf, UsageError } from '../../cli/program/failure.ts';
import { applyPlan, renewLock } from '../../organization/apply/apply.ts';
import type { Applied } from '../../organization/apply/applied.ts';
import { checkPlan, type MaxRemovals, readMaxRemovals } from '../../organization/apply/checks.ts';
import { remainingAfter } from '../../organization/apply/remaining.ts';
import { StateRecorder } from '../../organization/apply/state-recorder.ts';
import {
  archiveLeftovers,
  hasLeftovers,
  recordUnchanged,
  releaseLease,
  restart,
  takeFreeLease,
  takeLease,
} from '../../organization/apply/take-lease.ts';
import { requestCount } from '../../organization/plan/change.ts';
import type { MadePlan } from '../../organization/plan/make-plan.ts';
import type { OrganizationPort } from '../../organization/port.ts';
import { breakLease, type HeldLease } from '../../organization/state/held-lease.ts';
import { readShared } from '../../organization/state/shared-state.ts';
import { commitOf, refuseStale, StaleFiles } from '../../organization/state/stale.ts';
import type { AppliedEntry } from '../../organization/state/state.ts';
import { expiryLines } from '../../organization/terms.ts';
import { counted } from '../../shared/counted.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { visible } from '../../shared/visible.ts';
import { type Checkout, readCheckout } from '../../sync/checkout.ts';
import { permanentLines } from '../shared/permanent.ts';
import { changeLines, printPlan, shownChanges, summaryText } from '../shared/print-plan.ts';
import { readOverlay } from '../../organization/files/environment.ts';
import { reasonsForApproval } from './needs-approval.ts';
import { countsOf, organizationFor, type PlanInvocation, type Planning, withOrganization, withPlan } from './run.ts';

type ApplyInvocation = PlanInvocation & {
  flags: {
    keepGoing?: boolean | undefined;
    maxRemovals?: string | undefined;
    withoutSelf?: boolean | undefined;
    leaveLock?: boolean | undefined;
    wait?: boolean | undefined;
    breakLease?: boolean | undefined;
    ifStale?: string | undefined;
  };
};

/** Applies the files of an organization, or a saved plan. */
export async function runApply(invocation: ApplyInvocation): Promise<void> {
  const { args, flags, session } = invocation;
  const maxRemovals = readMaxRemovals(flags.maxRemovals);
  const folder = resolve(args.folder ?? '.');
  const stats = await stat(folder).catch(() => undefined);
  if (!stats && args.folder?.endsWith('.json'))
    throw new UsageError(`There is no file ${args.folder}.`, 'Create a plan with "docsctl plan --out".');
  const isSaved = stats?.isFile() ?? false;
  if (flags.breakLease) await askAndBreak(invocation);
  await withPlan(invocation, { isSaved }, async (made, planning) => {
    const checkout = await readCheckout(made.path, branchIn(session.env));
    const run = new ApplyRun(invocation, { ...planning, maxRemovals, checkout });
    await run.apply(made);
  });
}

async function askAndBreak(invocation: ApplyInvocation): Promise<void> {
  const { args, flags } = invocation;
  const folder = args.folder ?? '.';
  const overlay = flags.env === undefined ? undefined : await readOverlay(resolve(folder), folder, flags.env);
  const orgId = await organizationFor(invocation, overlay);
  await withOrganization(invocation, 'Reading the state', async (port) => {
    const shared = await readShared(port, orgId);
    if (!shared?.lease) return port.note('No apply holds a lease.');
    const { holder, host, since } = shared.lease;
    const whose = `the lease of ${visible(holder)} on ${visible(host)}, taken at ${since}`;
    if (invocation.globals.dryRun) return port.note(`Would remove ${whose}.`);
    await confirmQuestion(invocation, `Remove ${whose}? If that apply is still running, it stops.`);
    await breakLease(port, shared.space);
    await port.note(`Removed ${whose}.`);
  });
}

interface RunOptions extends Planning {
  maxRemovals: MaxRemovals;
  /** Of the files. */
  checkout: Checkout | undefined;
}

class ApplyRun {
  readonly #invocation: ApplyInvocation;
  readonly #options: RunOptions;

  constructor(invocation: ApplyInvocation, options: RunOptions) {
    this.#invocation = invocation;
    this.#options = options;
  }

  async apply(made: MadePlan): Promise<void> {
    const { dryRun = false } = this.#invocation.globals;
    if (await this.#isStale(made)) return;
    await this.#show(made);
    await refuseUnapproved(this.#invocation, made);
    if (dryRun) return;
    if (!this.#invocation.flags.leaveLock) await this.#run(await this.#withUncommitted(made));
    else if (made.plan.changes.length > 0) await this.#send({ ...made, hasFolder: false }, undefined);
    refuseKept(made.expiry);
  }

  async #run(made: MadePlan): Promise<void> {
    if (made.plan.changes.length === 0) {
      if (wantsResult(this.#invocation)) await printResults(this.#invocation, []);
      writeCounts(this.#invocation, []);
      return this.#finishUnchanged(made);
    }
    await this.#ask(made);
    await this.#withLease(made);
  }

  #withUncommitted = async (made: MadePlan): Promise<MadePlan> => ({
    ...made,
    uncommitted: await this.#options.checkout?.uncommitted(),
  });

  /** Whether the files are older than the last apply, and the user wants to skip them then. */
  async #isStale({ shared, plan }: MadePlan): Promise<boolean> {
    const { flags, io } = this.#invocation;
    if (flags.ifStale === 'apply') return false;
    try {
      await refuseStale(this.#options.checkout, shared?.state.applies ?? [], {
        hasChanges: plan.changes.length > 0,
      });
      return false;
    } catch (error) {
      if (flags.ifStale !== 'skip' || !(error instanceof StaleFiles)) throw error;
      await io.note(error.message);
      return true;
    }
  }

  /** @throws EngineError if the plan must not be applied */
  async #show(made: MadePlan): Promise<void> {
    const { flags, globals, session } = this.#invocation;
    const { keepGoing = false, withoutSelf = false } = flags;
    const { dryRun = false } = globals;
    const { plan, snapshot, secrets, expiry } = made;
    for (const secret of secrets.keys()) session.secrets.add(secret);
    await printPlan(this.#invocation, plan, {
      secrets,
      isResult: dryRun,
      names: snapshot.names,
      notes: [...permanentLines(plan), ...expiryLines(expiry)],
      isEqual: expiry.kept.length === 0,
    });
    const { maxRemovals } = this.#options;
    const limits = {
      maxRemovals,
      withoutSelf,
      allowsConflicts: keepGoing && !dryRun,
      allowsRenames: flags.maxRemovals !== undefined || made.isSaved || !globals.yes,
    };
    await checkPlan(await this.#invocation.client(), made, limits);
  }

  #ask({ plan: { changes, steps, contents } }: MadePlan): Promise<void> {
    const question = `Make these changes? ${summaryText(changes, requestCount(steps, contents))}`;
    return confirmQuestion(this.#invocation, question);
  }

  /** Nothing has to be sent. If changes of the service are kept, the files do not match it. */
  async #finishUnchanged(made: MadePlan): Promise<void> {
    const entry = made.kept > 0 ? undefined : await this.#entry(made);
    if (hasLeftovers(made)) await this.#archiveLeftovers(made, entry);
    else if (entry) await this.#withPort((port) => recordUnchanged(port, made, entry));
    // The next export must not treat a file in another form as a change of the folder.
    if (entry && made.hasFolder) await renewLock(made, []);
  }

  async #archiveLeftovers(made: MadePlan, entry: AppliedEntry | undefined): Promise<void> {
    const taken = await this.#withPort((port) => takeFreeLease(port, made, entry));
    if (!taken) return;
    try {
      await this.#withPort((port) => archiveLeftovers(port, made, taken));
    } finally {
      // A lock file that is older than the state stays so, unless the files were recorded.
      const isCurrent = !taken.isOutdated && (entry !== undefined || made.source.applied.size > 0);
      await this.#release(taken.held, { ...made, hasFolder: made.hasFolder && isCurrent });
    }
  }

  async #withLease(first: MadePlan): Promise<void> {
    const { wait = false } = this.#invocation.flags;
    const entry = await this.#entry(first);
    const taken = await this.#withPort((port) => takeLease(port, { made: first, entry, wait }));
    if (!taken) {
      await this.#invocation.io.note(
        'The shared state is not updated, because only administrators can change it. Make sure that nobody else applies files at the same time.',
      );
      return this.#send(first, undefined);
    }
    let made = first;
    try {
      if (taken.isOutdated) made = await this.#again(taken.held, entry);
      await this.#withPort((port) => archiveLeftovers(port, made, taken));
      if (made.plan.changes.length > 0) await this.#send(made, taken.held);
    } finally {
      await this.#release(taken.held, made);
    }
    refuseUnstored(taken.held);
  }

  /** Plans again after another apply. */
  async #again(held: HeldLease, entry: AppliedEntry): Promise<MadePlan> {
    await this.#invocation.io.note('Somebody else applied files in the meantime. This is the plan now:');
    const made = await this.#withUncommitted(await this.#options.again());
    const checkout = this.#invocation.flags.ifStale === 'apply' ? undefined : this.#options.checkout;
    await refuseStale(checkout, held.state.applies, { hasChanges: made.plan.changes.length > 0 });
    await this.#show(made);
    await refuseUnapproved(this.#invocation, made);
    if (made.plan.changes.length > 0) await this.#ask(made);
    await restart(held, made, entry);
    return made;
  }

  async #release(held: HeldLease, made: MadePlan): Promise<void> {
    try {
      await releaseLease(held, made);
    } catch (error) {
      // What failed before is reported already.
      if (held.failure !== undefined) return;
      const reason = error instanceof Error ? ` ${error.message}` : '';
      await this.#invocation.io.note(`The lease could not be released, and expires within 10 minutes.${reason}`);
    }
  }

  async #send(made: MadePlan, held: HeldLease | undefined): Promise<void> {
    const { keepGoing = false } = this.#invocation.flags;
    const recorder = held && new StateRecorder(made, held);
    const applied = await this.#withPort((port) => applyPlan(port, made, { keepGoing, recorder }));
    recorder?.finish(applied.results);
    await report(this.#invocation, made, { ...applied, failure: held?.failure });
    await this.#readBack(made, held);
  }

  /** Plans again. @throws CommandError if the organization does not match the files now */
  async #readBack(made: MadePlan, held: HeldLease | undefined): Promise<void> {
    const { texts } = this.#options;
    const left = await withOrganization(this.#invocation, 'Reading back', (port) =>
      remainingAfter(port, made, {
        texts,
        state: held?.state,
        keepsState: this.#invocation.flags.leaveLock === true,
      }),
    ).catch((error: unknown) => {
      this.#invocation.signal.throwIfAborted();
      const { message, hint } = failureOf(error);
      throw new CommandError(`The changes were made, but could not be read back: ${message}`, {
        exitCode: exit.someFailed,
        hint: hint ?? `Compare with "docsctl plan ${made.folder}".`,
      });
    });
    if (left.length === 0) return;
    for (const change of shownChanges(left, made.secrets))
      await this.#invocation.io.note(changeLines(change).join('\n'));
    const one = left.length === 1;
    throw new CommandError(
      `The requests succeeded, but ${left.length} change${one ? '' : 's'} ${one ? 'is' : 'are'} still to be made (see above).`,
      {
        exitCode: exit.someFailed,
        hint: `The service did not keep ${one ? 'it' : 'them'}, or somebody changed the same objects at the same time. Look at "docsctl plan ${made.folder}".`,
      },
    );
  }

  async #entry({ lock: { env } }: MadePlan): Promise<AppliedEntry> {
    const { checkout } = this.#options;
    const commit = checkout && (await commitOf(checkout));
    return { at: new Date().toISOString(), ...(commit && { commit }), ...(env !== undefined && { env }) };
  }

  #withPort<T>(run: (port: OrganizationPort) => Promise<T>): Promise<T> {
    return withOrganization(this.#invocation, 'Applying', run);
  }
}

/** @throws CommandError if a change needs an approval, before anything is sent */
async function refuseUnapproved({ args, globals, session }: ApplyInvocation, made: MadePlan): Promise<void> {
  // The plan is checked as a whole here.
  session.approvals.isChecked = true;
  const reasons = globals.isApproved ? [] : reasonsForApproval(made);
  if (reasons.length === 0) return;
  const text = `These changes need an approval (${reasons.join(', ')}).`;
  const folder = made.isSaved ? made.source.folder : (args.folder ?? '.');
  const hint = `Propose them: ${shellCommand(['docsctl', 'plan', folder, '--propose', 'Title'])}`;
  throw new CommandError(`${text} Nothing was sent.`, { exitCode: exit.forbidden, code: 'needs-approval', hint });
}

/** Writes how many changes were made for later steps of a build. */
function writeCounts({ io, session, flags }: ApplyInvocation, changes: MadePlan['plan']['changes']): void {
  buildServer(io, { env: session.env, ci: flags.ci }).outputs(countsOf(changes));
}

/** @throws CommandError if something that has ended was kept */
function refuseKept({ kept }: MadePlan['expiry']): void {
  if (kept.length === 0) return;
  throw new CommandError(
    `${counted(kept.length, 'membership')} that ended ${kept.length === 1 ? 'was' : 'were'} kept; see above.`,
    {
      exitCode: exit.someFailed,
      hint: 'Name another administrator or owner, or change "until".',
    },
  );
}

/** @throws CommandError if changes were made that the shared state does not have */
function refuseUnstored({ failure }: HeldLease): void {
  if (failure === undefined) return;
  throw new CommandError(`The changes were made, but the shared state could not be updated: ${failure.message}`, {
    exitCode: exit.someFailed,
    hint: 'Run the same command again with --break-lease.',
  });
}

/** Prints the result of each change. @throws CommandError if not all were made */
async function report(
  invocation: ApplyInvocation,
  made: MadePlan,
  { results, errors, sent, failure }: Applied & { failure: Error | undefined },
): Promise<void> {
  const { plan, folder, hasFolder, isSaved } = made;
  const rows = plan.changes.map(({ kind, name, action }, index) => ({
    result: results[index],
    action,
    kind,
    name,
    ...(errors.has(index) && { error: oneLine(errors.get(index)?.message) }),
  }));
  await printResults(invocation, rows);
  writeCounts(
    invocation,
    plan.changes.filter((_, index) => results[index] === 'done'),
  );
  const done = results.filter((result) => result === 'done').length;
  if (hasFolder) await renewLock(made, results);
  await invocation.io.note(`${done} of ${results.length} changes made, with ${sent} request${sent === 1 ? '' : 's'}.`);
  if (done === results.length) return;
  invocation.signal.throwIfAborted();
  const [first = failure] = errors.values();
  const [hint] = [...errors.values()].flatMap((error) => (error instanceof EngineError && error.hint) || []);
  throw new CommandError(
    `${results.length - done} of ${results.length} changes ${results.length - done === 1 ? 'was' : 'were'} not made: ${first?.message ?? ''}`,
    {
      exitCode: done > 0 ? exit.someFailed : failureOf(first).exitCode,
      hint: [
        isSaved
          ? 'The changes made so far are kept. Create a new plan for the rest.'
          : `The changes made so far are kept. Run "docsctl apply ${folder}" again to continue.`,
        ...(hint === undefined ? [] : [hint]),
      ].join(' '),
    },
  );
}

async function printResults(invocation: ApplyInvocation, rows: object[]): Promise<void> {
  const options = outputOptions(invocation, { idKey: 'name' });
  const output = createListOutput(options, invocation.command.output?.columns ?? [], invocation.io.out);
  await output.page(rows);
  await output.end();
}

const oneLine = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
