import type { Invocation } from '../../cli/command/command.ts';
import type { LineOutcome } from '../../cli/command/command-lines.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import type { JournalEntry } from '../../journal/journal-files.ts';
import type { Difference } from '../../rehearsal/compare.ts';
import { approvedClient } from '../../proposals/approved-client.ts';
import { changedParts, digestOf } from '../../proposals/digest.ts';
import { refuseOwnSpaces } from '../../proposals/own-spaces.ts';
import type { StoredReport } from '../../proposals/pages.ts';
import type { Payload } from '../../proposals/payload.ts';
import type { Change } from '../../organization/plan/change.ts';
import { changesOfPlan } from '../../organization/plan/saved-plan.ts';
import { planPlace, withUnpacked } from './proposed-lines.ts';
import { requestsOf } from './rehearsal-text.ts';
import { withRehearsal } from './run-on-copy.ts';
import { organizationSource } from './twin.ts';

type AnyInvocation = Invocation<{}, {}>;

/** Rehearses a proposal on a copy. @throws CommandError with the status of the commands if they fail there */
export function rehearseProposal(
  invocation: AnyInvocation,
  payload: Payload,
  { isAdministrator }: { isAdministrator: boolean },
  look: (difference: Difference) => Promise<void> = async () => {},
): Promise<StoredReport> {
  return withUnpacked(invocation, payload, async ({ words, env }) => {
    const source = await organizationSource(invocation, payload.scope.org);
    const options = { words, source, asksService: true, asAdministrator: !isAdministrator, env };
    return withRehearsal(invocation, options, async ({ rehearsal, difference, notChecked }) => {
      const { status, failure, exchanges } = rehearsal;
      if (status !== exit.done)
        throw new CommandError(
          `On a copy of the organization, it ended with status ${status}: ${failure?.message ?? 'it was stopped.'}`,
          {
            exitCode: status,
            hint: failure?.hint ?? 'The organization is unchanged.',
          },
        );
      await look(difference);
      const policyChanges = policyChangesIn(payload);
      if (exchanges.length === 0 && policyChanges.length === 0)
        throw new CommandError('On a copy of the organization, it changed nothing.', {
          exitCode: exit.refused,
          hint: 'There is nothing to approve.',
        });
      await refuseOwnSpaces(await invocation.client(), source.orgId, exchanges);
      const { changes, access, brokenLinks } = difference;
      return {
        requests: requestsOf(exchanges).map(({ answer: _answer, ...request }) => request),
        changes: [...changes, ...policyChanges],
        access,
        brokenLinks,
        notChecked,
        isComplete: isAdministrator && Object.keys(notChecked).length === 0,
        ...(await digestOf({
          difference: { ...difference, changes: [...changes, ...policyChanges] },
          exchanges,
          signal: invocation.signal,
        })),
      };
    });
  });
}

/** The changes of the approval policy in a plan. It is part of the shared state, which no rehearsal changes. */
function policyChangesIn({ kind, files }: Payload): Change[] {
  const text = kind === 'plan' ? files.find(({ path }) => path === planPlace.file)?.text : undefined;
  if (text === undefined) return [];
  return changesOfPlan(text).flatMap((change) => {
    const fields = change.fields.filter(({ field }) => /^approval\b/.test(field));
    return change.kind === 'organization' && fields.length > 0 ? [{ ...change, fields }] : [];
  });
}

/** The names of what differs from an earlier rehearsal, for people. */
export const differencesFrom = (earlier: StoredReport | undefined, now: StoredReport): string[] =>
  earlier?.isComplete ? changedParts(earlier.parts, now.parts) : [];

export interface Executed extends LineOutcome {
  entries: JournalEntry[];
}

/**
 * Runs a proposal on the service. Its commands are recorded in the journal, whatever the settings are, and send nothing that
 * the rehearsal did not contain.
 */
export function executeProposal(
  invocation: AnyInvocation,
  payload: Payload,
  { parts }: StoredReport,
): Promise<Executed> {
  const { lines, globals, session, io } = invocation;
  const { output: _output, json: _json, jq: _jq, columns: _columns, journal: _journal, ...others } = globals;
  return withUnpacked(invocation, payload, async ({ words, env }) => {
    const entries: JournalEntry[] = [];
    const outcome = await lines.run(words, {
      globals: { ...others, yes: true, input: false, isApproved: true },
      env: { ...session.env, ...env, DOCSCTL_JOURNAL: 'on' },
      // What the commands print is not the result of this one.
      streams: {
        ...lines.streams,
        out: io.quiet ? { write() {} } : io.err,
        screen: { ...lines.streams.screen, terminal: false },
      },
      exchanges: session.exchanges,
      entries,
      wrapClient: approvedClient(parts),
    });
    return { ...outcome, entries };
  });
}
