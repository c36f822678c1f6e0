import type { Invocation } from '../../cli/command/command.ts';
import { print, withPort } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { printRequest } from '../../cli/command/dry-run/dry-run.ts';
import { callOf, send } from '../../cli/command/request.ts';
import type { changeRequests } from '../../contract/change-requests.ts';
import { differencesBetween } from '../../change-requests/differences.ts';
import { readSides } from '../../change-requests/read-sides.ts';

export type DiffFlags = { page?: string | undefined; stat?: boolean | undefined };

/** Prints what a change request changes. */
export async function diff(invocation: Invocation<{}, DiffFlags, typeof changeRequests.view>): Promise<void> {
  const { flags, globals, io } = invocation;
  const call = await callOf(invocation);
  if (globals.dryRun) return printRequest(invocation, call);
  const request = await send(invocation, call);
  const client = await invocation.client();
  const { before, after, base } = await readSides(client, call.params.spaceId, request);
  const differences = await withPort(invocation, { text: 'Reading pages', client }, (port) =>
    differencesBetween(port, before, after, flags.page),
  );
  const revision = before.revision.id;
  const isShaped = globals.output !== undefined || globals.jq !== undefined || globals.columns !== undefined;
  // Rows of a table, and the whole as one document.
  if (globals.output === 'json' || globals.output === 'yaml' || globals.jq !== undefined) {
    const { id, number } = request;
    const whole = {
      changeRequest: { id, number, revision: after.revision.id },
      base: { revision, current: base !== 'base' },
      differences,
    };
    return print(invocation, whole, []);
  }
  if (isShaped) return printList(invocation, differences);
  const newer = request.outdated ? ', which has changed since: see "docsctl cr update"' : '';
  await io.note(
    `Change request #${request.number} compared with ${base === 'base' ? `revision ${revision} of the main content${newer}` : `the current main content (${revision}): the service does not show the revision it started from`}.`,
  );
  const { differenceText, statText } = await import('./diff-text.ts');
  if (differences.length === 0) return io.note('No differences.');
  if (flags.stat) return void (await io.out.write(await statText(differences, io.screen)));
  for (const difference of differences) await io.out.write(await differenceText(difference, io.screen));
}
