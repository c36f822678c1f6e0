import { visible } from '../../output/index.ts';
import { idOf } from '../call-id.ts';
import { type Change, changesOf } from '../../../contract/changes.ts';
import type { Call, Invocation } from '../command.ts';
import { confirmQuestion } from './questions.ts';
import { lookUp } from '../dry-run/named-objects.ts';
import { replacedLists } from './replaced-lists.ts';

/**
 * The lists that are replaced, before and after. In a terminal it asks where something would be removed: a list that is
 * typed anew easily lacks what was in it.
 *
 * @returns what to say when it is done
 */
export async function confirmReplacedLists(invocation: Invocation, calls: Call[]): Promise<string[]> {
  const { io, command, globals } = invocation;
  const remarks: string[] = [];
  let removed = 0;
  for (const { endpoint, params, body = {} } of calls) {
    const names = new Set(replacedLists(endpoint));
    if (!Object.keys(body).some((name) => names.has(name))) continue;
    const object = await lookUp(invocation, endpoint.path, params);
    for (const change of changesOf(endpoint, body, object).filter(({ field }) => names.has(field))) {
      remarks.push(textOf(change, calls.length > 1 ? `${idOf({ params })}: ` : ''));
      removed += withoutThose(wordsOf(change.before), wordsOf(change.after)).length;
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
const withoutThose = (words: string[], others: string[]) => words.filter((word) => !others.includes(word));

function textOf({ field, before, after }: Change, prefix: string): string {
  const list = (value: unknown) => wordsOf(value).map(visible).join(', ') || 'none';
  return `${prefix}${field} before: ${list(before)}\n${prefix}${field} after: ${list(after)}`;
}
