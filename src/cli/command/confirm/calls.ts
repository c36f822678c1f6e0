import { type Change, changesOf } from '../../../contract/changes.ts';
import { isObject } from '../../../shared/is-object.ts';
import { visible } from '../../output/index.ts';
import { type Call, type Confirm, idOf, type Invocation } from '../command.ts';
import { replacedLists } from '../flags.ts';
import { confirmByTitle, confirmQuestion, permanentText, questionAbout } from './questions.ts';

/**
 * Asks all questions of a command before it sends requests.
 *
 * @returns remarks to print when the calls are done
 * @throws UsageError without a terminal and without --yes; CommandError when the answer is no
 */
export async function confirmCalls(invocation: Invocation, calls: Call[]): Promise<string[]> {
  const { command } = invocation;
  const remarks: string[] = [];
  if (calls.some(hasList)) remarks.push(...(await confirmReplacedLists(invocation, calls)));
  let others = calls;
  if (command.self && command.self !== 'own') {
    const { confirmSelf } = await import('./self.ts');
    const own = await confirmSelf(invocation, command.self, calls);
    others = calls.filter((call) => !own.includes(call));
  }
  for (const confirm of [command.confirm ?? []].flat()) await confirmOthers(invocation, confirm, others);
  return remarks;
}

/** Reports in a dry run which questions the real run asks about special values, and where --yes is not enough. */
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
    const whole = question + (await permanentText(call));
    // The caller may have written the title.
    const id = isObject(object) && typeof object.id === 'string' ? object.id : idOf(call);
    return confirmByTitle(invocation, whole, { id, title: typed.title(object), contents });
  }
  return confirmQuestion(invocation, await questionAbout(invocation, question, asked));
}

/**
 * The lists that are replaced, before and after. In a terminal it asks if something would be removed: a list that is
 * typed again easily lacks earlier values.
 *
 * @returns what to say when it is done
 */
async function confirmReplacedLists(invocation: Invocation, calls: Call[]): Promise<string[]> {
  const { io, command, globals } = invocation;
  const { lookUp } = await import('../dry-run/named-objects.ts');
  const remarks: string[] = [];
  let removed = 0;
  for (const { endpoint, params, body = {} } of calls) {
    const names = new Set(replacedLists(endpoint));
    if (!Object.keys(body).some((name) => names.has(name))) continue;
    const object = await lookUp(invocation, endpoint.path, params);
    for (const change of changesOf(endpoint, body, object).filter(({ field }) => names.has(field))) {
      remarks.push(textOf(change, calls.length > 1 ? `${idOf({ params })}: ` : ''));
      const kept = wordsOf(change.after);
      removed += wordsOf(change.before).filter((word) => !kept.includes(word)).length;
    }
  }
  // The command's own question covers it.
  const isAsked = [command.confirm ?? []].flat().some(({ when }) => calls.some(({ body = {} }) => when?.(body)));
  if (removed === 0 || isAsked || globals.yes || !io.interactive) return remarks;
  await io.err.write(`${remarks.join('\n')}\n`);
  await confirmQuestion(invocation, `${removed === 1 ? 'One item is' : `${removed} items are`} removed. Continue?`);
  return [];
}

const wordsOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);

function textOf({ field, before, after }: Change, prefix: string): string {
  const list = (value: unknown) => wordsOf(value).map(visible).join(', ') || 'none';
  return `${prefix}${field} before: ${list(before)}\n${prefix}${field} after: ${list(after)}`;
}
