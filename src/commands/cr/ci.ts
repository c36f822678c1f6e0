import { buildServer, markdownCell } from '../../cli/program/build-server.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';

export type CiFlag = { ci?: boolean | undefined };

type ChangeRequest = AnswerOf<typeof changeRequests.view>;

/** Gives a build server the request's number, revision and address for later steps, and a line for the run's page. */
export async function tellRequest(
  { io, session, flags, client }: Invocation<{}, CiFlag>,
  params: { spaceId: string; changeRequestId: string },
  answer?: ChangeRequest,
): Promise<void> {
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  if (server.name === 'none') return;
  await server.mask(session.env.DOCSCTL_TOKEN);
  const request = answer ?? (await (await client()).call(changeRequests.view, { params }));
  const { number, subject, status, urls } = request;
  server.outputs({
    'change-request': number,
    result: status,
    revision: request.revisionMerged ?? request.revision,
    url: urls.app,
  });
  server.summary(`### Change request [#${number}](${urls.app}): ${status}\n\n${markdownCell(subject)}`);
}
