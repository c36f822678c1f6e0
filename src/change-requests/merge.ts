import type { Client } from '../client/client.ts';
import { changeRequestContent } from '../contract/change-request-content.ts';
import { changeRequests } from '../contract/change-requests.ts';
import { changeRequestComments } from '../contract/comments.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { counted } from '../shared/counted.ts';
import { EngineError } from '../shared/engine-error.ts';
import { visible } from '../shared/visible.ts';
import { type Conflict, findConflicts } from './conflicts.ts';
import { linkingPageOf, targetOf } from './link-places.ts';
import type { ChangeRequest } from './read-sides.ts';

export interface MergeSteps {
  /** The request, if it was just read. */
  request?: ChangeRequest | undefined;
  /** Open a draft first. */
  open?: boolean | undefined;
  /** Update an outdated request first. */
  update?: boolean | undefined;
  /** Conditions to check before changing anything, and again after an update. */
  require?: readonly Condition[] | undefined;
}

type Result = AnswerOf<typeof changeRequests.update> | AnswerOf<typeof changeRequests.merge>;
type Params = { spaceId: string; changeRequestId: string };

/**
 * Merges a request, with the steps before it.
 *
 * @throws EngineError with the conflicts or the conditions that are not met
 */
export async function mergeRequest(
  client: Client,
  params: Params,
  steps: MergeSteps,
): Promise<AnswerOf<typeof changeRequests.merge>> {
  const { open = false, update = false, require = [] } = steps;
  let name: string | number = params.changeRequestId;
  if (open || update || require.length > 0) {
    const request = steps.request ?? (await client.call(changeRequests.view, { params }));
    name = request.number;
    await checkConditions(client, params, request, steps);
    if (update && request.outdated) {
      failOnConflicts(await client.call(changeRequests.update, { params }), name);
      // The update may have added content that does not meet a condition.
      const updated = await client.call(changeRequests.view, { params });
      await checkConditions(client, params, updated, { ...steps, update: false });
    }
    if (open && request.status === 'draft')
      await client.call(changeRequests.edit, { params, body: { status: 'open' }, current: request });
  }
  const answer = await client.call(changeRequests.merge, { params });
  failOnConflicts(answer, name);
  return answer;
}

/**
 * Checks conditions, unless the status of the request does not allow a merge, which the service reports.
 *
 * @throws EngineError with all conditions that are not met
 */
export async function checkConditions(
  client: Client,
  params: Params,
  request: ChangeRequest,
  { open = false, update = false, require = [] }: MergeSteps,
): Promise<void> {
  const required = new Set(require.filter((condition) => !(update && condition === 'up-to-date')));
  const canMerge = request.status === 'open' || (open && request.status === 'draft');
  if (!canMerge) return;
  const results = await Promise.all([...required].map((condition) => checks[condition]({ client, params, request })));
  const unmet = results.filter((result) => result !== undefined);
  if (unmet.length === 0) return;
  const sentence = `Change request #${request.number} does not meet ${unmet.length} of ${counted(required.size, 'required condition')}; nothing was merged.`;
  const lines = unmet.flatMap(({ condition, message, lines: about = [] }) => [
    `  ${condition}: ${message}`,
    ...about.map((line) => `      ${line}`),
  ]);
  const text = [sentence, ...lines].join('\n');
  throw new EngineError('checkFailed', text, { report: { text, members: { unmet } } });
}

/** A condition for merging a change request. */
export type Condition = 'no-open-comments' | 'no-broken-links' | 'no-conflicts' | 'up-to-date';

interface Unmet {
  condition: Condition;
  message: string;
  /** One line for each link or page that does not meet the condition. */
  lines?: string[];
  conflicts?: Conflict[];
}

type Check = (input: { client: Client; params: Params; request: ChangeRequest }) => Promise<Unmet | undefined>;

/** The error shows this many links. */
const maxShown = 5;

