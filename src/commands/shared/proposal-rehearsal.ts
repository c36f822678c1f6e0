import type { Invocation } from '../../cli/command/command.ts';
import type { LineOutcome } from '../../cli/command/command-lines.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import type { Exchange } from '../../client/exchange.ts';
import { spaces } from '../../contract/spaces.ts';
import type { JournalEntry } from '../../journal/journal-files.ts';
import type { Difference } from '../../rehearsal/compare.ts';
import { changedParts, digestOf } from '../../proposals/digest.ts';
import type { StoredReport } from '../../proposals/pages.ts';
import type { Payload } from '../../proposals/payload.ts';
import { decodeAddress } from '../../shared/decode.ts';
import { isHiddenSpace } from '../../shared/state-title.ts';
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
      await refuseOwnSpaces(invocation, source.orgId, exchanges);
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

/** @throws CommandError for requests about the spaces of docsctl: a proposal must not approve another one */
async function refuseOwnSpaces(
  invocation: AnyInvocation,
  orgId: string,
  exchanges: readonly Exchange[],
): Promise<void> {
  const client = await invocation.client();
  const own: string[] = [];
  for await (const space of client.items(spaces.list, { params: { orgId } }))
    if (isHiddenSpace(space)) own.push(space.id);
  const about = exchanges.find(({ request }) => own.some((id) => plainText(request).includes(id)));
  if (about)
    throw new CommandError(
      `It changes a space in which docsctl keeps its own data: ${about.request.method} ${about.request.path}.`,
      {
        exitCode: exit.refused,
        hint: 'Such changes cannot be proposed.',
      },
    );
}

/** The address and the body without escapes, which could hide an ID. */
function plainText({ path, body }: Exchange['request']): string {
  const text = body === undefined ? '' : Buffer.from(body).toString();
  // A part that is not encoded properly must not keep the others from being decoded.
  const address = path.split(/(?=[/?&=])/).map(decodeAddress);
  return `${address.join('')} ${text} ${parsedText(text)}`;
}

function parsedText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return '';
  }
}

/** The names of what differs from an earlier rehearsal, for people. */
export const differencesFrom = (earlier: StoredReport | undefined, now: StoredReport): string[] =>
  earlier?.isComplete ? changedParts(earlier.parts, now.parts) : [];

export interface Executed extends LineOutcome {
  entries: JournalEntry[];
}

/** Runs a proposal on the service. Its commands are recorded in the journal, whatever the settings are. */
export function executeProposal(invocation: AnyInvocation, payload: Payload): Promise<Executed> {
  const { lines, globals, session, io } = invocation;
  const { output: _output, json: _json, jq: _jq, columns: _columns, journal: _journal, ...others } = globals;
  return withUnpacked(invocation, payload, async ({ words, env }) => {
    const entries: JournalEntry[] = [];
    const outcome = await lines.run(words, {
      globals: { ...others, yes: true, input: false, isApproved: true },
      env: { ...session.env, ...env, DOCSCTL_JOURNAL: 'on' },
      // What the commands print is not the result of this one.
      streams: { ...lines.streams, out: io.err, screen: { ...lines.streams.screen, terminal: false } },
      exchanges: session.exchanges,
      entries,
    });
    return { ...outcome, entries };
  });
}
