import type { Invocation } from '../../cli/command/command.ts';
import { argument, print } from '../../cli/command/invocation.ts';
import { visible } from '../../cli/output/index.ts';
import { changedPages, type ChangedPage } from '../../proposals/digest.ts';
import { unifiedDiff } from '../../shared/unified-diff.ts';
import { differencesFrom, rehearseProposal } from '../shared/proposal-rehearsal.ts';
import { callerOf, openProposal } from '../shared/proposals.ts';
import { refuseClosed } from './refusals.ts';

/** Prints the changed lines of pages, and what differs from the rehearsal of the author. */
export async function showDiff(invocation: Invocation): Promise<void> {
  const { io, globals, signal } = invocation;
  const opened = await openProposal(invocation, argument(invocation, 'proposal'));
  const { proposal, judged } = opened;
  refuseClosed(proposal, judged);
  let changed: ChangedPage[] = [];
  const report = await rehearseProposal(invocation, proposal.payload, await callerOf(opened), async (difference) => {
    changed = await changedPages(difference, signal);
  });
  const pages: { space: string; page: string; diff: string[] }[] = [];
  for (const { space, page, before, after } of changed)
    pages.push({ space, page, diff: await unifiedDiff(before, after) });
  const others = differencesFrom(proposal.report, report);
  if (globals.output !== undefined || globals.jq !== undefined || globals.columns !== undefined) {
    const { id, number } = proposal.request;
    return print(invocation, { id, number, pages, changed: others });
  }
  const lines = pages.flatMap(({ space, page, diff }) => [
    `${visible(space)}: ${visible(page)}`,
    ...diff.map((line) => visible(line)),
    '',
  ]);
  await io.out.write(lines.length === 0 ? 'No text of a page changes.\n' : lines.join('\n'));
  if (others.length > 0) await io.note(`Different from the rehearsal of the author: ${others.join(', ')}.`);
  else if (!proposal.report?.isComplete) await io.note('The author could not see everything, so nothing is compared.');
}
