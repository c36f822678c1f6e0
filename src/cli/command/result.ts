import type { Column } from '../output/index.ts';
import { type Call, type Invocation, nameOf } from './command.ts';
import { idOf } from './call-id.ts';

/** What became of an object where the service answers with nothing. */
export interface Result {
  id: string;
  result: string;
}

export const resultColumns: Column[] = [{ key: 'id', title: 'ID', kind: 'id' }, { key: 'result' }];

const resultOfVerb: Record<string, string> = { delete: 'deleted', remove: 'removed', set: 'set', update: 'changed' };

/** Whether results are printed: who reads the remarks on standard error has not asked for them. */
export const wantsResult = ({ globals: { output, jq, columns } }: Invocation): boolean =>
  output !== undefined || jq !== undefined || columns !== undefined;

export function resultOf({ command }: Pick<Invocation, 'command'>, call: Pick<Call, 'params'>): Result {
  const verb = nameOf(command);
  return { id: idOf(call), result: command.output?.result ?? resultOfVerb[verb] ?? 'done' };
}
