import type { Client } from '../client/client.ts';
import { changeRequestContent } from '../contract/change-request-content.ts';
import { changeRequests } from '../contract/change-requests.ts';
import { changeRequestComments } from '../contract/comments.ts';
import { content } from '../contract/content.ts';
import type { ItemOf } from '../contract/endpoint.ts';
import { revisions } from '../contract/revisions.ts';
import { counted } from '../shared/counted.ts';
import { EngineError } from '../shared/engine-error.ts';
import { visible } from '../shared/visible.ts';
import type { approvals, Condition } from './condition-names.ts';
import { type Conflict, conflictLine, findConflicts } from './conflicts.ts';
import { linkingPageOf, targetOf } from './link-places.ts';
import type { ChangeRequest } from './read-sides.ts';

type Params = { spaceId: string; changeRequestId: string };

export interface ConditionSteps {
  /** A draft is opened first. */
  open?: boolean | undefined;
  /** An outdated request is updated first. */
  update?: boolean | undefined;
  require?: readonly Condition[] | undefined;
  /** The revision before our own update: its approvals count, too. */
  approved?: string | undefined;
}

/** A request whose conditions were met. */
export interface CheckedRequest {
  request: ChangeRequest;
  require: readonly Condition[];
  approved: string | undefined;
  /** Broken links of the main content, if a condition is about links. */
  broken: number | undefined;
}

/**
 * Checks conditions, unless the status of the request does not allow a merge, which the service reports.
 *
 * @returns what was checked, for `verifyMerged`
 * @throws EngineError with all conditions that are not met
 */
export async function checkConditions(
  client: Client,
  params: Params,
  request: ChangeRequest,
  { open = false, update = false, require = [], approved }: ConditionSteps,
): Promise<CheckedRequest | undefined> {
  const required = [
    ...new Set(require.filter((condition) => !(update && request.outdated && condition === 'up-to-date'))),
  ];
  const canMerge = request.status === 'open' || (open && request.status === 'draft');
  if (!canMerge || required.length === 0) return undefined;
  const input = { client, params, request, approved };
  const results = await Promise.all(required.map((condition) => checkOf(condition)(input)));
  const unmet = results.filter((result) => result !== undefined);
  if (unmet.length > 0) {
    const sentence = `Change request #${request.number} does not meet ${unmet.length} of ${counted(required.length, 'required condition')}; nothing was merged.`;
    throw unmetError(sentence, unmet);
  }
  const isAboutLinks = required.some((condition) => condition.endsWith('broken-links'));
  const broken = isAboutLinks ? await brokenInMain(client, params) : undefined;
  return { request, require: required, approved, broken };
}

/** Conditions with what is missing for each; nothing for those that are met. */
export const conditionStates = (
  client: Client,
  params: Params,
  request: ChangeRequest,
  required: readonly Condition[],
): Promise<{ condition: Condition; unmet: Unmet | undefined }[]> =>
  Promise.all(
    required.map(async (condition) => ({
      condition,
      unmet: await checkOf(condition)({ client, params, request, approved: undefined }),
    })),
  );

function unmetError(sentence: string, unmet: readonly Unmet[], hint?: string): EngineError {
  const lines = unmet.flatMap(({ condition, message, lines: about = [] }) => [
    `  ${condition}: ${message}`,
    ...about.map((line) => `      ${line}`),
  ]);
  const text = [sentence, ...lines].join('\n');
  const report = { text, members: { unmet } };
  return new EngineError('checkFailed', text, { report, ...(hint === undefined ? {} : { hint }) });
}

/**
 * Repeats after a merge what the service could not check with it: somebody may have changed the request, commented on it, or
 * changed main content between our check and the merge. The service itself refuses to merge conflicts.
 *
 * @throws EngineError with the conditions that the merged request does not meet
 */
export async function verifyMerged(client: Client, params: Params, checked: CheckedRequest | undefined): Promise<void> {
  if (!checked) return;
  const { require, approved, broken, request: before } = checked;
  const request = await client.call(changeRequests.view, { params });
  const isChanged = request.revision !== before.revision;
  const results = await Promise.all(
    require.map(async (condition): Promise<Unmet | undefined> => {
      if (condition === 'no-open-comments') return checks[condition]({ client, params, request, approved });
      if (condition.startsWith('approved-by:'))
        return checkOf(condition)({ client, params, request, approved: isChanged ? undefined : approved });
      if (condition === 'up-to-date') return checkBase(client, params, request);
      if (broken === undefined || !condition.endsWith('broken-links')) return undefined;
      const now = await brokenInMain(client, params);
      const limit = condition === 'no-broken-links' ? 0 : broken;
      if (now <= limit) return undefined;
      return {
        condition,
        message: `${counted(now, 'link')} of main content ${now === 1 ? 'is' : 'are'} broken, ${broken} before the merge.`,
      };
    }),
  );
  const unmet = results.filter((result) => result !== undefined);
  if (unmet.length === 0) return;
  const revision = request.revisionMerged ?? request.revision;
  const sentence = `Change request #${request.number} was merged (revision ${revision}), but it does not meet ${unmet.length} of ${counted(require.length, 'required condition')}: somebody made changes between the check and the merge.`;
  throw unmetError(sentence, unmet, 'Check the merged content. A merge can be undone with another change request.');
}

