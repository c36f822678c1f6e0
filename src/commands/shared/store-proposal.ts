import type { Invocation } from '../../cli/command/command.ts';
import { print, scopeSetting } from '../../cli/command/invocation.ts';
import { durationOf, linesText, type Payload } from '../../proposals/payload.ts';
import { findProposalsSpace, requireProposalsSpace } from '../../proposals/proposals-space.ts';
import { readProposal, storeProposal } from '../../proposals/proposal.ts';
import { visible } from '../../shared/visible.ts';
import { rehearseProposal } from './proposal-rehearsal.ts';
import { callerOf, type Desk, judgeNow, orgIdOf, requiredIn, shownProposal } from './proposals.ts';
import { storedText } from './rehearsal-text.ts';

interface NewProposal extends Pick<Payload, 'kind' | 'lines' | 'files'> {
  title?: string | undefined;
  expires?: string | undefined;
}

const defaultExpiry = '7d';
const maxTitle = 200;

/** Rehearses a proposal, stores it, and prints it. */
export async function propose(
  invocation: Invocation<{}, {}>,
  { title, expires = defaultExpiry, ...content }: NewProposal,
): Promise<{ number: number; hash: string | null } | undefined> {
  const { io, globals, signal } = invocation;
  const duration = durationOf(expires);
  const text = linesText(content).join('; ');
  const client = await invocation.client();
  const orgId = await orgIdOf(invocation);
  if (globals.dryRun) {
    await io.note(`Would rehearse this on a copy, and propose it: ${visible(text)}`);
    return undefined;
  }
  const caller = await callerOf({ client, orgId });
  // Fails before the organization is copied if the caller may not propose anything.
  const found = await findProposalsSpace(client, orgId);
  if (found ? !found.permissions.edit : !caller.isAdministrator) await requireProposalsSpace(client, orgId);
  const scope = await scopeOfProposal(invocation, orgId);
  const draft: Payload = {
    version: 1,
    title: Array.from(title ?? text)
      .slice(0, maxTitle)
      .join(''),
    expires: '',
    scope,
    ...content,
  };
  const report = await rehearseProposal(invocation, draft, caller);
  const spaceId = found?.id ?? (await requireProposalsSpace(client, orgId));
  const port = { client, signal };
  const { id } = await storeProposal(port, spaceId, {
    payload: (createdAt) => ({ ...draft, expires: new Date(Date.parse(createdAt) + duration).toISOString() }),
    report,
  });
  const desk: Desk = { port, client, orgId, spaceId, required: await requiredIn(client, orgId) };
  const proposal = await readProposal(port, spaceId, id);
  const shown = shownProposal(desk, proposal, await judgeNow(desk, proposal));
  const { number } = proposal.request;
  if (!io.quiet) await io.err.write(await storedText(report, io.hasErrorColor));
  await print(invocation, shown);
  await io.note(
    `Proposed as number ${number}. Another administrator approves it with "docsctl proposals approve ${number}".`,
  );
  return { number, hash: shown.hash };
}

/** The defaults of the author, with the ID of the organization. */
async function scopeOfProposal(invocation: Invocation<{}, {}>, org: string): Promise<Payload['scope']> {
  const valueOf = async (name: 'space' | 'site') =>
    (await scopeSetting(invocation, name, { ask: false })).setting?.value;
  const [space, site] = [await valueOf('space'), await valueOf('site')];
  return { org, ...(space !== undefined && { space }), ...(site !== undefined && { site }) };
}
