import { idOf } from '../call-id.ts';
import type { Call, Confirm, Invocation } from '../command.ts';
import { confirmByTitle, confirmQuestion, questionAbout } from './questions.ts';

/**
 * Asks all questions of a command before its calls are made.
 *
 * @returns remarks to print when the calls are done
 * @throws UsageError without a terminal and without --yes; CommandError when the answer is no
 */
export async function confirmCalls(invocation: Invocation, calls: Call[]): Promise<string[]> {
  const { command } = invocation;
  const remarks: string[] = [];
  if (calls.some(hasList)) {
    const { confirmReplacedLists } = await import('./lists.ts');
    remarks.push(...(await confirmReplacedLists(invocation, calls)));
  }
  let others = calls;
  if (command.self && command.self !== 'own') {
    const { confirmSelf } = await import('./self.ts');
    const own = await confirmSelf(invocation, command.self, calls);
    others = calls.filter((call) => !own.includes(call));
  }
  for (const confirm of [command.confirm ?? []].flat()) await confirmOthers(invocation, confirm, others);
  return remarks;
}

/** Says in a dry run which questions the real run asks about special values, and where --yes is not enough. */
export async function noteQuestions(invocation: Invocation, calls: Call[]): Promise<void> {
  const { command, globals, io, values } = invocation;
  if (command.self && command.self !== 'own' && !values.yesMyself) {
    const { callsAboutSelf } = await import('./self.ts');
    const [own] = await callsAboutSelf(invocation, command.self, calls);
    if (own)
      await io.note(
        `${await questionAbout(invocation, command.self.question, [own])} Careful, this is you: without a terminal, the command needs --yes-myself.`,
      );
  }
  if (globals.yes) return;
  for (const { question, when } of [command.confirm ?? []].flat()) {
    const asked = calls.filter(({ body = {} }) => when?.(body));
    if (asked.length > 0) await io.note(`Needs confirmation: ${await questionAbout(invocation, question, asked)}`);
  }
}

const hasList = ({ endpoint: { method }, body = {} }: Call) =>
  method !== 'POST' && Object.values(body).some(Array.isArray);

async function confirmOthers(invocation: Invocation, confirm: Confirm, calls: Call[]): Promise<void> {
  const { globals, io } = invocation;
  const { question, typed, holds, when } = confirm;
  const asked = when ? calls.filter(({ body = {} }) => when(body)) : calls;
  const [call, ...others] = asked;
  if (globals.yes || !call) return;
  if (typed && others.length === 0 && io.interactive) {
    const client = await invocation.client();
    const object = await client.call(typed.view, { params: call.params });
    const contents = holds?.(object).filter(([count]) => count > 0) ?? [];
    return confirmByTitle(invocation, question, { id: idOf(call), title: typed.title(object), contents });
  }
  return confirmQuestion(invocation, await questionAbout(invocation, question, asked));
}
