import { buildServer, markdownCell } from '../cli/ci.ts';
import type { Invocation } from '../cli/invocation.ts';
import { changeRequests } from '../contract/changeRequests.ts';
import type { AnswerOf } from '../contract/endpoint.ts';

type Request = AnswerOf<typeof changeRequests.view>;

/** Gives a build server the request's number, revision and address for later steps, and a line for the run's page. */
export async function tellRequest(
  { io, session, flags, client }: Invocation,
  params: { spaceId: string; changeRequestId: string },
  known?: Request,
): Promise<void> {
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  if (server.name === 'none') return;
  await server.mask(session.env.DOCSCTL_TOKEN);
  const request = known ?? (await (await client()).call(changeRequests.view, { params }));
  const { number, subject, status, urls } = request;
  server.outputs({
    'change-request': number,
    revision: request.revisionMerged ?? request.revision,
    url: urls.app,
  });
  server.summary(`### Change request [#${number}](${urls.app}): ${status}\n\n${markdownCell(subject)}`);
}
