import type { Client } from '../../client/client.ts';
import { visible } from '../../cli/output/index.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { changeRequestContent } from '../../contract/change-request-content.ts';
import { changeRequestComments } from '../../contract/comments.ts';
import { linkingPageOf, targetOf } from '../shared/columns.ts';
import { type Conflict, conflictLine } from '../../change-requests/conflicts.ts';
import { findConflicts } from './find-conflicts.ts';
import type { ChangeRequest } from '../../change-requests/read-sides.ts';
import type { Condition } from '../shared/require-flag.ts';

/** A condition that does not hold. */
interface Unmet {
  condition: Condition;
  message: string;
  /** What it is about, a line each. */
  lines?: string[];
  conflicts?: Conflict[];
}

interface Checked {
  client: Client;
  params: { spaceId: string; changeRequestId: string };
  request: ChangeRequest;
}

type Check = (checked: Checked) => Promise<Unmet | undefined>;

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Of a long list, the error shows the beginning. */
const maxShown = 5;

const checks: Record<Condition, Check> = {
  async 'no-open-comments'({ client, params, request }) {
    const { count } = await client.call(changeRequestComments.list, { params, query: { status: 'open', limit: 0 } });
    if (count === 0) return undefined;
    const list = `docsctl comments list --cr ${request.number} --status open`;
    return {
      condition: 'no-open-comments',
      message: `${plural(count, 'comment is', 'comments are')} open; see "${list}".`,
    };
  },
  async 'no-broken-links'({ client, params, request }) {
    const query = { status: 'broken', limit: maxShown } as const;
    const { items, stats } = await client.call(changeRequestContent.links, { params, query });
    const { total, changeRequest } = stats.broken;
    if (total === 0) return undefined;
    const because = changeRequest === undefined ? '' : `, ${changeRequest || 'none'} of them because of this request`;
    return {
      condition: 'no-broken-links',
      message: `${plural(total, 'link is', 'links are')} broken${because}; see "docsctl cr links ${request.number} --status broken".`,
      lines: items.map((link) => `${visible(targetOf(link))} on ${visible(linkingPageOf(link))}`),
    };
  },
  async 'no-conflicts'({ client, params, request }) {
    const conflicts = await findConflicts(client, params.spaceId, request);
    if (conflicts?.length === 0) return undefined;
    if (!conflicts) {
      const message = `this cannot be checked, because the service does not show the revision that the request started from. Update it with "docsctl cr update ${request.number}".`;
      return { condition: 'no-conflicts', message };
    }
    const { size } = new Set(conflicts.map(({ page }) => page));
    return {
      condition: 'no-conflicts',
      message: `main content changed the same places of ${plural(size, 'page', 'pages')}.`,
      lines: conflicts.map((conflict) => conflictLine(conflict).trim()),
      conflicts,
    };
  },
  async 'up-to-date'({ request }) {
    if (!request.outdated) return undefined;
    const message = `main content has changed since; bring it in with "docsctl cr update ${request.number}", or merge with --update.`;
    return { condition: 'up-to-date', message };
  },
};

/** @throws CommandError (status 9) with all conditions that do not hold */
export async function failOnUnmet(
  client: Client,
  params: { spaceId: string; changeRequestId: string },
  request: ChangeRequest,
  required: Iterable<Condition>,
): Promise<void> {
  const conditions = [...new Set(required)];
  const results = await Promise.all(conditions.map((condition) => checks[condition]({ client, params, request })));
  const unmet = results.filter((result) => result !== undefined);
  if (unmet.length === 0) return;
  const sentence = `Change request #${request.number} does not meet ${unmet.length} of ${plural(conditions.length, 'required condition', 'required conditions')}; nothing was merged.`;
  const lines = unmet.flatMap(({ condition, message, lines: about = [] }) => [
    `  ${condition}: ${message}`,
    ...about.map((line) => `      ${line}`),
  ]);
  throw new CommandError([sentence, ...lines].join('\n'), {
    exitCode: exit.checkFailed,
    report: {
      text: [sentence, ...lines].join('\n'),
      members: { unmet },
    },
  });
}
