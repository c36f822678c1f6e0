import { users } from '../../../contract/users.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import { type Call, type Invocation, type SelfChange, idOf } from '../command.ts';
import { confirmWith, questionAbout } from './questions.ts';

type Caller = AnswerOf<typeof users.current>;

/**
 * Asks about the calls that take something from the caller, also with --yes: an administrator who removes or lowers
 * herself cannot undo it.
 *
 * @returns these calls
 * @throws UsageError without a terminal and without --yes-myself; CommandError when the answer is no
 */
export async function confirmSelf(invocation: Invocation, self: SelfChange, calls: Call[]): Promise<Call[]> {
  const own = await callsAboutSelf(invocation, self, calls);
  const [first] = own;
  if (!first || invocation.values.yesMyself) return own;
  await confirmAboutSelf(invocation, await questionAbout(invocation, self.question, [first]), self.loss);
  return own;
}

/** The calls that take something from the caller. */
export async function callsAboutSelf(invocation: Invocation, self: SelfChange, calls: Call[]): Promise<Call[]> {
  const client = await invocation.client();
  const caller = await client.call(users.current, {});
  const own: Call[] = [];
  const names = await invocation.names();
  for (const call of calls) {
    // In that case, names that look like IDs are IDs.
    const { params, body = {} } = await names.prepare(call.endpoint, call);
    const people = self.people?.(body) ?? [idOf({ params })];
    if (people.some((name) => isCaller(caller, name)) && (await isLowering(invocation, self, call, caller)))
      own.push(call);
  }
  return own;
}

/** Asks a question about the caller, unless --yes-myself is given. */
export async function confirmAboutSelf(invocation: Invocation, question: string, loss: string): Promise<void> {
  if (invocation.values.yesMyself) return;
  await confirmWith(
    invocation,
    `${question} Careful, this is you: ${loss}`,
    'Add --yes-myself to run it without confirmation; --yes alone is not enough.',
  );
}

/** Whether a name is one of the forms in which the caller can be named. */
function isCaller({ id, email }: Pick<Caller, 'id' | 'email'>, name: string): boolean {
  const word = name.trim().replace(/^id:/, '');
  if (word === '@me' || word === id) return true;
  if (/^https?:/.test(word)) return word.split(/[/?#]/).includes(id);
  return email !== undefined && word.toLowerCase() === email.toLowerCase();
}

async function isLowering(invocation: Invocation, self: SelfChange, call: Call, { id }: Caller): Promise<boolean> {
  if (!self.lowers) return true;
  const { members } = await import('../../../contract/members.ts');
  const client = await invocation.client();
  const { orgId = '' } = call.params;
  const { role } = await client.call(members.view, { params: { orgId, userId: id } });
  return self.lowers(call.body ?? {}, role);
}
