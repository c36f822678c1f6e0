import type { Invocation } from '../../cli/command/command.ts';
import { type BuildServer, markdownCell } from '../../cli/program/build-server.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { mergeRequest } from '../cr/merge.ts';
import type { Condition } from '../cr/require-flag.ts';
import type { Docs } from './folder.ts';

export type Request = AnswerOf<typeof changeRequests.view>;

export type PushInvocation = Invocation<
  { folder?: string | undefined },
  {
    new?: string | undefined;
    merge?: boolean | undefined;
    update?: boolean | undefined;
    require?: Condition[] | undefined;
    ci?: boolean | undefined;
  }
>;

/** The request to push into, where there is one already. @throws CommandError where it accepts no more changes */
export async function findRequest(
  { client, flags, globals }: PushInvocation,
  spaceId: string,
  docs: Docs,
): Promise<Request | undefined> {
  const service = await client();
  if (flags.cr !== undefined) {
    const request = await service.call(changeRequests.view, { params: { spaceId, changeRequestId: flags.cr } });
    if (request.status !== 'merged' && request.status !== 'archived') return request;
    throw new CommandError(`Change request #${request.number} is ${request.status} and accepts no more changes.`, {
      exitCode: exit.refused,
      hint: 'Push into another one, or into a new one with --new "subject".',
    });
  }
  if (globals.dryRun && flags.new === undefined && !flags.merge) return undefined;
  const subject = subjectOf(flags.new, docs);
  // A run that failed, or that of an earlier commit, may have left a request: with a second one, both would conflict.
  for (const status of ['draft', 'open'] as const) {
    for await (const request of service.items(changeRequests.list, { params: { spaceId }, query: { status } })) {
      if (request.subject === subject) return request;
    }
  }
  return undefined;
}

export async function createRequest({ client, flags }: PushInvocation, spaceId: string, docs: Docs): Promise<Request> {
  const body = { subject: subjectOf(flags.new, docs) };
  return (await client()).call(changeRequests.create, { params: { spaceId }, body });
}

const subjectOf = (subject: string | undefined, { name }: Docs) => subject ?? `Push ${name}`.slice(0, 100);

/** Opens and merges a request. @returns the request afterwards */
export async function merge(
  { client, flags }: PushInvocation,
  spaceId: string,
  request: Request,
  server: BuildServer,
): Promise<Request> {
  const service = await client();
  const params = { spaceId, changeRequestId: request.id };
  try {
    await mergeRequest(service, params, { open: true, update: flags.update, require: flags.require });
  } catch (error) {
    server.outputs({ 'change-request': request.number, url: request.urls.app });
    if (error instanceof CommandError) server.summary(`### Not merged\n\n${markdownCell(error.message)}`);
    throw error;
  }
  return service.call(changeRequests.view, { params });
}
