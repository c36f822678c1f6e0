import { type Column, visibleLines } from '../output/index.ts';
import { failureJson, failureOf, failureText } from '../program/failure.ts';
import { type Call, idOf, type Invocation, nameOf } from './command.ts';

/** What became of an object if the service answers with nothing. */
export interface Result {
  id: string;
  result: string;
}

export const resultColumns: Column[] = [{ key: 'id', title: 'ID', kind: 'id' }, { key: 'result' }];

const resultOfVerb: Record<string, string> = {
  delete: 'deleted',
  remove: 'removed',
  set: 'set',
  update: 'changed',
  edit: 'changed',
};

/** The note of a command with one object that the service left as it was. */
export const unchangedText = 'Nothing was changed: all values were as requested.';

/** Whether results are printed: who reads the remarks on standard error has not asked for them. */
export const wantsResult = ({ globals: { output, jq, columns } }: Invocation): boolean =>
  output !== undefined || jq !== undefined || columns !== undefined;

/** What the command does with an object, as a result: `removed`. */
export const wordOfResult = ({ command }: Invocation): string =>
  command.output?.result ?? resultOfVerb[nameOf(command)] ?? 'done';

/** The result of a call that was carried out: with ids where its parameters are names. */
export async function resultOf(invocation: Invocation, { endpoint, params }: Call): Promise<Result> {
  const names = await invocation.names();
  // The names were looked up for the call, so this sends nothing.
  const ids = await names.prepare(endpoint, { params });
  return { id: idOf(ids), result: wordOfResult(invocation) };
}

/** Why something failed, in one line for a result file; nothing without an error. */
export function failureReason(error: unknown, { flagOf }: Pick<Invocation, 'flagOf'>): string {
  if (error === undefined) return '';
  const [line = ''] = failureText(failureOf(error), flagOf)
    .replace(/^error: /, '')
    .split('\n');
  return line.replace(/\.$/, '');
}

/** The failure of one of several objects, as it is reported. */
export function failureLine(error: unknown, id: string, { globals, flagOf }: Invocation): string {
  const failure = failureOf(error);
  if (globals.output === 'json' || globals.output === 'jsonl') return failureJson({ ...failure, item: id });
  return visibleLines(failureText(failure, flagOf).replace(/^error: /, () => `error: ${id}: `));
}