/** Whether the main content that the request was merged into is the one that it was up to date with. */
async function checkBase(
  client: Client,
  { spaceId }: Params,
  { revisionInitial, revisionMergedAncestor, revisionMerged }: ChangeRequest,
): Promise<Unmet | undefined> {
  const condition = 'up-to-date';
  if (revisionMerged === undefined) return { condition, message: 'the service does not name the merged revision.' };
  const params = { spaceId, revisionId: revisionMerged };
  const { parents } = await client.call(revisions.view, { params, query: { metadata: false, computed: false } });
  if (parents.includes(revisionMergedAncestor ?? revisionInitial)) return undefined;
  return { condition, message: 'main content changed after the check.' };
}

/** How many links of the main content are broken. */
async function brokenInMain(client: Client, { spaceId }: Params): Promise<number> {
  const { stats } = await client.call(content.links, { params: { spaceId }, query: { status: 'broken', limit: 0 } });
  return stats.broken.total;
}

export interface Unmet {
  condition: Condition;
  message: string;
  /** One line for each link, page or approval that the condition is about. */
  lines?: string[];
  conflicts?: Conflict[];
}

interface Subject {
  client: Client;
  params: Params;
  request: ChangeRequest;
  approved: string | undefined;
}

type Check = (subject: Subject) => Promise<Unmet | undefined>;

/** The check of a condition; those of approvals differ in their number only. */
function checkOf(condition: Condition): Check {
  const [, count] = /^approved-by:(\d)$/.exec(condition) ?? [];
  if (count !== undefined) return (subject) => checkApprovals(subject, condition, Number(count));
  return checks[condition as PlainCondition];
}

/** The first line of a comment that approves the request. */
const approval = /^(?:👍|✅|:\+1:|:thumbsup:|:white_check_mark:|approved?|lgtm)[.!]?$/iu;

function isApproval(body: CommentBody): boolean {
  const [first = ''] = 'markdown' in body ? body.markdown.trim().split('\n') : [];
  return approval.test(first.trim());
}

type CommentBody = ItemOf<typeof changeRequestComments.list>['body'];

/** An approval is a comment by somebody other than the author, on the current revision. */
async function checkApprovals(
  { client, params, request, approved }: Subject,
  condition: Condition,
  required: number,
): Promise<Unmet | undefined> {
  const current = new Map<string, string>();
  const stale = new Map<string, string>();
  for await (const comment of client.items(changeRequestComments.list, { params, query: { format: 'markdown' } })) {
    const { body, postedBy, target, editedAt } = comment;
    if (!isApproval(body) || postedBy.id === request.createdBy.id) continue;
    // An edited text may have been written about an earlier revision.
    const isCurrent = editedAt === undefined && (target.revision === request.revision || target.revision === approved);
    (isCurrent ? current : stale).set(postedBy.id, visible(postedBy.displayName));
  }
  if (current.size >= required) return undefined;
  const names = [...stale].flatMap(([id, name]) => (current.has(id) ? [] : [name]));
  return {
    condition,
    message: `${current.size === 0 ? 'nobody' : `only ${[...current.values()].join(', ')}`} approved the current revision; an approval is the comment "Approved" by somebody other than the author.`,
    lines: names.map((name) => `the approval by ${name} is about an earlier revision, or was edited`),
  };
}

type PlainCondition = Exclude<Condition, (typeof approvals)[number]>;

/** The error shows this many links. */
const maxShown = 5;

const checks: Record<PlainCondition, Check> = {
  async 'no-open-comments'({ client, params, request }) {
    let count = 0;
    const query = { status: 'open', format: 'markdown' } as const;
    // An approval is no open question.
    for await (const { body } of client.items(changeRequestComments.list, { params, query })) {
      if (!isApproval(body)) count += 1;
    }
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
  async 'no-new-broken-links'({ client, params, request }) {
    const query = { status: 'broken', brokenContext: 'change-request', limit: maxShown } as const;
    const { items, stats } = await client.call(changeRequestContent.links, { params, query });
    // A service that does not compare with main content does not tell which links are new.
    const count = stats.broken.changeRequest ?? stats.broken.total;
    if (count === 0) return undefined;
    return {
      condition: 'no-new-broken-links',
      message: `this request breaks ${counted(count, 'link')}; see "docsctl cr links ${request.number} --status broken".`,
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
