import type { Invocation } from '../../cli/command/command.ts';
import { argument, print, requireOrganization, scopeOf, withProgress } from '../../cli/command/invocation.ts';
import { missingValue, UsageError, checkFailed } from '../../cli/program/failure.ts';
import { pollUntil } from '../../client/poll.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { openapi } from '../../contract/openapi.ts';
import { spaces } from '../../contract/spaces.ts';
import { nearest } from '../../shared/suggest.ts';

type WaitInvocation = Invocation<
  { resource?: string | undefined; id?: string | undefined },
  { until?: string | undefined; since?: string | undefined; within?: string | undefined }
>;

/** What is waited for. */
interface Subject {
  id: string;
  /** Reads its state: a word. */
  read(): Promise<string>;
  isDone(state: string): boolean;
  /** Whether the state is the one that was waited for. */
  isGood(state: string): boolean;
}

/** Waits until something has happened, and prints its state. */
export async function runWait(invocation: WaitInvocation): Promise<void> {
  const { flags, globals, io, signal } = invocation;
  const resource = argument(invocation, 'resource');
  const subjectOf = Object.hasOwn(subjects, resource) ? subjects[resource] : undefined;
  if (!subjectOf) throw unknownResource(resource);
  const seconds = secondsIn(flags.within ?? '10m');
  refuseFlag(resource, flags);
  const subject = await subjectOf(invocation);
  const { id } = subject;
  if (globals.dryRun) {
    await requireOrganization(invocation);
    return io.note(`Would wait for ${resource} ${id}.`);
  }
  const title = `Waiting for ${resource} ${id}`;
  const textOf = (state: string) => `${resource} ${id} is ${state}`;
  const state = await withProgress(io, title, (progress) =>
    pollUntil({ ...subject, textOf, seconds, signal, say: (text) => progress.say(text) }),
  );
  await print(invocation, { resource, id, state });
  if (!subject.isGood(state)) throw checkFailed(`${textOf(state)}.`);
}

const subjects: Readonly<Record<string, (invocation: WaitInvocation) => Promise<Subject>>> = {
  async cr(invocation) {
    const { until = 'closed' } = invocation.flags;
    const [client, id] = [await invocation.client(), idIn(invocation)];
    const params = { spaceId: await scopeOf(invocation, 'space'), changeRequestId: id };
    const isGood = (state: string) =>
      until === 'closed' ? state === 'merged' || state === 'archived' : state === until;
    return {
      id,
      read: async () => (await client.call(changeRequests.view, { params })).status,
      isGood,
      // A merged request stays merged.
      isDone: (state) => isGood(state) || state === 'merged' || (state === 'archived' && until === 'merged'),
    };
  },
  async openapi(invocation) {
    const [client, id] = [await invocation.client(), idIn(invocation)];
    const params = { orgId: await scopeOf(invocation, 'org'), specSlug: id };
    return {
      id,
      async read() {
        const { processingState, lastProcessErrorCode } = await client.call(openapi.view, { params });
        return processingState === 'complete' && lastProcessErrorCode !== undefined
          ? `failed (${lastProcessErrorCode})`
          : processingState;
      },
      isGood: (state) => state === 'complete',
      isDone: (state) => state === 'complete' || state.startsWith('failed'),
    };
  },
  async import(invocation) {
    const client = await invocation.client();
    const spaceId = invocation.args.id ?? (await scopeOf(invocation, 'space'));
    const read = async () => (await client.call(spaces.view, { params: { spaceId } })).revision;
    const since = invocation.flags.since ?? (await read());
    const isNew = (state: string) => state !== since;
    return { id: spaceId, read, isDone: isNew, isGood: isNew };
  },
};

/** @throws UsageError for a flag that is about another resource */
function refuseFlag(resource: string, { until, since }: WaitInvocation['flags']): void {
  const flag = resource !== 'cr' && until !== undefined ? '--until' : undefined;
  const other = flag ?? (resource !== 'import' && since !== undefined ? '--since' : undefined);
  if (other === undefined) return;
  throw new UsageError(`${other} is not about "${resource}".`, 'See "docsctl wait --help".');
}

function idIn(invocation: WaitInvocation): string {
  const { id } = invocation.args;
  if (id === undefined) throw missingValue('<id>', invocation.path);
  return id;
}

function unknownResource(resource: string): UsageError {
  const names = Object.keys(subjects);
  const near = nearest(resource, names);
  return new UsageError(
    `"${resource}" is nothing to wait for.`,
    near === undefined ? `There are ${names.join(', ')}.` : `Did you mean "${near}"?`,
  );
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

function secondsIn(text: string): number {
  const [, amount = '', unit = 's'] = /^(\d{1,6})([smh])?$/.exec(text) ?? [];
  if (amount === '') throw new UsageError(`--within: "${text}" is not a time.`, 'Write a number with s, m or h: 10m.');
  return Number(amount) * (units[unit] ?? 1);
}