const checks: Record<Condition, Check> = {
  async 'no-open-comments'({ client, params, request }) {
    const { count } = await client.call(changeRequestComments.list, { params, query: { status: 'open', limit: 0 } });
    if (count === 0) return undefined;
    const list = `docsctl comments list --cr ${request.number} --status open`;
    return {
      condition: 'no-open-comments',
      message: `${counted(count, 'comment')} ${count === 1 ? 'is' : 'are'} open; see "${list}".`,
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
      message: `${counted(total, 'link')} ${total === 1 ? 'is' : 'are'} broken${because}; see "docsctl cr links ${request.number} --status broken".`,
      lines: items.map((link) => `${visible(targetOf(link))} on ${visible(linkingPageOf(link))}`),
    };
  },
  async 'no-conflicts'({ client, params, request }) {
    const conflicts = await findConflicts(client, params.spaceId, request);
    if (conflicts?.length === 0) return undefined;
    if (!conflicts) {
      const message = `this cannot be checked, because the service does not show the revision that the request is based on. Update it with "docsctl cr update ${request.number}".`;
      return { condition: 'no-conflicts', message };
    }
    const { size } = new Set(conflicts.map(({ page }) => page));
    return {
      condition: 'no-conflicts',
      message: `main content changed the same places of ${counted(size, 'page')}.`,
      lines: conflicts.map((conflict) => conflictLine(conflict).trim()),
      conflicts,
    };
  },
  async 'up-to-date'({ request }) {
    if (!request.outdated) return undefined;
    const message = `main content has changed since; update the request with "docsctl cr update ${request.number}", or merge with --update.`;
    return { condition: 'up-to-date', message };
  },
};

/** @throws EngineError that shows the conflicting pages on both sides and in their common ancestor */
export function failOnConflicts({ result, conflicts = [] }: Result, request: string | number): void {
  if (result === 'conflicts') throw conflictsError(conflicts, request);
}

/** @param request its number, or its ID */
export function conflictsError(conflicts: readonly Conflict[], request: string | number): EngineError {
  const { size } = new Set(conflicts.map(({ page }) => page));
  const sentence = `Change request ${request} conflicts with the main content on ${counted(size, 'page')}; nothing was changed.`;
  return new EngineError('refused', [sentence, ...conflicts.map(conflictLine)].join('\n'), {
    hint: 'Change these pages in the request so that both sides agree, then merge again.',
    report: {
      text: [sentence, ...conflicts.flatMap((conflict) => conflictText(conflict, request))].join('\n'),
      members: { conflicts },
    },
  });
}

/** One line with a page, and the lines or fields that both sides changed. */
function conflictLine({ page, title, kind, hunks = [], members = [], deletedIn }: Conflict): string {
  const lines = hunks.map(({ line }) => line);
  const where = [
    ...(lines.length > 0 ? [`line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}`] : []),
    ...members.map(({ member }) => member),
    ...(deletedIn === undefined ? [] : [`deleted in ${deletedIn === 'main' ? 'main content' : 'the request'}`]),
  ];
  return `  ${visible(title)} (${page}): ${kind}${where.length > 0 ? `, ${where.join(', ')}` : ''}`;
}

/** The line of a page, followed by the three versions of each part. Texts are marked as `git merge` marks them. */
function conflictText(conflict: Conflict, request: string | number): string[] {
  const { hunks = [], members = [], deletedIn } = conflict;
  const values = members.flatMap(memberLines);
  return [
    conflictLine(conflict),
    ...values,
    ...(deletedIn === 'main'
      ? [`    docsctl cr diff ${request} --page ${conflict.page} shows the changes of the request.`]
      : []),
    ...hunks.flatMap((hunk) => ['', ...hunkLines(hunk, request)]),
    ...(hunks.length > 0 ? [''] : []),
  ];
}

const hunkLines = (
  { line, base, main, changeRequest }: NonNullable<Conflict['hunks']>[number],
  request: string | number,
): string[] => [
  '<<<<<<< main content',
  ...partLines(main),
  `||||||| common ancestor, line ${line}`,
  ...partLines(base),
  '=======',
  ...partLines(changeRequest),
  `>>>>>>> change request ${request}`,
];

/** The text of the error shows this many lines of each version; JSON has all of them. */
const maxLines = 60;

function partLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return lines.length <= maxLines
    ? lines
    : [...lines.slice(0, maxLines), `... and ${lines.length - maxLines} more lines; -o json has them.`];
}

/** Empty if the service does not send the values. */
function memberLines({ member, base, main, changeRequest }: NonNullable<Conflict['members']>[number]): string[] {
  const sides = [
    ['common ancestor', base],
    ['main content', main],
    ['change request', changeRequest],
  ] as const;
  return sides.flatMap(([side, value]) =>
    value === undefined ? [] : [`    ${member} in ${side}: ${value === null ? 'none' : JSON.stringify(value)}`],
  );
}
