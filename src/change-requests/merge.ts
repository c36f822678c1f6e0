import type { Client } from '../client/client.ts';
import { changeRequests } from '../contract/change-requests.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { counted } from '../shared/counted.ts';
import { EngineError } from '../shared/engine-error.ts';
import type { Condition } from './condition-names.ts';
import { type CheckedRequest, checkConditions } from './conditions.ts';
import { type Conflict, conflictLine } from './conflicts.ts';
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
 * Merges a request, with the steps before it. The service does not know the conditions, so somebody may change the request
 * between their check and the merge: `verifyMerged` finds that out.
 *
 * @returns what was checked, if there are conditions
 * @throws EngineError with the conflicts or the conditions that are not met
 */
export async function mergeRequest(
  client: Client,
  params: Params,
  steps: MergeSteps,
): Promise<{ answer: AnswerOf<typeof changeRequests.merge>; checked: CheckedRequest | undefined }> {
  const { open = false, update = false, require = [] } = steps;
  let checked: CheckedRequest | undefined;
  let name: string | number = params.changeRequestId;
  if (open || update || require.length > 0) {
    const request = steps.request ?? (await client.call(changeRequests.view, { params }));
    name = request.number;
    checked = await checkConditions(client, params, request, steps);
    if (update && request.outdated) {
      failOnConflicts(await client.call(changeRequests.update, { params }), name);
      // The update may have added content that does not meet a condition.
      const updated = await client.call(changeRequests.view, { params });
      const again = await checkConditions(client, params, updated, {
        ...steps,
        update: false,
        approved: request.revision,
      });
      if (again) checked = again;
    }
    if (open && request.status === 'draft')
      await client.call(changeRequests.edit, { params, body: { status: 'open' }, current: request });
  }
  const answer = await client.call(changeRequests.merge, { params });
  failOnConflicts(answer, name);
  return { answer, checked };
}

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
