import type { Client } from '../../client/client.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';

type Result = AnswerOf<typeof changeRequests.update> | AnswerOf<typeof changeRequests.merge>;

/** Merges, where asked after opening a draft and bringing main content in. @throws CommandError (status 6) that lists conflicts */
export async function mergeRequest(
  client: Client,
  params: { spaceId: string; changeRequestId: string },
  { open = false, update = false }: { open?: boolean | undefined; update?: boolean | undefined },
): Promise<AnswerOf<typeof changeRequests.merge>> {
  let name: string | number = params.changeRequestId;
  if (open || update) {
    const request = await client.call(changeRequests.view, { params });
    name = request.number;
    if (update && request.outdated) failOnConflicts(await client.call(changeRequests.update, { params }), name);
    if (open && request.status === 'draft')
      await client.call(changeRequests.edit, { params, body: { status: 'open' } });
  }
  const answer = await client.call(changeRequests.merge, { params });
  failOnConflicts(answer, name);
  return answer;
}

/** @throws CommandError (status 6) that lists the pages, with the lines that both sides changed */
export function failOnConflicts({ result, conflicts = [] }: Result, request: string | number): void {
  if (result !== 'conflicts') return;
  const pages = conflicts.map(({ page, title, kind, hunks = [], members = [], deletedIn }) => {
    const lines = hunks.map(({ line }) => line);
    const where = [
      ...(lines.length > 0 ? [`line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}`] : []),
      ...members.map(({ member }) => member),
      ...(deletedIn === undefined ? [] : [`deleted in ${deletedIn === 'main' ? 'main content' : 'the request'}`]),
    ];
    return `  ${title} (${page}): ${kind}${where.length > 0 ? `, ${where.join(', ')}` : ''}`;
  });
  throw new CommandError(
    [
      `Change request ${request} conflicts with the main content on ${conflicts.length} page${conflicts.length === 1 ? '' : 's'}; nothing was changed.`,
      ...pages,
    ].join('\n'),
    {
      exitCode: exit.refused,
      hint: 'Change these pages in the request so that both sides agree, then merge again.',
    },
  );
}
